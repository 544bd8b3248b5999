"""The report: one page of HTML that needs nothing else."""

import os
import pathlib
import re

import numpy as np
import pytest

from browser import Browser, find
from conftest import KINDS, Task

WIDE = pathlib.Path(os.environ.get(
    "GBNN_WIDE_DATA",
    pathlib.Path(__file__).resolve().parents[3] / "shared" / "data" / "wide"))
EVIL = "<script>alert(1)</script>\"'&<img src=http://example.com/x.png>"


@pytest.fixture(scope="module")
def browser():
    program = find()
    if program is None:
        pytest.skip("no Chromium: the report is not looked at in a browser")
    browser = Browser(program)
    yield browser
    browser.close()


@pytest.fixture(params=[1100, 420])
def width(browser, request):
    """A large and a small screen."""
    browser.width(request.param)
    yield request.param
    browser.width(None)


def evil_names(program):
    """A header that would run a script if it were not escaped."""
    program.write("x.csv", '"' + EVIL.replace('"', '""') + '",b,"c & d"\n' +
                  program.read("x.csv"))


def write_report(task, *options):
    evil_names(task.program)
    task.program.good(*task.train, "-T", "tx.csv", *task.known, "--report",
                      "r.html", *options)
    return task.program.read("r.html")


def show(browser, task):
    browser.open((task.program.folder / "r.html").as_uri())


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_is_complete_in_itself(gbnn, browser, kind):
    task = Task(gbnn, kind)
    write_report(task)
    show(browser, task)
    assert browser.complaints() == []
    assert browser.requests() == [(gbnn.folder / "r.html").as_uri()]
    assert browser.value("document.scripts.length") == 0
    assert browser.value("document.images.length") == 0
    assert browser.value("document.querySelectorAll('iframe,link').length") == 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_has_all_parts(gbnn, browser, kind):
    task = Task(gbnn, kind)
    write_report(task)
    show(browser, task)
    heads = browser.value(
        "Array.from(document.querySelectorAll('h2'), h => h.textContent)")
    assert heads == ["Model", "Learning curve", "Predictions",
                     "Importance of the columns", "Partial dependence", "Data"]
    # Each chart says what it is, to those who do not see it too.
    assert browser.value("""
        Array.from(document.querySelectorAll('svg:not([aria-hidden])'))
          .every(s => s.getAttribute('role') == 'img' &&
          s.getAttribute('aria-labelledby').split(' ').every(id =>
            document.querySelectorAll('#' + id).length == 1) &&
          s.querySelector('title').textContent.length > 3)""")
    assert browser.value("document.querySelectorAll('svg').length") >= 6
    if task.regression:
        assert browser.value("document.querySelectorAll('circle').length") == \
            len(task.test_points) * (2 if "two" in kind else 1)


def test_the_confusion_matrix_counts_every_point(gbnn, browser):
    task = Task(gbnn, "multiclass")
    write_report(task)
    show(browser, task)
    cells = browser.value("""
        Array.from(document.querySelector('caption').parentNode.rows).slice(1)
          .map(row => Array.from(row.cells).slice(1, 4)
            .map(cell => Number(cell.textContent)))""")
    assert sum(map(sum, cells)) == len(task.test_points)
    gbnn.good(*task.train, "-T", "tx.csv", "-p", "p.csv")
    predicted = gbnn.numbers("p.csv").ravel()
    labels = [-70, 0, 123456789]
    expected = [[int(((task.test_truth == a) & (predicted == b)).sum())
                 for b in labels] for a in labels]
    assert cells == expected


