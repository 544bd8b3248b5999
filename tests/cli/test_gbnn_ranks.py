"""Several processes train the model of one, over MPI."""

import functools
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from conftest import Program, Result

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "ranks"))
from mpi_environment import ENVIRONMENT  # noqa: E402

PROGRAM = os.environ.get("MLPACK_GBNN_MPI", "")
if not PROGRAM:
    pytest.skip("built without MPI", allow_module_level=True)
if not shutil.which("mpirun"):
    pytest.skip("there is no mpirun", allow_module_level=True)

# Points enough for two cells, of which two processes have one each.
POINTS = 9000
SMALL = ["-u", 4, "-S", 3, "--refine_iterations", 4]


@functools.lru_cache
def takes_several_commands():
    """The mpirun of Open MPI 5.0.7, in Debian 13, crashes."""
    return subprocess.run(["mpirun", "-n", "1", "true", ":", "-n", "1", "true"],
                          env=ENVIRONMENT).returncode == 0


class Ranks(Program):
    """A program on several processes."""

    def start(self, *commands):
        """Each command is a number of processes, and its options."""
        if len(commands) > 1 and not takes_several_commands():
            pytest.skip("this mpirun takes only one command")
        line = ["mpirun"]
        for number, options in commands:
            line += ([":"] if len(line) > 1 else []) + ["-n", str(number)]
            line += [self.path, *map(str, options)]
        return subprocess.Popen(line, cwd=self.folder, env=ENVIRONMENT,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, start_new_session=True)

    def run(self, *commands):
        process = self.start(*commands)
        try:
            process.stdout, process.stderr = process.communicate(timeout=120)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        return Result(process)

    def fails(self, *commands):
        """Run, and expect failure told once, soon, and no new file."""
        before, start = self.listing(times=True), time.monotonic()
        result = self.run(*commands)
        assert result.code != 0
        assert time.monotonic() - start < 30
        assert self.listing(times=True) == before
        lines = [line for line in result.err.splitlines() if "[FATAL]" in line]
        assert len(lines) == 1, result.err
        assert result.out == ""
        return lines[0]


