"""Piecewise-linear inputs."""

import re

import numpy as np
import pytest

from test_gbnn_export import Mixed, predict

PIECEWISE = ["--input_encoding", "piecewise"]
LINEAR = ["--input_encoding", "linear"]
BOOST = ["--refine_iterations", 0]


def told(result):
    """What the program says about its inputs."""
    return re.search(r"Inputs of the network: (.*)", result.out)[1]


def jumps(gbnn):
    """Responses that jump and bend along two columns."""
    rng = np.random.default_rng(3)
    points = rng.uniform(-3, 3, size=(600, 3))
    truth = np.floor(points[:, 0]) + np.abs(points[:, 1])
    gbnn.table("x.csv", points[:400])
    gbnn.table("y.csv", truth[:400])
    gbnn.table("tx.csv", points[400:])
    gbnn.data = ["-t", "x.csv", "-r", "y.csv", "-S", 1, "-u", 60]
    return truth[400:]


def test_the_encoding_is_told(task):
    run = task.program.good
    assert told(run(*task.train, *LINEAR, "-v")) == "linear."
    assert told(run(*task.train, *PIECEWISE, "-v")) == \
        "piecewise-linear, up to 16 bins each, 48 pieces in all."
    assert told(run(*task.train, *PIECEWISE, "--bins", 5, "-v")) == \
        "piecewise-linear, up to 5 bins each, 15 pieces in all."
    assert "Inputs of the network" not in run(*task.train, *PIECEWISE).out


def test_bins_change_the_model(task):
    def file(*options):
        task.program.good(*task.train, *options, "-M", "m.bin")
        return (task.program.folder / "m.bin").read_bytes()

    sixteen = file(*PIECEWISE)
    assert file(*PIECEWISE) == sixteen
    assert file(*PIECEWISE, "--bins", 16) == sixteen
    assert file(*PIECEWISE, "--bins", 0) == sixteen
    assert file(*PIECEWISE, "--bins", 4) != sixteen
    assert file(*LINEAR) != sixteen


def test_predictions_of_a_saved_model(task):
    at_once = task.predict(*task.train, *PIECEWISE, "-M", "m.bin")
    for name in ("m.bin", "m.json", "m.xml"):
        task.program.good(*task.train, *PIECEWISE, "-M", name)
        later = task.scores("-m", name)
        np.testing.assert_allclose(later, task.scores("-m", "m.bin"),
                                   rtol=1e-7, atol=1e-9)
    assert task.predict("-m", "m.bin") == at_once


def test_it_pays_where_a_unit_would_be_too_smooth(gbnn):
    truth = jumps(gbnn)
    errors = {}
    for name, options in (("linear", LINEAR),
                          ("piecewise", [*PIECEWISE, "--bins", 40])):
        gbnn.good(*gbnn.data, "-T", "tx.csv", "-o", "o.csv", *BOOST, *options)
        errors[name] = np.mean((gbnn.numbers("o.csv").ravel() - truth) ** 2)
    assert errors["piecewise"] < 0.7 * errors["linear"]


def test_auto_chooses_and_tells_why(gbnn):
    jumps(gbnn)
    result = gbnn.good(*gbnn.data, "-v", "-M", "auto.bin", "--report", "r.html")
    why = re.search("Choice of the inputs and of L2 by the (loss of points held out: "
                    r"(\S+) with linear inputs, \d+ units and L2 0.01; "
                    r"(\S+) with up to (\d+) bins, \d+ units and L2 0.01; "
                    r"(\S+) with up to (\d+) bins, \d+ units and L2 0.01; "
                    r"(\S+) with linear inputs, \d+ units and L2 10)\.", result.out)
    assert why and float(why[3]) < float(why[2])
    assert {why[4], why[6]} == {"8", "32"}
    assert told(result).startswith("piecewise-linear, up to " + why[4])
    assert "; chosen by the " + why[1] in gbnn.read("r.html")
    # The same again, and that is the default.
    gbnn.good(*gbnn.data, "--input_encoding", "auto", "-M", "again.bin")
    files = gbnn.listing()
    assert files["auto.bin"] == files["again.bin"]
    # Later nobody knows why.
    gbnn.good("-m", "auto.bin", "-T", "tx.csv", "--report", "later.html")
    later = gbnn.read("later.html")
    assert "piecewise-linear, up to" in later and "chosen by" not in later


