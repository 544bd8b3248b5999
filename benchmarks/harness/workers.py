"""The processes that do what is measured."""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent.parent

# Contestants, the module each needs, and whether they do regression.
CPP = ("gbnn_auto", "gbnn_lbfgs", "gbnn_refined", "adaboost", "random_forest")
PYTHON = {"paper_gbnn": "sklearn", "mlp_adam": "sklearn",
          "mlp_lbfgs": "sklearn", "xgboost": "xgboost"}
ONLY_CLASSES = ("adaboost", "random_forest")
# Peers that no target names: they run on one split of a set, and not on larger
# sets once one took them longer than options.patience seconds.
EXTRA = ("adaboost",)


def available_contestants():
    """All contestants that can run here; says which cannot."""
    found = list(CPP)
    for name, module in PYTHON.items():
        if importlib.util.find_spec(module):
            found.append(name)
        else:
            print(f"skipping {name}: Python module {module} is not installed")
    return found


def environment(threads):
    """The environment in which every contestant uses so many threads."""
    return dict(os.environ, OMP_NUM_THREADS=str(threads),
                OPENBLAS_NUM_THREADS=str(threads), PYTHONPATH=str(HERE),
                PYTHONDONTWRITEBYTECODE="1")


def command(name, build):
    """The program that runs a contestant."""
    if name in PYTHON:
        return [sys.executable, "-m", "peers.worker"]
    return [str(build / "bin" / "gbnn_benchmark")]


class Workers:
    """Processes kept waiting for questions, one for each language and number
    of threads."""

    def __init__(self, build):
        self.build = build
        self.processes = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.stdin.close()
            process.wait()

    def ask(self, name, threads, *words):
        """Have a contestant answer a question."""
        program = command(name, self.build)
        key = (*program, threads)
        if key not in self.processes:
            self.processes[key] = subprocess.Popen(
                program, env=environment(threads), text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process = self.processes[key]
        print(*words, file=process.stdin, flush=True)
        answer = process.stdout.readline()
        if not answer:
            raise RuntimeError(f"no answer to: {' '.join(map(str, words))}")
        return json.loads(answer)


def peak_memory(name, build, *words):
    """Answer and peak memory (bytes) of a fresh process for one question.

    Not getrusage(): its maximum outlives exec(), so that a small program would
    seem as large as the process that started it.
    """
    with subprocess.Popen(command(name, build), env=environment(1), text=True,
                          stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        print(*words, file=process.stdin, flush=True)
        answer = json.loads(process.stdout.readline())
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return answer, 1024 * int(re.search(r"VmHWM:\s*(\d+)", status)[1])
