"""Models are objects: copied, pickled, saved, and never changed by a call."""

import copy
import gc
import pickle

import numpy as np
import pytest

from mlpack_tiny import TinyModel, tiny


@pytest.fixture
def model():
    return tiny(input_=np.eye(3), scale=2.5)["output_model"]


def used(model):
    return tiny(input_model=model)["scale_out"]


@pytest.mark.parametrize("duplicate", [
    copy.copy, copy.deepcopy,
    lambda model: pickle.loads(pickle.dumps(model)),
    lambda model: copy.deepcopy({"a": [model]})["a"][0],
])
def test_duplicate(model, duplicate):
    other = duplicate(model)
    assert isinstance(other, TinyModel) and other is not model
    assert pickle.dumps(other) == pickle.dumps(model)
    del model
    gc.collect()
    assert used(other) == 2.5


def test_model_outlives_its_call(model):
    gc.collect()
    assert used(model) == 2.5


def test_call_does_not_change_its_model(model):
    before = pickle.dumps(model)
    after = tiny(input_model=model, negate=True)["output_model"]
    assert pickle.dumps(model) == before
    assert used(after) == -2.5 and used(model) == 2.5


@pytest.mark.parametrize("suffix", [".bin", ".json", ".xml"])
def test_file(model, tmp_path, suffix):
    path = tmp_path / ("model" + suffix)
    path.write_text("old")
    model.save(path)
    assert used(TinyModel.load(path)) == 2.5
    assert used(TinyModel.load(str(path))) == 2.5
    assert [p.name for p in tmp_path.iterdir()] == ["model" + suffix]


def test_binary_file_is_the_pickled_bytes(model, tmp_path):
    model.save(tmp_path / "model.bin")
    assert (tmp_path / "model.bin").read_bytes() == model._to_bytes()


def test_bad_files(model, tmp_path):
    with pytest.raises(ValueError, match="must end in .bin, .json or .xml"):
        model.save(tmp_path / "model.txt")
    with pytest.raises(FileNotFoundError):
        TinyModel.load(tmp_path / "none.bin")
    with pytest.raises(FileNotFoundError):
        model.save(tmp_path / "none" / "model.bin")
    data = model._to_bytes()
    for suffix in (".bin", ".json", ".xml"):
        path = tmp_path / ("bad" + suffix)
        for content in (b"", b"nonsense", data[:-1], data + b"x"):
            path.write_bytes(content)
            with pytest.raises(ValueError, match="not a valid TinyModel"):
                TinyModel.load(path)


def test_truncated_pickle(model):
    function, (data,) = model.__reduce__()
    for size in range(len(data)):
        with pytest.raises(ValueError, match="not a valid TinyModel"):
            function(data[:size])


def test_not_made_by_hand():
    with pytest.raises(TypeError, match="TinyModel.load"):
        TinyModel()


def test_repr(model):
    size = len(model._to_bytes())
    assert repr(model) == f"<TinyModel of {size} bytes>"
