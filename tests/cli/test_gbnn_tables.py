"""mlpack_gbnn and the tables people have: categories, gaps, formats."""

import pathlib

import numpy as np
import pytest

from conftest import limited


DATA = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.mark.parametrize("name, delimiter, head", [
    ("d.csv", ",", ""), ("d.csv", ",", "a,b,c\n"), ("d.csv", ";", ""),
    ("d.csv", "|", ""), ("d.csv", "|", "a|b|c\n"),
    ("d.tsv", "\t", ""), ("d.tsv", "\t", "a\tb\tc\n"), ("d.txt", " ", ""),
    ("d.arff", ",", "@relation r\n@attribute a numeric\n@attribute b real\n"
     "@attribute c numeric\n@data\n"),
])
def test_formats(binary, name, delimiter, head):
    program = binary.program
    expected = binary.predict(*binary.train)
    for source, prefix in (("x.csv", "train_"), ("tx.csv", "test_")):
        text = program.read(source).replace(",", delimiter)
        program.write(prefix + name, head + text)
    assert binary.predict("-t", "train_" + name, "-l", "y.csv", *binary.size,
                          test="test_" + name) == expected


def test_lines_that_end_in_carriage_returns(binary):
    """They are refused, alone and in lists; line feeds would be missed in parts."""
    program = binary.program
    text = "a,b,c\n" + program.read("x.csv")
    program.write("good.csv", text)
    for end in ("", "\n"):
        program.write("bad.csv", text.strip().replace("\n", "\r") + end)
        line = program.bad("-t", "bad.csv", "-l", "y.csv")
        assert "_file 'bad.csv': has lines that end in carriage returns alone" in line
        assert r"convert it with tr '\r' '\n'" in line
        for files in ("good.csv,bad.csv", "bad.csv,good.csv", "bad.csv,bad.csv"):
            assert "'bad.csv' has lines that end in carriage returns" in program.bad(
                "-t", files, "-l", "y.csv")
    program.write("bad.arff", "@relation r\r@attribute a numeric\r@data\r1\r")
    assert "carriage returns" in program.bad("-t", "bad.arff", "-l", "y.csv")
    # In quotes, and at the end of the only line, they do no harm.
    program.write("one.csv", '1,"2\r3",4\r')
    program.write("one_y.csv", "1\r\n")
    assert "only one class" in program.bad("-t", "one.csv", "-l", "one_y.csv")


def test_words_with_vertical_bars(gbnn):
    rows = [("p|%s %d %g" % ("qr"[i % 2], i, i / 4), "yes|no" if i % 2 else "maybe")
            for i in range(20)]
    gbnn.write("x.txt", "".join(x + "\n" for x, _ in rows))
    gbnn.write("y.csv", "".join(y + "\n" for _, y in rows))
    gbnn.write("t.txt", "p|q 1 2.5\np|r 2 1\n")
    gbnn.good("-t", "x.txt", "-l", "y.csv", "-u", 3, "-S", 1, "-M", "m.bin",
              "-T", "x.txt", "-p", "p.csv")
    gbnn.good("-m", "m.bin", "-T", "t.txt", "-p", "p.csv")
    # What is written in quotes reads back as one column, whatever comes first.
    gbnn.good("-m", "m.bin", "-T", "x.txt", "-p", "p.csv")
    assert sorted(set(gbnn.read("p.csv").splitlines())) == ['"yes|no"', "maybe"]
    gbnn.write("x.txt", "".join(x + "\n" for x, _ in rows if "r " in x))
    gbnn.good("-m", "m.bin", "-T", "x.txt", "-p", "p.csv")
    assert gbnn.read("p.csv") == '"yes|no"\n' * 10
    out = gbnn.good("-m", "m.bin", "-T", "x.txt", "-L", "p.csv").out
    assert "(10 of 10 points)" in out


