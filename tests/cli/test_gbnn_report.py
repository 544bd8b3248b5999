"""The report: one page of HTML that needs nothing else."""

import re

import pytest

from browser import Browser, find
from conftest import KINDS, Task

EVIL = "<script>alert(1)</script>\"'&<img src=http://example.com/x.png>"


@pytest.fixture(scope="module")
def browser():
    program = find()
    if program is None:
        pytest.skip("no Chromium: the report is not looked at in a browser")
    browser = Browser(program)
    yield browser
    browser.close()


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
        Array.from(document.querySelectorAll('svg:not(.key)')).every(s =>
          s.getAttribute('role') == 'img' &&
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


def test_the_curve_marks_the_chosen_cut(gbnn, browser):
    task = Task(gbnn, "regression")
    page = write_report(task, "-k", 6)
    assert "6 units in use" in page and "6 of 12 in use" in page
    show(browser, task)
    assert browser.value(
        "document.querySelectorAll('svg')[0].querySelectorAll('polyline')"
        ".length") == 2


def test_what_comes_from_the_data_is_text(gbnn, browser):
    task = Task(gbnn, "binary")
    page = write_report(task)
    assert "<script" not in page and "<img" not in page
    show(browser, task)
    names = browser.value(
        "Array.from(document.querySelectorAll('details th[scope=row]'), "
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


def test_nothing_overlaps_the_edge_of_a_narrow_screen(gbnn, browser):
    task = Task(gbnn, "multiclass")
    write_report(task)
    browser.call("Emulation.setDeviceMetricsOverride", width=360, height=700,
                 deviceScaleFactor=1, mobile=True)
    show(browser, task)
    assert browser.value("document.documentElement.scrollWidth") <= 360
    browser.call("Emulation.clearDeviceMetricsOverride")


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
