"""The time that predictions take, in mlpack_gbnn."""

import re

import numpy as np
import pytest


@pytest.fixture
def many(gbnn):
    """A model, and more points than it takes to calibrate."""
    rng = np.random.default_rng(3)
    points = rng.normal(size=(3000, 3))
    labels = np.where(points[:, 0] * points[:, 1] + points[:, 2] > 0, 7, -2)
    gbnn.table("x.csv", points[:300])
    gbnn.table("y.csv", labels[:300])
    gbnn.table("tx.csv", points[300:])
    gbnn.table("ty.csv", labels[300:])
    gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 60, "-S", 1, "-M", "m.bin")
    gbnn.good("-m", "m.bin", "-T", "tx.csv", "-p", "all.csv", "-P", "ALL.csv")
    return gbnn


EARLY = ["-m", "m.bin", "-T", "tx.csv", "-p", "p.csv", "-P", "P.csv",
         "--units_used_file", "u.csv", "-v"]


@pytest.mark.parametrize("active", [60, 25, 0])
def test_certain_exits_change_no_label(many, active):
    many.good("-m", "m.bin", "-T", "tx.csv", "-p", "all.csv", "-P", "ALL.csv",
              "-k", active)
    out = many.good(*EARLY, "--early_exit", 0, "-k", active, "-L", "ty.csv").out
    assert many.read("p.csv") == many.read("all.csv")
    units = many.numbers("u.csv").ravel()
    assert len(units) == 2700 and units.max() <= active
    assert (units.min() < active) == (active > 0)
    # Probabilities are those of the units used.
    full = units == active
    np.testing.assert_array_equal(many.numbers("P.csv")[full],
                                  many.numbers("ALL.csv")[full])
    best = np.array([-2, 7])[many.numbers("P.csv").argmax(axis=1)]
    np.testing.assert_array_equal(best, many.numbers("p.csv").ravel())
    mean, all_units = re.search(
        r"early exit: (\S+) of (\d+) units a point on average; 0 of 2700 "
        "labels differ from those of all units", out).groups()
    assert float(mean) == pytest.approx(units.mean(), rel=1e-4)
    assert int(all_units) == active


def test_calibrated_exits_keep_the_risk(many):
    many.good(*EARLY, "--early_exit", 0)
    certain = many.numbers("u.csv").mean()
    out = many.good(*EARLY, "--early_exit", 0.02, "-L", "ty.csv").out
    changed = np.sum(many.numbers("p.csv") != many.numbers("all.csv"))
    assert 0 < changed < 0.02 * 2700
    units = many.numbers("u.csv").ravel()
    assert units.mean() < certain
    assert f"{changed} of 2700 labels differ" in out
    # Of 199 points that are needed, four times as many were predicted with all
    # units, and three quarters of them told this.
    seen, tested, bound = re.search(
        r"Early exit changes (\d+) of (\d+) labels; with 95 % confidence, at "
        r"most a fraction of (\S+)\.\n", out).groups()
    assert int(tested) == 3 * 199 and float(bound) <= 0.02
    assert int(seen) / int(tested) < float(bound)
    assert np.sum(units == 60) >= 4 * 199
    # The same again gives the same.
    before = many.listing()
    many.good(*EARLY, "--early_exit", 0.02)
    assert many.listing() == before


def test_too_few_points_to_calibrate(binary):
    binary.program.good(*binary.train, "-M", "m.bin")
    out = binary.program.good(*EARLY, "--early_exit", 0.01).out
    assert "'--early_exit' (0.01) needs 798 points in '--test_file (-T)'" in out
    assert "there are 40" in out
    early = binary.program.read("p.csv")
    binary.predict("-m", "m.bin")
    assert early == binary.program.read("p.csv")


def test_several_classes(gbnn, request):
    from conftest import Task
    task = Task(gbnn, "multiclass")
    expected = task.predict(*task.train).splitlines()[:40]
    task.predict(*task.train, "--early_exit", 0)
    assert gbnn.read("p.csv").splitlines() == expected