def rows(count, seed, regression=False):
    """Numbers, words and missing cells, with the target in the last column."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(count, 2)) * [3, 0.2] + [50, -1]
    word = rng.integers(0, 4, size=count)
    z = (x[:, 0] - 50) / 3 * (word - 1) + (x[:, 1] + 1) / 0.2
    truth = z if regression else z > 0
    lines = ["a,b,word,target"]
    for i in range(count):
        # A word that only the end of the file has.
        name = "late" if i > count - 9 else ["red", "green", "blue", ""][word[i]]
        number = "" if i % 50 == 3 else "%.17g" % x[i, 1]
        last = "%.17g" % truth[i] if regression else ["no", "yes"][int(truth[i])]
        lines.append("%.17g,%s,%s,%s" % (x[i, 0], number, name, last))
    return "\n".join(lines) + "\n"


@pytest.fixture
def ranks(tmp_path):
    program = Ranks(tmp_path, PROGRAM)
    program.write("x.csv", rows(POINTS, 1))
    program.write("test.csv", rows(100, 2))
    program.write("r.csv", rows(POINTS, 1, regression=True))
    program.write("test_r.csv", rows(100, 2, regression=True))
    program.write("w.csv", "".join("%d\n" % (i % 3) for i in range(POINTS)))
    return program


TRAIN = ["-t", "x.csv", "-T", "test.csv", "-M", "m.bin", "-p", "p.csv",
         "-P", "P.csv", "--training_losses_file", "losses.csv"]
REGRESS = ["-t", "r.csv", "-T", "test_r.csv", "--target", "target", "-M",
           "m.bin", "-o", "o.csv"]


@pytest.mark.parametrize("number, options", [
    (2, TRAIN + ["-u", 8, "-S", 3, "--refine_iterations", 6]),
    (3, TRAIN + SMALL + ["--weights_file", "w.csv", "--class_weights",
                         "balanced"]),
    (2, TRAIN + SMALL + ["--validation_file", "test.csv", "--patience", 1]),
    (2, TRAIN + ["-u", 2, "-S", 3, "--refine_iterations", 0,
                 "--input_encoding", "linear", "--cv", 2, "--cv_scores_file",
                 "cv.csv", "--importance", "--importances_file", "i.csv"]),
    (2, TRAIN + ["-u", 2, "-S", 3, "--refine_iterations", 0,
                 "--input_encoding", "linear",
                 # Open MPI 4 would take a bare --tune for its own.
                 "--tune=true", "--folds", 2,
                 "--tune_units_per_stage", 1, "--tune_learning_rates", "0.5,1",
                 "--tune_subsamples", "1", "--tuning_scores_file", "t.csv"]),
    (2, REGRESS + SMALL + ["--loss", "absolute"]),
    # Nothing is saved: it says what it has trained.
    (2, ["-t", "r.csv", "--target", "target", *SMALL]),
])
def test_same_as_one_process(ranks, number, options):
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    said = alone.good(*options).out
    inputs = {"x.csv", "test.csv", "r.csv", "test_r.csv", "w.csv"}
    expected = {name: data for name, (data, _) in ranks.listing().items()
                if name not in inputs}
    assert bool(expected) == ("-M" in options)
    for name in expected:
        (ranks.folder / name).unlink()
    result = ranks.run((number, options))
    assert result.code == 0, result.err
    assert result.out == said
    assert result.err == ""
    assert {name: data for name, (data, _) in ranks.listing().items()
            if name not in inputs} == expected


def quoted(count):
    """Lines within quotes, commas within words, and numbers that are words
    elsewhere: processes must agree on where lines begin and what columns are."""
    rng = np.random.default_rng(5)
    lines = []
    for i in range(count):
        x = rng.normal(size=2)
        word = ["a,b", "two\nlines", 'a ""quote""', "plain"][i % 4]
        mixed = "7" if i < count - 5 else "seven"
        lines.append('%.17g,"%s",%s,%.17g,%d' % (x[0], word, mixed, x[1],
                                                 x[0] * x[1] > 0))
        if i % 1000 == 7:
            lines.append("")
    return "\r\n".join(lines) + "\n\n"


def words(count):
    return "".join("%s,%s,,%s\n" % ("ab"[i % 2], "cdefg"[i % 5],
                                    "yes" if (i * i) % 7 > 3 else "no")
                   for i in range(count))


TABLES = {
    "quoted.csv": lambda: quoted(8200),
    # A header above words only, and a column that is empty.
    "words.csv": lambda: "u,v,empty,w\n" + words(30000),
    "bare.csv": lambda: words(30000),
    "tabs.tsv": lambda: "".join(
        "%d\t%d\t%d\n" % (i % 17, i % 23, (i * i) % 7 > 3)
        for i in range(40000)),
}


@pytest.mark.parametrize("name", TABLES)
def test_own_rows(ranks, name):
    """Processes learn from their parts what one learns from all."""
    ranks.write(name, TABLES[name]())
    options = ["-t", name, "-M", "m.bin", "-u", 2, "-S", 3,
               "--refine_iterations", 0]
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    alone.good(*options)
    model = (ranks.folder / "m.bin").read_bytes()
    for number in 2, 3:
        (ranks.folder / "m.bin").unlink()
        result = ranks.run((number, options))
        assert result.code == 0, result.err
        assert (ranks.folder / "m.bin").read_bytes() == model
    # Here each process has read all of it.
    result = ranks.run((2, [*options, "--dependence", "1"]))
    assert result.code == 0, result.err
    assert (ranks.folder / "m.bin").read_bytes() == model


@pytest.mark.parametrize("name, header", [
    ("x.csv", "each"), ("x.csv", "first"), ("bare.csv", "none"),
    # Equal first lines are no header if they are numbers.
    ("tabs.tsv", "none")])
def test_files_with_numbers(ranks, name, header):
    """A table in several files is that of one file, for any processes."""
    if name in TABLES:
        ranks.write(name, TABLES[name]())
    stem, extension = name.split(".")
    options = ["-u", 2, "-S", 3, "--refine_iterations", 0, "-M", "m.bin"]
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    alone.good("-t", name, *options)
    model = (ranks.folder / "m.bin").read_bytes()
    lines = ranks.read(name).splitlines(keepends=True)
    head = lines[:1] if header != "none" else []
    # 17 * 23 lines of the table of numbers begin with the same again.
    cuts = [len(head), 391 * 5, 391 * 9, len(lines)]
    for i in range(3):
        begin = head if header == "each" or i == 0 else []
        ranks.write(f"{stem}-{i}.{extension}",
                    "".join(begin + lines[cuts[i]:cuts[i + 1]]))
    options = ["-t", f"{stem}-%d.{extension}", *options]
    alone.good(*options)
    assert (ranks.folder / "m.bin").read_bytes() == model
    for number in 2, 3:
        (ranks.folder / "m.bin").unlink()
        result = ranks.run((number, options))
        assert result.code == 0, result.err
        assert (ranks.folder / "m.bin").read_bytes() == model


def short(count, begin):
    """Words and a class, without a header; lines come again."""
    return "".join("%s,%s,%d,%s\n" % ("xob"[i % 3], "xo"[i % 2], i % 4,
                                      "yes" if i % 3 > i % 2 else "no")
                   for i in range(begin, begin + count))


# What the files hold, and what one file would.
PARTS = {
    # Both begin with the same line, which is no header.
    "equal lines": ([short(36, 0), short(36, 0)], 2 * short(36, 0)),
    "byte order mark": (["\ufeffa,b,c,d\n" + short(36, 0),
                         "\ufeffa,b,c,d\n" + short(30, 1)],
                        "a,b,c,d\n" + short(36, 0) + short(30, 1)),
    "mark without header": (["\ufeff" + "1,2,no\n3,1,yes\n" * 15,
                             "\ufeff" + "2,2,no\n4,1,yes\n" * 15],
                            "1,2,no\n3,1,yes\n" * 15 +
                            "2,2,no\n4,1,yes\n" * 15),
    "line ends": (["a,b,c,d\r\n" + short(36, 0).replace("\n", "\r\n"),
                   "a,b,c,d\n" + short(30, 1)],
                  "a,b,c,d\n" + short(36, 0) + short(30, 1)),
    "no end of line": (["a,b,c,d\n" + short(36, 0).rstrip("\n"),
                        short(30, 1) + "\n\n"],
                       "a,b,c,d\n" + short(36, 0) + short(30, 1)),
}


@pytest.mark.parametrize("name", PARTS)
def test_ends_of_files_with_numbers(ranks, name):
    parts, whole = PARTS[name]
    ranks.write("whole.csv", whole)
    for i, part in enumerate(parts):
        (ranks.folder / f"part-{i}.csv").write_bytes(part.encode())
    options = ["-u", 2, "-S", 3, "--refine_iterations", 0, "-M", "m.bin"]
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    alone.good("-t", "whole.csv", *options)
    model = (ranks.folder / "m.bin").read_bytes()
    alone.good("-t", "part-%d.csv", *options)
    assert (ranks.folder / "m.bin").read_bytes() == model
    (ranks.folder / "m.bin").unlink()
    result = ranks.run((2, ["-t", "part-%d.csv", *options]))
    assert result.code == 0, result.err
    assert (ranks.folder / "m.bin").read_bytes() == model


def test_labels_in_files_with_numbers(ranks):
    """Classes of which several files begin with the same."""
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    for i in range(3):
        ranks.write(f"x-{i}.csv", "1\n2\n" * 20)
        ranks.write(f"y-{i}.csv", "yes\nno\n" * 20)
    alone.good("-t", "x-%d.csv", "-l", "y-%d.csv", "-M", "m.bin", "-u", 2)


def test_files_with_numbers_errors(ranks):
    assert "'part-0.csv': cannot be read" in ranks.fails(
        (2, ["-t", "part-%d.csv", "-M", "m.bin"]))
    ranks.write("part-0.csv", "a,b\n1,2\n2,1\n")
    ranks.write("part-1.csv", "a,b\n1,2\n2,1\n3\n")
    error = ranks.fails((2, ["-t", "part-%d.csv", "-M", "m.bin"]))
    assert "line 4 of 'part-1.csv' has 1 columns" in error
    assert "(process 2 of 2)" in error
    # Here each process reads both files.
    error = ranks.fails((2, ["-t", "part-%d.csv", "-M", "m.bin", "--cv", 2]))
    assert "line 4 of 'part-1.csv' has 1 columns, but line 1 of " \
        "'part-0.csv' has 2" in error
    error = ranks.fails((2, ["-t", "part-%d.csv", "-p", "part-1.csv"]))
    assert "overwritten" in error
    ranks.write("part-1.csv", "b,a\n1,2\n2,1\n")
    error = ranks.fails((1, ["-t", "part-%d.csv", "-M", "m.bin"]))
    assert "has columns in another order" in error
    # One process takes its lines for three columns, and the other for one.
    ranks.write("part-0.csv", "1|2|p\n2|1|q\n" * 20)
    ranks.write("part-1.csv", "3|p\n4|q\n" * 20)
    error = ranks.fails((2, ["-t", "part-%d.csv", "-M", "m.bin"]))
    assert "expected as many vertical bars in each line" in error
    ranks.write("part-0.csv", "a,b\n1,2\n2,1\n")
    ranks.write("part-1.csv", "a,b\n")
    error = ranks.fails((2, ["-t", "part-%d.csv", "-M", "m.bin"]))
    assert "has a file without points, 'part-1.csv'" in error
    ranks.write("part-3.csv", "a,b\n1,2\n2,1\n")
    error = ranks.fails((2, ["-t", "part-%d.csv", "-M", "m.bin"]))
    assert "'part-3.csv' is there, but 'part-2.csv' is not" in error


def pieces(text, header):
    """A table in five files, of which some have no points."""
    lines = text.splitlines(keepends=True)
    head = "".join(lines[:1]) if header else ""
    start = 1 if header else 0
    cut = len(lines) // 4
    return {
        "a.csv": "\ufeff" + head + "".join(lines[start:cut]).rstrip("\n"),
        "blank.csv": "\n\n" if header else "",
        "few.csv": head + "".join(lines[cut:cut + 2]),
        "most.csv": "\ufeff" + (head + "".join(
            lines[cut + 2:])).replace("\n", "\r\n") + "\n  \n",
        "head.csv": head.rstrip("\n") if header else "\n",
    }


@pytest.mark.parametrize("name, header", [("wide.csv", True),
                                          ("bare.csv", False)])
def test_list_of_files(ranks, name, header):
    """Any number of processes read their lines of all files."""
    text = rows(12000, 1) if header else words(60000)
    ranks.write(name, text)
    for part, content in pieces(text, header).items():
        ranks.write(part, content)
    listed = ",".join(pieces(text, header))
    options = ["-u", 2, "-S", 3, "--refine_iterations", 0, "-M", "m.bin"]
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    alone.good("-t", name, *options)
    model = (ranks.folder / "m.bin").read_bytes()
    alone.good("-t", listed, *options)
    assert (ranks.folder / "m.bin").read_bytes() == model
    for number in 1, 2, 3, 7:
        (ranks.folder / "m.bin").unlink()
        result = ranks.run((number, ["-t", listed, *options]))
        assert result.code == 0, result.err
        assert (ranks.folder / "m.bin").read_bytes() == model
    # Each process has a file of its own.
    full = "a.csv,few.csv,most.csv"
    alone.good("-t", full, *options)
    assert (ranks.folder / "m.bin").read_bytes() == model
    (ranks.folder / "m.bin").unlink()
    result = ranks.run((3, ["-t", full, *options]))
    assert result.code == 0, result.err
    assert (ranks.folder / "m.bin").read_bytes() == model


def test_list_with_header_alone_first(ranks):
    """The first file has the header and no points."""
    lines = rows(300, 1).splitlines(keepends=True)
    ranks.write("whole.csv", "".join(lines))
    ranks.write("0.csv", lines[0])
    ranks.write("1.csv", "".join(lines[:100]))
    ranks.write("2.csv", "".join(lines[:1] + lines[100:]))
    options = ["-u", 2, "-S", 3, "--refine_iterations", 0, "-M", "m.bin"]
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    alone.good("-t", "whole.csv", *options)
    model = (ranks.folder / "m.bin").read_bytes()
    alone.good("-t", "0.csv,1.csv,2.csv", *options)
    assert (ranks.folder / "m.bin").read_bytes() == model
    error = ranks.fails((3, ["-t", "%d.csv", "-M", "n.bin"]))
    assert "has a file without points, '0.csv'" in error


@pytest.mark.parametrize("line", [5, 4000, 8999])
def test_lines_of_a_list(ranks, line):
    """Messages tell the line of the file, whoever reads it."""
    for part, content in pieces(rows(12000, 1), True).items():
        if part == "most.csv":
            lines = content.splitlines(keepends=True)
            lines[line - 1] = "1,2\n"
            content = "".join(lines)
        ranks.write(part, content)
    options = ["-t", "a.csv,blank.csv,few.csv,most.csv", "-M", "m.bin"]
    expected = f"line {line} of 'most.csv' has 2 columns, but line 1 of " \
        "'a.csv' has 4"
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    assert expected in alone.bad(*options)
    for number in 2, 3, 7:
        assert expected in ranks.fails((number, options))


def test_list_errors(ranks):
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    ranks.write("a.csv", "a,b\n1,2\n2,1\n")
    ranks.write("b.csv", "b,a\n1,2\n2,1\n")
    ranks.write("open.csv", 'a,b\n1,2\n"2,1\n')
    ranks.write("numbers.csv", "1\n2\nx\n")
    both = ["-M", "m.bin", "-S", 1]
    for number in 2, 3:
        error = ranks.fails((number, ["-t", "a.csv,none.csv", *both]))
        assert "'none.csv': cannot be read" in error
    assert "'none.csv': cannot be read" in alone.bad("-t", "a.csv,none.csv",
                                                     *both)
    assert "an empty name" in alone.bad("-t", "a.csv,", *both)
    assert "different kinds, 'a' and '1.csv'" in alone.bad("-t", "a,1.csv",
                                                          *both)
    assert "must be text" in alone.bad("-t", "a.bin,b.bin", *both)
    assert "'b.csv' has columns in another order" in alone.bad(
        "-t", "a.csv,b.csv", *both)
    ranks.write("mac.csv", "a,b\r1,2\r2,1\r")
    for files in "a.csv,mac.csv", "mac.csv,a.csv":
        for number in 2, 3:
            assert "'mac.csv' has lines that end in carriage returns" in \
                ranks.fails((number, ["-t", files, *both]))
    ranks.write("mac.csv", rows(POINTS, 1).replace("\n", "\r"))
    assert "_file 'mac.csv': has lines that end in carriage returns" in \
        ranks.fails((2, ["-t", "mac.csv", *both]))
    assert "'open.csv' has a quotation mark" in alone.bad(
        "-t", "a.csv,open.csv,a.csv", *both)
    assert "line 3 of 'numbers.csv', column 1: expected a number" in \
        alone.bad("-t", "a.csv", "-r", "numbers.csv,numbers.csv", *both)
    assert "overwritten" in alone.bad("-t", "a.csv,b.csv", "-p", "b.csv")
    # A file of that very name comes first.
    ranks.write("a,1.csv", rows(50, 1))
    alone.good("-t", "a,1.csv", "-u", 2, "-S", 1, "-M", "m.bin")


def test_prediction_alone(ranks):
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    alone.good(*TRAIN, *SMALL)
    expected = ranks.read("p.csv")
    (ranks.folder / "p.csv").unlink()
    result = ranks.run((2, ["-m", "m.bin", "-T", "test.csv", "-p", "p.csv"]))
    assert result.code == 0, result.err
    assert ranks.read("p.csv") == expected


def test_only_the_first_process_reads_a_pipe(ranks):
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    alone.good(*TRAIN, *SMALL)
    expected = ranks.read("p.csv")
    (ranks.folder / "p.csv").unlink()
    pipe = ranks.folder / "pipe.csv"
    os.mkfifo(pipe)
    text = (ranks.folder / "test.csv").read_bytes()
    # Nobody waits for it if the program ends before it opens the pipe.
    writer = threading.Thread(target=pipe.write_bytes, args=[text], daemon=True)
    writer.start()
    result = ranks.run((3, ["-m", "m.bin", "-T", "pipe.csv", "-p", "p.csv"]))
    assert result.code == 0, result.err
    writer.join()
    assert ranks.read("p.csv") == expected


# Points enough for seven processes.
MANY = 12000
PREDICT = {
    "classes": ["-m", "m.bin", "-T", "big.csv", "-p", "p.csv", "-P", "P.csv",
                "--gradients", "--input_gradients_file", "g.csv"],
    "responses": ["-m", "r.bin", "-T", "big_r.csv", "-o", "o.csv"],
    "labels beside": ["-m", "m.bin", "-T", "inputs.csv", "-L", "labels.csv",
                      "-p", "p.csv"],
    "responses beside": ["-m", "r.bin", "-T", "inputs.csv", "-R", "truth.csv",
                         "-o", "o.csv"],
    "list": ["-m", "m.bin", "-T", "0.csv,1.csv,2.csv", "-p", "p.csv"],
    "numbers": ["-m", "m.bin", "-T", "%d.csv", "-p", "p.csv", "-k", 2],
    "training": ["-t", "x.csv", "-T", "big.csv", "-p", "p.csv", "-P", "P.csv",
                 "-M", "new.bin", *SMALL],
    "stages": ["-m", "m.bin", "-T", "big.csv", "--staged_scores_file",
               "s.csv"],
    "stages of responses": ["-m", "r.bin", "-T", "big_r.csv", "-o", "o.csv",
                            "--staged_scores_file", "s.csv"],
    # Here the first process predicts alone.
    "early": ["-m", "m.bin", "-T", "big.csv", "-p", "p.csv", "--early_exit",
              0.01, "--units_used_file", "u.csv"],
    "importance": ["-m", "m.bin", "-T", "big.csv", "-p", "p.csv",
                   "--importance", "--importances_file", "i.csv"],
}


@pytest.fixture
def models(ranks):
    """Two models, and large tables for them to predict."""
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    alone.good("-t", "x.csv", "-M", "m.bin", *SMALL)
    alone.good("-t", "r.csv", "--target", "target", "-M", "r.bin", *SMALL)
    table = rows(MANY, 2).splitlines(keepends=True)
    regression = rows(MANY, 2, regression=True)
    ranks.write("big.csv", "".join(table))
    ranks.write("big_r.csv", regression)
    ranks.write("inputs.csv", "".join(
        line.rpartition(",")[0] + "\n" for line in table))
    ranks.write("labels.csv", "".join(line.rpartition(",")[2]
                                      for line in table))
    ranks.write("truth.csv", "".join(
        line.rpartition(",")[2]
        for line in regression.splitlines(keepends=True)))
    for i in range(3):
        cut = [1, 2000, 7000, None]
        ranks.write(f"{i}.csv", "".join(table[:1] + table[cut[i]:cut[i + 1]]))
    return ranks


@pytest.mark.parametrize("name", PREDICT)
def test_predictions(models, name):
    """Processes predict what one does, and the first writes it in order."""
    options = PREDICT[name]
    before = set(models.listing())
    alone = Program(models.folder, os.environ["MLPACK_GBNN"])
    said = alone.good(*options).out
    expected = {file: data for file, (data, _) in models.listing().items()
                if file not in before}
    assert expected
    for number in 1, 2, 3, 7:
        for file in expected:
            (models.folder / file).unlink()
        result = models.run((number, options))
        assert result.code == 0, result.err
        assert result.out == said
        assert result.err == ""
        assert {file: data for file, (data, _) in models.listing().items()
                if file not in before} == expected


def test_rows_of_words_to_predict(ranks):
    """A header that only the model's names tell from a point."""
    alone = Program(ranks.folder, os.environ["MLPACK_GBNN"])
    ranks.write("w.csv", "u,v,x,w\n" + words(3000).replace(",,", ",one,"))
    alone.good("-t", "w.csv", "--target", "w", "-M", "m.bin", *SMALL)
    # Words that do not come again make no header.
    ranks.write("big.csv", "u,v,x,w\n" + "".join(
        line.replace(",,", ",word%d," % i)
        for i, line in enumerate(words(30000).splitlines(keepends=True))))
    options = ["-m", "m.bin", "-T", "big.csv", "-p", "p.csv"]
    alone.good(*options)
    expected = ranks.read("p.csv")
    assert expected.count("\n") == 30000
    for number in 2, 3, 7:
        (ranks.folder / "p.csv").unlink()
        result = ranks.run((number, options))
        assert result.code == 0, result.err
        assert ranks.read("p.csv") == expected