def test_pages_do_not_grow_with_the_square_of_classes(gbnn):
    """Nor with classes times categories."""
    gbnn.table("t.csv", [["n", "kind", "y"]] + [
        [i, "ab"[i % 2], f"c{10 + i % 60}"] for i in range(240)])
    gbnn.good("-t", "t.csv", "-T", "t.csv", "-u", 3, "-j", 3, "--seed", 1,
              "--input_encoding", "linear", "--refine_iterations", 0,
              "--report", "r.html")
    page = gbnn.read("r.html")
    assert "The confusion matrix of 60 classes is too large to show." in page
    assert "Shown are the first 50 of 60 labels." in page
    assert "Shown are the first 50 of 60 predictions." in page
    # A curve, a line over n, and a column of the table of kinds.
    assert page.count("label c59,") == 1 and page.count("label c60,") == 0
    assert page.count("label c59<") == page.count("label c60<") + 2


def test_the_curve_marks_the_chosen_cut(gbnn, browser):
    task = Task(gbnn, "regression")
    page = write_report(task, "-k", 6)
    assert "6 units in use" in page and "6 of 12 in use" in page
    show(browser, task)
    assert browser.value(
        "document.querySelectorAll('svg')[0].querySelectorAll('polyline')"
        ".length") == (3 if "before refinement" in page else 2)


def test_what_comes_from_the_data_is_text(gbnn, browser):
    task = Task(gbnn, "binary")
    page = write_report(task)
    assert "<script" not in page and "<img" not in page
    show(browser, task)
    names = browser.value(
        "Array.from(document.querySelectorAll('.columns th[scope=row]'), "
        "th => th.textContent)")
    assert sorted(names) == sorted([EVIL, "b", "c & d"])


def luminance(color):
    parts = [int(x) / 255 for x in re.findall(r"\d+", color)[:3]]
    linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4
              for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_in_light_and_dark(gbnn, browser, scheme):
    task = Task(gbnn, "multiclass")
    write_report(task)
    browser.colors(scheme)
    show(browser, task)
    page = luminance(browser.value(
        "getComputedStyle(document.body).backgroundColor"))
    assert (page > 0.5) == (scheme == "light")
    for element, style in (("h1", "color"), ("p", "color"), ("td", "color"),
                           ("caption", "color"), ("svg text", "fill"),
                           (".s0", "stroke"), (".s1", "stroke"),
                           (".s2", "stroke"), ("rect.d0", "fill")):
        ink = luminance(browser.value(
            f"getComputedStyle(document.querySelector('{element}')).{style}"))
        contrast = (max(ink, page) + 0.05) / (min(ink, page) + 0.05)
        assert contrast >= 4.5, (element, contrast)


# --- What it says is true ----------------------------------------------------

def fact(page, name):
    """A cell of the table about the model."""
    return re.search(f'<th scope="row">{name}</th><td class="text">(.*?)</td>',
                     page)[1]


def mean_loss(task, truth, *options):
    """The loss that training minimizes, of the training points."""
    scores = task.scores(*options, test="x.csv")
    if task.regression:
        return 0.5 * np.mean(np.sum((scores - truth.reshape(len(scores), -1))
                                    ** 2, axis=1))
    classes = np.unique(truth, return_inverse=True)[1]
    return -np.mean(np.log(scores[np.arange(len(scores)), classes]))


@pytest.mark.parametrize("options", [[], ["-k", 6]])
def test_losses_are_those_of_the_final_model(large_task, options):
    task, program = large_task, large_task.program
    program.good(*task.train, *options, "-T", "tx.csv", *task.known, "-M",
                 "m.bin", "--training_losses", "l.csv", "--report", "r.html")
    page = program.read("r.html")
    losses = program.numbers("l.csv")[:, 1]
    true = mean_loss(task, task.truth, "-m", "m.bin")
    said = re.search("The training loss of the final model, with the units in "
                     r"use, is ([\d.e-]+)\.", page)
    assert float(said[1]) == pytest.approx(true, rel=1e-3)
    during = re.search("(During boosting, before refinement, t|T)he training "
                       r"loss falls from ([\d.e-]+) to ([\d.e-]+)\.", page)
    assert float(during[2]) == pytest.approx(losses[0], rel=1e-3)
    assert float(during[3]) == pytest.approx(losses[-1], rel=1e-3)
    refined = not fact(page, "Refinement").startswith("none")
    assert refined == during[1].startswith("During")
    assert refined == ("training data, boosting</span>" in page)
    assert refined == ("training data, final model</span>" in page)
    if refined:
        assert abs(true - losses[-1]) > 2e-3 * true


