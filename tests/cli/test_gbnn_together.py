"""Options that meet each other, and what strangers may have done to a model."""

import re

import numpy as np
import pytest

from conftest import unsealed


@pytest.fixture
def noise(gbnn):
    """Points whose labels say nothing: early stopping keeps no unit."""
    rng = np.random.default_rng(2)
    gbnn.table("x.csv", rng.normal(size=(60, 3)))
    gbnn.table("y.csv", rng.integers(0, 2, 60))
    gbnn.options = ["-t", "x.csv", "-l", "y.csv", "-u", 20, "-n", 1,
                    "--validation_fraction", 0.5, "-S", 1, "-v"]
    result = gbnn.good(*gbnn.options, "-M", "m.bin")
    gbnn.kept = int(re.search(r"Kept (\d+) of", result.out)[1])
    assert gbnn.kept < 20
    return gbnn


def test_active_units_with_early_stopping(noise):
    result = noise.good(*noise.options, "-k", 20, "-M", "k.bin")
    assert f"The model has {noise.kept} units, fewer than " \
        "'--active_units (-k)' (20)" in result.out
    assert noise.good("-m", "k.bin", "-T", "x.csv", "-p", "p.csv").err == ""


def test_latency_with_few_or_no_units(noise):
    noise.good(*noise.options, "--latency", 20, "-M", "l.bin")
    noise.good("-m", "m.bin", "--latency", 20, "-T", "x.csv", "-p", "p.csv")
    assert len(noise.numbers("p.csv")) == 60


def test_class_weights_count_for_validation_data(gbnn):
    rng = np.random.default_rng(3)
    points = rng.normal(size=(300, 2))
    labels = (points[:, 0] + 0.7 * rng.normal(size=300) > 1.2) * 1
    gbnn.table("x.csv", points[:200])
    gbnn.table("y.csv", labels[:200])
    gbnn.table("vx.csv", points[200:])
    gbnn.table("vy.csv", labels[200:])
    # A class of weight 3 is as good as its points three times.
    three = np.r_[np.arange(100), *[np.flatnonzero(labels[200:])] * 2]
    gbnn.table("tx.csv", points[200:][three])
    gbnn.table("ty.csv", labels[200:][three])
    weights = np.where(labels[:200] == 1, 3, 1)
    gbnn.table("w.csv", weights)
    same = ["-t", "x.csv", "-l", "y.csv", "-u", 10, "-S", 1,
            "--refine_iterations", 0]
    gbnn.good(*same, "--class_weights", "1:3", "--validation", "vx.csv",
              "--validation_labels", "vy.csv", "--training_losses", "a.csv")
    gbnn.good(*same, "-w", "w.csv", "--validation", "tx.csv",
              "--validation_labels", "ty.csv", "--training_losses", "b.csv")
    a, b = gbnn.numbers("a.csv"), gbnn.numbers("b.csv")
    assert a.shape == b.shape and np.allclose(a, b, rtol=1e-12)


def test_weight_zero_is_absent_whatever_its_loss(gbnn):
    """One point far out: exp() of its score overflows when it is held out."""
    rng = np.random.default_rng(4)
    points = rng.normal(size=(80, 1))
    points[7] = 1e5
    counts = rng.poisson(np.exp(np.clip(points[:, 0], -2, 2)))
    gbnn.table("x.csv", points)
    gbnn.table("y.csv", counts)
    falls = 0
    for seed in range(1, 9):
        gbnn.good("-t", "x.csv", "-r", "y.csv", "--loss", "poisson",
                  "--activation", "relu", "--no_scaling", "-u", 30, "-S", seed,
                  "--validation_fraction", 0.3, "--patience", 0,
                  "--refine_iterations", 0, "--training_losses", "l.csv")
        losses = gbnn.numbers("l.csv")[:, 1]
        assert np.isfinite(losses).all()
        falls += losses[-1] < 0.9 * losses[0]
    assert falls == 8


def test_early_exit_of_scores_that_are_no_numbers(gbnn):
    rng = np.random.default_rng(5)
    points = rng.normal(size=(90, 2))
    gbnn.table("x.csv", points)
    gbnn.table("y.csv", np.arange(90) % 3)
    gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 12, "-S", 1, "-A", "relu",
              "--no_scaling", "-M", "m.bin")
    gbnn.table("far.csv", [[1e308, -1e308], [-1e308, 1e308]] * 450)
    for risk in (0, 0.1):
        gbnn.good("-m", "m.bin", "-T", "far.csv", "--early_exit", risk,
                  "-p", "p.csv", "--units_used", "u.csv")
        assert set(gbnn.numbers("p.csv").ravel()) <= {0, 1, 2}
        assert gbnn.numbers("u.csv").max() <= 12


@pytest.mark.parametrize("value", ["-5.0", "0.0", "NaN", "Infinity"])
def test_delta_of_a_stranger(regression, value):
    program = regression.program
    program.good(*regression.train, "--loss", "huber", "-M", "m.json")
    text = unsealed(program.read("m.json"))
    pattern = r'("chosen": \[\s*)[-+.e0-9]+'
    assert re.search(pattern, text)
    program.write("m.json", re.sub(pattern, r"\g<1>" + value, text))
    line = program.bad("-m", "m.json", "-T", "tx.csv", "-o", "o.csv")
    assert "m.json" in line


def test_validation_fraction_of_zero_is_none(binary):
    binary.program.good(*binary.train, "--validation_fraction", 0, "--validation",
                        "tx.csv", "--validation_labels", "ty.csv")
    binary.program.good(*binary.train, "--validation_fraction", 0, "--tune",
                        "--folds", 2, "--tune_learning_rates", "0.5",
                        "--tune_units_per_stage", 1, "--tune_subsamples", "1")


def test_unknown_label_in_the_last_column(binary):
    program = binary.program
    program.table("xy.csv", np.column_stack([binary.points, binary.truth]))
    program.table("vxy.csv", np.column_stack([binary.test_points, [99] * 40]))
    line = program.bad("-t", "xy.csv", "--validation", "vxy.csv", "-u", 5)
    assert "Label 99 of point 1 in the last column of '--validation_file'" in line