def test_predictions_errors(models):
    """Each process reads only its own rows, and numbers are those of all."""
    lines = models.read("big.csv").splitlines(keepends=True)

    def fails(change, number=3):
        models.write("bad.csv", "".join(
            change(line) if i == 8999 else line
            for i, line in enumerate(lines)))
        return models.fails((number, ["-m", "m.bin", "-T", "bad.csv", "-p",
                                      "p.csv"]))

    error = fails(lambda line: "1,2\n")
    assert "line 9000 has 2 columns" in error and "(process 3 of 3)" in error
    error = fails(lambda line: "inf" + line[line.index(","):])
    assert "infinite value in column 'a' of point 8999" in error
    error = fails(lambda line: line.rpartition(",")[0] + ",\n")
    assert "is missing in point 8999" in error
    models.write("few.csv", "".join(
        models.read("labels.csv").splitlines(keepends=True)[:5000]))
    error = models.fails((2, ["-m", "m.bin", "-T", "inputs.csv", "-L",
                              "few.csv", "-p", "p.csv"]))
    assert "but '--test_file (-T)' has 12000 points" in error
    error = models.fails(*((1, ["-m", model, "-T", "big.csv"])
                           for model in ("m.bin", "r.bin")))
    assert "'--input_model_file (-m)' differs" in error
    # One would wait for what the other never sends.
    same = ["-m", "m.bin", "-T", "big.csv", "-p", "p.csv"]
    error = models.fails((1, same + ["--gradients"]), (1, same))
    assert "'--gradients' differs" in error


