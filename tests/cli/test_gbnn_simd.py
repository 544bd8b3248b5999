"""The vector instructions that mlpack_gbnn uses, and that GBNN_SIMD forces."""

import re

import pytest

LEVELS = ["baseline", "v3", "v4", "neon"]


@pytest.fixture
def level(monkeypatch):
    """A function that forces a level; None leaves the choice to the program."""
    def force(name):
        if name is None:
            monkeypatch.delenv("GBNN_SIMD", raising=False)
        else:
            monkeypatch.setenv("GBNN_SIMD", name)
    force(None)
    return force


@pytest.fixture
def levels(gbnn, level):
    """The levels of this machine, as an error names them, the best one last."""
    level("nonsense")
    message = gbnn.bad("-t", gbnn.table("levels.csv", [1, 2]))
    level(None)
    return re.findall(r"'(\w+)'", message.split("has only")[1])


def used(result):
    return re.search(r"Vector instructions: (\w+)\.", result.out)[1]


@pytest.mark.parametrize("name", ["nonsense", "V3", "avx2", "v3,v4", " v3"])
def test_unknown_level_is_refused(binary, level, levels, name):
    binary.program.write("M.bin", "old")
    level(name)
    message = binary.program.bad(*binary.train, "-M", "M.bin", "-T", "tx.csv",
                                 "-p", "p.csv")
    assert f"GBNN_SIMD is '{name}'" in message
    for known in levels:
        assert f"'{known}'" in message


def test_level_of_another_machine_is_refused(binary, level, levels):
    others = set(LEVELS) - set(levels)
    assert others  # None has both v3 and neon.
    for name in others:
        level(name)
        message = binary.program.bad(*binary.train, "-M", "m.bin")
        assert f"GBNN_SIMD is '{name}'" in message


def test_verbose_tells_the_level(binary, level, levels):
    assert set(levels) <= set(LEVELS)
    assert used(binary.program.good(*binary.train, "-v")) == levels[-1]
    level("")  # As if it were not set.
    assert used(binary.program.good(*binary.train, "-v")) == levels[-1]
    for name in levels:
        level(name)
        assert used(binary.program.good(*binary.train, "-v")) == name


OPTIONS = {
    "boosted": ["--refine_iterations", 0],
    "refined": [],
    "weighted": ["-w", "w.csv", "-A", "tanh"],
    "early stopping": ["--validation_fraction", 0.3, "--patience", 3,
                       "-A", "relu"],
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS.keys())
def test_v3_and_v4_train_the_same_bits(large_task, level, levels, options):
    for name in ("v3", "v4"):
        if name not in levels:
            pytest.skip(f"this machine has no {name}")
    program = large_task.program
    program.table("w.csv", [[1 + i % 5 / 4] for i in range(500)])
    results = []
    for name in ("v3", "v4"):
        level(name)
        trained = large_task.predict(*large_task.train, *options, "-M", "m.bin")
        results.append((trained, program.listing()["m.bin"]))
    assert results[0] == results[1]
    # A model of one level predicts the same at the other.
    level("v3")
    assert large_task.predict("-m", "m.bin") == results[1][0]


def test_levels_agree(large_task, level, levels):
    """Other levels round otherwise, and that is all."""
    large_task.program.good(*large_task.train, "-M", "m.bin")
    expected = large_task.scores("-m", "m.bin")
    for name in levels:
        level(name)
        assert large_task.scores("-m", "m.bin") == pytest.approx(expected,
                                                                 abs=1e-9)
