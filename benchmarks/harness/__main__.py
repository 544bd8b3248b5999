"""`benchmarks/run`: builds, measures, prints, saves."""

import argparse
import json
import os
import pathlib
import platform
import re
import subprocess
import tempfile
import time

from harness import competition, data, large, picture, report, shell, targets
from harness.workers import HERE, Workers, available_contestants

SECTIONS = ("tabular", "prediction", "threads", "growth", "memory", "loading",
            "calls")


def parse_arguments():
    root = HERE.parent
    parser = argparse.ArgumentParser(prog="benchmarks/run", description=(
        "Measures GBNN and its peers side by side and prints ratios."))
    parser.add_argument("--tiny", action="store_true", help="small sizes, only "
                        "to see that everything works")
    parser.add_argument("--threads", type=int, default=os.cpu_count(),
                        help="most threads to use (default: all)")
    parser.add_argument("--data", type=pathlib.Path,
                        default=root.parent / "shared" / "data",
                        help="folder of the paper's data sets as CSV files")
    parser.add_argument("--sets", nargs="+", help="only these sets")
    parser.add_argument("--sections", nargs="+", choices=SECTIONS,
                        default=SECTIONS, help="only these measurements")
    parser.add_argument("--splits", type=int, default=3,
                        help="most splits of a set (default: 3)")
    parser.add_argument("--output", type=pathlib.Path,
                        default=pathlib.Path("benchmark-results"),
                        help="folder for results.json, report.md, picture.svg")
    parser.add_argument("--build", type=pathlib.Path, default=root / "build",
                        help="build folder (default: build)")
    parser.add_argument("--no-build", action="store_true",
                        help="take the programs as they are")
    options = parser.parse_args()
    sizes(options)
    return options


def sizes(options):
    """How much of everything."""
    tiny = options.tiny
    options.units = 9 if tiny else 200
    options.splits = 1 if tiny else options.splits
    options.repetitions = 1 if tiny else 3
    options.rounds = 1 if tiny else 4
    # A contestant that takes longer runs once a split; a set, has fewer splits;
    # a contestant, does not run again with all threads.
    options.quick_seconds = 0.7
    options.set_seconds = 8
    options.brief_seconds = 2
    options.patience = 5
    options.predict_rounds = 1 if tiny else 2
    options.predict_points = 5000 if tiny else 1000000
    options.thread_points = [2000] if tiny else [20000, 100000]
    options.memory_points = 20000 if tiny else 1000000
    options.call_points = 1000 if tiny else 100000
    options.call_units = 2 if tiny else 20
    options.thread_counts = sorted({1, options.threads})


def build(options):
    """Build the programs, unless told not to."""
    if not options.no_build:
        root = HERE.parent
        subprocess.run(["cmake", "-S", root, "-B", options.build,
                        "-DGBNN_BUILD_BENCHMARKS=ON"], check=True,
                       stdout=subprocess.DEVNULL)
        programs = ["gbnn_benchmark", "gbnn_count"]
        cache = (options.build / "CMakeCache.txt").read_text()
        if "GBNN_BUILD_CLI:BOOL=ON" in cache:
            programs.append("gbnn_load_benchmark")
        subprocess.run(["cmake", "--build", options.build, "--target",
                        *programs], check=True)


def describe_machine(options):
    cache = (options.build / "CMakeCache.txt").read_text()
    compiler = re.search(r"CMAKE_CXX_COMPILER:\w+=(.*)", cache)[1]
    version = subprocess.run([compiler, "--version"], text=True, check=True,
                             stdout=subprocess.PIPE).stdout.splitlines()[0]
    cpu = subprocess.run(["lscpu"], text=True, stdout=subprocess.PIPE).stdout
    model = re.search(r"Model name:\s*(.*)", cpu)
    return {"system": f"{platform.system()} {platform.machine()}",
            "processor": model[1] if model else "unknown processor",
            "cores": os.cpu_count(), "compiler": version,
            "threads": options.threads}


def find_sets(options):
    """The data sets, and what to call them."""
    if options.tiny:
        return list(data.generate_sets(tiny=True)), "generated, tiny"
    if options.data.is_dir():
        return (list(data.load_sets(options.data, options.sets)),
                "the paper's tabular sets")
    print(f"no folder {options.data}: generated data is used instead")
    return list(data.generate_sets()), "GENERATED (no data folder was found)"


def tabular(sets, contestants, workers, options, results):
    """The tabular sets; each is saved as soon as it is done."""
    results["tabular"] = []
    for entry in competition.run(sets, contestants, workers, options):
        results["tabular"].append(entry)
        save(options, results)
    return results["tabular"]


def measure(options, workers, results):
    """All sections that are wanted; results are saved as they come."""
    contestants = available_contestants()
    sets, results["data"] = find_sets(options)
    if not sets:
        raise SystemExit("benchmarks/run: none of the sets is there")
    sets.sort(key=lambda s: s.points.size)
    # Memory on one set that is not small, but which no contestant is slow on.
    typical = max((s for s in sets if s.points.size < 120000),
                  key=lambda s: s.points.size, default=sets[0])
    steps = {
        "prediction": lambda: large.prediction(workers, options, contestants),
        "threads": lambda: large.threads(workers, options)
        if options.threads > 1 else [],
        "growth": lambda: large.growth(workers, options),
        "memory": lambda: large.memory(options),
        "loading": lambda: shell.loading(options),
        "calls": lambda: shell.calls(workers, options),
        "set_memory": lambda: [competition.memory(typical, contestants,
                                                  options)],
        "tabular": lambda: tabular(sets, contestants, workers, options,
                                   results),
    }
    for name, step in steps.items():
        if name in options.sections or (name == "set_memory" and
                                        "tabular" in options.sections):
            print(f"-- {name}", flush=True)
            results[name] = step()
            save(options, results)


def save(options, results):
    (options.output / "results.json").write_text(
        json.dumps(results, indent=1) + "\n")


def main():
    options = parse_arguments()
    build(options)
    options.output.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    results = {"machine": describe_machine(options), "tiny": options.tiny}
    with tempfile.TemporaryDirectory() as scratch:
        options.scratch = pathlib.Path(scratch)
        with Workers(options.build) as workers:
            measure(options, workers, results)
    results["minutes"] = (time.monotonic() - start) / 60
    found = targets.collect(results, options)
    results["targets"] = [dict(zip(("what", "target", "measured", "met"), t))
                          for t in found]
    save(options, results)
    text = report.report(results, found)
    (options.output / "report.md").write_text(text)
    picture.draw(results, options.output / "picture.svg")
    print("\n" + text)
    print("saved:", *sorted(map(str, options.output.iterdir())))


if __name__ == "__main__":
    main()
