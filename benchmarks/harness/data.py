"""Data sets: read or generated, split, standardized, handed on."""

from collections import namedtuple

import numpy as np

# Points are rows; classes is 0 for regression.
DataSet = namedtuple("DataSet", "name points targets classes")

CLASSIFICATION = """australian german banknote tic_tac_toe breast_cancer
    diabetes ilpd ionosphere sonar hepatitis spambase magic iris wine vehicle
    vowel digits waveform""".split()
REGRESSION = """boston concrete energy_heating energy_cooling power
    winequality_red winequality_white""".split()


def load_sets(folder, names=None):
    """The paper's tabular sets from a folder of CSV files."""
    for name in CLASSIFICATION + REGRESSION:
        if names and name not in names:
            continue
        file = folder / (name.split("_")[0] if "energy" in name else name)
        file = file.with_suffix(".csv")
        if not file.is_file():
            print(f"skipping {name}: there is no {file.name} in {folder}")
            continue
        table = np.genfromtxt(file, delimiter=",", skip_header=1)
        targets = 2 if "energy" in name else 1
        which = -2 if name == "energy_heating" else -1
        y = table[:, which]
        classes = int(y.max()) + 1 if name in CLASSIFICATION else 0
        yield DataSet(name, table[:, :-targets], y, classes)


def generate_sets(tiny=False):
    """Sets of the usual kinds and sizes, for where there are no files."""
    sizes = ([(120, 4, 3), (150, 5, 2), (120, 3, 0)] if tiny else
             [(700, 14, 2), (1000, 24, 2), (4000, 57, 2), (19000, 10, 2),
              (150, 4, 3), (850, 18, 4), (5000, 21, 3), (500, 13, 0),
              (9500, 4, 0)])
    random = np.random.RandomState(1)
    for points, columns, classes in sizes:
        x = random.randn(points, columns)
        hidden = np.tanh(x @ random.randn(columns, 8) / np.sqrt(columns))
        y = hidden @ random.randn(8, max(classes, 1))
        y += 0.2 * random.randn(*y.shape)
        y = (y[:, 0] if classes == 0 else y[:, 0] > 0 if classes == 2
             else y.argmax(axis=1))
        kind = f"{classes} classes" if classes > 0 else "regression"
        yield DataSet(f"{points} x {columns}, {kind}".replace(" ", "_"), x,
                      y.astype(float), classes)


def split(data, fold, folds=5, seed=1):
    """Training and test part, standardized by what the training part shows."""
    order = np.random.RandomState(seed).permutation(len(data.points))
    if data.classes > 0:
        order = order[np.argsort(data.targets[order], kind="stable")]
    test = order[fold::folds]
    train = np.sort(np.setdiff1d(order, test))
    x = data.points
    mean = np.nanmean(x[train], axis=0)
    deviation = np.nanstd(x[train], axis=0)
    deviation[deviation == 0] = 1
    scaled = np.nan_to_num((x - mean) / deviation)
    return {"train": scaled[train], "train_targets": data.targets[train],
            "test": scaled[test], "test_targets": data.targets[test]}


def write_matrix(path, rows):
    """Write points (rows) as columns of a matrix in Armadillo's own format."""
    rows = np.ascontiguousarray(np.atleast_2d(rows.T).T, dtype=np.float64)
    with open(path, "wb") as file:
        file.write(b"ARMA_MAT_BIN_FN008\n%d %d\n" % rows.shape[::-1])
        rows.tofile(file)


def read_matrix(path):
    """Read what write_matrix() wrote."""
    with open(path, "rb") as file:
        file.readline()
        columns, rows = map(int, file.readline().split())
        return np.fromfile(file, dtype=np.float64).reshape(rows, columns)