def test_some_of_these_models_are_refined(gbnn):
    """Or else the test before shows nothing."""
    task = Task(gbnn, "binary", count=500)
    gbnn.good(*task.train, "--report", "r.html")
    told = re.fullmatch(r"(\d+) iterations in (\d+) rounds?, of at most 1000 "
                        "iterations; .*", fact(gbnn.read("r.html"),
                                               "Refinement"))
    assert told and int(told[1]) == 25 * int(told[2]) > 0
    gbnn.good(*task.train, "--refine_iterations", 0, "--report", "r.html")
    page = gbnn.read("r.html")
    assert fact(page, "Refinement") == "none; it was switched off"
    assert "before refinement" not in page


def test_losses_are_weighted_as_in_training(binary):
    program = binary.program
    program.good(*binary.train, "--class_weights", "10:5",
                 "--refine_iterations", 0, "--report", "r.html")
    page = program.read("r.html")
    end = re.search(r"The training loss falls from \S+ to ([\d.e-]+)\.", page)
    final = re.search(r"with the units in use, is ([\d.e-]+)\.", page)
    assert end[1] == final[1]


def test_a_saved_model_does_not_know_its_training_loss(gbnn):
    task = Task(gbnn, "binary", count=500)
    gbnn.good(*task.train, "-M", "m.bin")
    gbnn.good("-m", "m.bin", "-T", "tx.csv", *task.known, "--report", "r.html")
    page = gbnn.read("r.html")
    assert "The training loss of the final model is not known here" in page
    assert "On the test data the loss of the final model is" in page
    assert "Labels of the test data, 40 points" in page
    assert "Labels of the training data" not in page


def bars(browser, caption):
    """Names and numbers of a chart of bars."""
    return browser.value("""
        Array.from(Array.from(document.querySelectorAll('.bars')).find(t =>
          t.caption.textContent == '""" + caption + """').rows, row =>
          [row.cells[0].textContent, Number(row.cells[2].textContent)])""")


def test_the_bars_of_labels_say_whose_they_are(gbnn, browser):
    task = Task(gbnn, "multiclass", count=1300)
    gbnn.good(*task.train, "-T", "tx.csv", *task.known, "--report", "r.html",
              "--refine_iterations", 0)
    show(browser, task)
    for source, truth in (("training", task.truth), ("test", task.test_truth)):
        assert bars(browser, f"Labels of the {source} data, {len(truth)} "
                    "points") == [[f"label {k}", int((truth == k).sum())]
                                  for k in (-70, 0, 123456789)]
    assert "The training data: 1300 points of 3 columns" in gbnn.read("r.html")


def test_labels_that_training_did_not_have_are_counted(gbnn, browser):
    rows = [f"{i % 2 + i / 100},{'xy'[i % 2]}" for i in range(30)]
    gbnn.write("t.csv", "a,target\n" + "\n".join(rows) + "\n")
    gbnn.write("tt.csv", "a,target\n0,x\n1,y\n1,zebra\n")
    gbnn.run("-t", "t.csv", "--target", "target", "-T", "tt.csv", "-u", 3, "-S",
             1, "--report", "r.html")
    browser.open((gbnn.folder / "r.html").as_uri())
    assert bars(browser, "Labels of the test data, 3 points") == [
        ["label x", 1], ["label y", 1],
        ["labels that did not occur in training", 1]]


