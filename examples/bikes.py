#!/usr/bin/env python3
"""Makes up the data of doc/user/tutorial.md: one line for each hour of a bike rental.

    examples/bikes.py FOLDER

Files: train.csv (hour, temperature, weather, day and the label: 1 if the hour was busy),
test.csv (the same without the label) and test_labels.csv.  Some temperatures are missing.
The files are the same every time.
"""

import math
import pathlib
import random
import sys

HEADER = "hour,temperature,weather,day"
COMFORT = {"sunny": 1.0, "cloudy": 0.3, "rain": -1.6}


def make_line(source):
    """One line of the table and its label."""
    hour = int(24 * source.random())
    temperature = 16 + 9 * math.sin((hour - 9) * math.pi / 12) + \
        12 * (source.random() - 0.5)
    weather = ("sunny", "cloudy", "rain")[int(3 * source.random())]
    day = "weekend" if source.random() < 2 / 7 else "workday"
    # Rush hours on workdays, one wide hill on weekends; 22 degrees are best.
    if day == "workday":
        demand = 2.2 * math.exp(-(hour - 8) ** 2 / 4) + \
            2.5 * math.exp(-(hour - 18) ** 2 / 6)
    else:
        demand = 2.4 * math.exp(-(hour - 14) ** 2 / 18)
    demand += 1.2 * math.exp(-(temperature - 22) ** 2 / 60) + COMFORT[weather]
    busy = 1 / (1 + math.exp(-8 * (demand - 2))) > source.random()
    shown = "" if source.random() < 0.05 else f"{temperature:.1f}"
    return f"{hour},{shown},{weather},{day}", int(busy)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: bikes.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    source = random.Random(1)
    lines = [make_line(source) for _ in range(4000)]
    train, test = lines[:2000], lines[2000:]
    (folder / "train.csv").write_text("\n".join(
        [HEADER + ",busy"] + [f"{line},{busy}" for line, busy in train]) + "\n")
    (folder / "test.csv").write_text("\n".join(
        [HEADER] + [line for line, _ in test]) + "\n")
    (folder / "test_labels.csv").write_text("\n".join(
        ["busy"] + [str(busy) for _, busy in test]) + "\n")


if __name__ == "__main__":
    main()
