"""The shipped program beside one that is compiled for this machine only.

The default build chooses its kernels at run time.  This measures what that
costs: each level this machine has, against a build with -march=native, on the
paper's sets, one thread, taking turns.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from . import data
from .workers import HERE, environment

SETS = "australian breast_cancer digits magic power spambase vehicle".split()
LEVELS = "baseline v3 v4 neon".split()
ROOT = HERE.parent


class Program:
    """A benchmark program that waits for questions."""

    def __init__(self, build, level=None):
        env = environment(1)
        env.pop("GBNN_SIMD", None)
        if level:
            env["GBNN_SIMD"] = level
        self.process = subprocess.Popen(
            [str(build / "bin" / "gbnn_benchmark")], env=env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)

    def ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        return json.loads(answer) if answer else None


def build(folder, native):
    subprocess.run(["cmake", "-S", ROOT, "-B", folder,
                    "-DGBNN_BUILD_BENCHMARKS=ON",
                    f"-DGBNN_NATIVE={'ON' if native else 'OFF'}"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", "gbnn_benchmark"],
                   check=True)


def start_programs(options):
    """The native program and the default one at each level there is."""
    programs = {"native": Program(options.native)}
    for level in LEVELS:
        program = Program(options.build, level)
        try:
            found = program.ask("predict", "double", 100, 3, 3, 1)
        except BrokenPipeError:
            found = None
        if found:
            programs[level] = program
    return programs


def questions(options, scratch):
    """What is asked, by name, and the key of the time in the answer."""
    wanted = options.sets or SETS
    for one in data.load_sets(options.data, wanted):
        prefix = pathlib.Path(scratch) / one.name
        for part, rows in data.split(one, 0).items():
            data.write_matrix(f"{prefix}.{part}.bin", rows)
        for who in ("gbnn_auto", "gbnn_refined"):
            yield (f"{one.name}, {who}", "train_cpu",
                   ("compete", who, prefix, one.classes, 200, 1))
    for kind in ("double", "float"):
        yield (f"prediction, {kind}", "all_cpu",
               ("predict", kind, 300000, 54, 200, 2))


def main():
    parser = argparse.ArgumentParser(prog="benchmarks/run levels",
                                     description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path,
                        default=ROOT / ".." / "shared" / "data")
    parser.add_argument("--sets", nargs="+", help="only these sets")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--native", type=pathlib.Path,
                        default=ROOT / "build-native",
                        help="folder of the native build")
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"benchmarks/run levels: no folder {options.data}; --data names one")
    if not options.no_build:
        build(options.build, False)
        build(options.native, True)

    programs = start_programs(options)
    levels = [name for name in programs if name != "native"]
    logs = {level: [] for level in levels}
    print("| what | native, s | " + " | ".join(levels) + " |")
    print("|---|---|" + "---|" * len(levels))
    with tempfile.TemporaryDirectory() as scratch:
        for what, key, words in questions(options, scratch):
            times = {name: math.inf for name in programs}
            for _ in range(options.rounds):
                for name, program in programs.items():
                    times[name] = min(times[name], program.ask(*words)[key])
            ratios = [times["native"] / times[level] for level in levels]
            for level, ratio in zip(levels, ratios):
                logs[level].append(math.log(ratio))
            print(f"| {what} | {times['native']:.3f} | " +
                  " | ".join(f"{r:.2f}" for r in ratios) + " |", flush=True)
    means = [math.exp(sum(logs[level]) / len(logs[level])) for level in levels]
    print("| geometric mean | | " + " | ".join(f"{m:.2f}" for m in means) + " |")


if __name__ == "__main__":
    main()
