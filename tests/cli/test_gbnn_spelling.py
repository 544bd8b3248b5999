"""What looks like a number but is a name, and what is written in several ways."""

import pytest

QUICK = ["-u", 6, "-S", 1, "--refine_iterations", 0, "--input_encoding",
         "linear", "--l2", 0.01]
CODES = ["01", "02", "2A"]


def coded(program, name, codes, header="code,x,y\n", rows=60):
    """A file in which the target is the code, by turns."""
    lines = [f"{codes[i % len(codes)]},{i % 7},{'abc'[i % len(codes)]}\n"
             for i in range(rows)]
    program.write(name, header + "".join(lines))


def test_codes_that_are_numbers(gbnn):
    coded(gbnn, "c.csv", CODES)
    gbnn.good("-t", "c.csv", "--target", "y", *QUICK, "-M", "m.bin")
    gbnn.write("all.csv", "code,x\n01,3\n02,4\n2A,1\n")
    gbnn.write("numbers.csv", "code,x\n01,3\n02,4\n")
    gbnn.good("-m", "m.bin", "-T", "all.csv", "-P", "all_p.csv")
    result = gbnn.good("-m", "m.bin", "-T", "numbers.csv", "-P", "p.csv")
    assert "did not occur" not in result.out + result.err
    assert gbnn.read("p.csv") == "".join(
        gbnn.read("all_p.csv").splitlines(True)[:2])
    # 1 and 01 are two codes where both occur; then only the text tells.
    coded(gbnn, "both.csv", ["1", "01", "2A"])
    gbnn.good("-t", "both.csv", "--target", "y", *QUICK, "-M", "m.bin")
    gbnn.write("one.csv", "code,x\n1,3\n")
    gbnn.write("two.csv", "code,x\n1,3\n2A,3\n")
    gbnn.good("-m", "m.bin", "-T", "one.csv", "-P", "p.csv")
    gbnn.good("-m", "m.bin", "-T", "two.csv", "-P", "all_p.csv")
    assert gbnn.read("p.csv") == gbnn.read("all_p.csv").splitlines(True)[0]


def test_labels_that_are_numbers(gbnn):
    gbnn.write("x.csv", "".join(f"{i % 3},{i % 5}\n" for i in range(60)))
    gbnn.write("y.csv", "".join(CODES[i % 3] + "\n" for i in range(60)))
    gbnn.write("tx.csv", "0,1\n1,2\n")
    gbnn.write("ty.csv", "01\n02\n")
    result = gbnn.good("-t", "x.csv", "-l", "y.csv", *QUICK, "-T", "tx.csv",
                       "-L", "ty.csv", "-p", "o.csv")
    assert "did not occur" not in result.out + result.err
    assert "1.0000 (2 of 2" in result.out
    assert gbnn.read("o.csv") == "01\n02\n"


@pytest.mark.parametrize("header", ["", "code\n"])
def test_labels_with_leading_zeros(gbnn, header):
    """They are predicted as they are written."""
    codes = ["001", "010", "100"]
    gbnn.write("x.csv", "".join(f"{i % 3},{i % 5}\n" for i in range(60)))
    gbnn.write("y.csv", header + "".join(codes[i % 3] + "\n" for i in range(60)))
    gbnn.write("tx.csv", "0,1\n1,2\n2,2\n")
    train = ["-t", "x.csv", "-l", "y.csv", *QUICK]
    for known, right in (("001\n010\n100\n", 3), ("1\n10\n100\n", 3),
                         ("100\n100\n100\n", 1)):
        gbnn.write("ty.csv", known)
        result = gbnn.good(*train, "-T", "tx.csv", "-L", "ty.csv", "-p", "o.csv", "-M",
                           "m.bin")
        assert "did not occur" not in result.out + result.err
        assert f"({right} of 3" in result.out
        assert gbnn.read("o.csv") == "001\n010\n100\n"
    weighted = []
    for label in ("001", "1"):
        gbnn.good(*train, "--class_weights", f"{label}:3", "-T", "tx.csv", "-P", "P.csv")
        weighted.append(gbnn.read("P.csv"))
    assert weighted[0] == weighted[1]
    gbnn.good("-m", "m.bin", "-T", "tx.csv", "-p", "o.csv")
    assert gbnn.read("o.csv") == "001\n010\n100\n"