def test_the_inputs_are_told(gbnn):
    rows = [f"{'abc'[i % 3]},{'' if i % 5 == 0 else i},{i % 2}"
            for i in range(40)]
    gbnn.write("t.csv", "kind,size,target\n" + "\n".join(rows) + "\n")
    gbnn.good("-t", "t.csv", "--target", "target", "-u", 3, "-S", 1, "--report",
              "r.html", "--input_encoding", "linear")
    page = gbnn.read("r.html")
    assert fact(page, "Inputs") == (
        "2 columns, which become 5 numbers; 1 column of categories: one "
        "number, 0 or 1, for each category; 1 column with missing cells: one "
        "number more, which says where; numeric columns are scaled to mean 0 "
        "and variance 1")
    assert fact(page, "Input encoding") == "linear"
    assert fact(page, "Target") == "target"
    assert fact(page, "Trained on") == "40 points"


def test_responses_say_whose_they_are(gbnn, browser):
    task = Task(gbnn, "regression")
    write_report(task)
    show(browser, task)
    for source, truth in (("training", task.truth), ("test", task.test_truth)):
        cells = browser.value("""
            Array.from(Array.from(document.querySelectorAll('table')).find(t =>
              t.caption && t.caption.textContent == 'Responses of the """ +
            source + f""" data, {len(truth)} points').rows[1].cells,
              c => c.textContent).slice(1).map(Number)""")
        np.testing.assert_allclose(cells, [truth.mean(), truth.std(),
                                           truth.min(), truth.max()],
                                   rtol=2e-3, atol=1e-5)


def test_the_seed_is_told_and_trains_the_same_again(binary):
    program = binary.program
    program.good(*binary.data, "-u", 12, "--report", "r.html", "-M", "m.bin")
    seed = fact(program.read("r.html"), "Seed")
    assert seed.endswith(", chosen at random")
    seed = seed.split(",")[0]
    program.good(*binary.data, "-u", 12, "-S", seed, "--report", "r.html", "-M",
                 "again.bin")
    assert fact(program.read("r.html"), "Seed") == seed
    assert binary.scores("-m", "m.bin").tolist() == \
        binary.scores("-m", "again.bin").tolist()


def test_the_seed_repeats_all_that_is_random(gbnn):
    task = Task(gbnn, "binary")
    call = [*task.data, "-T", "tx.csv", *task.known, "-u", 12, "--report",
            "r.html", "--tune", "--folds", 2, "--tune_learning_rates",
            "0.1,0.5", "--tune_subsamples", "1", "--tuning_scores_file",
            "t.csv", "--holdout", 0.3, "--importance", "-M", "m.json"]
    outs = [gbnn.good(*call).out]
    seed = fact(gbnn.read("r.html"), "Seed").split(",")[0]
    files = [[gbnn.read("t.csv")]]
    outs.append(gbnn.good(*call, "-S", seed).out)
    files.append([gbnn.read("t.csv")])
    assert files[0] == files[1]
    lines = [[line for line in out.splitlines() if "accuracy" in line or
              "importance" in line or line[:2] == "x"] for out in outs]
    assert lines[0] and lines[0] == lines[1]


def test_a_report_of_labels_that_training_did_not_have(gbnn):
    rows = [f"{i % 2 + i / 100},{'xy'[i % 2]}" for i in range(30)]
    gbnn.write("t.csv", "a,target\n" + "\n".join(rows) + "\n")
    gbnn.write("tt.csv", "a,target\n0,zebra\n1,zebra\n")
    call = ["-t", "t.csv", "--target", "target", "-T", "tt.csv", "-u", 3, "-p",
            "p.csv"]
    gbnn.good(*call, "--report", "r.html")
    assert len(gbnn.read("p.csv").split()) == 2
    assert "labels that did not occur" in gbnn.read("r.html")
    # Importances that are asked for are another matter.
    assert "nothing to measure importance by" in gbnn.bad(*call, "--importance")


# --- ROC curve and reliability diagram ---------------------------------------

def polylines(browser, name):
    """The lines of charts with such an id, in parts of the axes."""
    lines = browser.value("""
        Array.from(document.querySelectorAll('svg[aria-labelledby^=%s]'))
          .flatMap(s => Array.from(s.querySelectorAll('polyline'), p =>
            p.getAttribute('points').trim().split(' ').map(xy =>
              xy.split(',').map(Number))))""" % name)
    lines = [np.array(line) for line in lines]
    low = np.min([line.min(axis=0) for line in lines], axis=0)
    high = np.max([line.max(axis=0) for line in lines], axis=0)
    return [(line - low) / (high - low) * [1, -1] + [0, 1] for line in lines]


