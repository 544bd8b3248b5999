"""The data files that people have: headers, delimiters, quotes, gaps."""

import numpy as np
import pytest


def load(tiny, name, text, options=()):
    """The data and the number of categories per dimension."""
    tiny.write(name, text)
    tiny.good("-i", name, "-o", "out.csv", "-k", "k.csv", *options)
    data = np.atleast_2d(np.genfromtxt(tiny.folder / "out.csv", delimiter=","))
    return data, np.atleast_1d(np.loadtxt(tiny.folder / "k.csv")).astype(int).tolist()


NUMBERS = [[1, 2.5], [3, -4]]


@pytest.mark.parametrize("name, text", [
    ("d.csv", "1,2.5\n3,-4\n"),
    ("d.csv", "1,2.5\n3,-4"),
    ("d.csv", "a,b\n1,2.5\n3,-4\n"),
    ("d.csv", "a,b\r\n1,2.5\r\n3,-4\r\n"),
    ("d.csv", "\ufeff1,2.5\n3,-4\n"),
    ("d.csv", "\ufeffa,b\n1,2.5\n3,-4\n"),
    ("d.csv", '"a","b"\n"1","2.5"\n"3","-4"\n'),
    ("d.csv", "\n1 , +2.5\n\n  3,-4.0e0\n\n"),
    ("d.csv", "1;2.5\n3;-4\n"),
    ("d.csv", "1 2.5\n3 -4\n"),
    ("d.tsv", "a\tb\n1\t2.5\n3\t-4\n"),
    ("d.tsv", "1\t2.5\n3\t-4\n"),
    ("d.txt", "a b\n1 2.5\n3 -4\n"),
    ("d.txt", "  1   2.5  \n\t3\t-4\n"),
    ("d.data", "1,2.5\n3,-4\n"),
    ("d", "1,2.5\n3,-4\n"),
    ("d.arff", "% c\n@RELATION r\n@attribute a NUMERIC\n@ATTRIBUTE 'b c' real\n"
               "\n@data\n1,2.5\n% c\n3,-4\n"),
])
def test_numbers_in_any_dress(tiny, name, text):
    data, categories = load(tiny, name, text)
    np.testing.assert_array_equal(data, NUMBERS)
    assert categories == [0, 0]
    # The same file as a matrix of numbers.
    tiny.good("-m", name, "-M", "m.csv")
    assert tiny.read("m.csv") == "1,2.5\n3,-4\n"


@pytest.mark.parametrize("cell", ["", "NaN", "nan", "NA", "?", '""', " ", "-nan", "N/A", "n/a",
                                  "#N/A", "<NA>", "NULL", "null"])
def test_missing_cells_are_no_category(tiny, cell):
    data, categories = load(tiny, "d.csv", f"1,x,9\n{cell},y,{cell}\n3,{cell},7\n")
    np.testing.assert_array_equal(
        data, [[1, 0, 9], [np.nan, 1, np.nan], [3, np.nan, 7]])
    assert categories == [0, 2, 0]


def test_missing_cells_in_first_line_and_header(tiny):
    data, categories = load(tiny, "d.csv", "a,b\n,x\n1,?\nNA,z\n")
    np.testing.assert_array_equal(data, [[np.nan, 0], [1, np.nan], [np.nan, 1]])
    assert categories == [0, 2]


def test_lines_of_missing_cells_are_kept(tiny):
    data, _ = load(tiny, "d.tsv", "1\t2\n\t\n3\t4\n")
    np.testing.assert_array_equal(data, [[1, 2], [np.nan, np.nan], [3, 4]])
    data, _ = load(tiny, "d.csv", "1,2\n,\n3,4\n")
    np.testing.assert_array_equal(data, [[1, 2], [np.nan, np.nan], [3, 4]])


def test_categories_are_numbered_as_they_come(tiny):
    data, categories = load(tiny, "d.csv", "b,1\na,2\nb,3\nc d,4\n")
    np.testing.assert_array_equal(data, [[0, 1], [1, 2], [0, 3], [2, 4]])
    assert categories == [3, 0]


def test_numbers_among_words_are_categories(tiny):
    data, categories = load(tiny, "d.csv", "5,1\na,2\n5,3\n")
    np.testing.assert_array_equal(data, [[0, 1], [1, 2], [0, 3]])
    assert categories == [2, 0]


def test_quotes(tiny):
    data, categories = load(
        tiny, "d.csv", '"a,b",1\n"say ""hi""",2\n"two\nlines",3\n"a,b",4\n')
    np.testing.assert_array_equal(data, [[0, 1], [1, 2], [2, 3], [0, 4]])
    assert categories == [3, 0]


