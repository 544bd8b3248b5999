"""The losses of mlpack_gbnn for regression, and what can be wrong with them."""

import re

import numpy as np
import pytest

LOSSES = ["squared", "absolute", "huber", "quantile", "poisson"]


class Data:
    """Responses of one column: outliers among them, or counts."""

    def __init__(self, program):
        rng = np.random.default_rng(2)
        x = rng.normal(size=(400, 2))
        mean = np.exp(1.5 + np.sin(2 * x[:, 0]) + x[:, 1] / 2)
        self.program = program
        self.counts = rng.poisson(mean).astype(float)
        self.wild = mean + np.where(np.arange(400) % 20 == 3, 200, 0)
        self.mean = mean
        program.table("x.csv", x[:300])
        program.table("tx.csv", x[300:])
        self.use(self.counts)
        self.train = ["-t", "x.csv", "-r", "y.csv", "-u", 30, "-S", 5]

    def use(self, responses):
        self.program.table("y.csv", responses[:300])
        self.program.table("ty.csv", responses[300:])
        self.truth = responses[300:]

    def predict(self, *options):
        self.program.good(*options, "-T", "tx.csv", "-o", "o.csv")
        return self.program.numbers("o.csv")


@pytest.fixture
def data(gbnn):
    return Data(gbnn)


def error(loss, truth, predictions, quantiles=(0.5,)):
    """What each loss is measured by, computed anew."""
    if loss in ("squared", "huber"):
        return np.sqrt(np.mean((predictions[:, 0] - truth) ** 2))
    if loss == "absolute":
        return np.mean(np.abs(predictions[:, 0] - truth))
    if loss == "poisson":
        p = predictions[:, 0]
        log = np.where(truth > 0, truth * np.log(np.maximum(truth, 1) / p), 0)
        return np.mean(2 * (log - truth + p))
    below = truth[:, None] - predictions
    return np.mean(np.maximum(below * quantiles, below * (np.array(quantiles)
                                                          - 1)))


NAMES = {"squared": "RMSE", "huber": "RMSE", "absolute": "MAE",
         "quantile": "pinball loss", "poisson": "mean Poisson deviance"}


@pytest.mark.parametrize("loss", LOSSES)
def test_scores_go_with_the_loss(data, loss):
    options = [*data.train, "--loss", loss]
    out = data.program.good(*options, "-T", "tx.csv", "-R", "ty.csv", "-o",
                            "o.csv", "--staged_scores_file", "s.csv").out
    staged = data.program.numbers("s.csv")
    expected = error(loss, data.truth, data.program.numbers("o.csv"))
    assert staged.shape == (31, 2)
    assert staged[-1, 1] == pytest.approx(expected, rel=1e-9)
    shown = float(re.search(NAMES[loss] + r" ([^ ,]+)", out)[1])
    assert shown == pytest.approx(expected, rel=1e-4)
    # Some of the units, too.
    cut = data.predict(*options, "-k", 12)
    assert staged[12, 1] == pytest.approx(error(loss, data.truth, cut),
                                          rel=1e-9)
    assert staged[-1, 1] < staged[0, 1]


def test_squared_is_the_default(data):
    first = data.predict(*data.train)
    assert (data.predict(*data.train, "--loss", "squared") == first).all()
    for loss in LOSSES[1:]:
        assert (data.predict(*data.train, "--loss", loss) != first).any()


def test_counts_are_predicted_positive(data):
    assert data.predict(*data.train, "--loss", "poisson").min() > 0


def test_outliers_are_forgiven(data):
    data.use(data.wild)
    errors = {loss: np.sqrt(np.mean((data.predict(*data.train, "--loss", loss)
                                     [:, 0] - data.mean[300:]) ** 2))
              for loss in ("squared", "absolute", "huber")}
    assert errors["absolute"] < errors["squared"] / 3
    assert errors["huber"] < errors["squared"] / 3


def test_several_quantiles(data):
    quantiles = [0.05, 0.5, 0.95]
    options = [*data.train, "--loss", "quantile", "--quantiles",
               "0.05, 0.5,0.95"]
    result = data.program.good(*options, "-T", "tx.csv", "-R", "ty.csv", "-o",
                               "o.csv", "--staged_scores_file", "s.csv",
                               "-M", "m.bin", "--importance",
                               "--importances_file", "i.csv")
    predictions = data.program.numbers("o.csv")
    assert predictions.shape == (100, 3)
    assert data.program.numbers("s.csv")[-1, 1] == pytest.approx(
        error("quantile", data.truth, predictions, quantiles))
    lines = re.findall(r"quantile (\S+): pinball loss (\S+), (\S+) of the "
                       r"responses below \(100 points\)", result.out)
    assert [float(line[0]) for line in lines] == quantiles
    for k, line in enumerate(lines):
        below = np.mean(data.truth < predictions[:, k])
        assert float(line[2]) == pytest.approx(below)
        assert below == pytest.approx(quantiles[k], abs=0.15)
    assert data.program.numbers("i.csv").shape == (2, 3)
    # From a file, and more units of it.
    assert (data.predict("-m", "m.bin") == predictions).all()
    grown = data.predict("-t", "x.csv", "-r", "y.csv", "-m", "m.bin",
                         "--warm_start", "-u", 3, "--quantiles",
                         "0.05,0.5,0.95", "--loss", "quantile")
    assert grown.shape == (100, 3) and (grown != predictions).any()


