"""`experiments/wide/run`: measures what is missing, then reports."""

import argparse
import json
import pathlib
import sys
import time

import methods
import report
import tasks

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="experiments/wide/run",
        description="Runs GBNN and its peers, all at their defaults, over the "
        "paper's 25 tasks and 32 others. What is in the file of results is "
        "not done again.")
    parser.add_argument("--tasks", nargs="+", default=[], metavar="NAME",
                        help="only these; also: paper, wide, classification, "
                        "regression")
    parser.add_argument("--methods", nargs="+", default=[], metavar="NAME",
                        help="run (with --only-report: show) only these; "
                        "also: peers, gbnn")
    parser.add_argument("--gbnn", action="append", default=[],
                        metavar="NAME=PROGRAM[,OPTIONS]",
                        help="a GBNN to run, e.g. \"boosted=build/bin/"
                        "mlpack_gbnn,--refine_iterations 0\"; may be repeated "
                        "(default: that of the build folder, called gbnn)")
    parser.add_argument("--folds", type=int, default=3,
                        help="the first N folds (default: 3): ten of seed 1, "
                        "then ten each of seeds 2 and 3")
    parser.add_argument("--only-report", action="store_true",
                        help="run nothing")
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS",
                        help="maximum time of a fold; a method that takes "
                        "longer is last on the task (default: 120)")
    parser.add_argument("--max-points", type=int, default=20000, metavar="N",
                        help="maximum to train with; of larger sets, so many "
                        "are drawn (default: 20000)")
    parser.add_argument("--data", type=pathlib.Path,
                        default=ROOT.parent / "shared" / "data",
                        help="folder of the sets (default: ../shared/data)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build",
                        help="folder of the programs (default: build)")
    parser.add_argument("--results", type=pathlib.Path,
                        default=HERE / "results.jsonl",
                        help="file of results (default: results.jsonl here)")
    parser.add_argument("--command", default="experiments/wide/run",
                        help="the command that the page names")
    options = parser.parse_args()
    if not 1 <= options.folds <= tasks.SHUFFLES * tasks.FOLDS:
        parser.error(f"--folds: 1 to {tasks.SHUFFLES * tasks.FOLDS} expected")
    if not options.gbnn:
        options.gbnn = [f"gbnn={options.build}/bin/mlpack_gbnn"]
    return options


def say(text):
    print(f"wide: {text}", file=sys.stderr, flush=True)


class Results:
    """The lines of a file, which grows by one with every run."""

    def __init__(self, path):
        self.path, self.lines = path, []
        text = path.read_text() if path.exists() else ""
        for line in text.splitlines():
            try:
                self.lines.append(json.loads(line))
            except ValueError:
                pass  # A run was ended while it wrote this.
        self.start = "\n" if text and not text.endswith("\n") else ""
        self.done = {self.key(line) for line in self.lines}

    @staticmethod
    def key(line):
        return tuple(line[part] for part in ("task", "fold", "method",
                                             "program", "points"))

    def add(self, line):
        self.lines.append(line)
        self.done.add(self.key(line))
        with open(self.path, "a") as file:
            file.write(self.start + json.dumps(line) + "\n")
        self.start = ""


