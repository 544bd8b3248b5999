"""Labels that are words: in files, in the model, and in all that it says."""

import json
import subprocess

import numpy as np
import pytest

WORDS = ["fair day", "grün", "no"]
QUICK = ["-u", 9, "-S", 3, "--refine_iterations", 0, "--input_encoding",
         "linear"]


class Words:
    """Points of three classes whose labels are words."""

    def __init__(self, program):
        rng = np.random.default_rng(5)
        points = rng.normal(size=(160, 2))
        places = (points[:, 0] > 0.3) * 1 + (points[:, 1] > 0.3) * 1
        self.truth = [WORDS[k] for k in places]
        self.program = program
        self.points = points
        program.table("x.csv", points[:120])
        program.table("tx.csv", points[120:])
        program.write("y.csv", "".join(w + "\n" for w in self.truth[:120]))
        program.write("ty.csv", "".join(w + "\n" for w in self.truth[120:]))
        program.table("n.csv", places[:120])
        # One table, with a header.
        program.write("xy.csv", "a,b,kind\n" + "".join(
            f"{p[0]!r},{p[1]!r},{w}\n"
            for p, w in zip(points[:120].tolist(), self.truth)))

    def predictions(self, name="p.csv"):
        return [line.strip('"')
                for line in self.program.read(name).splitlines()]


@pytest.fixture
def words(gbnn):
    return Words(gbnn)


def test_words_and_numbers_make_the_same_model(words):
    program = words.program
    result = program.good("-t", "x.csv", "-l", "y.csv", *QUICK, "-T", "tx.csv",
                          "-L", "ty.csv", "-p", "p.csv", "-P", "P.csv", "-M",
                          "m.bin")
    program.good("-t", "x.csv", "-l", "n.csv", *QUICK, "-T", "tx.csv", "-p",
                 "pn.csv", "-P", "Pn.csv")
    # Numbers in the order of the words.
    assert program.read("P.csv") == program.read("Pn.csv")
    numbers = program.numbers("pn.csv").astype(int).ravel()
    assert words.predictions() == [WORDS[k] for k in numbers]
    right = sum(a == b for a, b in zip(words.predictions(), words.truth[120:]))
    assert right >= 30
    assert f"({right} of 40 points)" in result.out
    for word in WORDS:
        assert word in result.out
    # Columns line up although a letter takes two bytes.
    lines = result.out.splitlines()
    table = lines.index(next(line for line in lines if "precision" in line))
    assert len({len(line) for line in lines[table:table + 4]}) == 1


def test_words_in_the_last_column(words):
    program = words.program
    program.good("-t", "x.csv", "-l", "y.csv", *QUICK, "-T", "tx.csv", "-P",
                 "P.csv")
    program.good("-t", "xy.csv", *QUICK, "-T", "tx.csv", "-P", "P2.csv", "-p",
                 "p.csv")
    assert program.read("P.csv") == program.read("P2.csv")
    assert set(words.predictions()) <= set(WORDS)


@pytest.mark.parametrize("model", ["m.bin", "m.json", "m.xml"])
def test_words_are_kept_in_the_model(words, model):
    program = words.program
    program.good("-t", "x.csv", "-l", "y.csv", *QUICK, "-T", "tx.csv", "-p",
                 "p.csv", "-M", model)
    program.good("-m", model, "-T", "tx.csv", "-p", "p2.csv")
    assert program.read("p.csv") == program.read("p2.csv")
    if model == "m.json":
        saved = json.loads(program.read(model))["model"]["labels"]
        assert saved["words"] == WORDS


def test_header_of_a_file_of_words(words):
    program = words.program
    program.good("-t", "x.csv", "-l", "y.csv", *QUICK, "-T", "tx.csv", "-P",
                 "P.csv")
    program.write("h.csv", "kind\n" + program.read("y.csv"))
    program.good("-t", "x.csv", "-l", "h.csv", *QUICK, "-T", "tx.csv", "-P",
                 "P2.csv")
    assert program.read("P.csv") == program.read("P2.csv")


