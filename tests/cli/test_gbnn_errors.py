"""Bad input for mlpack_gbnn: one clear line, and no file touched."""

import time

import numpy as np
import pytest


@pytest.fixture
def outputs(binary):
    """A task whose outputs exist already."""
    for name in ("M.bin", "p.csv", "P.csv", "o.csv", "s.csv"):
        binary.program.write(name, "old")
    binary.program.good(*binary.train, "-M", "m.bin")
    binary.files = ["-T", "tx.csv", "-p", "p.csv", "-P", "P.csv", "-M", "M.bin"]
    return binary


@pytest.mark.parametrize("options, option, expected", [
    (["-u", -4], "hidden_units (-u)", "at least 1"),
    (["-u", 1.5], "hidden_units", "expected a whole number"),
    (["-u", "many"], "hidden_units", "expected a whole number"),
    (["-u", 99999999999], "hidden_units", "out of range"),
    (["-j", -1], "units_per_stage (-j)", "at least 1"),
    (["-j", 13], "units_per_stage (-j)", "at most hidden_units (12)"),
    (["-u", 0, "-j", 201], "units_per_stage (-j)",
     "at most hidden_units (200 at most; give a larger number)"),
    (["-n", 0], "learning_rate (-n)", "greater than 0 and at most 1"),
    (["-n", 1.01], "learning_rate (-n)", "greater than 0 and at most 1"),
    (["-n", "nan"], "learning_rate", ""),
    (["-s", 0], "subsample (-s)", "greater than 0 and at most 1"),
    (["-s", 1.5], "subsample (-s)", "greater than 0 and at most 1"),
    (["-A", "sigmoid"], "activation (-A)", "unknown activation function"),
    (["-O", "newton"], "optimizer (-O)", "unknown optimizer"),
    (["-O", ""], "optimizer (-O)", "unknown optimizer"),
    (["-i", -1], "max_iterations (-i)", "must not be negative"),
    (["-i", 0, "-O", "adam"], "max_iterations (-i)", "'adam' needs a limit"),
    (["-i", 0, "-O", "sgd"], "max_iterations (-i)", "'sgd' needs a limit"),
    (["-e", -0.1], "tolerance (-e)", "must be finite and not negative"),
    (["-a", 0, "-O", "adam"], "step_size (-a)", "greater than 0"),
    (["-a", "inf", "-O", "sgd"], "step_size", ""),
    (["-b", 0, "-O", "sgd"], "batch_size (-b)", "at least 1"),
    (["--l2", -2], "l2", "must be finite and not negative"),
    (["--l2", "inf"], "l2", ""),
    (["-k", -2], "active_units (-k)", "at least 0"),
    (["-k", 13], "active_units (-k)", "at most the number of hidden units"),
    (["-S", -1], "seed (-S)", "must not be negative"),
    (["--warm_start"], "input_model_file (-m)", "a warm start needs a model"),
    (["-m", "m.bin"], "warm_start", "either train a model or use one"),
    (["-r", "y.csv"], "responses_file (-r)", "labels are for classification"),
    (["-L", "ty.csv", "-R", "ty.csv"], "test_responses_file (-R)",
     "test labels are for classification"),
    (["--hiden_units", 3], "hiden_units", "did you mean '--hidden_units'?"),
    (["-T"], "test_file", "expected a value after it"),
], ids=str)
def test_options_out_of_range(outputs, options, option, expected):
    base = {"-u": 12, "-S": 7}
    base.pop(options[0], None)
    files = outputs.files[2 if "-T" in options else 0:]
    line = outputs.program.bad(*outputs.data, *(x for pair in base.items()
                                                for x in pair), *files, *options)
    assert f"--{option}" in line and expected in line


def test_nothing_to_do(outputs):
    line = outputs.program.bad("-T", "tx.csv", "-p", "p.csv")
    assert "--training_file (-t)" in line and "--input_model_file (-m)" in line
    line = outputs.program.bad("--warm_start", "-m", "m.bin")
    assert "--training_file (-t)" in line


