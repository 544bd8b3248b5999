"""A parameter added to a binding file appears in every front end.

TINY_LIBRARY and TINY_EXTRA_LIBRARY are the tiny binding as it is, and compiled
with one PARAM_DOUBLE_IN() more; nothing else differs.
"""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "bindings" / "generator" / "generate.py"
LANGUAGES = [path.stem[:-len("_package")]
             for path in GENERATOR.parent.glob("*_package.py")]


def generate(language, library, output):
    """Run the generator; returns the texts that it wrote, by file."""
    subprocess.run([sys.executable, GENERATOR, language, "--library",
                    os.environ[library], "--output", output], check=True)
    texts = {}
    for path in output.rglob("*"):
        if path.is_file() and path.suffix != ".so":
            texts[str(path.relative_to(output))] = path.read_text()
    return texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_package_follows(language, tmp_path):
    without = generate(language, "TINY_LIBRARY", tmp_path / "without")
    extra = generate(language, "TINY_EXTRA_LIBRARY", tmp_path / "extra")
    assert without.keys() == extra.keys()
    changed = [name for name in extra if extra[name] != without[name]]
    assert changed
    for name in changed:
        assert "A parameter added later." in extra[name] or \
            "extra" in extra[name]
    text = "\n".join(extra[name] for name in changed)
    assert "A parameter added later." in text and "0.25" in text
    if language == "docs":
        assert sorted(changed) == ["cli.md", "julia.md", "python.md", "r.md"]


def test_python_function_follows(tmp_path):
    code = "from mlpack_tiny import tiny; tiny(extra=0.5)"
    for library, works in (("TINY_LIBRARY", False),
                           ("TINY_EXTRA_LIBRARY", True)):
        generate("python", library, tmp_path / library)
        result = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": str(tmp_path / library)})
        assert (result.returncode == 0) == works
        if not works:
            assert "unknown parameter 'extra'" in result.stderr
