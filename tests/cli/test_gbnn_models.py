"""Model files that are damaged, foreign or made to do harm."""

import os
import re
import struct
import subprocess
import tempfile

import numpy as np
import pytest


FORMATS = ["bin", "json", "xml"]
MEGABYTE = 1 << 20


@pytest.fixture
def model(gbnn):
    """A small model with categories, in each format."""
    gbnn.table("x.csv", [[c, float(i), (i * 7 % 5) / 3] for i in range(12)
                         for c in "pqr"])
    gbnn.table("y.csv", [i % 3 for i in range(36)])
    gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 3, "-j", 1, "-S", 1, "-M",
              "good.bin")
    for extension in ("json", "xml"):
        gbnn.good("-m", "good.bin", "-M", f"good.{extension}")
    gbnn.write("p.csv", "old")
    return gbnn


def bad(program, name):
    line = program.bad("-m", name, "-T", "x.csv", "-p", "p.csv")
    assert f"--input_model_file '{name}': is " in line
    return line


@pytest.mark.parametrize("extension", FORMATS)
def test_truncated(model, extension):
    data = (model.folder / f"good.{extension}").read_bytes()
    # The last bytes of JSON and XML may be blanks that nobody misses.
    end = len(data.rstrip()) - 1 if extension != "bin" else len(data)
    for size in sorted({0, 1, *range(2, end, max(1, end // 15)), end - 1}):
        model.write(f"bad.{extension}", data[:size])
        bad(model, f"bad.{extension}")
    if extension == "bin":
        model.write("bad.bin", data + b"x")
        assert "more in the file than a model" in bad(model, "bad.bin")


@pytest.mark.parametrize("extension", FORMATS)
@pytest.mark.parametrize("data", [
    b"1,2,3\n4,5,6\n", b"\xff" * 200, b"\0" * 200, b"{}", b"[]", b"<a/>",
    b'{"model": {"cereal_class_version": 1, "regression": 3}}', b"\x7fELF" * 50,
], ids=repr)
def test_foreign(model, extension, data):
    bad(model, model.write(f"bad.{extension}", data))


@pytest.mark.parametrize("extension", FORMATS)
def test_one_format_under_the_name_of_another(model, extension):
    for other in FORMATS:
        if other != extension:
            data = (model.folder / f"good.{other}").read_bytes()
            bad(model, model.write(f"bad.{extension}", data))


def harmless(program, name):
    """Run on a model that may or may not be good: no crash, little memory."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [program.path, "-m", name, "-T", "x.csv", "-P", "P.csv"],
            cwd=program.folder, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        lines = errors.read().decode(errors="replace").splitlines()
    assert process.returncode in (0, 1), (name, process.returncode)
    assert len(lines) == process.returncode, lines
    assert usage.ru_maxrss * 1024 < 300 * MEGABYTE
    return process.returncode == 0


def test_sizes_that_lie_in_binary(model):
    data = (model.folder / "good.bin").read_bytes()
    # Sizes are small whole numbers of eight bytes; cereal does not align them.
    places = [i for i in range(len(data) - 8)
              if 0 < struct.unpack_from("<Q", data, i)[0] < 50]
    assert len(places) > 20
    for lie in (1 << 29, (1 << 64) - 1):
        for place in places:
            changed = bytearray(data)
            struct.pack_into("<Q", changed, place, lie)
            model.write("bad.bin", bytes(changed))
            harmless(model, "bad.bin")


@pytest.mark.parametrize("extension, pattern", [
    ("json", r'"(n_rows|n_cols)": "(\d+)"'), ("xml", r"<(n_rows|n_cols)>(\d+)<")])
def test_sizes_that_lie_in_text(model, extension, pattern):
    text = model.read(f"good.{extension}")
    found = list(re.finditer(pattern, text))
    assert len(found) >= 14
    for match in found:
        for lie in (0, int(match[2]) + 1, 1 << 29):
            changed = text[:match.start(2)] + str(lie) + text[match.end(2):]
            model.write(f"bad.{extension}", changed)
            assert not harmless(model, f"bad.{extension}")


def replace(text, name, value, count=1):
    """Give the field of a JSON model another value, where it occurs first."""
    changed, n = re.subn(rf'("{name}": )("?[-\w.]+"?)', rf"\g<1>{value}", text,
                         count=count)
    assert n >= 1 and changed != text
    return changed


@pytest.mark.parametrize("name, value, reason", [
    ("activation", 3, "unknown activation function"),
    ("activeUnits", 4, "more active units than units"),
    ("numClasses", 2, "number of classes"),
    ("regression", "true", ""),
])
def test_fields_out_of_range(model, name, value, reason):
    text = replace(model.read("good.json"), name, value)
    model.write("bad.json", text)
    assert reason in bad(model, "bad.json")


@pytest.mark.parametrize("old, new, reason", [
    (r'("stageEnds": \[)[^]]*\]', r"\1 2, 1, 3 ]", "not in ascending order"),
    (r'("stageEnds": \[)[^]]*\]', r"\1 1, 2 ]", "do not make up all units"),
    (r'("stageEnds": \[)[^]]*\]', r"\1 1, 2, 9 ]", "do not make up all units"),
    (r'("stageEnds": \[)[^]]*\]', r"\1 ]", "do not make up all units"),
    (r'("hiddenWeights": {[^}]*?"elem": )[-\w.]+', r"\1NaN", "NaN or infinite"),
    (r'("outputBias": {[^}]*?"elem": )[-\w.]+', r"\1Infinity", "NaN or infinite"),
    (r'("deviation": {[^}]*?"elem": )[-\w.]+', r"\g<1>0.0", "deviation"),
    (r'("mean": {[^}]*?"elem": )[-\w.]+', r"\1NaN", "mean"),
    (r'("gaps": \[)\s*[-\w.]+', r"\1 9", "neither 0 nor 1"),
    (r'("gaps": \[)\s*0', r"\1 1", "sizes do not match"),
    (r'"p",(\s*)"q"', r'"q",\1"p"', "not sorted"),
    (r'"p",(\s*)"q",', r'"p",', "sizes do not match"),
    (r'("labels": {[^}]*?"elem": )[-\w.]+', r"\g<1>7.0", "ascending order"),
], ids=str)
def test_parts_that_do_not_fit(model, old, new, reason):
    text = model.read("good.json")
    changed = re.sub(old, new, text, count=1)
    assert changed != text
    model.write("bad.json", changed)
    assert reason in bad(model, "bad.json")


def test_random_damage(model):
    rng = np.random.default_rng(17)
    for extension in FORMATS:
        data = (model.folder / f"good.{extension}").read_bytes()
        for _ in range(25):
            changed = bytearray(data)
            for place in rng.integers(len(data), size=rng.integers(1, 4)):
                changed[place] = rng.integers(256)
            model.write(f"bad.{extension}", bytes(changed))
            harmless(model, f"bad.{extension}")