X, Y = "1,2,3\n4,5,6\n7,8,10\n", "0\n1\n0\n"


@pytest.mark.parametrize("files, option, expected", [
    ({"y.csv": "0\n1\n"}, "labels_file (-l)",
     "has 2 entries, but '--training_file (-t)' has 3 points"),
    ({"y.csv": "0\n1\n0.5\n"}, "labels_file (-l)", "0.5 of point 3"),
    ({"y.csv": "0\n1\n?\n"}, "labels_file (-l)", "point 3 in"),
    ({"y.csv": "no\nyes\n?\n"}, "labels_file (-l)", "has no label"),
    ({"y.csv": "no\nno\nno\n"}, "labels_file (-l)", "only one class ('no')"),
    ({"y.csv": "0\n1\ninf\n"}, "labels_file (-l)", "of point 3"),
    ({"y.csv": "4\n4\n4\n"}, "labels_file (-l)", "only one class"),
    ({"y.csv": "0,1\n1,0\n0,0\n"}, "labels_file (-l)", "has 2 columns, but must "
     "have one"),
    ({"y.csv": ""}, "labels_file", "is empty"),
    ({"x.csv": ""}, "training_file", "is empty"),
    ({"x.csv": "a,b,c\n"}, "labels_file (-l)", "entries, but"),
    ({"x.csv": "1,2,3\n4,5\n7,8,9\n"}, "training_file", "line 2 has 2 columns, but "
     "line 1 has 3"),
    ({"x.csv": "1,2,3\n4,inf,6\n7,8,9\n"}, "training_file (-t)",
     "infinite value in column 2 of point 2"),
    ({"x.csv": "1,2,3\n4,1e999,6\n7,8,9\n"}, "training_file (-t)",
     "infinite value in column 2 of point 2"),
    ({"x.csv": "1,2,3\n4,1e300,6\n7,8,9\n"}, "training_file (-t)",
     "too large"),
    ({"x.csv": "\0\0\0\0"}, "training_file", "is not a text file"),
    ({"w.csv": "1\n1\n"}, "weights_file (-w)",
     "has 2 entries, but '--training_file (-t)' has 3 points"),
    ({"w.csv": "1\n1\n-1\n"}, "weights_file (-w)", "must not be negative, and not "
     "all 0, but that of point 3 is -1"),
    ({"y.csv": "1\n0\n9007199254740993\n"}, "labels_file (-l)",
     "less than 2^53"),
    ({"w.csv": "0\n0\n0\n"}, "weights_file (-w)", "not all 0"),
    ({"w.csv": "1\n?\n1\n"}, "weights_file (-w)", "missing or infinite value"),
    ({"w.csv": "1\ninf\n1\n"}, "weights_file (-w)", "missing or infinite value"),
    ({"w.csv": "1\nlight\n1\n"}, "weights_file", "expected a number"),
    ({"w.csv": "1\n0\n1\n"}, "labels_file (-l)", "only one class"),
    ({"tx.csv": "1,2\n"}, "test_file (-T)", "has 2 columns, but '--training_file "
     "(-t)' has 3"),
    ({"tx.csv": "1,2,3\n1\n"}, "test_file", "line 2 has 1 columns"),
    ({"tx.csv": "1,2,-inf\n"}, "test_file (-T)", "infinite value in column 3"),
    ({"tx.csv": "1,2,tall\n"}, "test_file (-T)", "has text ('tall')"),
    ({"tx.csv": ""}, "test_file", "is empty"),
    ({"ty.csv": "1\n0\n"}, "test_labels_file (-L)", "has 2 entries, but"),
    ({"ty.csv": "0.25\n"}, "test_labels_file (-L)", "is not a whole number"),
], ids=str)
def test_files_with_faults(outputs, files, option, expected):
    program = outputs.program
    for name, text in {"x.csv": X, "y.csv": Y, "tx.csv": "1,2,3\n",
                       "ty.csv": "1\n", "w.csv": "1\n2\n1\n", **files}.items():
        program.write(name, text)
    line = program.bad(*outputs.train, "-w", "w.csv", "-L", "ty.csv",
                       "--staged_scores_file", "s.csv", *outputs.files)
    assert f"--{option}" in line and expected in line


