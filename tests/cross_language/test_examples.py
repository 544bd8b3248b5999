"""The examples in the documentation of R and Julia run as they stand: those of
the generated pages, and those of doc/user/r.md and julia.md.

GBNN_LIBRARY is the binding's library; test_same_results.py tells of the rest.
"""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "bindings" / "generator" / "generate.py"
PROMPTS = {"r": (r"R> ", r"\+  "), "julia": (r"julia> ", r"       ")}
# What the examples take for granted.
BEFORE = {
    "r": "library(mlpackgbnn)\n"
         "data <- as.matrix(iris[1:4])\n"
         "labels <- as.integer(iris$Species)\n"
         "test_set <- data[c(1, 51, 101), ]\n"
         "test_labels <- labels[c(1, 51, 101)]\n",
    "julia": "using MlpackGBNN\n"
             "data = [sin(i * j) for i in 1:60, j in 1:3]\n"
             "labels = [data[i, 1] > 0 ? 2 : 1 for i in 1:60]\n"
             "test_set = data[1:3, :]\n"
             "test_labels = labels[1:3]\n",
}
AFTER = {
    "r": "stopifnot(length(predictions) == 3, predictions == 1:3)\n",
    "julia": "length(predictions) == 3 || error(predictions)\n",
}


def examples(page, language):
    """The code with prompts in a page, without them."""
    prompt, continuation = PROMPTS[language]
    lines = []
    for block in re.findall(r"^```\w+\n(.*?)^```", page, re.M | re.S):
        if re.match(prompt, block):
            lines += [re.sub(f"^(?:{prompt}|{continuation})", "", line)
                      for line in block.splitlines()]
    return "\n".join(lines) + "\n"


def command(language):
    env = os.environ
    if language == "r" and "GBNN_R" in env:
        return [env["GBNN_R"], "--vanilla"], {"R_LIBS": env["GBNN_R_LIBRARY"]}
    if language == "julia" and "GBNN_JULIA" in env:
        return ([env["GBNN_JULIA"], "--startup-file=no"],
                {"JULIA_LOAD_PATH": env["GBNN_JULIA_PACKAGES"] + ":"})
    pytest.skip(f"the package for {language} is not built")


@pytest.mark.parametrize("binding, option", [("gbnn", "active_units"),
                                             ("deep_gbnn", "trunk_epochs")])
@pytest.mark.parametrize("language", PROMPTS)
def test_examples_run(language, binding, option, tmp_path):
    program, env = command(language)
    subprocess.run([sys.executable, GENERATOR, "docs", "--library",
                    os.environ["GBNN_LIBRARY"], "--output", tmp_path],
                   check=True)
    page = language if binding == "gbnn" else f"{binding}_{language}"
    code = examples((tmp_path / f"{page}.md").read_text(), language)
    assert f"{binding}(" in code and option in code
    # Where the documentation says the packages are.
    if language == "julia":
        folder = pathlib.Path(os.environ["GBNN_JULIA_PACKAGES"])
        (tmp_path / "build").symlink_to(folder.parent)
        env["JULIA_DEPOT_PATH"] = f"{tmp_path / 'depot'}:"
    script = tmp_path / "examples"
    script.write_text(BEFORE[language] + code + AFTER[language])
    subprocess.run([*program, script], check=True, cwd=tmp_path,
                   env={**os.environ, **env})


# What code needs that may not be there, and how to ask.
OPTIONAL = {
    "r": ("library(parsnip)", 'cat(requireNamespace("parsnip"))', "TRUE"),
    "julia": ("using MLJ", 'print(Base.find_package("MLJ") !== nothing)',
              "true"),
}


@pytest.mark.parametrize("language", PROMPTS)
def test_pages_run(language, tmp_path):
    program, env = command(language)
    env = {**os.environ, **env, "JULIA_DEPOT_PATH": f"{tmp_path / 'depot'}:"}
    page = (ROOT / "doc" / "user" / f"{language}.md").read_text()
    blocks = re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)
    needs, question, yes = OPTIONAL[language]
    answer = subprocess.run([*program, "-e", question], env=env, text=True,
                            capture_output=True, check=True).stdout
    if yes not in answer:
        blocks = [block for block in blocks if needs not in block]
    assert len(blocks) >= 2
    if language == "julia":
        folder = pathlib.Path(os.environ["GBNN_JULIA_PACKAGES"])
        (tmp_path / "build").symlink_to(folder.parent)
    script = tmp_path / "page"
    script.write_text("\n".join(blocks))
    subprocess.run([*program, script], check=True, cwd=tmp_path, env=env)
