"""Tables in Markdown."""

from harness.competition import geometric_mean

PEERS = ("gbnn_lbfgs", "gbnn_refined", "paper_gbnn", "mlp_adam", "mlp_lbfgs",
         "xgboost", "adaboost", "random_forest")


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def number(value):
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def ratio_table(sets, key, threads, clock):
    """Times of the peers as multiples of GBNN's."""
    sets = [s for s in sets if threads in s]
    peers = [p for p in PEERS if any(p in s[threads] for s in sets)]
    rows, columns = [], {p: [] for p in peers}
    for s in sets:
        ours = s[threads]["gbnn_auto"][f"{key}_{clock}"]
        row = [s["name"], f"{s['points']} x {s['columns']}",
               number(1000 * ours)]
        for p in peers:
            if p in s[threads]:
                ratio = s[threads][p][f"{key}_{clock}"] / ours
                columns[p].append(ratio)
                row.append(number(ratio))
            else:
                row.append("-")
        rows.append(row)
    rows.append(["**geometric mean**", "", ""]
                + [f"**{number(geometric_mean(columns[p]))}**" for p in peers])
    return table(["set", "size", "gbnn_auto, ms", *peers], rows)


def score_table(sets):
    """Accuracies, or RMSE."""
    names = [n for n in ("gbnn_auto", *PEERS)
             if any(n in s["one_thread"] for s in sets)]
    rows = [[s["name"], str(s["splits"])]
            + [f"{s['one_thread'][n]['score']:.4f}" if n in s["one_thread"]
               else "-" for n in names] for s in sets]
    return table(["set", "splits", *names], rows)


def memory_table(memories):
    """Peak memory in MB, and as multiples of GBNN's."""
    rows = []
    for m in memories:
        ours = m["contestants"]["gbnn_auto"]
        for name, peak in m["contestants"].items():
            rows.append([m["name"], name, f"{peak / 1e6:.0f}",
                         number(peak / ours)])
    return table(["set", "contestant", "peak MB", "over gbnn_auto's"], rows)


def target_table(targets):
    rows = [[what, target, number(value), "met" if met else "**missed**"]
            for what, target, value, met in targets]
    return table(["what", "target", "measured", ""], rows)


def report(results, targets):
    """The whole report."""
    machine = results["machine"]
    text = [f"{machine['system']}, {machine['processor']}, "
            f"{machine['cores']} cores, {machine['compiler']};\ndata: "
            f"{results['data']}; {results['minutes']:.0f} minutes.\n"]
    if results["tiny"]:
        text += ["These sizes are too small for the numbers to mean much.\n"]
    text += ["### Targets\n", target_table(targets)]
    sets = results.get("tabular")
    if sets:
        for title, key in (("Training", "train"), ("Prediction of the test "
                                                   "part", "predict")):
            text += [f"### {title}, one thread: processor time over that of "
                     "gbnn_auto\n", ratio_table(sets, key, "one_thread", "cpu")]
            if any("all_threads" in s for s in sets):
                text += [f"### {title}, {machine['threads']} threads: "
                         "wall-clock time over that of gbnn_auto\n",
                         ratio_table(sets, key, "all_threads", "wall")]
        text += ["### Accuracy, or RMSE, on the test part\n",
                 score_table(sets)]
    if results.get("set_memory"):
        text += ["### Peak memory, one thread\n",
                 memory_table(results["set_memory"])]
    return "\n".join(text)