def test_one_process_of_the_mpi_program(ranks):
    one = Program(ranks.folder, PROGRAM)
    one.good(*TRAIN, *SMALL)
    model = (ranks.folder / "m.bin").read_bytes()
    Program(ranks.folder, os.environ["MLPACK_GBNN"]).good(*TRAIN, *SMALL)
    assert (ranks.folder / "m.bin").read_bytes() == model


def test_program_without_mpi_refuses(ranks):
    ranks.path = os.environ["MLPACK_GBNN"]
    result = ranks.run((2, TRAIN + SMALL))
    assert result.code != 0
    assert "2 processes were started together" in result.err
    assert not (ranks.folder / "m.bin").exists()
    # Help costs nothing.
    assert ranks.run((2, ["--version"])).code == 0
    # Nor is one process several.
    assert ranks.run((1, TRAIN + SMALL)).code == 0


def test_error_of_all(ranks):
    assert "unknown option" in ranks.fails((3, [*TRAIN, "--unit", 5]))
    assert "cannot be read" in ranks.fails((2, ["-t", "none.csv"]))
    assert "learning_rate" in ranks.fails((2, [*TRAIN, "-n", 2]))


# Each process needs all of the table.
ALL_ROWS = ["--weights_file", "w.csv"]


@pytest.mark.parametrize("more", [[], ALL_ROWS])
def test_error_of_one(ranks, more):
    """Only the last process sees it if it reads its own rows."""
    ranks.write("bad.csv", rows(POINTS, 1) + "1,2\n")
    error = ranks.fails((3, ["-t", "bad.csv", *TRAIN[2:], *more]))
    assert f"line {POINTS + 2} has 2 columns" in error
    assert ("(process 3 of 3)" in error) == (more == [])


