"""Exported models predict what the program predicts."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from conftest import KINDS, Task

HERE = Path(__file__).parent
RUNTIME = "onnxruntime-web@1.30.0"

# Reads lines of cells as people write them, and prints what predict() says.
DRIVER = r"""
#include "model.h"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
  static char line[65536];
  while (fgets(line, sizeof(line), stdin) != NULL)
  {
    double point[predict_columns], outputs[predict_outputs], result;
    char* cell = line;
    int c, k;
    for (c = 0; c < predict_columns; ++c)
    {
      char* end = cell + strcspn(cell, ",\n");
      char* rest;
      const char last = *end;
      *end = '\0';
      point[c] = predict_category(c, cell);
      if (point[c] < 0)
      {
        point[c] = strtod(cell, &rest);
        if (rest == cell)
          point[c] = (*cell == '\0') ? NAN : -1;
      }
      cell = end + (last == ',');
    }
    result = predict(point, outputs);
    if (result != predict(point, NULL))
      return 1;
    printf("%.17g", result);
    for (k = 0; k < predict_outputs; ++k)
      printf(",%.17g", outputs[k]);
    printf("\n");
  }
  return 0;
}
"""

COMPILERS = {"gcc": ["gcc", "-std=c99"],
             "g++": ["g++", "-x", "c++", "-std=c++11"]}


class Mixed:
    """Numbers and categories with missing cells and categories that are new."""

    def __init__(self, program, kind):
        rng = np.random.default_rng(5)
        colors = np.array(["red", "blå", 'say "hi"', "??/", "10"])
        count = 150
        # Some vary little around a large mean, and all are what single
        # precision, which ONNX is given, can hold.
        numbers = (rng.normal(size=(count, 2)) * [3, 0.01] + [100, 5]
                   ).astype(np.float32).astype(float)
        color = rng.choice(colors, count)
        size = rng.choice(["s", "m", "l"], count)
        z = ((numbers - [100, 5]) / [3, 0.01]).sum(axis=1) + \
            2 * (color == "red") - (size == "l")
        truth = {"binary": np.where(z > 0, 7, -2),
                 "multiclass": np.digitize(z, [-1, 1]) * 5 - 3,
                 "regression": 40 + z}[kind]
        rows = [["%.17g" % a, c, "%.17g" % b, s] for (a, b), c, s in
                zip(numbers, color, size)]
        for i in range(count):
            if i % 5 == 0:
                rows[i][i // 5 % 4] = ""
        self.rows = rows[100:]
        self.rows[3][1] = self.rows[4][3] = "never seen"
        self.columns = 4
        self.program = program
        self.regression = (kind == "regression")
        program.write("x.csv", self.text(rows[:100], header=True))
        program.table("y.csv", truth[:100])
        program.write("tx.csv", self.text(self.rows))
        self.train = ["-t", "x.csv", "-r" if self.regression else "-l",
                      "y.csv", "-u", 15, "-S", 3]

    @staticmethod
    def text(rows, header=False):
        lines = ['height,the <b>"color"</b>,weight,size'] if header else []
        for row in rows:
            lines.append(",".join('"' + cell.replace('"', '""') + '"'
                                  if '"' in cell else cell for cell in row))
        return "\n".join(lines) + "\n"


def cells(task):
    """The test points as cells."""
    if isinstance(task, Mixed):
        return task.rows
    return [["%.17g" % x for x in row] for row in task.test_points]


def predict(task, *options):
    """What the program itself predicts: first column as predict() returns."""
    files = ["-o", "o.csv"] if task.regression else ["-p", "p.csv", "-P",
                                                     "P.csv"]
    task.program.good(*options, "-T", "tx.csv", *files)
    if task.regression:
        outputs = task.program.numbers("o.csv")
        return np.column_stack([outputs[:, 0], outputs])
    return np.column_stack([task.program.numbers("p.csv"),
                            task.program.numbers("P.csv")])


def compile_and_run(task, compiler, driver=DRIVER):
    if shutil.which(COMPILERS[compiler][0]) is None:
        pytest.skip(f"no {compiler}")
    folder = task.program.folder
    (folder / "driver.c").write_text(driver)
    built = subprocess.run(
        [*COMPILERS[compiler], "-Wall", "-Wextra", "-pedantic", "-Werror",
         "driver.c", "-o", "driver", "-lm"], cwd=folder, capture_output=True,
        text=True)
    assert built.returncode == 0, built.stderr
    lines = "".join(",".join(row) + "\n" for row in cells(task))
    ran = subprocess.run(["./driver"], cwd=folder, input=lines,
                         capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return np.array([[float(x) for x in line.split(",")]
                     for line in ran.stdout.splitlines()])


def make(gbnn, kind):
    return Mixed(gbnn, kind[6:]) if kind.startswith("mixed ") else \
        Task(gbnn, kind)


PIECEWISE = ["--input_encoding", "piecewise"]

TASKS = KINDS + ["mixed binary", "mixed multiclass", "mixed regression"]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("kind", TASKS)
def test_c_predicts_the_same(gbnn, kind, compiler):
    task = make(gbnn, kind)
    expected = predict(task, *task.train, "--export", "model.h")
    result = compile_and_run(task, compiler)
    np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-11)


# Every loss that turns scores into something else, or has other outputs.
LOSSES = [["--loss", "poisson"],
          ["--loss", "quantile", "--quantiles", "0.1,0.5,0.9"],
          ["--loss", "quantile", "--quantiles", "0.3,0.4,0.5,0.6,0.7",
           "--non_crossing", "-n", 0.9]]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("options", LOSSES)
def test_c_follows_the_loss(gbnn, options, compiler):
    task = Mixed(gbnn, "regression")
    expected = predict(task, *task.train, *options, "--export", "model.h")
    result = compile_and_run(task, compiler)
    np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-11)
    assert ("5 quantiles" in gbnn.read("model.h")) == (len(options) > 4)


@pytest.mark.parametrize("options", [["-A", "tanh"], ["-A", "relu"],
                                     ["--no_scaling"], ["-k", 4], ["-k", 0]])
def test_c_follows_the_options(gbnn, options):
    task = Mixed(gbnn, "multiclass")
    expected = predict(task, *task.train, *options, "--export", "model.h")
    np.testing.assert_allclose(compile_and_run(task, "gcc"), expected,
                               rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("kind", TASKS)
@pytest.mark.parametrize("bins", [1, 16])
def test_c_of_piecewise_inputs(gbnn, kind, compiler, bins):
    task = make(gbnn, kind)
    expected = predict(task, *task.train, *PIECEWISE, "--bins", bins,
                       "--export", "model.h")
    result = compile_and_run(task, compiler)
    np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("options", [["-A", "tanh"], ["-A", "relu"],
                                     ["--no_scaling"], ["-k", 4], ["-k", 0]])
def test_c_of_piecewise_inputs_follows_the_options(gbnn, options):
    task = Mixed(gbnn, "multiclass")
    expected = predict(task, *task.train, *options, *PIECEWISE, "--export",
                       "model.h")
    np.testing.assert_allclose(compile_and_run(task, "gcc"), expected,
                               rtol=1e-9, atol=1e-11)


class Extremes(Mixed):
    """Constant columns first and last, few values, and points far out."""

    def __init__(self, program):
        rng = np.random.default_rng(8)
        points = np.column_stack([
            np.full(120, 5.0), rng.normal(size=120), rng.integers(0, 3, 120),
            np.exp(3 * rng.normal(size=120)), np.full(120, -1.0)
        ]).astype(np.float32).astype(float)
        truth = np.abs(points[:, 1]) + (points[:, 2] == 1) + \
            np.minimum(points[:, 3], 2)
        test = points[80:].copy()
        test[:10] *= 1000
        test[10:20] *= -1000
        test[20:25, 2] = [0.5, 1.5, -7, 9, np.nan]
        test[25:28, 0] = [np.nan, 0, 6]
        self.rows = [["" if np.isnan(x) else "%.17g" % x for x in row]
                     for row in test]
        self.columns = 5
        self.program = program
        self.regression = True
        program.table("x.csv", points[:80])
        program.table("y.csv", truth[:80])
        program.write("tx.csv", self.text(self.rows))
        self.train = ["-t", "x.csv", "-r", "y.csv", "-u", 20, "-S", 3,
                      *PIECEWISE]


def test_c_of_extremes(gbnn):
    task = Extremes(gbnn)
    expected = predict(task, *task.train, "--export", "model.h")
    np.testing.assert_allclose(compile_and_run(task, "gcc"), expected,
                               rtol=1e-9, atol=1e-11)


def test_c_follows_a_refined_network(large_task):
    # Of 12 units, classes have cuts at 3, 6, 9 and 12.
    task = large_task
    options = [*task.train, "-k", 5, "-v"]
    assert "Refined all weights" in task.program.good(
        *options, "--export", "model.h").out
    np.testing.assert_allclose(compile_and_run(task, "gcc"),
                               predict(task, *options), rtol=1e-9, atol=1e-11)


def test_two_headers_in_one_program(gbnn):
    task = Task(gbnn, "binary")
    expected = predict(task, *task.train, "--export", "model.h")
    fewer = predict(task, *task.train, "-k", 3, "--export", "other-model.h")
    assert not np.allclose(expected, fewer)
    gbnn.write("model.h", gbnn.read("model.h") + """