def test_auto_keeps_linear_inputs_where_nothing_bends(gbnn):
    rng = np.random.default_rng(4)
    points = rng.normal(size=(300, 5))
    gbnn.table("x.csv", points)
    gbnn.table("y.csv", points.sum(axis=1) + 0.1 * rng.normal(size=300))
    result = gbnn.good("-t", "x.csv", "-r", "y.csv", "-S", 1, "-u", 30, "-v")
    assert "Choice of the inputs" in result.out
    assert told(result) == "linear."


def test_l2_is_chosen(gbnn):
    rng = np.random.default_rng(6)
    points = rng.normal(size=(150, 20))
    gbnn.table("x.csv", points)
    gbnn.table("y.csv", points[:, 0] + points[:, 1] + 4 * rng.normal(size=150))

    def of_report(name):
        return re.search(r"L2</th><td[^>]*>([^<]*)<", gbnn.read(name))[1]

    data = ["-t", "x.csv", "-r", "y.csv", "-S", 1, "-v"]
    result = gbnn.good(*data, "-M", "m.bin", "--report", "r.html")
    losses = {l2: float(loss) for loss, l2 in re.findall(
        r"(\S+) with linear inputs, \d+ units and L2 ([0-9.]*[0-9])", result.out)}
    assert losses["10"] < losses["0.01"]
    assert of_report("r.html") == "10"
    # A warm start keeps it; one that is given is not chosen.
    gbnn.good("-t", "x.csv", "-r", "y.csv", "-m", "m.bin", "--warm_start", "-u", 3,
              "-M", "w.bin", "--report", "w.html")
    assert of_report("w.html") == "10"
    result = gbnn.good(*data, "--l2", 0.5, "-M", "g.bin", "--report", "g.html")
    assert "of L2" not in result.out
    assert of_report("g.html") == "0.5"


def test_the_number_of_units_is_chosen(gbnn):
    rng = np.random.default_rng(5)
    points = rng.normal(size=(400, 3))
    gbnn.table("x.csv", points)
    gbnn.table("noise.csv", rng.normal(size=400))
    gbnn.table("wave.csv", np.sin(3 * points[:, 0]) + points[:, 1] * points[:, 2])

    def train(response, *options):
        result = gbnn.good("-t", "x.csv", "-r", response, "-S", 1, "-v",
                           "--training_losses", "l.csv", *options)
        choice = re.search("Choice of (.*) by the loss", result.out)
        units = gbnn.numbers("l.csv")[-1, 0]
        # Noise doubles them once in six times.
        return choice and choice[1], "few" if units in (15, 30) else units

    everything = "the inputs and of the number of units and of L2"
    assert train("noise.csv") == (everything, "few")
    choice, units = train("wave.csv")
    assert choice == everything and units != "few" and units >= 100
    # With linear inputs, too, and not where the number is given.
    assert train("noise.csv", *LINEAR) == ("the number of units and of L2", "few")
    assert train("noise.csv", "-u", 40) == ("the inputs and of L2", 40)
    assert train("noise.csv", "-u", 40, "--l2", 0.01) == ("the inputs", 40)
    # The paper's method has 200, unless one asks for the choice.
    paper = ["--refine_iterations", 0, *LINEAR]
    assert train("noise.csv", *paper) == (None, 200)
    assert train("noise.csv", *paper, "-u", 0) == ("the number of units and of L2",
                                                   "few")


def test_auto_with_few_points(gbnn):
    gbnn.table("x.csv", [[i, -i * i] for i in range(4)])
    gbnn.table("y.csv", [0, 1, 0, 1])
    result = gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 3, "-v")
    assert "Too few points for a choice of the inputs and of L2." in result.out
    assert told(result) == "linear."