def test_quantiles_in_order(data):
    options = [*data.train, "--loss", "quantile", "--quantiles",
               "0.3,0.4,0.5,0.6,0.7", "-n", 0.7]
    crossing = data.predict(*options)
    assert (np.diff(crossing, axis=1) < 0).any()
    ordered = data.predict(*options, "--non_crossing", "-M", "m.bin")
    assert (ordered == np.sort(crossing, axis=1)).all()
    assert (data.predict("-m", "m.bin") == ordered).all()


def test_gradients_of_quantiles(data):
    """The derivative follows the order; by differences of a table."""
    options = [*data.train, "--loss", "quantile", "--quantiles", "0.4,0.5,0.6",
               "--non_crossing"]
    data.program.good(*options, "-M", "m.bin")
    points = data.program.numbers("tx.csv")[:20]
    data.program.table("tx.csv", points)
    data.program.good("-m", "m.bin", "-T", "tx.csv", "--gradients",
                      "--input_gradients_file", "g.csv")
    gradients = data.program.numbers("g.csv").reshape(20, 3, 2)
    data.program.table("tx.csv", points + [1e-6, 0])
    up = data.predict("-m", "m.bin")
    data.program.table("tx.csv", points - [1e-6, 0])
    down = data.predict("-m", "m.bin")
    np.testing.assert_allclose(gradients[:, :, 0], (up - down) / 2e-6,
                               rtol=1e-4, atol=1e-5)


def test_delta_of_huber(data):
    data.use(data.wild)
    chosen = data.predict(*data.train, "--loss", "huber")
    assert (data.predict(*data.train, "--loss", "huber", "--huber_delta", 0)
            == chosen).all()
    distance = np.median(np.abs(data.wild[:300] - np.median(data.wild[:300])))
    np.testing.assert_allclose(
        data.predict(*data.train, "--loss", "huber", "--huber_delta",
                     "%.17g" % distance), chosen)
    # So large that nothing is beyond it: the squared error, but for rounding,
    # which a metric in single precision makes more of.
    np.testing.assert_allclose(
        data.predict(*data.train, "--loss", "huber", "--huber_delta", 1e9,
                     "--refine_iterations", 0),
        data.predict(*data.train, "--refine_iterations", 0), rtol=1e-4)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("extension", ["bin", "json", "xml"])
def test_models_are_saved(data, loss, extension):
    model = f"m.{extension}"
    first = data.predict(*data.train, "--loss", loss, "-M", model)
    # Text has fewer digits than numbers.
    np.testing.assert_allclose(data.predict("-m", model), first,
                               rtol=0 if extension == "bin" else 1e-9)


def test_weight_two_is_the_point_twice(data):
    points, y = data.program.numbers("x.csv"), data.program.numbers("y.csv")
    twice = np.arange(300) % 3 == 0
    data.program.table("x2.csv", np.vstack([points, points[twice]]))
    data.program.table("y2.csv", np.vstack([y, y[twice]]))
    data.program.table("w.csv", 1.0 + twice)
    # One unit from all points at once; more would meet other subsamples.
    size = ["-u", 1, "-S", 5, "-s", 1, "--refine_iterations", 0, "-n", 1,
            "--input_encoding", "linear"]
    for loss in LOSSES:
        a = data.predict("-t", "x.csv", "-r", "y.csv", "-w", "w.csv", *size,
                         "--loss", loss)
        b = data.predict("-t", "x2.csv", "-r", "y2.csv", *size, "--loss", loss)
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("options, option, expected", [
    (["--loss", "cauchy"], "--loss", "must be one of 'squared', 'absolute', "
     "'huber', 'quantile', or 'poisson'"),
    (["--loss", ""], "--loss", "unknown loss"),
    (["--loss", "quantile", "--quantiles", "0"], "--quantiles", "'0'"),
    (["--loss", "quantile", "--quantiles", "1"], "--quantiles",
     "between 0 and 1"),
    (["--loss", "quantile", "--quantiles", "0.5,1.5"], "--quantiles",
     "'0.5,1.5'"),
    (["--loss", "quantile", "--quantiles", "0.9,0.1"], "--quantiles",
     "ascending"),
    (["--loss", "quantile", "--quantiles", "0.5,0.5"], "--quantiles",
     "ascending"),
    (["--loss", "quantile", "--quantiles", ""], "--quantiles", "''"),
    (["--loss", "quantile", "--quantiles", "0.1,"], "--quantiles", "'0.1,'"),
    (["--loss", "quantile", "--quantiles", "0.1 0.5"], "--quantiles",
     "separated by commas"),
    (["--loss", "quantile", "--quantiles", "half"], "--quantiles", "'half'"),
    (["--loss", "quantile", "--quantiles", "nan"], "--quantiles", "'nan'"),
    (["--loss", "huber", "--huber_delta", -1], "--huber_delta",
     "greater than 0"),
    (["--loss", "huber", "--huber_delta", "inf"], "--huber_delta", ""),
], ids=str)
def test_options_out_of_range(data, options, option, expected):
    line = data.program.bad(*data.train, *options, "-M", "m.bin")
    assert option in line and expected in line