def boards():
    """Every board at which tic-tac-toe ends, x first, and whether x has won."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8),
             (0, 4, 8), (2, 4, 6)]
    ends = set()

    def play(board, player):
        if any(board[a] == board[b] == board[c] != "b" for a, b, c in lines):
            ends.add((board, player == "o"))
        elif "b" not in board:
            ends.add((board, False))
        else:
            for i in range(9):
                if board[i] == "b":
                    play(board[:i] + player + board[i + 1:],
                         "o" if player == "x" else "x")

    play("b" * 9, "x")
    return sorted(ends)


def test_tic_tac_toe_in_words(gbnn):
    games = boards()
    assert len(games) == 958 and sum(won for _, won in games) == 626
    order = np.random.default_rng(2).permutation(958)
    for name, part in (("train", order[:700]), ("test", order[700:])):
        words = [list(games[i][0]) for i in part]
        gbnn.table(f"{name}_words.csv", words)
        gbnn.table(f"{name}_onehot.csv", [[float(cell == word) for cell in row
                                           for word in "box"] for row in words])
        gbnn.table(f"{name}_y.csv", [float(games[i][1]) for i in part])

    def accuracy(kind, head=""):
        for name in ("train", "test"):
            text = gbnn.read(f"{name}_{kind}.csv")
            gbnn.write(f"{name}.csv", head + text)
        gbnn.good("-t", "train.csv", "-l", "train_y.csv", "-u", 60, "-S", 1,
                  "-T", "test.csv", "-p", "p.csv")
        return np.mean(gbnn.numbers("p.csv") == gbnn.numbers("test_y.csv"))

    assert accuracy("onehot") > 0.95
    words = accuracy("words")
    assert words > 0.95
    head = ",".join(f"square{i}" for i in range(9)) + "\n"
    assert accuracy("words", head) == words


@pytest.fixture
def mixed(gbnn):
    """A table of a color and a number, of which the color tells most."""
    rng = np.random.default_rng(3)
    colors = rng.choice(["red", "green", "blue"], size=90, p=[0.5, 0.3, 0.2])
    numbers = rng.normal(size=90) + 3
    labels = np.where(colors == "red", numbers > 2.5, numbers > 3.5) * 1.0
    gbnn.rows = [[str(c), float(x)] for c, x in zip(colors, numbers)]
    gbnn.table("y.csv", labels)
    gbnn.table("x.csv", gbnn.rows)
    gbnn.table("t.csv", gbnn.rows[:12])
    gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 10, "-S", 5, "-M", "m.bin")
    return gbnn


def predict(program, rows, model="m.bin"):
    program.table("t.csv", rows)
    program.good("-m", model, "-T", "t.csv", "-P", "P.csv")
    return program.numbers("P.csv")


def train(program, rows, model, *options):
    program.table("x.csv", rows)
    program.good("-t", "x.csv", "-l", "y.csv", "-u", 10, "-S", 5, "-M", model,
                 *options)


def test_order_of_categories_does_not_matter(mixed):
    expected = predict(mixed, mixed.rows)
    assert np.array_equal(predict(mixed, mixed.rows[::-1])[::-1], expected)
    assert np.array_equal(predict(mixed, mixed.rows[7:8])[0], expected[7])


def test_encoded_by_hand_is_the_same(mixed):
    """Columns of mean 0; that of the numbers has variance 1."""
    linear = ["--input_encoding", "linear"]
    train(mixed, mixed.rows, "m.bin", *linear)
    rows = np.array([[float(row[0] == c) for c in ("blue", "green", "red")] +
                     [row[1]] for row in mixed.rows])
    rows -= rows.mean(axis=0)
    rows[:, 3] /= rows[:, 3].std()
    train(mixed, rows.tolist(), "byhand.bin", *linear, "--no_scaling")
    np.testing.assert_allclose(predict(mixed, rows.tolist(), "byhand.bin"),
                               predict(mixed, mixed.rows), rtol=1e-6)
    # A category that training has not seen is an average one.
    rows[:, :3] = 0
    np.testing.assert_allclose(
        predict(mixed, rows.tolist(), "byhand.bin"),
        predict(mixed, [["violet", row[1]] for row in mixed.rows]), rtol=1e-6)


def test_unseen_category_alters_no_other_point(mixed):
    expected = predict(mixed, mixed.rows)
    got = predict(mixed, [["violet", 3.0], *mixed.rows, ["7", 3.0]])
    assert np.array_equal(got[1:-1], expected)
    assert np.array_equal(got[0], got[-1])


@pytest.mark.parametrize("gap", ["", "?", "NA", "nan"])
def test_missing_cells_of_test_data(mixed, gap):
    mean = float(np.mean([row[1] for row in mixed.rows]))
    np.testing.assert_allclose(
        predict(mixed, [[row[0], gap] for row in mixed.rows]),
        predict(mixed, [[row[0], mean] for row in mixed.rows]), rtol=1e-12)
    # No word was missing in training, so that is as unknown as a new one.
    assert np.array_equal(
        predict(mixed, [[gap, row[1]] for row in mixed.rows]),
        predict(mixed, [["violet", row[1]] for row in mixed.rows]))


@pytest.mark.parametrize("encoding", ["linear", "piecewise"])
def test_missing_cells_of_training_data(mixed, encoding):
    options = ["--input_encoding", encoding]
    # A missing word is as good as another word.
    rows = [[c if i % 9 else "?", x] for i, (c, x) in enumerate(mixed.rows)]
    words = [[c if c != "?" else "zebra", x] for c, x in rows]
    train(mixed, rows, "gaps.bin", *options)
    train(mixed, words, "words.bin", *options)
    np.testing.assert_allclose(predict(mixed, rows, "gaps.bin"),
                               predict(mixed, words, "words.bin"), rtol=1e-6)
    # A missing number is the mean of the others, and a column says so.
    rows = [[c, x if i % 9 else "?"] for i, (c, x) in enumerate(mixed.rows)]
    mean = float(np.mean([row[1] for row in rows if row[1] != "?"]))
    twice = [[c, x if x != "?" else mean, "gap" if x == "?" else "none"]
             for c, x in rows]
    train(mixed, rows, "gaps.bin", *options)
    train(mixed, twice, "twice.bin", *options)
    for model, table in (("gaps.bin", rows), ("twice.bin", twice)):
        truth = mixed.numbers("y.csv").ravel()
        fit = predict(mixed, table, model).argmax(axis=1) == truth
        assert np.mean(fit) > 0.7


@pytest.mark.parametrize("encoding", ["linear", "piecewise"])
def test_what_is_missing_tells_the_label(mixed, encoding):
    """Labels that depend on nothing but on what is missing."""
    rows = [[c if i % 3 else "?", x if i % 2 else "?"]
            for i, (c, x) in enumerate(mixed.rows)]
    mixed.table("y.csv", [float((i % 3 == 0) != (i % 2 == 0))
                          for i in range(len(rows))])
    train(mixed, rows, "gaps.bin", "--input_encoding", encoding)
    truth = mixed.numbers("y.csv").ravel()
    assert np.array_equal(predict(mixed, rows, "gaps.bin").argmax(axis=1), truth)


def test_columns_that_say_nothing(mixed):
    expected = predict(mixed, mixed.rows)
    for cell in ("?", "same", 4.0, 0.1):
        rows = [[*row, cell] for row in mixed.rows]
        train(mixed, rows, "more.bin")
        got = predict(mixed, rows, "more.bin")
        assert np.all(np.isfinite(got))
        assert np.mean((got[:, 1] > 0.5) == (expected[:, 1] > 0.5)) > 0.8


def test_numbers_that_are_categories(gbnn):
    """A column with one word has categories, also where only numbers are left."""
    codes = ["1234567", "100000", "0.1", "none"]
    rows = [[code, float(i)] for i in range(15) for code in codes]
    gbnn.table("y.csv", [float(codes.index(row[0]) % 2) for row in rows])
    train(gbnn, rows, "m.json")
    got = predict(gbnn, [[code, 3.0] for code in codes], "m.json")
    assert np.array_equal(got.argmax(axis=1), [0, 1, 0, 1])
    assert np.array_equal(
        predict(gbnn, [[code, 3.0] for code in codes[:3]], "m.json"), got[:3])


def test_text_where_training_had_numbers(mixed):
    mixed.table("t.csv", [["red", 1.0], ["red", "large"]])
    line = mixed.bad("-m", "m.bin", "-T", "t.csv", "-p", "p.csv")
    assert "column 2 of '--test_file (-T)' has text ('large')" in line
    assert "had only numbers in training" in line


def test_no_scaling(binary):
    # Unless it is switched off, the unit of a column does not matter; to
    # piecewise-linear inputs it never does.
    program = binary.program
    linear = [*binary.train, "--input_encoding", "linear"]
    scaled = binary.scores(*linear)
    unscaled = binary.scores(*linear, "--no_scaling", "-M", "m.bin")
    assert binary.predict("-m", "m.bin") == \
        binary.predict(*linear, "--no_scaling")
    program.table("x.csv", binary.points * [1024, 1, 0.125])
    program.table("tx.csv", binary.test_points * [1024, 1, 0.125])
    np.testing.assert_allclose(binary.scores(*linear), scaled, rtol=1e-9)
    assert not np.allclose(binary.scores(*linear, "--no_scaling"), unscaled)


@pytest.mark.parametrize("name, points, majority", [("hepatitis", 155, 123),
                                                    ("ilpd", 583, 416)])
def test_data_with_missing_values(gbnn, name, points, majority):
    source = DATA / f"{name}.csv"
    if not source.exists():
        pytest.skip(f"needs {name}.csv in the folder shared/data beside the project")
    text = source.read_text()
    assert "NaN" in text
    gbnn.write("d.csv", text)
    lines = [line.rsplit(",", 1) for line in text.split()]
    gbnn.write("t.csv", "\n".join(line[0] for line in lines))
    gbnn.write("ty.csv", "\n".join(line[1] for line in lines))
    out = gbnn.good("-t", "d.csv", "-u", 30, "-S", 1, "-T", "t.csv", "-L", "ty.csv",
                    "-p", "p.csv", "-M", "m.bin").out
    right = int(np.sum(gbnn.numbers("p.csv").ravel() ==
                       np.array([float(line[1]) for line in lines[1:]])))
    assert f"accuracy {right / points:.4f} ({right} of {points} points)" in out
    assert right > majority


def test_header_over_names_and_words(gbnn):
    """A column of names says nothing about the first line; one of categories does."""
    rows = ["C%d,%s,%s" % (i, "red" if i % 3 else "blue", "yes" if i % 3 else "no")
            for i in range(40)]
    gbnn.write("a.csv", "\n".join(["id,color,y", *rows]) + "\n")
    assert "2 classes" in gbnn.good("-t", "a.csv", "--target", "y", "-u", 3, "-M", "m.bin").out
    gbnn.write("t.csv", "id,color\nC1,red\nC0,blue\n")
    gbnn.good("-m", "m.bin", "-T", "t.csv", "-p", "p.csv")
    assert len(gbnn.read("p.csv").split()) == 2
    # In other letters it is no point either.
    gbnn.write("t.csv", "ID,Color\nC1,red\nC0,blue\n")
    assert "did you mean 'ID'?" in gbnn.bad("-m", "m.bin", "-T", "t.csv", "-p", "p.csv")
    # Without a header, the first line is a point like others.
    gbnn.write("b.csv", "\n".join(rows) + "\n")
    gbnn.good("-t", "b.csv", "--target", 3, "-u", 3, "-T", "b.csv", "-p", "p.csv")
    assert len(gbnn.read("p.csv").split()) == 40


def test_words_among_numbers_are_warned_of(gbnn):
    def train(cell):
        gbnn.write("x.csv", "x,y\n" + "".join(
            "%s,%d\n" % (cell if i == 6 else i, i % 2) for i in range(30)))
        return gbnn.good("-t", "x.csv", "--target", "y", "-u", 3, "-M", "m.bin").out

    assert ("Column 1 has numbers in 29 of 30 points, but 'none' in line 8, and is taken for "
            "categories") in train("none")
    for cell in ("NULL", "6", ""):
        assert "[WARN ]" not in train(cell)


def test_only_the_first_columns_with_words_are_warned_of(gbnn):
    gbnn.write("x.csv", "".join(",".join(["none" if i == 6 else str(i)] * 8) + ",%d\n" % (i % 2)
                                for i in range(30)))
    out = gbnn.good("-t", "x.csv", "-u", 3, "-M", "m.bin").out
    assert out.count("but 'none' in line 7") == 5
    assert "So are 3 more columns of numbers with a few words" in out


def test_many_columns_of_words(gbnn):
    """Whether all of them are numbers with commas is seen in one pass."""
    line = ",".join(['"1,5"'] * 4000) + "\n"
    gbnn.write("x.csv", line * 300)
    gbnn.write("y.csv", "0\n1\n" * 150)
    assert "line 2, column 1: expected a number, but found '1,5'" in gbnn.bad(
        "-t", "x.csv", "-l", "y.csv", "-M", "m.bin")
    gbnn.write("x.csv", line * 299 + ",".join(["x"] * 3999) + ',"1,5"\n')
    assert "line 2, column 4000: expected a number, but found '1,5'" in gbnn.bad(
        "-t", "x.csv", "-l", "y.csv", "-M", "m.bin")


@pytest.mark.parametrize("name, delimiter", [("x.csv", ","), ("x.txt", " ")])
def test_ragged_table_takes_little_memory(gbnn, name, delimiter):
    gbnn.write(name, delimiter.join(["1"] * 50000) + "\n" + "1\n" * 50000)
    limited(gbnn, 1000)
    assert "line 2 has 1 columns, but line 1 has 50000" in gbnn.bad(
        "-t", name, "-M", "m.bin")


@pytest.mark.parametrize("name, text, expected", [
    ("r.pgm", "P5 30000 30000 255\n", "column 1: expected a number, but found 'P5'"),
    ("r.bin", "ARMA_MAT_BIN_FN008\n1000000000 1\n",
     "is damaged: expected 1000000000 x 1 numbers of 8 bytes, but it has 32 bytes"),
    ("r.bin", "ARMA_MAT_BIN_FN008\n-1 -1\n", "is damaged: expected"),
])
def test_sizes_that_lie(gbnn, name, text, expected):
    gbnn.write("x.csv", "1\n2\n")
    gbnn.write(name, text)
    limited(gbnn, 1000)
    assert expected in gbnn.bad("-t", "x.csv", "-r", name, "-M", "m.bin")


def test_unseen_categories_are_warned_of(gbnn):
    gbnn.write("x.csv", "".join("%d,%s,%d\n" % (i, "pq"[i % 2], i % 2) for i in range(30)))
    gbnn.good("-t", "x.csv", "-u", 3, "-M", "m.bin")
    gbnn.write("t.csv", "1,p\n2,Q\n3,\n4,r\n")
    out = gbnn.good("-m", "m.bin", "-T", "t.csv", "-p", "p.csv").out
    assert ("Column 2 of '--test_file (-T)' has categories that did not occur in training "
            "('Q', 'r')") in out
    gbnn.write("t.csv", "1,p\n2,q\n3,\n")
    assert "[WARN ]" not in gbnn.good("-m", "m.bin", "-T", "t.csv", "-p", "p.csv").out
    gbnn.write("t.csv", "1,0\n2,1\n")
    out = gbnn.good("-m", "m.bin", "-T", "t.csv", "-p", "p.csv").out
    assert "did not occur in training ('0', '1')" in out


def test_unseen_categories_beside_the_training_data(gbnn):
    rows = ["%d,%s,%d\n" % (i, "pq"[i % 2], i % 2) for i in range(30)]
    gbnn.write("x.csv", "".join(rows))
    gbnn.write("v.csv", "".join(rows[:9]) + "1,Q,1\n")
    small = ["-u", 3, "--refine_iterations", 0, "-M", "m.bin"]
    text = "of '--%s' has categories that did not occur in training ('Q')"
    out = gbnn.good("-t", "x.csv", "--validation_file", "v.csv", *small).out
    assert text % "validation_file" in out
    out = gbnn.good("-t", "v.csv", "--warm_start", "-m", "m.bin", *small).out
    assert text % "training_file (-t)" in out


def test_truth_in_any_spelling(gbnn):
    gbnn.write("x.csv", "".join("%d,%s,%d\n" % (i, ["FALSE", "TRUE"][i % 3 == 0], i % 3 == 0)
                                for i in range(60)))
    gbnn.good("-t", "x.csv", "-u", 3, "-M", "m.bin")
    for no, yes in (("FALSE", "TRUE"), ("False", "True"), ("false", "true"), ("0", "1")):
        gbnn.write("t.csv", f"1,{no}\n2,{yes}\n")
        out = gbnn.good("-m", "m.bin", "-T", "t.csv", "-p", "p.csv").out
        assert "[WARN ]" not in out
        assert gbnn.read("p.csv").split() == ["0", "1"]