def test_latency_chooses_units(many):
    def chosen(*options):
        out = many.good("-m", "m.bin", "-T", "tx.csv", "-p", "p.csv", "-P",
                        "P.csv", "-M", "out.json", "-v", *options).out
        found = re.search(r"Predicting a point takes (\S+) us, and (\S+) us for "
                          r"each unit: (\d+) of 60 units take (\S+) us\.", out)
        return [float(x) for x in found.groups()], out

    (start, slope, units, time), out = chosen("--latency", 1e6)
    assert units == 60 and "[WARN ]" not in out
    assert many.read("P.csv") == many.read("ALL.csv")
    assert time == pytest.approx(start + 60 * slope, rel=1e-3, abs=1e-6)
    (_, _, units, _), out = chosen("--latency", 1e-6)
    assert units == 1 and "[WARN ]" in out
    assert "less than a prediction with one unit takes on this machine" in out
    # The model that is saved has them.
    many.good("-m", "out.json", "-T", "tx.csv", "-P", "saved.csv")
    many.good("-m", "m.bin", "-T", "tx.csv", "-P", "one.csv", "-k", 1)
    assert many.read("saved.csv") == many.read("one.csv") == many.read("P.csv")


def test_units_between_cuts_are_warned_of(gbnn):
    """A refined network is good at every eighth of its units."""
    x = np.random.default_rng(4).uniform(-1, 1, size=(400, 2))
    gbnn.table("x.csv", x)
    gbnn.table("y.csv", np.sin(5 * x[:, 0]) * x[:, 1])
    train = ["-t", "x.csv", "-r", "y.csv", "-u", 32, "-S", 1, "-T", "x.csv"]
    gbnn.good(*train, "-M", "m.bin")
    for units, warned in [(12, False), (13, True), (3, False), (32, False)]:
        out = gbnn.good("-m", "m.bin", "-T", "x.csv", "-k", units).out
        assert ("much worse than with 12, the cut below" in out) == warned
        assert ("[WARN ]" in out) == warned
    out = gbnn.good(*train, "-k", 13, "--refine_iterations", 0).out
    assert "[WARN ]" not in out


def test_latency_of_regression(regression):
    out = regression.program.good(*regression.train, "--latency", 1e6, "-v",
                                  "-T", "tx.csv", "-o", "o.csv").out
    assert "12 of 12 units" in out
    limited = regression.program.read("o.csv")
    assert limited == regression.predict(*regression.train)


@pytest.mark.parametrize("options, option, expected", [
    (["--latency", -1], "latency", "must not be negative"),
    (["--latency", "nan"], "latency", ""),
    (["--latency", "inf"], "latency", ""),
    (["--latency", "soon"], "latency", "expected a number"),
    (["--latency", 5, "-k", 3], "latency", "how long they may take"),
    (["--early_exit", 1], "early_exit", "less than 1"),
    (["--early_exit", -0.5], "early_exit", "at least 0"),
    (["--early_exit", "nan"], "early_exit", ""),
    (["--early_exit", "yes"], "early_exit", "expected a number"),
], ids=str)
def test_bad_options(binary, options, option, expected):
    binary.program.good(*binary.train, "-M", "m.bin")
    line = binary.program.bad("-m", "m.bin", "-T", "tx.csv", "-p", "p.csv",
                              *options)
    assert f"--{option}" in line and expected in line


def test_where_it_has_no_effect(regression):
    regression.program.good(*regression.train, "-M", "m.bin")
    use = ["-m", "m.bin", "-T", "tx.csv", "-o", "o.csv"]
    out = regression.program.good(*use, "--early_exit", 0).out
    assert "'--early_exit' ignored because the model is for regression" in out
    out = regression.program.good("-m", "m.bin", "--early_exit", 0, "-M",
                                  "n.bin").out
    assert "'--early_exit' ignored because" in out
    out = regression.program.good(*use, "--units_used_file", "u.csv").out
    assert "'--units_used_file' ignored because there is no early exit" in out