@pytest.mark.parametrize("kind,curves", [("binary", 1), ("multiclass", 3)])
def test_the_area_below_the_curves_is_what_the_summary_says(gbnn, browser, kind,
                                                            curves):
    task = Task(gbnn, kind)
    out = gbnn.good(*task.train, "-T", "tx.csv", *task.known, "--report",
                    "r.html").out
    area = float(re.search(r"AUC ([\d.]+)", out)[1])
    show(browser, task)
    lines = polylines(browser, "roc")
    assert len(lines) == curves
    areas = [np.sum(np.diff(line[:, 0]) * (line[1:, 1] + line[:-1, 1]) / 2)
             for line in lines]
    # Places are rounded to tenths of a pixel.
    assert np.mean(areas) == pytest.approx(area, abs=0.002)
    told = [float(x) for x in re.findall(r", AUC ([\d.]+)</span>",
                                         gbnn.read("r.html"))]
    assert told == pytest.approx(areas, abs=0.002)


@pytest.mark.parametrize("kind", ["binary", "multiclass"])
def test_the_reliability_diagram_counts(gbnn, browser, kind):
    task = Task(gbnn, kind)
    gbnn.good(*task.train, "-T", "tx.csv", *task.known, "--report", "r.html",
              "-P", "P.csv")
    shares = gbnn.numbers("P.csv")
    classes = np.unique(task.truth)
    if kind == "binary":
        said, right = shares[:, 1], task.test_truth == classes[1]
    else:
        said = shares.max(axis=1)
        right = task.test_truth == classes[shares.argmax(axis=1)]
    groups = np.minimum(9, (said * 10).astype(int))
    expected = [[(groups == g).sum(), said[groups == g].mean(),
                 right[groups == g].mean()] for g in np.unique(groups)]
    show(browser, task)
    rows = browser.value("""
        Array.from(document.querySelector('[aria-label=Reliability]')
          .querySelectorAll('tr')).slice(1).map(row => Array.from(row.cells)
            .slice(1, 4).map(cell => Number(cell.textContent)))""")
    np.testing.assert_allclose(rows, expected, rtol=6e-3, atol=6e-4)
    assert browser.value("document.querySelectorAll('circle').length") == \
        len(expected)


def test_training_data_has_neither(binary):
    binary.program.good(*binary.train, "--report", "r.html")
    page = binary.program.read("r.html")
    assert "<h3>ROC" not in page and "<h3>Reliability" not in page
    assert "With test data and its labels there would be" in page


# --- Names, and screens of any size ------------------------------------------

LONG = "a_long_name_of_%s_that_" + "goes_on_and_on_" * 5 + "to_its_very_end"


def write_long(gbnn, classes=8):
    """A table with long names of everything; returns those of the classes."""
    rng = np.random.default_rng(5)
    words = [LONG % f"class{k}" for k in range(classes)]
    kinds = [LONG % f"category{k}" for k in range(4)]
    rows = []
    for i in range(240):
        k = int(rng.integers(classes))
        rows.append("%s,%.4f,%s" % (kinds[k % 4 if rng.random() < .8 else 0],
                                    k + .4 * rng.normal(), words[k]))
    head = ",".join(LONG % f"column{c}" for c in range(2)) + ",target\n"
    gbnn.write("t.csv", head + "\n".join(rows[:180]) + "\n")
    gbnn.write("tt.csv", head + "\n".join(rows[180:]) + "\n")
    gbnn.good("-t", "t.csv", "--target", "target", "-T", "tt.csv", "-u", 12,
              "-S", 1, "--refine_iterations", 0, "--report", "r.html")
    return words, kinds