def test_error_of_one_file(ranks):
    ranks.write("bad.csv", rows(20, 1) + "1,2\n")
    error = ranks.fails((1, TRAIN + ALL_ROWS),
                        (1, ["-t", "bad.csv", *TRAIN[2:], *ALL_ROWS]))
    assert "(process 2 of 2)" in error and "line 22 has 2 columns" in error


def test_other_options(ranks):
    error = ranks.fails((1, TRAIN + SMALL), (1, TRAIN + SMALL + ["-n", 0.5]))
    assert "'--learning_rate (-n)' differs" in error


def test_other_data(ranks):
    for name, data in ("other.csv", rows(POINTS, 4)), ("few.csv", rows(50, 1)):
        ranks.write(name, data)
        error = ranks.fails((1, TRAIN + SMALL),
                            (1, ["-t", name, *TRAIN[2:], *SMALL]))
        assert "all must see the same file" in error
    options = [*SMALL, "--class_weights", "balanced"]
    error = ranks.fails((1, TRAIN + options),
                        (1, ["-t", "other.csv", *TRAIN[2:], *options]))
    assert "'--training_file (-t)' differs" in error


def test_fewer_points_than_processes(ranks):
    ranks.write("few.csv", "1,0\n2,1\n")
    error = ranks.fails((3, ["-t", "few.csv", "-M", "m.bin"]))
    assert "2 points are too few for 3 processes" in error


