"""deep_gbnn() itself."""

import copy
import pickle
import threading

import numpy as np
import pandas as pd
import pytest

from mlpack_gbnn import DeepGBNNModel, GBNNModel, deep_gbnn, gbnn

SMALL = {"layers": [12, 8, 6], "trunk_epochs": 20, "trunk_step_size": 0.01,
         "hidden_units": 20, "seed": 1}


@pytest.fixture(scope="module")
def blobs():
    random = np.random.RandomState(0)
    labels = random.randint(3, size=200)
    points = random.randn(200, 4) + 3 * labels[:, None] * [1, 0, -1, 0]
    return points, labels


def test_trunk_and_head_are_trained_and_compared(blobs):
    points, labels = blobs
    result = deep_gbnn(training=points, labels=labels, test=points,
                       test_labels=labels, **SMALL)
    assert result["accuracy"] == np.mean(result["predictions"] == labels)
    assert result["accuracy"] > 0.9
    assert result["trunk_accuracy"] > 0.9
    assert result["staged_scores"].shape == (21, 2)
    assert result["staged_scores"][-1, 1] == result["accuracy"]
    assert result["summary"].startswith("accuracy on the test data: trunk ")


def test_target_and_columns_by_name(blobs):
    points, labels = blobs
    frame = pd.DataFrame(points, columns=list("abcd"))
    frame.insert(1, "kind", np.array(["low", "mid", "high"])[labels])
    result = deep_gbnn(training=frame, target="kind",
                       test=frame[list("dcba") + ["kind"]], **SMALL)
    assert result["accuracy"] == np.mean(result["predictions"] ==
                                         frame["kind"])
    assert result["accuracy"] > 0.9
    model = result["output_model"]
    for test in (frame, frame.drop(columns="kind"), frame[list("bcda")]):
        np.testing.assert_array_equal(
            deep_gbnn(input_model=model, test=test)["probabilities"],
            result["probabilities"])
    with pytest.raises(ValueError, match="has no column 'd'"):
        deep_gbnn(input_model=model, test=frame[list("abc")])


def test_models_can_be_kept(blobs, tmp_path):
    points, labels = blobs
    result = deep_gbnn(training=points, labels=labels, test=points, **SMALL)
    model = result["output_model"]
    assert isinstance(model, DeepGBNNModel)
    path = tmp_path / "deep.bin"
    model.save(path)
    for same in (DeepGBNNModel.load(path), copy.copy(model),
                 pickle.loads(pickle.dumps(model))):
        again = deep_gbnn(input_model=same, test=points)
        np.testing.assert_array_equal(again["probabilities"],
                                      result["probabilities"])
    # It is none of gbnn()'s.
    with pytest.raises(ValueError, match="not a valid GBNNModel"):
        GBNNModel.load(path)
    with pytest.raises(TypeError, match="input_model"):
        gbnn(input_model=model, test=points)


def test_errors(blobs):
    points, labels = blobs
    with pytest.raises(ValueError, match="at least two"):
        deep_gbnn(training=points, labels=labels, layers=[5])
    with pytest.raises(TypeError, match="did you mean 'trunk_epochs'"):
        deep_gbnn(training=points, labels=labels, trunk_epoch=5)
    with pytest.raises(ValueError, match="has 3 columns, but"):
        deep_gbnn(training=points, labels=labels, test=points[:, :3], **SMALL)


def test_both_bindings_take_turns(blobs):
    """They share a library and its random numbers, but no results."""
    points, labels = blobs
    alone = gbnn(training=points, labels=labels, test=points, hidden_units=12,
                 seed=1)
    first = deep_gbnn(training=points, labels=labels, test=points, **SMALL)
    after = gbnn(training=points, labels=labels, test=points, hidden_units=12,
                 seed=1)
    second = deep_gbnn(training=points, labels=labels, test=points, **SMALL)
    np.testing.assert_array_equal(alone["probabilities"],
                                  after["probabilities"])
    np.testing.assert_array_equal(first["probabilities"],
                                  second["probabilities"])


def test_same_seed_same_bits_on_any_thread(blobs):
    points, labels = blobs
    results = []

    def train():
        results.append(deep_gbnn(training=points, labels=labels, test=points,
                                 **SMALL)["probabilities"])

    train()
    for _ in range(2):
        thread = threading.Thread(target=train)
        thread.start()
        thread.join()
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])