def test_scale_leaves_categories_alone(tiny):
    data, _ = load(tiny, "d.csv", "b,1\na,2\n", ["-s", "10"])
    np.testing.assert_array_equal(data, [[0, 10], [1, 20]])


def test_header_over_words_only(tiny):
    rows = "x,o\no,x\n" * 10
    data, categories = load(tiny, "d.csv", "left,right\n" + rows)
    assert data.shape == (20, 2) and categories == [2, 2]
    # Without a header the first line is a point like any other.
    data, categories = load(tiny, "d.csv", rows)
    assert data.shape == (20, 2) and categories == [2, 2]


def test_words_without_header_keep_every_point(tiny):
    names = "\n".join(f"name{i},town{i}" for i in range(30))
    data, categories = load(tiny, "d.csv", names)
    assert data.shape == (30, 2) and categories == [30, 30]


def test_one_column_of_words_with_blanks(tiny):
    data, categories = load(tiny, "d.csv", "New York\nParis\nNew York\n")
    assert data.ravel().tolist() == [0, 1, 0] or data.shape == (1, 3)
    assert categories == [2]


def test_one_point(tiny):
    data, categories = load(tiny, "d.csv", "1,x,3\n")
    np.testing.assert_array_equal(data, [[1, 0, 3]])
    assert categories == [0, 1, 0]


ARFF = """@relation weather
@attribute outlook {sunny, 'over cast', rainy}
@attribute temperature numeric
@attribute note string
@attribute play {yes, no}
@data
rainy, 70, "so, so", yes
'over cast', ?, fine, no
?, 1e1, fine, ?
"""


def test_arff_with_missing_values(tiny):
    data, categories = load(tiny, "d.arff", ARFF)
    np.testing.assert_array_equal(data, [[2, 70, 0, 0], [1, np.nan, 1, 1],
                                         [np.nan, 10, 1, np.nan]])
    assert categories == [3, 0, 2, 2]


def test_arff_with_many_categories(tiny):
    words = ["c%d" % i for i in range(200000)]
    data, categories = load(tiny, "d.arff", "@relation r\n@attribute a {%s}\n@data\n" %
                            ",".join(words) + "c199999\n" * 200000)
    assert categories == [200000] and np.all(data == 199999)


@pytest.mark.parametrize("text, message", [
    ("", "is empty"),
    ("@relation r\n@attribute a numeric\n@data\n", "has no data"),
    ("@relation r\n@attribute a numeric\n@data\n1,2\n",
     "line 4: has 2 values, but the header has 1 attributes"),
    ("@relation r\n@attribute a numeric\n@data\nx\n",
     "line 4: expected a number, but found 'x'"),
    ("@relation r\n@attribute a {x,y}\n@data\nz\n",
     "line 4: 'z' is not a category that the header lists"),
    ("@relation r\n@attribute a date\n@data\n1\n",
     "line 2: attribute 'a' has the type 'date', which is not supported"),
    ("@relation r\n@attribute a numeric\n@data\n{0 1}\n",
     "line 4: sparse ARFF data is not supported"),
    ("1,2\n3,4\n", "line 1: expected @relation"),
    ("@relation r\n@attribute a string\n@data\na\0b\n",
     "is not a text file (it has zero bytes in it)"),
])
def test_bad_arff(tiny, text, message):
    tiny.write("d.arff", text)
    assert tiny.bad("-i", "d.arff") == f"[FATAL] --input_file 'd.arff': {message}"


@pytest.mark.parametrize("text, message", [
    ("", "is empty"),
    ("\n\n", "is empty"),
    ("1,2\n\n3,4,5\n", "line 3 has 3 columns, but line 1 has 2"),
    ("1,2\n3\n", "line 2 has 1 columns, but line 1 has 2"),
    ("a,b,c\n1,2\n", "line 2 has 2 columns, but line 1 has 3"),
    ("1,2\n3,\"4\n", "line 2 has a quotation mark that is never closed"),
    ("1,2\0\n", "is not a text file (it has zero bytes in it)"),
])
def test_bad_text(tiny, text, message):
    tiny.write("d.csv", text)
    for option in ("input", "matrix"):
        assert tiny.bad(f"--{option}_file", "d.csv") == \
            f"[FATAL] --{option}_file 'd.csv': {message}"


@pytest.mark.parametrize("text, where", [
    ("1,2\n3,x y\n", "line 2, column 2: expected a number, but found 'x y'"),
    ("a,b\n1,2\n\n3,0x4\n", "line 4, column 2: expected a number, but found '0x4'"),
    ("x,1\n", "line 1, column 1: expected a number, but found 'x'"),
    ("1,\"2,5\"\n", "line 1, column 2: expected a number, but found '2,5'; "
     "decimals are written with a point: 2.5"),
    # The header is not to blame for what stands below it.
    ("y\n1\n2\nx\n4\n", "line 4, column 1: expected a number, but found 'x'"),
    ("a,b\n1,2\n3,x\n", "line 3, column 2: expected a number, but found 'x'"),
    ("a,b\n", "has one line, of words only: a header without numbers below it?"),
])
def test_words_in_a_matrix_of_numbers(tiny, text, where):
    tiny.write("d.csv", text)
    assert tiny.bad("-m", "d.csv") == f"[FATAL] --matrix_file 'd.csv': {where}"