def test_batches_are_an_error(ranks):
    error = ranks.fails((2, [*TRAIN, *SMALL, "-O", "adam"]))
    assert "batch" in error


def children(process):
    """The processes that mpirun has started."""
    out = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid",
                          str(process.pid)], capture_output=True, text=True)
    return [int(line.split()[0]) for line in out.stdout.splitlines()
            if line.split()[1] in PROGRAM]


@pytest.mark.parametrize("which", [0, 1])
def test_killed(ranks, which):
    before = ranks.listing(times=True)
    process = ranks.start((2, [*TRAIN, "-u", 200, "-S", 3]))
    try:
        while len(children(process)) < 2:
            assert process.poll() is None
            time.sleep(0.05)
        time.sleep(1)
        os.kill(children(process)[which], signal.SIGKILL)
        err = process.communicate(timeout=15)[1]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode != 0 and err != ""
    assert ranks.listing(times=True) == before


def test_checkpoint_with_another_number_of_processes(ranks, monkeypatch):
    monkeypatch.setitem(ENVIRONMENT, "GBNN_CHECKPOINT_SECONDS", "0.01")
    options = [*TRAIN, "-u", 12, "-S", 3, "--refine_iterations", 10,
               "--validation_file", "test.csv"]
    Program(ranks.folder, os.environ["MLPACK_GBNN"]).good(*options)
    model = (ranks.folder / "m.bin").read_bytes()
    (ranks.folder / "m.bin").unlink()
    options += ["--checkpoint", "c.ckpt"]
    checkpoint, size = ranks.folder / "c.ckpt", 0
    # Killed twice, with more of it done each time.
    for number in 2, 3:
        process = ranks.start((number, options))
        try:
            while not (checkpoint.exists() and
                       checkpoint.stat().st_size > size + 3000):
                assert process.poll() is None
                time.sleep(0.01)
            os.kill(children(process)[0], signal.SIGKILL)
            process.communicate(timeout=15)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        size = checkpoint.stat().st_size
    result = ranks.run((3, options))
    assert result.code == 0, result.err
    assert "goes on from the checkpoint" in result.out
    assert (ranks.folder / "m.bin").read_bytes() == model
    assert not checkpoint.exists()
