"""Generated data: prediction of many points, threads, growth, memory."""

import numpy as np

from harness.workers import peak_memory


def prediction(workers, options, contestants):
    """Many points with all and half the units, and one point."""
    result = {}
    size = (options.predict_points, 54, options.units, options.predict_rounds)
    for threads in options.thread_counts:
        for kind in ("double", "float"):
            result[f"{kind}_{threads}"] = workers.ask(
                "gbnn_auto", threads, "predict", kind, *size)
        if "xgboost" in contestants:
            result[f"xgboost_{threads}"] = workers.ask(
                "xgboost", threads, "predict", "xgboost", *size)
    result["latency"] = workers.ask("gbnn_auto", 1, "latency", 54,
                                    options.units)
    return result


def threads(workers, options):
    """How much faster more threads are; one and all take turns."""
    results = []
    for optimizer in ("auto", "lbfgs"):
        for points in options.thread_points:
            times = {count: [] for count in options.thread_counts}
            for _ in range(options.rounds + 2):
                for count in options.thread_counts:
                    times[count].append(workers.ask(
                        "gbnn_auto", count, "scale", optimizer, "double",
                        points, 54, 3, 50)["train_wall"])
            best = {count: min(ts) for count, ts in times.items()}
            results.append({"optimizer": optimizer, "points": points,
                            "seconds": best, "speedup":
                            best[1] / best[options.thread_counts[-1]]})
    return results


# What is varied, over which values, and the sizes that stay: points, columns,
# units.  L-BFGS is held to 30 iterations, so that all stages do the same work;
# the default optimizer stops by itself.  It takes variable projection for all
# of these N and L-BFGS for all of these d and T, so that none of the lines
# joins two methods.  Below these N and d, what a stage or a point costs however
# small it is (the matrix of a limited number of points; the activation) shows.
GROWTH = {
    "N": ([20000, 40000, 80000, 160000], (None, 30, 5)),
    "d": ([64, 128, 256, 512], (2000, None, 10)),
    "T": ([25, 50, 100, 200], (2000, 30, None)),
}


def slope(values, seconds):
    """The exponent with which time grows."""
    return float(np.polyfit(np.log(values), np.log(seconds), 1)[0])


def growth(workers, options):
    """Processor time against the number of points, columns and units."""
    result = {}
    for optimizer in ("lbfgs", "auto"):
        for letter, (values, sizes) in GROWTH.items():
            values = values[:2] if options.tiny else values
            questions = [["scale", optimizer, "double"]
                         + [value if s is None else s for s in sizes] + [30, 1]
                         for value in values]
            times = [[] for _ in values]
            evaluations = [0] * len(values)
            for _ in range(options.rounds):
                for i, question in enumerate(questions):
                    answer = workers.ask("gbnn_auto", 1, *question)
                    times[i].append(answer["train_cpu"])
                    evaluations[i] = answer["evaluations"]
            seconds = [min(ts) for ts in times]
            # Units are stages here.
            a_stage = [e / (value if letter == "T" else sizes[2])
                       for e, value in zip(evaluations, values)]
            result[f"{optimizer} {letter}"] = {
                "values": values, "seconds": seconds,
                "evaluations_a_stage": a_stage,
                "exponent": slope(values, seconds),
                "exponent_at_equal_evaluations": slope(
                    values, [s / e for s, e in zip(seconds, a_stage)])}
    return result


def memory(options):
    """Peak memory of training many points in single precision."""
    points = options.memory_points
    result = {}
    for optimizer in ("auto", "lbfgs"):
        answer, peak = peak_memory("gbnn_auto", options.build, "scale",
                                   optimizer, "float", points, 54, 2, 5)
        result[optimizer] = {"points": points, "peak": peak,
                             "data_bytes": answer["data_bytes"],
                             "ratio": peak / answer["data_bytes"]}
    return result