def test_responses_that_do_not_suit(data):
    program = data.program
    program.table("two.csv", np.column_stack([data.counts[:300]] * 2))
    line = program.bad("-t", "x.csv", "-r", "two.csv", "--loss", "quantile")
    assert "--responses_file (-r)' has 2 columns" in line
    negative = data.counts.copy()
    negative[[7, 310]] = -2
    program.table("n.csv", negative[:300])
    program.table("tn.csv", negative[300:])
    line = program.bad("-t", "x.csv", "-r", "n.csv", "--loss", "poisson")
    assert "'--responses_file (-r)' has -2 in column 1 of point 8" in line
    # Test data is looked at before training begins, and with a model alone.
    test = ["-T", "tx.csv", "-R", "tn.csv"]
    line = program.bad(*data.train, "--loss", "poisson", *test)
    assert "--test_responses_file (-R)' has -2 in column 1 of point 11" in line
    program.good(*data.train, "--loss", "poisson", "-M", "m.bin")
    assert program.bad("-m", "m.bin", *test) == line
    line = program.bad(*data.train, "--loss", "poisson", "--validation_file",
                       "tx.csv", "--validation_responses_file", "tn.csv")
    assert "--validation_responses_file' has -2" in line


def test_validation_of_quantiles(data):
    data.program.good(*data.train, "--loss", "quantile", "--quantiles",
                      "0.2,0.8", "--validation_file", "tx.csv",
                      "--validation_responses_file", "ty.csv",
                      "--training_losses_file", "l.csv")
    losses = data.program.numbers("l.csv")
    assert losses.shape[1] == 3 and losses[-1, 2] < losses[0, 2]


@pytest.mark.parametrize("options, option", [
    (["--loss", "huber"], "--loss"),
    (["--quantiles", "0.1,0.9"], "--quantiles"),
    (["--loss", "quantile", "--non_crossing"], "--non_crossing"),
])
def test_a_model_keeps_its_loss(data, options, option):
    data.program.good(*data.train, "--loss", "quantile", "-M", "m.bin")
    line = data.program.bad("-t", "x.csv", "-r", "y.csv", "-m", "m.bin",
                            "--warm_start", *options)
    assert f"'{option}' is not that of the input model" in line
    assert "'quantile'" in line


@pytest.mark.parametrize("options, ignored, reason", [
    (["--huber_delta", 2], "--huber_delta", "the loss is 'squared'"),
    (["--loss", "poisson", "--quantiles", 0.1], "--quantiles",
     "the loss is 'poisson'"),
    (["--loss", "absolute", "--non_crossing"], "--non_crossing",
     "the loss is 'absolute'"),
])
def test_options_without_effect(data, options, ignored, reason):
    out = data.program.good(*data.train, *options).out
    assert f"'{ignored}' ignored because {reason}!" in out


def test_classification_has_no_such_loss(binary):
    out = binary.program.good(*binary.train, "--loss", "huber",
                              "--huber_delta", 1).out
    for name in ("loss", "huber_delta"):
        assert f"'--{name}' ignored because this is classification!" in out


def test_report_of_quantiles(data):
    data.program.good(*data.train, "--loss", "quantile", "--quantiles",
                      "0.1,0.9", "-T", "tx.csv", "-R", "ty.csv", "--report",
                      "r.html")
    page = data.program.read("r.html")
    assert "regression with the loss &#39;quantile&#39;" in page
    assert "Quantile 0.9: pinball loss" in page and "quantile 0.1" in page
