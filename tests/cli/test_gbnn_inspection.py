"""Looking inside a model."""

import numpy as np
import pytest

from conftest import Task


def test_importance_finds_what_matters(gbnn):
    """Column 2 alone decides; column 3 is noise."""
    rng = np.random.default_rng(1)
    points = rng.normal(size=(300, 3))
    gbnn.write("x.csv", "a,b,c\n" + "".join(
        "%.17g,%.17g,%.17g\n" % tuple(row) for row in points))
    gbnn.table("y.csv", (points[:, 1] > 0) * 1)
    result = gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 10, "-S", 4,
                       "--importance", "--importances_file", "i.csv")
    importance = gbnn.numbers("i.csv")
    assert importance.shape == (3, 3)
    assert importance[:, 0].argmax() == importance[:, 2].argmax() == 1
    assert importance[1, 0] > 20 * max(abs(importance[[0, 2], 0]))
    # The table has the names, the most important first.
    lines = [line.split()[0] for line in result.out.splitlines()]
    table = lines[lines.index("column") + 1:]
    assert table[0] == "b" and sorted(table[:3]) == ["a", "b", "c"]


def test_importance_of_categories_is_one_number(gbnn):
    rows = [["r", "g", "b"][i % 3] + ",%d" % (i % 5) for i in range(90)]
    gbnn.write("x.csv", "\n".join(rows) + "\n")
    gbnn.table("y.csv", [(i % 3 == 0) * 1 for i in range(90)])
    result = gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 5, "-S", 4,
                       "--importance", "--importances_file", "i.csv")
    importance = gbnn.numbers("i.csv")
    assert importance.shape == (2, 3)
    assert importance[0, 0] > 10 * abs(importance[1, 0])
    assert "column 1" in result.out


def test_importance_is_repeatable(task):
    program = task.program
    texts = []
    for threads in ("1", "2"):
        program.command = ["env", "OMP_NUM_THREADS=" + threads]
        program.good(*task.train, "-T", "tx.csv", *task.known, "--importance",
                     "--importances_file", "i.csv")
        texts.append(program.read("i.csv"))
    assert texts[0] == texts[1]


def test_importance_prefers_test_data(task):
    program = task.program
    result = program.good(*task.train, "--importance")
    assert "on the training data" in result.out
    result = program.good(*task.train, "-T", "tx.csv", *task.known,
                          "--importance")
    assert "on the test data" in result.out


def test_importance_needs_truth(binary):
    binary.program.good(*binary.train, "-M", "m.bin")
    line = binary.program.bad("-m", "m.bin", "-T", "tx.csv", "--importance")
    assert "--importance" in line and "--test_labels_file" in line
    line = binary.program.bad("-m", "m.bin", "--importance")
    assert "--importance" in line and "--test_file" in line


def test_no_importance_unless_asked_for(binary):
    assert "importance" not in binary.program.good(*binary.train).out


def test_gradients_are_derivatives_in_the_units_of_the_table(task):
    program = task.program
    program.good(*task.train, "-M", "m.bin")
    program.good("-m", "m.bin", "-T", "tx.csv", "--gradients",
                 "--input_gradients_file", "g.csv")
    gradients = program.numbers("g.csv")
    points = np.array(task.test_points)
    for c, step in enumerate([1e-4, 2e-3, 3e-5]):
        moved = []
        for sign in (-1, 1):
            changed = points.copy()
            changed[:, c] += sign * step
            program.table("moved.csv", changed)
            moved.append(task.scores("-m", "m.bin", test="moved.csv"))
        difference = (moved[1] - moved[0]) / (2 * step)
        np.testing.assert_allclose(gradients[:, c::3], difference, rtol=1e-4,
                                   atol=1e-6)


def test_gradients_at_the_largest_value(gbnn):
    rng = np.random.default_rng(1)
    ones = (rng.random(200) < 0.9).astype(int)
    gbnn.table("x.csv", np.c_[ones, rng.normal(size=200)])
    gbnn.table("y.csv", 2 * ones)
    gbnn.good("-t", "x.csv", "-r", "y.csv", "-u", 10, "-S", 1, "--input_encoding",
              "piecewise", "-T", "x.csv", "--gradients",
              "--input_gradients_file", "g.csv")
    assert (gbnn.numbers("g.csv")[:, 0] > 0).all()


def test_gradients_of_categories_do_not_exist(gbnn):
    gbnn.write("x.csv", "".join("%s,%d\n" % ("ab"[i % 2], i) for i in range(20)))
    gbnn.table("y.csv", [i % 2 + i for i in range(20)])
    gbnn.good("-t", "x.csv", "-r", "y.csv", "-u", 3, "-T", "x.csv",
              "--gradients", "--input_gradients_file", "g.csv")
    gradients = gbnn.numbers("g.csv")
    assert np.isnan(gradients[:, 0]).all()
    assert np.isfinite(gradients[:, 1]).all()