# Text that is cut: wider than its own box, or outside of its image.
CUT = """
  Array.from(document.querySelectorAll(
      'h1,h2,h3,p,th,td,caption,figcaption,.entry,summary')).filter(e =>
    e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).concat(
  Array.from(document.querySelectorAll('svg text')).filter(t => {
    const a = t.getBoundingClientRect(),
        b = t.closest('svg').getBoundingClientRect();
    return a.left < b.left - 1 || a.right > b.right + 1 ||
        a.top < b.top - 1 || a.bottom > b.bottom + 1; }))
  .map(e => e.textContent)"""
# Whatever reaches beyond the screen without a box that scrolls.
LOST = """
  Array.from(document.querySelectorAll('main *')).filter(e =>
    e.getBoundingClientRect().right > document.documentElement.clientWidth + 1
    && !e.closest('.wide')).map(e => e.outerHTML.slice(0, 99))"""


def check_room(browser, width):
    """Nothing is cut, and a small screen scrolls."""
    browser.value("document.querySelectorAll('details').forEach(d => "
                  "d.open = true)")
    assert browser.value(CUT) == []
    assert browser.value(LOST) == []
    assert browser.value("document.documentElement.scrollWidth") <= width
    # Letters of charts stay large enough to read.
    smallest = browser.value("""
        Math.min(...Array.from(document.querySelectorAll('svg text'), t =>
          13 * t.closest('svg').getBoundingClientRect().width /
          t.closest('svg').viewBox.baseVal.width))""")
    assert smallest >= 10
    assert browser.value("""
        Array.from(document.querySelectorAll('.wide')).every(box =>
          getComputedStyle(box).overflowX == 'auto' && box.tabIndex == 0)""")
    scrolls = browser.value("""
        Array.from(document.querySelectorAll('.wide:has(svg.plot)')).every(
          box => box.scrollWidth > box.clientWidth)""")
    assert scrolls == (width < 600)


def test_long_names_have_room(gbnn, browser, width):
    words, kinds = write_long(gbnn)
    browser.open((gbnn.folder / "r.html").as_uri())
    check_room(browser, width)
    text = browser.value("document.querySelector('main').textContent")
    for name in [LONG % "column0", LONG % "column1", *words, *kinds]:
        assert name in text
    assert "…" not in text


def test_every_class_is_in_partial_dependence(gbnn, browser):
    words, kinds = write_long(gbnn)
    browser.open((gbnn.folder / "r.html").as_uri())
    # A column of numbers: one line for each class, six in a chart.
    names = browser.value("""
        Array.from(document.querySelectorAll('figure:has(' +
            'svg[aria-labelledby^=dependence]) .entry'),
          e => e.textContent.trim())""")
    assert names == [f"label {word}" for word in words]
    lines = browser.value("""
        Array.from(document.querySelectorAll(
            'svg[aria-labelledby^=dependence]'), s =>
          s.querySelectorAll('polyline').length)""")
    assert lines == [6, 2]
    # A column of categories: a table of shares that sum to one.
    rows = browser.value("""
        Array.from(document.querySelector('table:has(td.share)').rows, row =>
          Array.from(row.cells, cell => cell.textContent))""")
    assert rows[0] == ["category"] + [f"label {word}" for word in words]
    assert [row[0] for row in rows[1:]] == kinds
    for row in rows[1:]:
        assert sum(map(float, row[1:])) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("name", ["colic", "glass", "flags", "bodyfat"])
def test_real_tables_have_room(gbnn, browser, width, name):
    file = WIDE / f"{name}.csv"
    if not file.exists():
        pytest.skip(f"needs {name}.csv in ../shared/data/wide")
    lines = file.read_text().splitlines()
    gbnn.write("t.csv", "\n".join(lines[:1] + lines[1::2]) + "\n")
    gbnn.write("tt.csv", "\n".join(lines[:1] + lines[2::2]) + "\n")
    gbnn.good("-t", "t.csv", "--target", "target", "-T", "tt.csv", "-u", 20,
              "-S", 1, "--report", "r.html")
    browser.open((gbnn.folder / "r.html").as_uri())
    check_room(browser, width)
    page = gbnn.read("r.html")
    assert fact(page, "Target") == "target" and fact(page, "Seed") == "1"
    assert fact(page, "Input encoding") and fact(page, "Refinement")
    if name == "colic":
        assert fact(page, "Task") == "classification of 2 classes: no, yes"


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_overlaps_the_edge_of_a_screen(gbnn, browser, width, kind):
    task = Task(gbnn, kind)
    write_report(task)
    show(browser, task)
    check_room(browser, width)


