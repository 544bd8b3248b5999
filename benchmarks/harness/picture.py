"""The picture: ratios, growth, prediction."""

from harness.competition import geometric_mean
from harness.report import PEERS
from harness.targets import ratios


def draw_ratios(axes, sets):
    """One dot for each set: how much longer a peer trains than GBNN."""
    peers = [p for p in PEERS if ratios(sets, p)]
    for row, peer in enumerate(peers):
        values = list(ratios(sets, peer).values())
        axes.plot(values, [row] * len(values), "o", alpha=0.4, color="C0")
        axes.plot([geometric_mean(values)], [row], "k|", markersize=22)
    axes.axvline(1, color="grey", linewidth=1)
    axes.set(xscale="log", yticks=range(len(peers)), yticklabels=peers,
             xlabel="training time over that of gbnn_auto, one thread",
             title="Each dot a data set, bar: geometric mean")


def draw_growth(axes, growth, optimizer):
    for name, fit in growth.items():
        kind, letter = name.split()
        if kind != optimizer:
            continue
        first_value, first_time = fit["values"][0], fit["seconds"][0]
        axes.plot([v / first_value for v in fit["values"]],
                  [t / first_time for t in fit["seconds"]], "o-",
                  label=f"{letter}: exponent {fit['exponent']:.2f}")
    ends = [1, 16]
    axes.plot(ends, ends, "k:", linewidth=1, label="linear")
    axes.set(xscale="log", yscale="log", title=f"Growth, {optimizer}",
             xlabel="size over the smallest",
             ylabel="training time over the smallest")
    axes.legend()


def draw_prediction(axes, prediction):
    names, times = [], []
    for kind in ("double", "float"):
        for key, name in (("bare", "bare product"), ("all", "GBNN"),
                          ("half", "GBNN, half the units")):
            names.append(f"{name}, {kind}")
            times.append(prediction[f"{kind}_1"][f"{key}_cpu"])
    if "xgboost_1" in prediction:
        names.append("XGBoost")
        times.append(prediction["xgboost_1"]["all_cpu"])
    axes.barh(names, times)
    axes.invert_yaxis()
    axes.set(xlabel="s, one thread", title="Prediction of many points")


def draw(results, path):
    """Draw what there is; says so if it cannot."""
    try:
        import matplotlib
    except ImportError:
        print("skipping the picture: matplotlib is not installed")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(2, 2, figsize=(12, 8))
    if results.get("tabular"):
        draw_ratios(axes[0, 0], results["tabular"])
    if results.get("prediction"):
        draw_prediction(axes[0, 1], results["prediction"])
    for column, optimizer in enumerate(("lbfgs", "auto")):
        if results.get("growth"):
            draw_growth(axes[1, column], results["growth"], optimizer)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg"
                   else None)