@pytest.mark.parametrize("files, option, expected", [
    ({"y.csv": "0\n1\n"}, "responses_file (-r)", "has 2 entries, but"),
    ({"y.csv": "0\n?\n1\n"}, "responses_file (-r)",
     "missing or infinite value in column 1 of point 2"),
    ({"y.csv": "0,1\n1,2\n1,inf\n"}, "responses_file (-r)", "column 2 of point 3"),
    ({"y.csv": "0\nhigh\n1\n"}, "responses_file", "line 2, column 1: expected a "
     "number, but found 'high'"),
    ({"ty.csv": "0,1\n"}, "test_responses_file (-R)", "has 2 columns, but "
     "'--responses_file (-r)' has 1"),
    ({"ty.csv": "0\n1\n"}, "test_responses_file (-R)", "has 2 entries"),
    ({"ty.csv": "nan\n"}, "test_responses_file (-R)", "missing or infinite"),
], ids=str)
def test_responses_with_faults(regression, files, option, expected):
    program = regression.program
    for name, text in {"x.csv": X, "y.csv": "0.1\n2\n1\n", "tx.csv": "1,2,3\n",
                       "ty.csv": "1\n", "o.csv": "old", **files}.items():
        program.write(name, text)
    line = program.bad(*regression.train, "-T", "tx.csv", "-R", "ty.csv", "-o",
                       "o.csv", "-M", "M.bin")
    assert f"--{option}" in line and expected in line


def test_last_column_is_no_label(gbnn):
    gbnn.write("x.csv", "1\n2\n3\n")
    assert "needs at least two" in gbnn.bad("-t", "x.csv", "-M", "m.bin")
    gbnn.write("blanks.csv", "1.5 2 red\n2.5 1 blue\n" * 10)
    assert "one column with words such as '1.5 2 red'" in gbnn.bad(
        "-t", "blanks.csv", "-M", "m.bin")
    gbnn.write("x.csv", "1,0.5\n2,0.25\n3,1\n")
    line = gbnn.bad("-t", "x.csv", "-M", "m.bin")
    assert "the last column of '--training_file (-t)' is not a whole number" in line


@pytest.mark.parametrize("option", ["t", "l", "r", "w", "T", "L", "R", "m"])
def test_missing_files(outputs, option):
    options = {"-t": "x.csv", "-l": "y.csv", **dict(zip(
        outputs.files[::2], outputs.files[1::2])), f"-{option}": "none.csv"}
    for name, other in (("r", "l"), ("m", "t")):
        if option == name:
            del options[f"-{other}"]
    line = outputs.program.bad(*(x for pair in options.items() for x in pair))
    assert "_file 'none.csv': cannot be read: No such file or directory" in line


@pytest.mark.parametrize("option", ["-M", "-p", "-P", "-o", "--staged_scores_file"])
@pytest.mark.parametrize("name, expected", [
    ("none/o", "there is no directory"), ("folder", "it is a directory"),
    ("o.doc", "expected the extension")])
def test_unwritable_output_is_told_before_training(binary, option, name, expected):
    (binary.program.folder / "folder").mkdir()
    name = name + (".bin" if name == "none/o" else "")
    start = time.monotonic()
    # So many units would take hours.
    line = binary.program.bad(*binary.data, "-u", 10000000, "-T", "tx.csv",
                              *binary.known, option, name)
    assert f"_file '{name}': " in line and expected in line
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("options", [
    ["-T", "y.csv"], ["-T", "tx.csv", "-L", "y.csv"], ["-k", 10000001],
    ["-T", "ragged.csv"],
], ids=str)
def test_test_data_is_checked_before_training(binary, options):
    binary.program.write("ragged.csv", "1,2,3\n1,2\n")
    binary.program.bad(*binary.data, "-u", 10000000, *options)