def test_unknown_words_count_as_wrong(words):
    program = words.program
    program.good("-t", "x.csv", "-l", "y.csv", *QUICK, "-M", "m.bin")
    truth = words.truth[120:]
    truth[3] = truth[5] = "fishy"
    program.write("ty.csv", "".join(w + "\n" for w in truth))
    result = program.run("-m", "m.bin", "-T", "tx.csv", "-L", "ty.csv", "-p",
                         "p.csv")
    assert result.code == 0
    assert "2 of the points in" in result.out + result.err
    assert "('fishy')" in result.out + result.err
    right = sum(a == b for a, b in zip(words.predictions(), truth))
    assert f"({right} of 40 points)" in result.out


def test_class_weights_by_words(words):
    program = words.program
    program.good("-t", "x.csv", "-l", "y.csv", *QUICK, "-T", "tx.csv", "-P",
                 "P.csv", "--class_weights", "fair day:1,no:9")
    program.good("-t", "x.csv", "-l", "n.csv", *QUICK, "-T", "tx.csv", "-P",
                 "P2.csv", "--class_weights", "0:1,2:9")
    assert program.read("P.csv") == program.read("P2.csv")
    line = program.bad("-t", "x.csv", "-l", "y.csv", "--class_weights", "nay:2",
                       "-M", "m.bin")
    assert "'nay' is none of the labels there are (fair day, grün, no)" in line


def test_words_in_report_and_exports(words):
    program = words.program
    program.write("y.csv", program.read("y.csv").replace("no\n", "a<b\n"))
    program.good("-t", "x.csv", "-l", "y.csv", *QUICK, "--report", "r.html",
                 "--export", "m.h", "-M", "m.bin", "-T", "tx.csv", "-p",
                 "p.csv")
    page = program.read("r.html")
    assert "label grün" in page and "a&lt;b" in page and "a<b" not in page
    assert '"a<b", "fair day"' in program.read("m.h")
    points = "\n".join("  { %r, %r }," % tuple(p)
                       for p in words.points[120:].tolist())
    program.write("main.c", '#include <stdio.h>\n#include "m.h"\n'
                  "static const double points[40][2] = {\n" + points + "\n};\n"
                  "int main(void)\n{\n  int i;\n  for (i = 0; i < 40; ++i)\n"
                  "    puts(predict_label_name((int) predict(points[i], "
                  "NULL)));\n  return 0;\n}\n")
    subprocess.run(["cc", "-o", "main", "main.c", "-lm"], cwd=program.folder,
                   check=True)
    printed = subprocess.run(["./main"], cwd=program.folder, check=True,
                             capture_output=True, text=True).stdout
    assert printed.splitlines() == words.predictions()


def test_words_in_onnx(words):
    program = words.program
    result = program.run("-t", "x.csv", "-l", "y.csv", *QUICK, "--export",
                         "m.onnx", "-T", "tx.csv", "-p", "p.csv")
    if result.code != 0 and "built without ONNX" in result.err:
        pytest.skip("built without ONNX")
    assert result.code == 0, result.err
    bytes_of_graph = (program.folder / "m.onnx").read_bytes()
    assert '["fair day", "grün", "no"]'.encode() in bytes_of_graph
    onnx = pytest.importorskip("onnx")
    graph = onnx.load(str(program.folder / "m.onnx"))
    onnx.checker.check_model(graph)
    label = next(o for o in graph.graph.output if o.name == "label")
    assert label.type.tensor_type.elem_type == onnx.TensorProto.STRING
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(str(program.folder / "m.onnx"))
    found = session.run(["label"],
                        {"X": words.points[120:].astype(np.float32)})[0]
    assert list(found) == words.predictions()


def test_deep_gbnn_has_words_too(words, deep_gbnn):
    program = words.program
    deep_gbnn.good("-t", "x.csv", "-l", "y.csv", "-d", "8,8", "-E", 5, "-u", 6,
                   "-S", 1, "-T", "tx.csv", "-L", "ty.csv", "-p", "p.csv",
                   "-M", "deep.bin")
    deep_gbnn.good("-m", "deep.bin", "-T", "tx.csv", "-p", "p2.csv")
    assert program.read("p.csv") == program.read("p2.csv")
    assert set(words.predictions()) <= set(WORDS)