@pytest.mark.parametrize("options, option, expected", [
    (["--input_encoding", "picewise"], "input_encoding",
     "must be one of 'linear', 'piecewise', or 'auto'"),
    (["--input_encoding", ""], "input_encoding", "unknown encoding"),
    (["--input_encoding", "Linear"], "input_encoding", "unknown encoding"),
    (["--input_encodng", "linear"], "input_encodng",
     "did you mean '--input_encoding'?"),
    ([*PIECEWISE, "--bins", -1], "bins", "between 1 and 256"),
    ([*PIECEWISE, "--bins", 257], "bins", "between 1 and 256"),
    ([*LINEAR, "--bins", 257], "bins", "between 1 and 256"),
    ([*PIECEWISE, "--bins", 2.5], "bins", "expected a whole number"),
    ([*PIECEWISE, "--bins", "many"], "bins", "expected a whole number"),
], ids=str)
def test_bad_values(binary, options, option, expected):
    # Before any data is loaded: the table is none.
    binary.program.write("x.csv", "1,2\n3\n")
    line = binary.program.bad(*binary.train, *options, "-M", "m.bin")
    assert f"--{option}" in line and expected in line


@pytest.mark.parametrize("encoding", ["linear", "auto"])
def test_bins_without_piecewise_inputs(binary, encoding):
    out = binary.program.good(*binary.train, "--input_encoding", encoding,
                              "--bins", 8).out
    assert "'--bins' ignored because '--input_encoding' is '%s'" % encoding \
        in out


def test_options_without_training(binary):
    binary.program.good(*binary.train, *PIECEWISE, "-M", "m.bin")
    out = binary.program.good("-m", "m.bin", "-T", "tx.csv", "-p", "p.csv",
                              *LINEAR, "--bins", 3).out
    assert "'--input_encoding' ignored" in out and "'--bins' ignored" in out


def test_a_warm_start_keeps_the_encoding(task):
    program = task.program
    per_stage = ["-j", 2, *BOOST]
    program.good(*task.data, "-u", 12, "-S", 7, *per_stage, *PIECEWISE, "-M",
                 "all.bin")
    program.good(*task.data, "-u", 6, "-S", 7, *per_stage, *PIECEWISE, "-M",
                 "half.bin")
    result = program.good(*task.data, "-u", 6, *per_stage, "-m", "half.bin",
                          "--warm_start", "-v", "-M", "grown.bin")
    assert told(result).startswith("piecewise-linear, up to 16 bins")
    assert task.predict("-m", "grown.bin") == task.predict("-m", "all.bin")
    result = program.good(*task.data, "-u", 6, *per_stage, "-m", "half.bin",
                          "--warm_start", *LINEAR, "--bins", 4, "-v", "-M",
                          "other.bin")
    for option in ("input_encoding", "bins"):
        assert f"'--{option}' ignored because the input model has its own" in \
            result.out
    assert told(result).startswith("piecewise-linear, up to 16 bins")
    assert task.predict("-m", "other.bin") == task.predict("-m", "all.bin")
    # A linear model stays linear.
    program.good(*task.data, "-u", 6, "-S", 7, *LINEAR, "-M", "linear.bin")
    result = program.good(*task.data, "-u", 6, "-m", "linear.bin",
                          "--warm_start", *PIECEWISE, "-v")
    assert told(result) == "linear."


@pytest.mark.parametrize("kind", ["binary", "multiclass", "regression"])
def test_a_table_of_all_kinds_of_cells(gbnn, kind):
    """Categories, missing cells, and categories that are new."""
    task = Mixed(gbnn, kind)
    result = gbnn.good(*task.train, *PIECEWISE, "-v", "-M", "m.bin")
    # Two numeric columns, five colors and three sizes; cells of each of the four
    # are missing.
    assert told(result) == \
        "piecewise-linear, up to 16 bins each, 44 pieces in all."
    values = predict(task, "-m", "m.bin")
    assert np.isfinite(values).all() and len(values) == 50