def test_many_labels_with_leading_zeros(gbnn):
    gbnn.write("x.csv", "".join(f"{i % 30},{i % 5}\n" for i in range(300)))
    gbnn.write("y.csv", "".join(f"{i % 30:03}\n" for i in range(300)))
    result = gbnn.good("-t", "x.csv", "-l", "y.csv", *QUICK, "-T", "x.csv", "-p", "o.csv")
    assert "is taken for categories" not in result.out + result.err
    assert all(len(label) == 3 for label in gbnn.read("o.csv").split())


def test_one_label_in_two_spellings(gbnn):
    """1 and 01 stay one class."""
    gbnn.write("x.csv", "".join(f"{i % 3},{i % 5}\n" for i in range(60)))
    gbnn.write("y.csv", "".join(["1", "01", "2"][i % 3] + "\n" for i in range(60)))
    gbnn.good("-t", "x.csv", "-l", "y.csv", *QUICK, "-T", "x.csv", "-p", "o.csv")
    assert set(gbnn.read("o.csv").split()) == {"1", "2"}


@pytest.mark.parametrize("names, order", [
    (["2019", "2020"], [1, 0]), (["0", "1"], [1, 0]), (["007", "8"], [1, 0])])
def test_header_of_numbers(gbnn, names, order):
    """The names of the model's columns are a header, whatever they look like."""
    rows = [(i % 7 / 7, i % 5 / 5) for i in range(100)]
    table = "".join(f"{a},{b},{a - 2 * b:.4f}\n" for a, b in rows)
    gbnn.write("t.csv", ",".join(names + ["price"]) + "\n" + table)
    gbnn.good("-t", "t.csv", "--target", "price", *QUICK, "-M", "m.bin")
    gbnn.write("a.csv", ",".join(names + ["price"]) + "\n" + table)
    gbnn.good("-m", "m.bin", "-T", "a.csv", "-o", "a_o.csv")
    gbnn.write("b.csv", ",".join(names[c] for c in order) + "\n" + "".join(
        ",".join(str(row[c]) for c in order) + "\n" for row in rows))
    result = gbnn.good("-m", "m.bin", "-T", "b.csv", "-o", "b_o.csv")
    assert "Taking the first line of '--test_file (-T)' for a header" in (
        result.out + result.err)
    assert gbnn.read("b_o.csv") == gbnn.read("a_o.csv")
    # Without one, columns are those of training, in their order.
    gbnn.write("c.csv", "".join(f"{a},{b}\n" for a, b in rows))
    gbnn.good("-m", "m.bin", "-T", "c.csv", "-o", "c_o.csv")
    assert gbnn.read("c_o.csv") == gbnn.read("a_o.csv")


@pytest.mark.parametrize("header", ["0,1,label", "1,2,label", "2019,2020,label"])
def test_header_of_numbers_over_words(gbnn, header):
    rows = [(i % 7 / 7, i % 5 / 5) for i in range(100)]
    table = "".join(f"{a},{b},{'yes' if a > b else 'no'}\n" for a, b in rows)
    gbnn.write("t.csv", header + "\n" + table)
    out = gbnn.good("-t", "t.csv", "--target", "label", *QUICK).out
    assert "2 classes" in out and "on 100 points" in out
    # Numbers that do not count up may be those of a point.
    gbnn.write("t.csv", "0.5,3,maybe\n" + table)
    out = gbnn.good("-t", "t.csv", "--target", 3, *QUICK).out
    assert "3 classes" in out and "on 101 points" in out


