"""Models are objects: copied, pickled, saved, and never changed by a call."""

import copy
import gc
import os
import pickle
import re
import shutil
import subprocess
import sys

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


def xml_of(model, change):
    """The model as XML that somebody has edited."""
    text = re.sub(r"<checksum>\w+</checksum>", "", model._to_bytes(2).decode())
    changed = change(text)
    assert changed != text
    return changed.encode()


@pytest.mark.parametrize("number", [
    "2.5abc", "2,5", "2.5 3", "", "+2.5", "0x2", "1e999", "two"])
def test_numbers_of_xml_are_read_to_their_end(model, number):
    data = xml_of(model, lambda text: text.replace(">2.5<", f">{number}<"))
    with pytest.raises(ValueError, match="number"):
        TinyModel._from_bytes(data, 2)


@pytest.mark.parametrize("size", ["-3", "3x", "3.0", str(2**64)])
def test_sizes_of_xml_are_whole_numbers(model, size):
    data = xml_of(model, lambda text: text.replace(
        "<n_rows>3<", f"<n_rows>{size}<"))
    with pytest.raises(ValueError, match="number"):
        TinyModel._from_bytes(data, 2)


@pytest.mark.parametrize("number", ["inf", "-inf", "5e-324", "0.37", "-1e-300"])
def test_numbers_of_xml(model, number):
    data = xml_of(model, lambda text: text.replace(
        ">2.5<", f"> {number}\n<"))
    assert used(TinyModel._from_bytes(data, 2)) == float(number)


def test_decimal_commas(tmp_path):
    """Files are the same, and read the same, where numbers have commas."""
    # Its exit status is 1 after a warning, and after some errors, too.
    made = tmp_path / "de_DE.UTF-8"
    if shutil.which("localedef"):
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", made],
                       capture_output=True)
    if not made.exists():
        pytest.skip("needs localedef and its sources, Debian's package locales")
    code = """
import locale, sys
from mlpack_tiny import TinyModel, tiny
model = tiny(input_=[[0.25], [0.5]], scale=0.37)["output_model"]
before = [model._to_bytes(form) for form in range(3)]
locale.setlocale(locale.LC_NUMERIC, "de_DE.UTF-8")
assert locale.str(0.5) == "0,5"
for form, data in enumerate(before):
    assert model._to_bytes(form) == data
    again = TinyModel._from_bytes(data, form)
    assert again._to_bytes(form) == data
    assert tiny(input_model=again)["scale_out"] == 0.37
"""
    subprocess.run([sys.executable, "-c", code], check=True,
                   env={**os.environ, "LOCPATH": str(tmp_path)})


def test_names_in_errors_are_short():
    name = "a\n" + "x" * 10000000
    with pytest.raises(ValueError) as error:
        TinyModel._from_bytes(f'{{"{name}": 1}}'.encode(), 1)
    text = str(error.value)
    assert "unknown part 'a xxx" in text
    assert len(text) < 200 and len(text.splitlines()) == 1