#define GBNN_PREDICT other
#include "other-model.h"
""")
    # The first says the same as without the second, which says its own.
    both = DRIVER.replace("result = predict(point, outputs);",
                          "other(point, outputs); "
                          "result = predict(point, outputs);")
    np.testing.assert_allclose(compile_and_run(task, "gcc", both), expected,
                               rtol=1e-9, atol=1e-11)
    second = DRIVER.replace("predict(point, outputs)", "other(point, outputs)"
                            ).replace("predict(point, NULL)",
                                      "other(point, NULL)")
    np.testing.assert_allclose(compile_and_run(task, "gcc", second), fewer,
                               rtol=1e-9, atol=1e-11)


def test_header_knows_names_and_labels(gbnn):
    task = Mixed(gbnn, "binary")
    gbnn.good(*task.train, "--export", "model.h")
    names = compile_and_run(task, "gcc", r"""
#include "model.h"
#include <stdio.h>
int main(void)
{
  printf("%d,%d,%d,%g,%g\n",
         strcmp(predict_column_name(1), "the <b>\"color\"</b>"),
         predict_category(1, "red") >= 0, predict_category(1, "green"),
         predict_label(0), predict_label(1));
  return 0;
}
""")
    assert names.tolist() == [[0, 1, -1, -2, 7]]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_header_knows_true_in_any_spelling(gbnn, compiler):
    """As the program does; other words must be spelled as in training."""
    task = Task(gbnn, "binary")
    gbnn.write("x.csv", "word,flag,number\n" + "".join(
        f"{'yes' if i % 3 else 'no'},{'TRUE' if i % 2 else 'False'},{i}\n"
        for i in range(100)))
    gbnn.good(*task.train, "--export", "model.h")
    codes = compile_and_run(task, compiler, r"""