def test_extreme_numbers(tiny):
    tiny.write("d.csv", "1e400,-1e400,1e-400,inf,-Infinity\n")
    tiny.good("-m", "d.csv", "-M", "m.csv")
    assert tiny.read("m.csv") == "inf,-inf,0,inf,-inf\n"


def test_many_lines_agree_with_numpy(tiny):
    rng = np.random.default_rng(5)
    data = rng.normal(size=(3000, 7))
    np.savetxt(tiny.folder / "d.csv", data, delimiter=",", fmt="%.17g")
    tiny.good("-m", "d.csv", "-M", "m.csv")
    np.testing.assert_array_equal(
        np.loadtxt(tiny.folder / "m.csv", delimiter=","), data)


def test_first_bad_line_is_named(tiny):
    # Lines are read by several threads; the first fault must be reported.
    lines = ["1,2"] * 5000
    lines[1234] = "1"
    lines[4321] = "1,2,3"
    tiny.write("d.csv", "\n".join(lines))
    assert "line 1235 has 1 columns" in tiny.bad("-m", "d.csv")


def test_blank_lines_of_one_column_are_missing_values(tiny):
    for text in ("1\n\n3\n", "x\n1\n \n3\n\n\n", "1\r\n\r\n3\r\n", "1\n\n3"):
        data, _ = load(tiny, "d.csv", text)
        np.testing.assert_array_equal(data.ravel(), [1, np.nan, 3])
        data, _ = load(tiny, "d.txt", text)
        np.testing.assert_array_equal(data.ravel(), [1, np.nan, 3])
    # Nobody can tell what one before all others means.
    tiny.write("d.csv", "\n1\n2\n")
    assert "line 1 is blank: write NA there if a value is missing" in \
        tiny.bad("-i", "d.csv")


@pytest.mark.parametrize("name, text, found", [
    ("d.csv", "0,123;0,456\n0,5;0,25\n", "0,456"),
    ("d.csv", "a;b\n0,123;0,456\n", "0,456"),
    ("d.csv", "1;0,5\n2;0,25\n", "0,5"),
    ("d.csv", "w, cm;h, cm\n1,5;2,5\n", "2,5"),
    ("d.txt", "0,123\t0,456\n", "0,456"),
    ("d.tsv", "a\tb\n0,123\t1\n", "0,123"),
    ("d.txt", "0,123 -0,456\n", "-0,456"),
    ("d.txt", "0,123   -0,456\n0,5    1,5\n", "-0,456"),
    ("d.csv", '7,"0,456"\n', "0,456"),
    ("d.csv", 'a,b\n1,"0,456"\n2,\n3,"1,5e3"\n', "0,456"),
])
def test_decimal_commas(tiny, name, text, found):
    tiny.write(name, text)
    for option in ("-i", "-m"):
        line = tiny.bad(option, name)
        assert f"'{found}'" in line
        assert "decimals are written with a point: " + found.replace(",", ".") in line


@pytest.mark.parametrize("name, text, found, without", [
    ("d.tsv", "a\tb\n1,234\t1\n", "1,234", "1234"),
    ("d.tsv", "-1,234,567.5\t1\n", "-1,234,567.5", "-1234567.5"),
    ("d.csv", 'a,b\n1,"12,345,678"\n2,"999"\n', "12,345,678", "12345678"),
])
def test_thousands(tiny, name, text, found, without):
    tiny.write(name, text)
    for option in ("-i", "-m"):
        line = tiny.bad(option, name)
        assert f"'{found}'" in line
        assert "thousands are written without commas: " + without in line
        # Of one comma, nobody can tell what it is.
        assert ("decimals are written with a point: 1.234" in line) == \
            (found == "1,234")


@pytest.mark.parametrize("text, categories", [
    ('"1,2",1\n"a,b",2\n', [2, 0]), ("1, 2\n3, 4\n", [0, 0]),
    ('"1,",1\n",5",2\n', [2, 0]), ('"1234,567",1\n"0,12,345",2\n', [2, 0]),
    ('"1,2345",1\n"a",2\n', [2, 0]), ("1,2 3\n4,5 6\n", [0, 2]),
])
def test_other_commas(tiny, text, categories):
    assert load(tiny, "d.csv", text)[1] == categories