def test_missing_and_constant_columns(gbnn):
    rng = np.random.default_rng(6)
    points = rng.normal(size=(80, 2))
    rows = [["%.17g" % a, "7", "%.17g" % b] for a, b in points]
    gbnn.table("x.csv", rows)
    gbnn.table("y.csv", points.sum(axis=1))
    result = gbnn.good("-t", "x.csv", "-r", "y.csv", "-u", 9, *PIECEWISE, "-v",
                       "-M", "m.bin")
    assert told(result).endswith("32 pieces in all.")
    # What was never missing is the mean of its column, whatever the constant is.
    gbnn.table("a.csv", [["0.5", "7", ""], ["0.5", "8", ""],
                         ["0.5", "", "%.17g" % np.mean(points[:, 1])]])
    gbnn.good("-m", "m.bin", "-T", "a.csv", "-o", "o.csv")
    predictions = gbnn.numbers("o.csv").ravel()
    np.testing.assert_allclose(predictions, predictions[0], rtol=1e-9)


def test_beyond_the_range_is_at_its_end(task):
    task.program.good(*task.train, *PIECEWISE, "-M", "m.bin")
    ends = [task.points.min(axis=0), task.points.max(axis=0)]
    task.program.table("tx.csv", ends)
    expected = task.scores("-m", "m.bin")
    task.program.table("tx.csv", [ends[0] - 1e6, ends[1] + 1e6])
    np.testing.assert_allclose(task.scores("-m", "m.bin"), expected, rtol=1e-9)


def test_early_exit_gives_the_same_labels(gbnn, binary):
    binary.program.good(*binary.train, *PIECEWISE, "-M", "m.bin")
    binary.predict("-m", "m.bin")
    labels = binary.program.read("p.csv")
    binary.predict("-m", "m.bin", "--early_exit", 0, "--units_used_file",
                   "u.csv")
    assert binary.program.read("p.csv") == labels
    assert binary.program.numbers("u.csv").mean() <= 12


# --- By columns of the table -------------------------------------------------

def test_importances_by_columns(gbnn):
    task = Mixed(gbnn, "regression")
    gbnn.good(*task.train, *PIECEWISE, "--importance", "--importances_file",
              "i.csv")
    assert gbnn.numbers("i.csv").shape == (4, 3)
    gbnn.good(*task.train, *PIECEWISE, "--dependence", "weight",
              "--partial_dependence_file", "d.csv")
    curve = gbnn.numbers("d.csv")
    assert curve.shape[1] == 2
    # Values are those of the table, and the response rises with them.
    assert 4.9 < curve[0, 0] < curve[-1, 0] < 5.1
    assert curve[-1, 1] > curve[0, 1] + 1


def test_gradients_by_columns(task):
    program = task.program
    program.good(*task.train, *PIECEWISE, "--bins", 8, "-M", "m.bin")
    program.good("-m", "m.bin", "-T", "tx.csv", "--gradients",
                 "--input_gradients_file", "g.csv")
    gradients = program.numbers("g.csv")
    points = np.array(task.test_points)
    for c, scale in enumerate([1, 20, 0.3]):
        step = 1e-5 * scale
        moved = []
        for sign in (-1, 1):
            changed = points.copy()
            changed[:, c] += sign * step
            program.table("moved.csv", changed)
            moved.append(task.scores("-m", "m.bin", test="moved.csv"))
        difference = (moved[1] - moved[0]) / (2 * step)
        # Edges are at quantiles of the training data.
        edges = np.quantile(task.points[:, c], np.linspace(0, 1, 9))
        away = np.abs(points[:, [c]] - edges).min(axis=1) > 2 * step
        assert away.sum() > 30
        np.testing.assert_allclose(gradients[away, c::3], difference[away],
                                   rtol=1e-4, atol=1e-5)


def test_the_report_tells_the_encoding(binary):
    binary.program.good(*binary.train, *PIECEWISE, "--report", "r.html")
    assert "<tr><th scope=\"row\">Input encoding</th><td class=\"text\">" \
        "piecewise-linear, up to 16 bins each, 48 pieces in all</td>" in \
        binary.program.read("r.html")
    binary.program.good(*binary.train, *LINEAR, "--report", "r.html")
    assert ">Input encoding</th><td class=\"text\">linear</td>" in \
        binary.program.read("r.html")


def test_tuning_with_bins(binary):
    out = binary.program.good(*binary.train, *PIECEWISE, "--tune", "--folds", 2,
                              "--tune_units_per_stage", 1,
                              "--tune_learning_rates", "0.1,0.5",
                              "--tune_subsamples", "1", "-v").out
    assert "piecewise-linear, up to 16 bins each" in out
