"""The 57 tasks, the paper's 25 and 32 others, or those of another folder; and the
folds of each."""

import json
import pathlib

import numpy as np
import pandas as pd

# Folds of one shuffle, and how many shuffles there may be, of seeds 1, 2, ...
FOLDS = 10
SHUFFLES = 3
SEED = 1

# As in experiments/common/data_sets.hpp.
CLASSIFICATION = """australian german banknote tic_tac_toe breast_cancer
    diabetes ilpd ionosphere sonar hepatitis spambase magic iris wine vehicle
    vowel digits waveform""".split()
REGRESSION = """boston concrete energy_heating energy_cooling power
    winequality_red winequality_white""".split()
# Which of the targets at the end of a file is meant, where there are several.
TARGETS = {"energy_heating": ("energy", 2, 0),
           "energy_cooling": ("energy", 2, 1)}


class Task:
    """One file, and which of its columns is the target."""

    def __init__(self, name, path, regression, group, targets=1, target=0):
        self.name, self.path, self.group = name, pathlib.Path(path), group
        self.regression = regression
        self.targets, self.target = targets, target

    def load(self):
        """Read the file: the table, and its lines as they are."""
        lines = self.path.read_text().splitlines()
        split = [line.rsplit(",", self.targets) for line in lines]
        # What GBNN is given: the columns before the targets, and their names.
        self.header, *self.lines = [cells[0] for cells in split]
        words = [cells[1 + self.target] for cells in split[1:]]
        table = pd.read_csv(self.path, keep_default_na=False,
                            na_values=["", "NaN"])
        self.table = table.iloc[:, :-self.targets]
        self.words = [c for c in self.table if self.table[c].dtype == object]
        self.numbers = [c for c in self.table if c not in self.words]
        if self.regression:
            self.y = np.array(words, float)
            self.classes = 0
        else:
            names = sorted(set(words), key=number_or_word)
            self.y = np.array([names.index(word) for word in words])
            self.classes = len(names)
        self.shuffles = {}

    def split(self, fold, max_points):
        """Points to train with, at most so many, and to test with; folds 10 to
        19 are those of the second shuffle, and so on."""
        shuffle, fold = divmod(fold, FOLDS)
        if shuffle not in self.shuffles:
            self.shuffles[shuffle] = folds(self.y, not self.regression,
                                           seed=SEED + shuffle)
        mine = self.shuffles[shuffle] == fold
        train, test = np.flatnonzero(~mine), np.flatnonzero(mine)
        if len(train) > max_points:
            random = np.random.RandomState(SEED)
            train = np.sort(random.choice(train, max_points, replace=False))
        return train, test


def number_or_word(text):
    """Numbers by their size, then words by the alphabet."""
    try:
        return (0, float(text), text)
    except ValueError:
        return (1, 0.0, text)


def random_words(seed):
    """What std::mt19937_64 returns, one after the other."""
    mask = (1 << 64) - 1
    state = [seed]
    for i in range(1, 312):
        last = state[-1]
        state.append((6364136223846793005 * (last ^ (last >> 62)) + i) & mask)
    while True:
        for i in range(312):
            x = ((state[i] & (mask << 31)) |
                 (state[(i + 1) % 312] & ((1 << 31) - 1)))
            state[i] = state[(i + 156) % 312] ^ (x >> 1)
            if x & 1:
                state[i] ^= 0xB5026F5AA96619E9
        for x in state:
            x ^= (x >> 29) & 0x5555555555555555
            x ^= (x << 17) & 0x71D67FFFEDA60000
            x ^= (x << 37) & 0xFFF7EEE000000000
            yield (x ^ (x >> 43)) & mask


def folds(y, stratified, count=FOLDS, seed=SEED):
    """The fold of each point: those of Folds() in data_sets.hpp."""
    random = random_words(seed)
    order = list(range(len(y)))
    for i in range(len(order), 1, -1):
        j = next(random) % i
        order[i - 1], order[j] = order[j], order[i - 1]
    if stratified:
        order.sort(key=lambda point: y[point])
    fold = np.empty(len(order), int)
    fold[order] = np.arange(len(order)) % count
    return fold


def find(folder):
    """All tasks whose files are there, the paper's first, and what is not; a
    folder with an info.json of its own has only the sets that it names."""
    tasks, missing, info = [], [], folder / "info.json"
    if not info.exists():
        for name in CLASSIFICATION + REGRESSION:
            file, targets, target = TARGETS.get(name, (name, 1, 0))
            tasks.append(Task(name, folder / f"{file}.csv", name in REGRESSION,
                              "paper", targets, target))
        info = folder / "wide" / "info.json"
    if info.exists():
        tasks += listed(info)
    else:
        missing.append("the sets of " + str(info.parent))
    missing += [task.name for task in tasks if not task.path.exists()]
    return [task for task in tasks if task.path.exists()], missing


def listed(info):
    """The tasks that an info.json names, in its folder."""
    return [Task(name, info.with_name(f"{name}.csv"),
                 entry["task"] == "regression", "wide")
            for name, entry in json.loads(info.read_text()).items()]


def choose(tasks, names):
    """The tasks named, by themselves or by group."""
    groups = {"paper": lambda t: t.group == "paper",
              "wide": lambda t: t.group == "wide",
              "classification": lambda t: not t.regression,
              "regression": lambda t: t.regression}
    chosen = [task for task in tasks if not names or task.name in names or
              any(groups[name](task) for name in names if name in groups)]
    unknown = set(names) - {task.name for task in tasks} - set(groups)
    if unknown:
        raise SystemExit("wide: no task " + ", ".join(sorted(unknown)))
    return sorted(chosen, key=lambda task: task.path.stat().st_size)
