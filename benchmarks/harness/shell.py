"""What lies around the method: reading files, calls from elsewhere."""

import json
import shutil
import subprocess
import sys

import numpy as np

from harness.data import write_matrix
from harness.workers import HERE, environment


def points_and_labels(points, columns=54):
    random = np.random.RandomState(1)
    x = random.randn(points, columns)
    return x, (x[:, 0] * x[:, 1] + x[:, 2] > 0).astype(float)


def loading(options):
    """The program's way from a CSV file to points, against data::Load()."""
    program = options.build / "bin" / "gbnn_load_benchmark"
    if not program.exists():
        print("skipping loading: gbnn_load_benchmark is not built")
        return None
    path = options.scratch / "load.csv"
    x, _ = points_and_labels(options.call_points)
    np.savetxt(path, x, fmt="%.6g", delimiter=",")
    result = {}
    for threads in options.thread_counts:
        result[threads] = json.loads(subprocess.run(
            [program, path, str(options.rounds)], check=True,
            env=environment(threads), stdout=subprocess.PIPE).stdout)
    return result


def front_ends(options):
    """Commands that train through each language that is built."""
    build = options.build
    folder = HERE / "calls"
    if (build / "python" / "mlpack_gbnn").exists():
        yield "Python", [sys.executable, folder / "call.py"], []
    library = build / "r" / "library"
    if (library / "mlpackgbnn").exists() and shutil.which("Rscript"):
        yield "R", ["Rscript", "--vanilla", folder / "call.R"], [library]
    julia = shutil.which("julia") or shutil.which(
        build / "julia-runtime" / "bin" / "julia")
    if (build / "julia" / "MlpackGBNN").exists() and julia:
        yield ("Julia", [julia, "--startup-file=no", folder / "call.jl"],
               [build / "julia"])


def calls(workers, options):
    """Training through each language against training through C++."""
    prefix = options.scratch / "call"
    x, y = points_and_labels(options.call_points)
    write_matrix(f"{prefix}.train.bin", x)
    write_matrix(f"{prefix}.train_targets.bin", y)
    size = (prefix, options.call_units, 50)

    env = environment(1)
    env["PYTHONPATH"] += f":{options.build / 'python'}"
    languages = list(front_ends(options))
    missing = {"Python", "R", "Julia"} - {name for name, _, _ in languages}
    if missing:
        print(f"skipping calls from {', '.join(sorted(missing))}: not built")
    answers = {name: [] for name, _, _ in languages}
    here = []
    for _ in range(options.rounds):
        here.append(workers.ask("gbnn_auto", 1, "call", *size))
        for name, program, rest in languages:
            run = subprocess.run(
                list(map(str, [*program, *size, 1, *rest])), env=env,
                check=True, stdout=subprocess.PIPE)
            answers[name].append(json.loads(run.stdout.splitlines()[-1]))
    best = {key: min(a[key] for a in here) for key in here[0]}
    result = {"C++": best}
    for name, times in answers.items():
        # Julia has no clock of the processor's time.
        clock = "cpu" if "call_cpu" in times[0] else "wall"
        seconds = min(t[f"call_{clock}"] for t in times)
        result[name] = {"seconds": seconds, "clock": clock, "ratio":
                        seconds / best[f"call_{clock}"]}
    return result
