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
    # The head has the 6 units of the trunk's last layer, and 20 more.
    assert result["staged_scores"].shape == (27, 2)
    assert result["staged_scores"][-1, 1] == result["accuracy"]
    assert result["staged_scores"][6, 1] == result["trunk_accuracy"]
    assert result["summary"].startswith("accuracy on the test data: trunk ")
    assert "log loss" in result["summary"]
    assert np.isnan(result["error"]) and np.isnan(result["trunk_error"])


def test_regression(blobs):
    points, _ = blobs
    responses = np.sin(points[:, 0]) + points[:, 1]
    result = deep_gbnn(training=points, responses=responses, test=points,
                       test_responses=responses, **SMALL)
    predictions = result["output_predictions"]
    assert predictions.shape == (200, 1)
    assert result["error"] == pytest.approx(np.sqrt(np.mean(
        (predictions[:, 0] - responses) ** 2)))
    assert result["error"] < result["trunk_error"]
    assert np.isnan(result["accuracy"])
    again = deep_gbnn(input_model=result["output_model"], test=points)
    np.testing.assert_array_equal(again["output_predictions"], predictions)
    # A numeric target is one, too.
    frame = pd.DataFrame(points, columns=list("abcd")).assign(y=responses)
    named = deep_gbnn(training=frame, target="y", test=frame, **SMALL)
    np.testing.assert_array_equal(named["output_predictions"], predictions)


def test_weights_validation_and_refinement(blobs):
    points, labels = blobs
    base = {"training": points[:150], "labels": labels[:150], "test": points,
            **SMALL}
    plain = deep_gbnn(**base)
    for options in ({"weights": 1.0 + np.arange(150) % 3},
                    {"class_weights": "0:5"}, {"validation_fraction": 0.3},
                    {"refine_iterations": 50, "activation": "tanh"}):
        other = deep_gbnn(**base, **options)["probabilities"]
        assert np.isfinite(other).all()
        assert not np.array_equal(other, plain["probabilities"]), options
    result = deep_gbnn(**base, validation=points[150:],
                       validation_labels=labels[150:], patience=1)
    assert result["summary"].startswith("accuracy on the validation data")
    with pytest.raises(ValueError, match="needs .*validation_labels"):
        deep_gbnn(**base, validation=points[150:])


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