#include "model.h"
#include <stdio.h>
int main(void)
{
  const char* words[] = { "true", "TRUE", "tRue", "1", "false", "False", "0",
                          "tru", "truer", "", "2", "yes", "no", "No" };
  int i;
  for (i = 0; i < 14; ++i)
    printf("%s%d,%d", i > 0 ? "," : "", predict_category(0, words[i]),
           predict_category(1, words[i]));
  printf("\n");
  return 0;
}
""").ravel()
    assert codes[1::2].tolist() == [1, 1, 1, 1, 0, 0, 0] + 7 * [-1]
    assert codes[::2].tolist() == 11 * [-1] + [1, 0, -1]


# --- ONNX -------------------------------------------------------------------

class Runtime:
    """A real ONNX runtime."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            ["node", str(HERE / "run_onnx.cjs"), str(folder)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, model, points):
        """The outputs by their names."""
        question = {"model": str(model), "points": points}
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, "the runtime has failed"
        return {name: np.array(o["data"], dtype=float).reshape(o["dims"])
                for name, o in json.loads(answer).items()}

    def close(self):
        # By itself it would go on compiling for seconds.
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture(scope="session")
def runtime():
    """onnxruntime-web, installed by npm when first asked for."""
    for program in ("npm", "node"):
        if shutil.which(program) is None:
            pytest.skip(f"no {program}: ONNX models are not run")
    folder = Path(os.environ["GBNN_NPM_FOLDER"])
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules/onnxruntime-web").is_dir():
        done = subprocess.run(
            ["npm", "install", "--no-save", "--no-audit", "--no-fund",
             "--ignore-scripts", "--prefix", str(folder), RUNTIME],
            cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            pytest.skip("npm cannot get onnxruntime-web, so ONNX models are "
                        f"not run:\n{done.stderr}")
    runtime = Runtime(folder)
    yield runtime
    runtime.close()


def needs_onnx(gbnn):
    result = gbnn.run("-t", "x.csv", "--export", "no/such/folder.onnx")
    if "built without ONNX" in result.err:
        pytest.skip("the program was built without ONNX")


def load_checked(path):
    onnx = pytest.importorskip("onnx")
    model = onnx.load(str(path))
    onnx.checker.check_model(model, full_check=True)
    return model


def run_onnx(runtime, task, model):
    """Run the model on the test points, coded as its metadata says."""
    columns = json.loads({p.key: p.value for p in model.metadata_props}
                         ["columns"])
    points = []
    for row in cells(task):
        point = []
        for cell, column in zip(row, columns):
            if cell == "":
                point.append(None)
            elif column["type"] == "categorical":
                known = column["categories"]
                point.append(known.index(cell) if cell in known else -1)
            else:
                point.append(float(cell))
        points.append(point)
    result = runtime.run(task.program.folder / "model.onnx", points)
    if task.regression:
        assert set(result) == {"predictions"}
        return np.column_stack([result["predictions"][:, 0],
                                result["predictions"]])
    assert set(result) == {"label", "probabilities"}
    return np.column_stack([result["label"], result["probabilities"]])


def check_onnx(runtime, task, model, expected):
    """The model predicts what is expected, but for single precision: by how
    much sums may be off depends on what is added up."""
    numpy_helper = pytest.importorskip("onnx.numpy_helper")
    weights = {w.name: numpy_helper.to_array(w).astype(float)
               for w in model.graph.initializer}
    # Sigmoids rise by at most 1/4, other activations by at most 1.
    slope = 0.25 if any(n.op_type == "Sigmoid" and "hidden" in n.output
                        for n in model.graph.node) else 1
    terms = (1 + slope * np.abs(weights["hidden_weights"]).sum(axis=0)) @ \
        np.abs(weights["output_weights"])
    atol = max(1e-6, np.finfo(np.float32).eps * terms.max())
    assert atol < 1e-3, "this tolerance would hide mistakes"
    np.testing.assert_allclose(run_onnx(runtime, task, model), expected,
                               rtol=1e-5, atol=atol)


@pytest.mark.parametrize("kind", TASKS)
def test_onnx_predicts_the_same(gbnn, runtime, kind):
    task = make(gbnn, kind)
    needs_onnx(gbnn)
    expected = predict(task, *task.train, "--export", "model.onnx")
    model = load_checked(gbnn.folder / "model.onnx")
    check_onnx(runtime, task, model, expected)


@pytest.mark.parametrize("kind", TASKS)
@pytest.mark.parametrize("bins", [1, 16])
def test_onnx_of_piecewise_inputs(gbnn, runtime, kind, bins):
    task = make(gbnn, kind)
    needs_onnx(gbnn)
    expected = predict(task, *task.train, *PIECEWISE, "--bins", bins,
                       "--export", "model.onnx")
    model = load_checked(gbnn.folder / "model.onnx")
    check_onnx(runtime, task, model, expected)


@pytest.mark.parametrize("options", [["-A", "tanh"], ["-A", "relu"],
                                     ["--no_scaling"], ["-k", 4], ["-k", 0]])
def test_onnx_of_piecewise_inputs_follows_the_options(gbnn, runtime, options):
    task = Mixed(gbnn, "multiclass")
    needs_onnx(gbnn)
    expected = predict(task, *task.train, *options, *PIECEWISE, "--export",
                       "model.onnx")
    model = load_checked(gbnn.folder / "model.onnx")
    check_onnx(runtime, task, model, expected)


def test_onnx_of_extremes(gbnn, runtime):
    task = Extremes(gbnn)
    needs_onnx(gbnn)
    expected = predict(task, *task.train, "--export", "model.onnx")
    model = load_checked(gbnn.folder / "model.onnx")
    check_onnx(runtime, task, model, expected)


@pytest.mark.parametrize("options", LOSSES)
def test_onnx_follows_the_loss(gbnn, runtime, options):
    task = Mixed(gbnn, "regression")
    needs_onnx(gbnn)
    expected = predict(task, *task.train, *options, "--export", "model.onnx")
    model = load_checked(gbnn.folder / "model.onnx")
    check_onnx(runtime, task, model, expected)


@pytest.mark.parametrize("options", [["-A", "tanh"], ["-A", "relu"],
                                     ["--no_scaling"], ["-k", 4], ["-k", 0]])
def test_onnx_follows_the_options(gbnn, runtime, options):
    task = Mixed(gbnn, "multiclass")
    needs_onnx(gbnn)
    expected = predict(task, *task.train, *options, "--export", "model.onnx")
    model = load_checked(gbnn.folder / "model.onnx")
    check_onnx(runtime, task, model, expected)


def test_onnx_names_its_columns(gbnn):
    task = Mixed(gbnn, "binary")
    needs_onnx(gbnn)
    gbnn.good(*task.train, "--export", "model.onnx")
    model = load_checked(gbnn.folder / "model.onnx")
    columns = json.loads(model.metadata_props[0].value)
    assert [c["name"] for c in columns] == ["height", 'the <b>"color"</b>',
                                            "weight", "size"]
    assert columns[3]["categories"] == ["l", "m", "s"]


# --- From a model, and what is refused --------------------------------------

def test_export_of_a_model_made_before(binary):
    binary.program.good(*binary.train, "-M", "model.bin", "--export", "a.h")
    binary.program.good("-m", "model.bin", "--export", "b.h")
    a, b = binary.program.read("a.h"), binary.program.read("b.h")
    assert a.replace("MODEL_A_H", "MODEL_B_H") == b


def test_names_come_from_the_option_too(binary):
    binary.program.good(*binary.train, "--column_names", "u", "--column_names",
                        "v", "--column_names", "w", "--export", "a.h")
    assert '"u", "v", "w"' in binary.program.read("a.h")


@pytest.mark.parametrize("file,reason", [
    ("model.txt", "expected the extension .onnx or .h"),
    ("model", "expected the extension .onnx or .h"),
    ("nowhere/model.h", "there is no directory 'nowhere'"),
    (".h/", "expected the extension"),
])
def test_bad_files_are_refused(binary, file, reason):
    line = binary.program.bad(*binary.train, "--export", file)
    assert "'--export' '" + file + "'" in line and reason in line


def test_a_directory_is_refused(binary):
    (binary.program.folder / "model.h").mkdir()
    assert "it is a directory" in binary.program.bad(
        *binary.train, "--export", "model.h")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_refused(binary):
    folder = binary.program.folder / "locked"
    folder.mkdir(mode=0o500)
    assert "Permission denied" in binary.program.bad(
        *binary.train, "--export", "locked/model.h")


def test_export_needs_a_model(gbnn):
    assert "--training_file" in gbnn.bad("--export", "model.h")


def test_nothing_is_left_half_written(binary):
    """The old file stays when the run fails, and no other file appears."""
    binary.program.write("model.h", "old")
    binary.program.bad(*binary.train, "-T", "tx.csv", "-L", "x.csv", "--export",
                       "model.h")
    assert binary.program.read("model.h") == "old"


def test_names_of_the_wrong_number_are_refused(binary):
    line = binary.program.bad(*binary.train, "--column_names", "u")
    assert "has 1 names, but there are 3 columns" in line
