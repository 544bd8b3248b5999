"""Model files that are damaged, foreign or made to do harm."""

import re
import struct
import subprocess
import sys
import time
import zlib

import numpy as np
import pytest

from conftest import resealed, unsealed


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
        assert "does not end as a model does" in bad(model, "bad.bin")
        model.write("bad.bin", resealed(data[:-16] + b"x" + data[-16:]))
        assert "more in it than a model" in bad(model, "bad.bin")


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


# The kernel counts what a process had before exec(), as its parent's copy, as its own: this
# small one must stand between, or the peak of these tests would be measured.
LAUNCHER = """
import os, sys
actions = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=actions)
_, status, usage = os.wait4(process, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def harmless(program, name, megabytes=300):
    """Run on a model that may or may not be good: no crash, little memory."""
    process = subprocess.run(
        [sys.executable, "-IS", "-c", LAUNCHER, program.path, "-m", name, "-T", "x.csv",
         "-P", "P.csv"], cwd=program.folder, capture_output=True, check=True)
    code, kilobytes = map(int, process.stdout.split())
    lines = process.stderr.decode(errors="replace").splitlines()
    assert code in (0, 1), (name, code)
    assert len(lines) == code, lines
    assert kilobytes * 1024 < megabytes * MEGABYTE
    return code == 0


def test_flag_that_is_none(model):
    """Found by tests/fuzz: a bool of 255."""
    data = bytearray((model.folder / "good.bin").read_bytes())
    # After the version of the class: whether this is regression.
    assert data[4] in (0, 1)
    for value in (2, 255):
        data[4] = value
        model.write("bad.bin", resealed(bytes(data)))
        assert "a flag is neither 0 nor 1" in model.bad("-m", "bad.bin", "-M", "m.bin")


def test_sizes_that_lie_in_binary(model):
    data = (model.folder / "good.bin").read_bytes()
    # Sizes are small whole numbers of eight bytes; cereal does not align them.
    places = [i for i in range(len(data) - 24)
              if 0 < struct.unpack_from("<Q", data, i)[0] < 50]
    assert len(places) > 20
    for lie in (1 << 29, (1 << 64) - 1):
        for place in places:
            changed = bytearray(data)
            struct.pack_into("<Q", changed, place, lie)
            model.write("bad.bin", resealed(bytes(changed)))
            harmless(model, "bad.bin")


@pytest.mark.parametrize("extension, pattern", [
    ("json", r'"(n_rows|n_cols)": "(\d+)"'), ("xml", r"<(n_rows|n_cols)>(\d+)<")])
def test_sizes_that_lie_in_text(model, extension, pattern):
    text = unsealed(model.read(f"good.{extension}"))
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
    text = replace(unsealed(model.read("good.json")), name, value)
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
    text = unsealed(model.read("good.json"))
    changed = re.sub(old, new, text, count=1)
    assert changed != text
    model.write("bad.json", changed)
    assert reason in bad(model, "bad.json")


def test_random_damage(model):
    rng = np.random.default_rng(17)
    for extension in FORMATS:
        data = (model.folder / f"good.{extension}").read_bytes()
        if extension != "bin":
            data = unsealed(data.decode()).encode()
        for _ in range(25):
            changed = bytearray(data)
            for place in rng.integers(len(data), size=rng.integers(1, 4)):
                changed[place] = rng.integers(256)
            changed = bytes(changed)
            model.write(f"bad.{extension}", resealed(changed)
                        if extension == "bin" else changed)
            harmless(model, f"bad.{extension}")


# --- Version and checksum --------------------------------------------------

def test_what_surrounds_a_model(model):
    """The layout that bindings/util/checked_text.hpp promises."""
    data = (model.folder / "good.bin").read_bytes()
    assert data[-16:-8] == b"MLPKMODL"
    assert struct.unpack("<II", data[-8:]) == (1, zlib.crc32(data[:-4]))
    text = model.read("good.json")
    found = re.search(r'"format": 1,\s+"checksum": "([0-9a-f]{8})"\s*}\s*$', text)
    zeros = text[:found.start(1)] + "00000000" + text[found.end(1):]
    assert int(found[1], 16) == zlib.crc32(zeros.encode())
    text = model.read("good.xml")
    found = re.search(r"<format>1</format>\s*<checksum>([0-9a-f]{8})</checksum>",
                      text)
    zeros = text[:found.start(1)] + "00000000" + text[found.end(1):]
    assert int(found[1], 16) == zlib.crc32(zeros.encode())


def test_every_bit_and_every_byte_of_a_small_binary_file(tiny):
    tiny.write("m.csv", "1,2\n3,4\n")
    tiny.good("-i", "m.csv", "-s", 3, "-X", "good.bin")
    data = (tiny.folder / "good.bin").read_bytes()
    assert len(data) < 100
    for size in range(len(data)):
        tiny.write("bad.bin", data[:size])
        assert "'bad.bin': is " in tiny.bad("-I", "bad.bin", "-o", "o.csv")
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        tiny.write("bad.bin", bytes(changed))
        assert "'bad.bin': is damaged" in tiny.bad("-I", "bad.bin", "-o", "o.csv")


@pytest.mark.parametrize("extension", FORMATS)
def test_flipped_bits(model, extension):
    """Some of the bits here; tests/python has them all."""
    data = (model.folder / f"good.{extension}").read_bytes()
    for bit in range(3, 8 * len(data), 8 * len(data) // 60):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        bad(model, model.write(f"bad.{extension}", bytes(changed)))


@pytest.mark.parametrize("extension", ["json", "xml"])
def test_edited_text(model, extension):
    good = model.read(f"good.{extension}")
    model.good("-m", "good.bin", "-T", "x.csv", "-P", "P.csv")
    expected = model.read("P.csv")
    # Without a checksum a valid text is a model.
    for text in (unsealed(good), unsealed(good).replace("\n", "\r\n"),
                 re.sub(r',\s*"format": 1|<format>1</format>', "", unsealed(good))):
        model.write(f"edited.{extension}", text)
        model.good("-m", f"edited.{extension}", "-T", "x.csv", "-P", "P.csv")
        assert model.read("P.csv") == expected
    # With one, it is checked, and the message says what to do.
    changed = re.sub(r"0\.\d\d", "0.11", good, count=1)
    assert changed != good
    line = bad(model, model.write(f"edited.{extension}", changed))
    assert "checksum does not fit" in line and "take out its 'checksum'" in line
    model.write(f"edited.{extension}", unsealed(changed))
    model.good("-m", f"edited.{extension}", "-T", "x.csv", "-P", "P.csv")


def test_xml_may_have_comments(model):
    text = unsealed(model.read("good.xml")).replace(
        "<cereal>", "<cereal> <!-- mine: <a> -->")
    model.write("edited.xml", text)
    model.good("-m", "edited.xml", "-T", "x.csv", "-P", "P.csv")


@pytest.mark.parametrize("extension", FORMATS)
def test_newer_version(model, extension):
    data = (model.folder / f"good.{extension}").read_bytes()
    if extension == "bin":
        data = resealed(data[:-8] + struct.pack("<II", 2, 0))
    else:
        text = unsealed(data.decode())
        data = re.sub(r'(format"?[:>] ?)1', r"\g<1>2", text).encode()
        assert data != text.encode()
    line = bad(model, model.write(f"new.{extension}", data))
    assert "of a newer version" in line and "format is 2" in line
    assert "damaged" not in line


@pytest.mark.parametrize("place, name", [
    (0, "GBNNModel"), (1, "TableEncoder"), (2, "GBNNClassifier"), (3, "GBNN:")])
def test_newer_class(model, place, name):
    text = unsealed(model.read("good.json"))
    found = list(re.finditer(r'"cereal_class_version": (\d+)', text))[place]
    model.write("new.json", text[:found.start(1)] + "99" + text[found.end(1):])
    line = bad(model, "new.json")
    assert name in line and "version 99" in line


def test_newer_version_of_any_class(gbnn):
    gbnn.table("x.csv", [[float(i * 7 % 60), i % 3 / 2] for i in range(60)])
    gbnn.table("y.csv", [i * 7 % 60 // 30 for i in range(60)])
    piecewise = ["-t", "x.csv", "-u", 2, "-O", "lbfgs", "--input_encoding",
                 "piecewise", "--bins", 4, "--refine_iterations", 0]
    for kind in (["-l", "y.csv"], ["-r", "y.csv"],
                 ["-r", "y.csv", "--loss", "huber"],
                 ["-r", "y.csv", "--loss", "quantile", "--quantiles", "0.5"]):
        gbnn.good(*piecewise, *kind, "-M", "good.json")
        text = unsealed(gbnn.read("good.json"))
        found = list(re.finditer(r'"cereal_class_version": (\d+)', text))
        for match in found:
            gbnn.write("new.json", text[:match.start(1)] + "99" +
                       text[match.end(1):])
            assert "version 99" in bad(gbnn, "new.json")
        assert len(found) > 6


@pytest.mark.parametrize("name, data, reason", [
    # The reader of JSON would read beyond its table of powers of ten.
    ("small.json", '{"model": [274.6666672475097420e-334]}', "more than 345 digits"),
    ("large.json", '{"model": [' + "2" * 100 + 'e274]}', "more than 345 digits"),
    # It stops where no number goes on, and takes NaN.1 for one.
    ("small.json", '{"model": [0.' + "0" * 399 + '1-e200]}', "no valid JSON"),
    ("small.json", '{"model": [NaN.' + "1" * 340 + 'e-340]}', "no valid JSON"),
    # It reads this zero as 3.6e280.
    ("zero.json", '{"model": [0e300]}', "more than 22 digits"),
    ("deep.json", '{"model": ' + "[" * 150000, "nested more than 100"),
    ("deep.json", '{"model": ' + '{"a":' * 150000, "nested more than 100"),
    ("deep.json", "[" * 150000, "does not begin"),
    ("deep.xml", "<cereal><model>" + "<a>" * 60000, "nested more than 100"),
    ("deep.xml", "<cereal><model>" + '<a b="c">' * 60000, "nested more than 100"),
    # What one reader takes for a quotation, a comment or the end, another may not.
    ("deep.xml", '<?xml a="?><!--" ?><cereal>' + "<a>" * 60000 + "-->", "first line"),
    ("deep.xml", "<cereal><model>" + '<a">' + "<a>" * 60000 + '">', "begins no part"),
    ("deep.xml", "<cereal><model>" + '<a b="<a>">' * 60000, "not as in"),
    ("deep.xml", "<cereal><model><![CDATA[" + "</a>" * 99 + "]]>" + "<a>" * 60000,
     "begins no part"),
    ("deep.xml", "<!DOCTYPE a [ <!ENTITY b 'c'> ]><cereal/>", "begins no part"),
    ("deep.xml", "<?xml?>\0" + "<a>" * 60000, "zero bytes"),
    ("deep.json", '{"model": "\\", "a": "\\\\"' + "[" * 150000, ""),
    ("deep.json", '{"model": 1, "model": 2}', "two parts"),
    ("deep.json", '{"model": 1, "more": 2}', "unknown part 'more'"),
    ("deep.json", '{"format": 1}', "no model"),
    ("deep.json", '{"model": {}, "format": -1}', "'format' is no number"),
    ("deep.json", '{"model": {}}', "not found"),
    ("deep.json", '{"model": {"cereal_class_version": "x"}}', "another kind"),
], ids=lambda value: str(value)[:30])
def test_nesting_and_other_traps(model, name, data, reason):
    model.write(name, data)
    line = bad(model, name)
    assert reason in line and "rapidjson" not in line
    assert not harmless(model, name, megabytes=100)


@pytest.fixture
def pieces(model):
    """A model that has a list of vectors."""
    model.good("-t", "x.csv", "-l", "y.csv", "-u", 3, "-j", 1, "-S", 1,
               "--input_encoding", "piecewise", "--bins", 4, "-M", "good.bin")
    for extension in ("json", "xml"):
        model.good("-m", "good.bin", "-M", f"good.{extension}")
    return model


VECTORS = {
    "json": ('"edges": [', "]", ',{"n_rows": "%d", "n_cols": "1", "vec_state": "1", %s}',
             '"": 0, ', '"elem": 0'),
    "xml": ('<edges size="dynamic">', "</edges>", "<a><n_rows>%d</n_rows><n_cols>1</n_cols>"
            "<vec_state>1</vec_state>%s</a>", "<b/>", "<elem>0</elem>"),
}


@pytest.mark.parametrize("extension", VECTORS)
def test_elements_follow_one_another(pieces, extension):
    """One element served as any number of them, and each was looked for among all parts."""
    begin, end, vector, other, element = VECTORS[extension]
    text = unsealed(pieces.read(f"good.{extension}"))
    before, _, rest = text.partition(begin)
    rest = rest[rest.index(end):]
    for vectors in (vector % (2, element), (vector % (100000, element)) * 2000,
                    vector % (100000, other * 30000 + element)):
        pieces.write(f"bad.{extension}", before + begin + vectors.lstrip(",") + rest)
        start = time.monotonic()
        assert "too few elements" in bad(pieces, f"bad.{extension}")
        assert time.monotonic() - start < 10
        assert not harmless(pieces, f"bad.{extension}", megabytes=100)


@pytest.mark.parametrize("extension", FORMATS)
def test_lists_of_objects_that_are_none(pieces, extension):
    """Room was made for as many objects as a list has bytes."""
    size = 2 * MEGABYTE
    if extension == "bin":
        data = (pieces.folder / "good.bin").read_bytes()
        place = next(i for i in range(len(data) - 32)
                     if 1 < struct.unpack_from("<4Q", data, i)[0] < 9
                     and struct.unpack_from("<4Q", data, i)[2:] == (1, 1))
        data = resealed(data[:place] + struct.pack("<Q", size) + bytes(size) + data[-16:])
    else:
        begin, end, *_ = VECTORS[extension]
        text = unsealed(pieces.read(f"good.{extension}"))
        before, _, rest = text.partition(begin)
        many = {"json": "0," * (size // 2) + "0", "xml": "<a/>" * (size // 4)}[extension]
        data = before + begin + many + rest[rest.index(end):]
    pieces.write(f"bad.{extension}", data)
    bad(pieces, f"bad.{extension}")
    assert not harmless(pieces, f"bad.{extension}", megabytes=100)


def test_outputs_are_those_of_the_loss(model):
    """Two classes have one output; with two, the loss would read beyond its targets."""
    model.table("y.csv", [i % 2 for i in range(36)])
    model.good("-t", "x.csv", "-l", "y.csv", "-u", 3, "-j", 1, "-S", 1, "-M", "two.json")
    text = unsealed(model.read("two.json"))

    def twice(found):
        matrix = found.group().replace('"n_rows": "1"', '"n_rows": "2"')
        return re.sub(r'("elem": [^,\s]+)', r"\1, \1", matrix)

    changed = re.sub(r'"output(Weights|Bias)": \{[^}]*\}', twice, text)
    assert changed.count('"n_rows": "2"') == text.count('"n_rows": "2"') + 2
    for other in (changed, changed.replace('"binary": true', '"binary": false')):
        model.write("bad.json", other)
        assert "does not match the loss" in bad(model, "bad.json")


@pytest.mark.parametrize("extension, filler", [
    ("json", "[],"), ("json", "1,"), ("xml", "<a/>"), ("xml", "<a></a>")])
def test_memory_is_a_small_multiple_of_the_size(model, extension, filler):
    size = 2 * MEGABYTE
    text = unsealed(model.read(f"good.{extension}"))
    many = filler * (size // len(filler))
    if extension == "json":
        text = text.replace('"model": {', '"model": {"x": [' + many + "1],", 1)
    else:
        text = text.replace("<model>", "<model>" + many, 1)
    model.write(f"big.{extension}", text)
    model.write(f"small.{extension}", unsealed(model.read(f"good.{extension}")))
    assert harmless(model, f"small.{extension}")
    # The program itself takes less than 60 MB.
    harmless(model, f"big.{extension}", megabytes=60 + 40 * size // MEGABYTE)


def test_model_of_another_program(model, deep_gbnn):
    deep_gbnn.good("-t", "x.csv", "-l", "y.csv", "--layers", "4,4", "--trunk_epochs",
                   2, "-u", 2, "-S", 1, "-M", "deep.bin")
    bad(model, "deep.bin")
