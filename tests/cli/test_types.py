"""Parameters of every type go in and come out as mlpack's programs do it."""

import numpy as np
import pytest


def test_plain_values(tiny):
    out = tiny.good("--numbers", "1,2,3", "--words", "red,green", "-S", "10",
                    "--scale=0.5", "-O", "scale").out
    assert "numbers_sum: 6\n" in out
    assert "numbers_out: 11 12 13\n" in out
    assert "words_out: green red\n" in out
    assert "scale_out: 0.5\n" in out
    assert "operation_out: scale\n" in out


def test_vectors_with_blanks_and_repeated(tiny):
    out = tiny.good("-N", "1", "2", "-w", "a", "-w", "b", "-S", "0").out
    assert "numbers_sum: 3\n" in out
    assert "words_out: b a\n" in out


def test_negative_values(tiny):
    out = tiny.good("-s", "-1.5", "-N", "-1,-2").out
    assert "scale_out: -1.5\n" in out
    assert "numbers_sum: -3\n" in out


def test_flag(tiny):
    assert "scale_out: -1\n" in tiny.good("-n").out
    assert "scale_out: 1\n" in tiny.good("--negate=false").out


def test_matrix_keeps_the_shape_of_the_file(tiny):
    tiny.write("m.csv", "1,2,3\n4,5,6\n")
    tiny.good("-m", "m.csv", "-M", "out.csv", "-s", "2", "--tmatrix_file",
              "m.csv", "--tmatrix_out_file", "t.csv")
    assert tiny.read("out.csv") == "2,4,6\n8,10,12\n"
    assert tiny.read("t.csv") == "2,4,6\n8,10,12\n"


def test_points_are_columns(tiny):
    # One category count comes for each dimension, that is column of the file.
    tiny.write("m.csv", "1,2,3\n4,5,6\n")
    tiny.good("-i", "m.csv", "-k", "k.csv")
    assert tiny.read("k.csv") == "0\n0\n0\n"


@pytest.mark.parametrize("text", ["1\n2\n3\n", "1,2,3\n", "1 2 3\n", "n\n1\n2\n3"])
@pytest.mark.parametrize("name", ["row", "col", "urow", "ucol"])
def test_vectors_lie_along_or_across(tiny, name, text):
    tiny.write("v.csv", text)
    tiny.good(f"--{name}_file", "v.csv", f"--{name}_out_file", "out.csv")
    assert tiny.read("out.csv") == "1\n2\n3\n"


def test_unsigned_matrix(tiny):
    tiny.write("u.csv", "0,1\n2,3\n")
    tiny.good("-u", "u.csv", "-U", "out.csv", "-S", "4294967")
    assert tiny.read("out.csv") == "4294967,4294968\n4294969,4294970\n"


@pytest.mark.parametrize("cell, found", [("-1", "-1"), ("1.5", "1.5"),
                                         ("NaN", "a missing value"),
                                         ("1e300", "1e+300")])
def test_unsigned_refuses(tiny, cell, found):
    tiny.write("u.csv", f"label\n3\n5\n{cell}\n")
    line = tiny.bad("-R", "u.csv", "--urow_out_file", "out.csv")
    assert line == ("[FATAL] --urow_file 'u.csv': line 4, column 1: expected a "
                    f"whole number, zero or more, but found {found}")


def test_vector_refuses_a_matrix(tiny):
    tiny.write("m.csv", "1,2\n3,4\n5,6\n")
    line = tiny.bad("-r", "m.csv")
    assert "--row_file 'm.csv': expected one column or one line" in line
    assert "3 lines of 2 columns" in line


def test_numbers_round_trip(tiny):
    rng = np.random.default_rng(3)
    data = np.concatenate([rng.normal(size=50) * 10.0 ** rng.integers(-300, 300, 50),
                           [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, 1e15,
                            123456789, -0.5, np.inf, -np.inf]])
    tiny.write("m.csv", "\n".join(repr(float(x)) for x in data))
    for name in ("out.csv", "out.tsv", "out.txt", "out.bin"):
        tiny.good("-m", "m.csv", "-M", name)
        tiny.good("-m", name, "-M", "again.csv")
        again = np.loadtxt(tiny.folder / "again.csv")
        np.testing.assert_array_equal(again, data)


def test_whole_numbers_look_whole(tiny):
    tiny.write("m.csv", "100000,1e6,-3\n")
    tiny.good("-m", "m.csv", "-M", "out.csv")
    assert tiny.read("out.csv") == "100000,1000000,-3\n"


def test_delimiter_of_output(tiny):
    tiny.write("m.csv", "1,2\n3,4\n")
    for name, text in (("o.csv", "1,2\n3,4\n"), ("o.tsv", "1\t2\n3\t4\n"),
                       ("o.txt", "1 2\n3 4\n")):
        tiny.good("-m", "m.csv", "-M", name)
        assert tiny.read(name) == text


def test_device_as_output(tiny):
    tiny.write("m.csv", "1,2\n")
    assert tiny.good("-m", "m.csv", "-M", "/dev/stdout").out.startswith("1,2\n")


@pytest.mark.parametrize("extension", ["bin", "json", "xml"])
def test_model_is_saved_and_loaded(tiny, extension):
    model = f"model.{extension}"
    tiny.write("m.csv", "1,2\n3,4\n")
    tiny.good("-i", "m.csv", "-s", "0.1", "-X", model)
    assert "scale_out: 0.1\n" in tiny.good("-I", model).out
    # In place: read and written by the same call.
    tiny.good("-i", "m.csv", "-I", model, "-n", "-X", model)
    assert "scale_out: -0.1\n" in tiny.good("-I", model).out


@pytest.mark.parametrize("extension", ["bin", "json", "xml"])
def test_truncated_models(tiny, extension):
    tiny.write("m.csv", "1,2\n3,4\n")
    tiny.good("-i", "m.csv", "-X", f"model.{extension}")
    data = (tiny.folder / f"model.{extension}").read_bytes()
    bad = f"bad.{extension}"
    # The last bytes of JSON and XML may be blanks that nobody misses.
    end = len(data.rstrip()) - 1 if extension != "bin" else len(data)
    for size in sorted({0, 1, *range(2, end, max(1, end // 12)), end - 1}):
        tiny.write(bad, data[:size])
        assert f"--input_model_file '{bad}': " in tiny.bad("-I", bad)
    if extension == "bin":
        tiny.write(bad, data + b"x")
        assert "does not end as a model does" in tiny.bad("-I", bad)


@pytest.mark.parametrize("extension", ["bin", "json", "xml"])
@pytest.mark.parametrize("data", [b"1,2,3\n4,5,6\n", b"\xff" * 100, b"{}", b"[]",
                                  b"<a/>", b'{"model": 3}', b"\0" * 64])
def test_foreign_models(tiny, extension, data):
    name = tiny.write(f"bad.{extension}", data)
    assert f"--input_model_file '{name}': " in tiny.bad("-I", name)


def test_hdf5_is_offered_only_where_it_works(tiny):
    """Without it, files are refused before the binding runs."""
    tiny.write("m.csv", "1,2\n3,4\n")
    works = tiny.run("-m", "m.csv", "-M", "o.h5").code == 0
    assert (".h5" in tiny.bad("-m", "m.csv", "-M", "o.foo")) == works
    if works:
        return
    for options in (["-m", "m.csv", "-M", "o.h5"], ["-m", "m.h5", "-M", "o.csv"]):
        tiny.write("m.h5", "1,2\n3,4\n")
        line = tiny.bad(*options)
        assert "built without HDF5; give a file with the extension .csv or .bin" in line
        assert "cannot be" not in line
