"""Reads the includes of the method and fails on an arrow that runs back.

    check.py SOURCE_FOLDER

Every folder of the method is a room, and knows only the rooms listed here.
doc/developer/architecture.md has a picture of them.
"""
import pathlib
import re
import sys

BELOW = {"compute": set()}


def room(name, *knows):
    """A room knows what it names, and all that these know."""
    BELOW[name] = set(knows).union(*(BELOW[k] for k in knows))


room("files", "compute")
room("table", "files")
room("network", "files")
room("loss_functions", "network")
room("stage", "loss_functions")
room("refinement", "stage")
room("gbnn", "refinement", "table")
room("anytime", "gbnn")
room("inspection", "gbnn")
room("tuning", "gbnn")
room("deep_gbnn", "gbnn")
room("export", "gbnn")
room("report", "export", "inspection", "anytime", "tuning")
room("binding", "report")
room("deep_gbnn/binding", "binding", "deep_gbnn")


def room_of(path):
    """The room of a file, given below methods/."""
    if len(path.parts) == 1 or path.name.endswith("_main.cpp"):
        return None  # What users include and binding files see everything.
    method, *inner = path.parts[:-1]
    if not inner:
        return method
    return inner[0] if method == "gbnn" else f"{method}/{inner[0]}"


def check(methods):
    files = sorted(methods.rglob("*.hpp")) + sorted(methods.rglob("*.cpp"))
    if len(files) < 50:
        return [f"only {len(files)} files in {methods}"]
    wrong = []
    for file in files:
        path = file.relative_to(methods)
        here = room_of(path)
        if here is not None and here not in BELOW:
            wrong.append(f"{path}: the room '{here}' is not known")
            continue
        for line in file.read_text().splitlines():
            match = re.match(r'\s*#\s*include\s+(?:"(.+)"|<(.+)>)', line)
            if not match:
                continue
            if match[1]:
                target = (file.parent / match[1]).resolve()
            else:
                target = methods.parent.parent / match[2]
            if not target.exists():
                if match[1]:
                    wrong.append(f"{path}: there is no {match[1]}")
                continue  # A header of someone else's.
            there = room_of(target.relative_to(methods))
            if here is None or there == here:
                continue
            if there is None or there not in BELOW[here]:
                wrong.append(f"{path} ({here}) must not include "
                             f"{target.relative_to(methods)} ({there})")
    return wrong


if __name__ == "__main__":
    problems = check(pathlib.Path(sys.argv[1]).resolve() / "mlpack/methods")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