def test_models_and_data_that_do_not_fit(outputs):
    program = outputs.program
    program.table("wide.csv", np.ones((5, 4)))
    line = program.bad("-m", "m.bin", "-T", "wide.csv", "-p", "p.csv")
    assert "'--test_file (-T)' has 4 columns, but the model was trained on 3" in line
    warm = ["--warm_start", "-m", "m.bin", "-u", 3, "-M", "M.bin"]
    program.table("l.csv", [0, 1, 0, 1, 0])
    line = program.bad("-t", "wide.csv", "-l", "l.csv", *warm)
    assert "'--training_file (-t)' has 4 columns, but the model was trained on 3" \
        in line
    line = program.bad("-t", "x.csv", "-r", "y.csv", *warm)
    assert "is for classification, but '--responses_file (-r)' are given" in line
    program.table("y.csv", np.full(100, 77))
    line = program.bad("-t", "x.csv", "-l", "y.csv", *warm)
    assert "77" in line and "--labels_file (-l)" in line
    line = program.bad("-m", "m.bin", "-k", 13, "-M", "M.bin")
    assert "'--active_units (-k)' (13) must be at most" in line


def test_regression_model_is_not_for_labels(regression):
    program = regression.program
    program.good(*regression.train, "-M", "m.bin")
    out = program.good("-m", "m.bin", "-T", "tx.csv", "-L", "ty.csv", "-p",
                       "p.csv").out
    for option in ("test_labels_file (-L)", "predictions_file (-p)"):
        assert f"'--{option}' ignored because the model is for regression" in out
    assert "p.csv" not in program.listing()
    line = program.bad("-t", "x.csv", "-l", "y.csv", "--warm_start", "-m", "m.bin")
    assert "The input model is for regression, but labels are given" in line


@pytest.mark.parametrize("word", ["x" + 1000000 * " " + "y", "\033[" + 1000000 * "1",
                                  "x" + 1000000 * "\u00fc", "x" + 1000000 * "\033[0m"],
                         ids=["blanks", "color", "umlauts", "colors"])
def test_long_words(outputs, word):
    """They are cut in messages, between two letters."""
    program = outputs.program
    program.write("r.csv", word + "\n")
    line = program.bad("-t", "x.csv", "-r", "r.csv", "-M", "M.bin")
    assert "column 1: expected a number, but found '" in line and len(line) < 200
    if "\u00fc" in word:
        assert line.endswith(f"found 'x{59 * chr(0xfc)}...'")
    program.write("m.json", '{"' + word.replace("\033", " ") + '": 1}')
    assert len(program.bad("-m", "m.json", "-T", "tx.csv", "-p", "p.csv")) < 600


# Clears the screen, in two ways; and what a line could be drawn over with.
CONTROLS = "\033[2J\u009b2J\x7f\b"


def test_words_that_control_a_terminal(binary):
    program = binary.program
    word = f"a{CONTROLS}b"
    clean = "a [2J 2J  b"
    program.write("r.csv", word + "\n")
    assert "found 'a [2J 2J b'" in program.bad("-t", "x.csv", "-r", "r.csv")
    # What the method itself prints: a summary, and a warning.
    program.write("x.csv", "".join("%d,%s\n" % (i, "pq"[i % 2]) for i in range(30)))
    program.write("y.csv", f"p\n{word}\n" * 15)
    program.write("t.csv", f"1,{word}\n")
    for options in (["-t", "x.csv", "-l", "y.csv", "-u", 3, "-S", 1, "-T", "x.csv",
                     "-L", "y.csv", "-M", "m.bin"],
                    ["-m", "m.bin", "-T", "t.csv", "-p", "p.csv"]):
        out = program.good(*options).out
        assert clean in out and "\033" not in out and "\u009b" not in out
