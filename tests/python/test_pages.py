"""The Python examples of README.md and of the user documentation."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(),
                      re.M | re.S)


@pytest.mark.parametrize("page", ["README.md", "doc/user/tutorial.md",
                                  "doc/user/tuning.md"])
def test_examples_run(page, tmp_path, monkeypatch, capsys):
    code = blocks(page)
    assert code
    if "sklearn" in "".join(code):
        pytest.importorskip("sklearn")
    subprocess.run([sys.executable, ROOT / "examples/bikes.py", tmp_path],
                   check=True)
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in code:
        exec(compile(block, page, "exec"), names)
    if "tutorial" in page:
        out = capsys.readouterr().out
        accuracy = re.match(r"accuracy (0\.\d+) ", out)
        assert float(accuracy.group(1)) > 0.93
        assert "[1 0 1]" in out
        assert names["scores"].mean() > 0.93
