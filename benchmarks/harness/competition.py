"""Training and prediction of all contestants on the tabular sets."""

import math
import time

from harness.data import split, write_matrix
from harness.workers import EXTRA, ONLY_CLASSES, peak_memory


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def enters(name, data):
    """Whether a contestant can do this kind of task."""
    return data.classes > 0 or name not in ONLY_CLASSES


def question(name, prefix, data, size, fold):
    return ("compete", name, prefix, data.classes, size, fold + 1)


def best(answers):
    """The fastest times of several runs that differ in nothing else."""
    return {key: min(a[key] for a in answers) for key in answers[0]}


def compete_on(data, contestants, workers, options, threads, folds):
    """Times and scores of the contestants on one set, means over splits, and
    the number of splits.

    Contestants take turns.  Quick ones run several times, of which the fastest
    counts; slow sets have fewer splits, and some peers only one.
    """
    results = {name: [] for name in contestants if enters(name, data)}
    start = time.monotonic()
    for fold in range(folds):
        if fold > 0 and time.monotonic() - start > options.set_seconds:
            break
        running = [name for name in results if fold == 0 or name not in EXTRA]
        prefix = options.scratch / f"{data.name}.{fold}"
        for part, rows in split(data, fold).items():
            write_matrix(f"{prefix}.{part}.bin", rows)
        answers = {name: [] for name in running}
        for repetition in range(options.repetitions):
            for name in running:
                done = answers[name]
                if done and done[0]["train_wall"] > options.quick_seconds:
                    continue
                done.append(workers.ask(
                    name, threads,
                    *question(name, prefix, data, options.units, fold)))
        for name in running:
            results[name].append(best(answers[name]))
    means = {name: {key: sum(r[key] for r in rs) / len(rs) for key in rs[0]}
             for name, rs in results.items()}
    return means, len(results["gbnn_auto"])


def run(sets, contestants, workers, options):
    """All sets, with one thread and with all; yields what each has shown."""
    contestants = list(contestants)
    for data in sets:
        points, columns = data.points.shape
        entry = {"name": data.name, "points": points, "columns": columns,
                 "classes": data.classes}
        one, entry["splits"] = compete_on(data, contestants, workers, options,
                                          1, options.splits)
        entry["one_thread"] = one
        contestants = [name for name in contestants if name not in EXTRA or
                       one.get(name, {"train_wall": 0})["train_wall"] <
                       options.patience]
        if options.threads > 1:
            # What takes long is not run again.
            brief = [name for name in one if name == "gbnn_auto" or
                     one[name]["train_wall"] < options.brief_seconds]
            entry["all_threads"], _ = compete_on(data, brief, workers, options,
                                                 options.threads, 1)
        print_entry(entry)
        yield entry


def print_entry(entry):
    """One line for each set, as it is done."""
    one = entry["one_thread"]
    ours = one["gbnn_auto"]["train_cpu"]
    ratios = "  ".join(f"{name} {one[name]['train_cpu'] / ours:.3g}x"
                       for name in one if name != "gbnn_auto")
    print(f"{entry['name']}: gbnn_auto {ours:.3g} s  {ratios}", flush=True)


def memory(data, contestants, options):
    """Peak memory of training on one set, the program itself included."""
    prefix = options.scratch / f"{data.name}.0"
    for part, rows in split(data, 0).items():
        write_matrix(f"{prefix}.{part}.bin", rows)
    results = {}
    for name in contestants:
        if enters(name, data):
            _, results[name] = peak_memory(
                name, options.build,
                *question(name, prefix, data, options.units, 0))
    return {"name": data.name, "data_bytes": data.points.size * 8,
            "contestants": results}