class Progress:
    """A bar on the terminal with the time that remains, by what similar work
    has taken so far."""

    def __init__(self, jobs, results):
        self.jobs, self.done = list(jobs), 0
        # Time grows more slowly than files do.
        self.sizes = {task.name: task.path.stat().st_size ** 0.7
                      for task, _, _ in self.jobs}
        # Seconds, and sizes of files, by task and method, method, and at all.
        self.known = {}
        # Seconds on the clock for those that the lines have.
        self.clock = self.told = 1.0
        for line in results.lines:
            self.learn(line)

    def learn(self, line, wall=None):
        size = self.sizes.get(line["task"])
        if size and "train" in line:
            told = line["train"] + line["predict"] + .1
            for key in ((line["task"], line["method"]), line["method"], None):
                spent, sizes = self.known.get(key, (0, 0))
                self.known[key] = (spent + told, sizes + size)
            if wall:
                self.clock += wall
                self.told += told

    def remaining(self):
        total = 0
        for task, _, method in self.jobs[self.done:]:
            for key in ((task.name, method.name), method.name, None):
                if key in self.known:
                    spent, sizes = self.known[key]
                    total += spent / sizes * self.sizes[task.name]
                    break
        return total * self.clock / self.told

    def show(self, text):
        left = self.remaining()
        left = f"{left / 60:.0f} min" if left > 100 else f"{left:.0f} s"
        share = self.done / max(len(self.jobs), 1)
        bar = "#" * int(30 * share)
        line = (f"[{bar:<30}] {self.done}/{len(self.jobs)}, {left} left  "
                f"{text}")
        if sys.stderr.isatty():
            print(f"\r{line:<78.78}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() > getattr(self, "next", 0):
            print(line, file=sys.stderr, flush=True)
            self.next = time.monotonic() + 20

    def end(self):
        if self.jobs and sys.stderr.isatty():
            print(file=sys.stderr)


def measure(jobs, results, options):
    """Run what is not in the results yet; returns how often that failed."""
    loaded, todo = None, []
    for task, fold, method in jobs:
        # Whether a fold is done depends on its number of points, which is
        # known when the task is loaded; all of a task follow one another.
        if loaded is not task:
            task.load()
            loaded = task
        train, _ = task.split(fold, options.max_points)
        if (task.name, fold, method.name, method.program,
                len(train)) not in results.done:
            todo.append((task, fold, method))
    progress = Progress(todo, results)
    slow, failures = set(), 0
    for task, fold, method in todo:
        progress.show(f"{task.name}, fold {fold}, {method.name}")
        train, test = task.split(fold, options.max_points)
        line = {"task": task.name, "fold": fold, "method": method.name,
                "program": method.program, "points": len(train),
                "regression": task.regression}
        start = time.monotonic()
        try:
            if (task, method) in slow:
                raise methods.TooSlow
            answer = method.run(task, train, test, tasks.SEED + fold,
                                options.limit)
            line.update({key: round(value, 4) if key in ("train", "predict")
                         else float(f"{value:.9g}")
                         for key, value in answer.items()})
        except methods.TooSlow:
            slow.add((task, method))
            line["failed"] = f"over {options.limit:.0f} s"
        except RuntimeError as error:
            # Not kept, so another run tries again.
            say(error)
            failures += 1
            progress.done += 1
            continue
        if method.version:
            line["version"] = method.version
        results.add(line)
        progress.learn(line, time.monotonic() - start)
        progress.done += 1
    progress.show("done")
    progress.end()
    return failures


def main():
    options = parse_arguments()
    results = Results(options.results)
    found, missing = tasks.find(options.data)
    if not found and not options.only_report:
        say(f"no data in {options.data}, so nothing is run")
    elif missing and not options.only_report:
        say("not there, so skipped: " + ", ".join(missing))
    chosen = tasks.choose(found, options.tasks)
    peers = methods.peers(options.build)
    entrants = [methods.gbnn(text) for text in options.gbnn] + peers
    names = set(options.methods)
    if "peers" in names:
        names |= {peer.name for peer in peers}
    if "gbnn" in names:
        names |= {entrant.name for entrant in entrants[:-len(peers)]}
    known = ({entrant.name for entrant in entrants} | {"peers", "gbnn"} |
             {line["method"] for line in results.lines})
    if not names <= known:
        raise SystemExit("wide: no method " + ", ".join(sorted(names - known)))
    failures = 0
    if not options.only_report:
        running = []
        for entrant in entrants:
            if names and entrant.name not in names:
                continue
            reason = entrant.why_not()
            if reason:
                say(f"without {entrant.name}: {reason}")
            else:
                running.append(entrant)
        failures = measure([(task, fold, method) for task in chosen
                            for fold in range(options.folds)
                            for method in running
                            if method.regression or not task.regression],
                           results, options)
    # What is run is compared with all that has been run.
    text = report.report(
        results.lines, peers, options.folds, options.command,
        {task.name for task in chosen} if options.tasks else None,
        names if options.only_report else None)
    print(text, end="")
    # Only what is complete is kept as a page.
    if not options.tasks and not (options.only_report and names):
        there = {task.name for task in chosen}
        if any(line["task"] not in there or line["fold"] >= options.folds
               for line in results.lines):
            say("RESULTS.md stays as it is: there are results of more tasks or "
                "folds")
        else:
            options.results.with_name("RESULTS.md").write_text(text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