def test_missing_numbers_only(gbnn):
    gbnn.write("t.csv", "a,b,c\n" + "".join(
        f"{i % 7},{'red' if i % 2 else 'blue'},{'y' if i % 2 else 'n'}\n"
        for i in range(60)))
    gbnn.good("-t", "t.csv", "--target", "c", *QUICK, "-M", "m.bin")
    gbnn.write("one.csv", "a,b\n,red\n")
    gbnn.good("-m", "m.bin", "-T", "one.csv", "-p", "o.csv")
    assert gbnn.read("o.csv") == "y\n"
    gbnn.write("bad.csv", "b,a\nred,x\n")
    assert "column 'a' of '--test_file (-T)' has text ('x')" in gbnn.bad(
        "-m", "m.bin", "-T", "bad.csv")
    gbnn.write("bad.csv", "b,a\nred,inf\n")
    assert "infinite value in column 'a' of point 1" in gbnn.bad(
        "-m", "m.bin", "-T", "bad.csv")


@pytest.mark.parametrize("other", ["k.A.", "unknown"])
def test_decimal_commas_and_a_word(gbnn, other):
    cells = [f"{i},{i % 10}" for i in range(99)]
    cells.insert(40, other)
    gbnn.write("t.csv", "size;y\n" + "".join(
        f"{cell};{'ab'[i % 2]}\n" for i, cell in enumerate(cells)))
    line = gbnn.bad("-t", "t.csv", "--target", "y", *QUICK)
    assert "line 2, column 1: expected a number, but found '0,0'" in line
    assert "decimals are written with a point: 0.0" in line


def test_truth_in_several_spellings(gbnn):
    spelled = ["true", "True", "TRUE", "false", "False"]
    gbnn.write("t.csv", "a,f,y\n" + "".join(
        f"{i % 4},{spelled[i % 5]},{'TRUE' if i % 5 < 3 else 'false'}\n"
        for i in range(59)) + "1,false,False\n")
    out = gbnn.good("-t", "t.csv", "--target", "y", *QUICK, "-M", "m.bin").out
    assert "2 classes" in out
    for yes, no in (("true", "false"), ("TRUE", "FALSE"), ("1", "0")):
        gbnn.write("x.csv", f"a,f\n2,{yes}\n2,{no}\n")
        result = gbnn.good("-m", "m.bin", "-T", "x.csv", "-p", "o.csv")
        assert "did not occur" not in result.out + result.err
        assert gbnn.read("o.csv") == "TRUE\nfalse\n"


def test_values_of_flags(gbnn, binary):
    train = [*binary.train, "-T", "tx.csv", "-p", "p.csv"]
    for no in ("false", "False", "no", "off", "0"):
        assert "importance" not in gbnn.good(*train, f"--importance={no}").out
    for yes in ("true", "YES", "on", "1"):
        assert "importance" in gbnn.good(*train, f"--importance={yes}").out
    assert "--importance: expected nothing, true or false, but got 'xyz'" in (
        gbnn.bad(*train, "--importance=xyz"))


def test_files_that_are_no_text(gbnn):
    import bz2
    import gzip
    import lzma
    text = b"".join(b"%d,%d,%d\n" % (i, i * i, i % 2) for i in range(500))
    for data, kind in ((gzip.compress(text), "gzip"), (lzma.compress(text), "xz"),
                       (bz2.compress(text), "bzip2"),
                       (b"PK\x03\x04\0\0" + text, "a ZIP archive")):
        (gbnn.folder / "t.csv").write_bytes(data)
        line = gbnn.bad("-t", "t.csv")
        assert "is no text file, but" in line and kind in line


def test_quotation_mark_that_joins_lines(gbnn):
    gbnn.write("t.csv", 'a,size,y\n1,5",0\n2,6",1\n3,7,1\n4,8,0\n')
    assert ("line 2 has 5 columns, but line 1 has 3; a quotation mark in it joins "
            "it with the line below") in gbnn.bad("-t", "t.csv")


def test_no_latency(binary):
    expected = binary.predict(*binary.train)
    assert binary.predict(*binary.train, "--latency", 0) == expected


def test_validation_fraction_before_training(binary):
    line = binary.program.bad(*binary.train, "--validation_fraction", 0.0001)
    assert "[FATAL] '--validation_fraction'" in line
    assert "of 100 points is 0; there must be some to validate on" in line


def test_cost_of_tuned_units(binary):
    line = binary.program.bad(
        *binary.data, "--tune", "--tune_units", 2000000000, "--folds", 2)
    assert "2000000000 hidden units" in line