def test_dependence_is_the_mean_prediction(task):
    program = task.program
    program.good(*task.train, "-M", "m.bin")
    program.good("-m", "m.bin", "-T", "tx.csv", "--dependence", "2",
                 "--partial_dependence_file", "d.csv")
    curve = program.numbers("d.csv")
    assert (np.diff(curve[:, 0]) > 0).all()
    for value, *expected in curve[::7]:
        changed = np.array(task.test_points)
        changed[:, 1] = value
        program.table("moved.csv", changed)
        means = task.scores("-m", "m.bin", test="moved.csv").mean(axis=0)
        np.testing.assert_allclose(means, expected, rtol=1e-9)


def test_dependence_on_a_category_by_its_name(gbnn):
    gbnn.write("x.csv", "kind,size\n" + "".join(
        "%s,%d\n" % ("abc"[i % 3], i % 7) for i in range(60)))
    gbnn.table("y.csv", [10 * (i % 3) for i in range(60)])
    gbnn.good("-t", "x.csv", "-r", "y.csv", "-u", 60, "-n", 0.5, "-S", 1,
              "--dependence", "kind", "--partial_dependence_file", "d.csv")
    curve = gbnn.numbers("d.csv")
    assert curve[:, 0].tolist() == [0, 1, 2]
    np.testing.assert_allclose(curve[:, 1], [0, 10, 20], atol=2)


def test_dependence_on_missing_words(gbnn):
    """They are a category of their own, the last one."""
    gbnn.write("x.csv", "kind,size\n" + "".join(
        "%s,%d\n" % (["b", "", "a"][i % 3], i % 7) for i in range(60)))
    gbnn.table("y.csv", [10 * (i % 3) for i in range(60)])
    gbnn.good("-t", "x.csv", "-r", "y.csv", "-u", 60, "-n", 0.5, "-S", 1,
              "--dependence", "kind", "--partial_dependence_file", "d.csv",
              "--report", "r.html", "-M", "m.bin")
    curve = gbnn.numbers("d.csv")
    assert curve[:2, 0].tolist() == [0, 1] and np.isnan(curve[2, 0])
    np.testing.assert_allclose(curve[:, 1], [20, 0, 10], atol=2)
    # The mean prediction when it is missing in all points.
    gbnn.write("tx.csv", "kind,size\n" + "".join(",%d\n" % (i % 7) for i in range(60)))
    gbnn.good("-m", "m.bin", "-T", "tx.csv", "-o", "o.csv")
    assert gbnn.numbers("o.csv").mean() == pytest.approx(curve[2, 1], rel=1e-9)
    bars = gbnn.read("r.html").split("Mean prediction for each category")[1]
    assert ">(missing)</th>" in bars.split("</table>")[0]


@pytest.mark.parametrize("column", ["0", "4", "nothing", "-1", "1.5"])
def test_dependence_on_no_column_is_refused(binary, column):
    line = binary.program.bad(*binary.train, "--dependence=" + column)
    assert "--dependence" in line and "'" + column + "'" in line
    assert "from 1 to 3" in line


def test_dependence_on_one_of_two_names(gbnn):
    gbnn.write("x.csv", "a,a,b\n" + "".join(f"{i},{i * 7 % 30},{i % 4}\n"
                                           for i in range(30)))
    gbnn.table("y.csv", [i // 15 for i in range(30)])
    call = ["-t", "x.csv", "-l", "y.csv", "-u", 3, "--refine_iterations", 0,
            "--partial_dependence_file", "d.csv", "--dependence"]
    line = gbnn.bad(*call, "a")
    assert "'a' is the name of two columns, 1 and 2; give the number" in line
    gbnn.good(*call, "2")


def test_dependence_needs_points(binary):
    binary.program.good(*binary.train, "-M", "m.bin")
    line = binary.program.bad("-m", "m.bin", "--dependence", "1")
    assert "--dependence" in line and "--test_file" in line


def test_training_losses(task):
    program = task.program
    boost = ["--refine_iterations", 0]
    program.good(*task.train, *boost, "--training_losses_file", "l.csv", "-M",
                 "m.bin")
    losses = program.numbers("l.csv")
    per_stage = 1 if task.kind == "binary" else 3
    assert losses[:, 0].tolist() == list(range(0, 13, per_stage))
    assert losses[-1, 1] < losses[0, 1]
    # They are kept in the model, and a warm start has its own.
    program.good("-m", "m.bin", "--training_losses_file", "k.csv")
    assert program.read("k.csv") == program.read("l.csv")
    program.good(*task.data, "-u", 6, "-m", "m.bin", "--warm_start",
                 "--training_losses_file", "w.csv")
    warm = program.numbers("w.csv")
    assert warm[:, 0].tolist() == list(range(12, 19, per_stage))
    np.testing.assert_allclose(warm[0, 1], losses[-1, 1], rtol=1e-12)