def test_categories_and_missing_values(gbnn):
    rows = ["%d,%s,%s" % (i % 2, "ab"[i % 3 == 0], "" if i % 7 == 0 else i)
            for i in range(60)]
    gbnn.write("t.csv", "label,kind,size\n" + "\n".join(
        ",".join(reversed(r.split(","))) for r in rows) + "\n")
    gbnn.good("-t", "t.csv", "-u", 5, "-S", 1, "--report", "r.html")
    page = gbnn.read("r.html")
    assert "2 categories, most often 'a' (40)" in page
    # The names of the columns, without that of the labels.
    assert "categorical</td><td>0</td>" in page
    assert "numeric</td><td>9</td>" in page
    assert "new data will be predicted less well" in page


def test_a_report_without_truth(binary):
    binary.program.good(*binary.train, "-M", "m.bin")
    binary.program.good("-m", "m.bin", "-T", "tx.csv", "--report", "r.html")
    page = binary.program.read("r.html")
    assert "Learning curve" in page and "<h2>Predictions" not in page


def test_the_same_run_writes_the_same_page(binary):
    pages = []
    for _ in range(2):
        binary.program.good(*binary.train, "--report", "r.html")
        pages.append(binary.program.read("r.html"))
    assert pages[0] == pages[1]


@pytest.mark.parametrize("file,reason", [
    ("report.pdf", "expected the extension .html"),
    ("nowhere/r.html", "there is no directory 'nowhere'"),
])
def test_bad_files_are_refused(binary, file, reason):
    line = binary.program.bad(*binary.train, "--report", file)
    assert "'--report' '" + file + "'" in line and reason in line


def test_a_report_needs_data(binary):
    binary.program.good(*binary.train, "-M", "m.bin")
    line = binary.program.bad("-m", "m.bin", "--report", "r.html")
    assert "--report" in line and "--training_file" in line and \
        "--test_file" in line


def test_the_old_page_stays_if_the_run_fails(binary):
    binary.program.write("r.html", "old")
    binary.program.bad(*binary.train, "--report", "r.html", "--dependence",
                       "no such column")
    assert binary.program.read("r.html") == "old"


def test_axes_of_almost_nothing(gbnn):
    """Values that differ by rounding only."""
    gbnn.table("x.csv", [[0.3 if i % 2 else 0.30000000000000004, i]
                         for i in range(40)])
    gbnn.table("y.csv", [i // 20 for i in range(40)])
    gbnn.good("-t", "x.csv", "-l", "y.csv", "-u", 4, "-S", 1,
              "--refine_iterations", 0, "--report", "r.html")
    assert gbnn.read("r.html").rstrip().endswith("</html>")


def test_large_numbers_that_differ_little(gbnn):
    """All digits before the point, in tables and at axes, where they have room."""
    task = Task(gbnn, "regression")
    truth = np.round(1e9 + 100 * task.truth)
    gbnn.table("x.csv", np.column_stack([task.points, truth]))
    gbnn.table("y.csv", truth)
    gbnn.good(*task.train, "--report", "r.html")
    page = gbnn.read("r.html")
    assert "e+09" not in page
    for value in (truth.min(), truth.max()):
        assert page.count(f"<td>{value:.0f}</td>") == 2
    labels = re.findall('<text class="end" x="([0-9]+)" y="[^"]*" dy="4">([^<]*)<', page)
    assert any(text.startswith("10000000") for _, text in labels)
    assert all(int(x) >= 7 * len(text) for x, text in labels)
