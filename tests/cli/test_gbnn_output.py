"""What mlpack_gbnn tells: summaries, help, progress."""

import os
import pty
import re
import subprocess
import sys

import numpy as np
import pytest


def summary(task, *options):
    task.predict(*task.train, *options)
    out = task.program.good(*task.train, *options, "-T", "tx.csv", *task.known).out
    assert out.startswith("summary:\n") or task.kind == "regression"
    return out


@pytest.mark.parametrize("task", ["binary", "multiclass"], indirect=True)
@pytest.mark.parametrize("units", [0, 3, 12])
def test_summary_of_classification(task, units):
    out = summary(task, "-k", units)
    predicted = task.program.numbers("p.csv").ravel()
    labels = [int(x) for x in np.unique(task.truth)]
    confusion = [[int(np.sum((task.test_truth == t) & (predicted == p)))
                  for p in labels] for t in labels]
    right = int(np.trace(confusion))
    lines = out.splitlines()[1:]
    assert lines[0] == f"accuracy {right / 40:.4f} ({right} of 40 points)"
    assert re.fullmatch(r"log loss [\d.]+, AUC [\d.]+, calibration error [\d.]+",
                        lines.pop(1))
    assert lines[1].split() == ["label", "precision", "recall", "points"]

    def share(part, whole):
        return f"{part / whole:.4f}" if whole else "-"

    for k, label in enumerate(labels):
        column = sum(row[k] for row in confusion)
        assert lines[2 + k].split() == [
            str(label), share(confusion[k][k], column),
            share(confusion[k][k], sum(confusion[k])), str(sum(confusion[k]))]
    lines = lines[2 + len(labels):]
    assert lines[0] == ("confusion matrix (rows: true label, columns: predicted "
                        "label)")
    assert lines[1].split() == [str(x) for x in labels]
    assert [[int(x) for x in line.split()] for line in lines[2:]] == \
        [[label, *row] for label, row in zip(labels, confusion)]


@pytest.mark.parametrize("task", ["regression", "regression of two"],
                         indirect=True)
def test_summary_of_regression(task):
    out = summary(task)
    predicted = task.program.numbers("o.csv")
    truth = task.test_truth.reshape(40, -1)
    errors = np.sum((predicted - truth) ** 2, axis=0)
    spread = np.sum((truth - truth.mean(axis=0)) ** 2, axis=0)
    found = re.findall(r"RMSE (\S+), R\^2 (\S+), MAE \S+ \(40 points\)", out)
    assert len(found) == truth.shape[1]
    for k, (rmse, r2) in enumerate(found):
        assert float(rmse) == pytest.approx(np.sqrt(errors[k] / 40), rel=1e-4)
        assert float(r2) == pytest.approx(1 - errors[k] / spread[k], rel=1e-4)
    assert ("response 2: RMSE" in out) == (truth.shape[1] == 2)


def test_labels_unknown_to_the_model(binary):
    binary.test_truth[:4] = 99
    binary.program.table("ty.csv", binary.test_truth)
    out = binary.program.good(*binary.train, "-T", "tx.csv", "-L", "ty.csv", "-p",
                              "p.csv").out
    right = np.sum(binary.program.numbers("p.csv").ravel() == binary.test_truth)
    assert "4 of the points in '--test_labels_file (-L)' have labels that did not " \
        "occur in training ('99'); they count as wrong, and the log loss " in out
    assert f"({right} of 40 points)" in out
    other = [line.split() for line in out.splitlines() if "other" in line]
    assert sum(map(int, other[0][1:])) == 4


OPTIONS = {
    "training_file": "t", "labels_file": "l", "responses_file": "r",
    "weights_file": "w", "test_file": "T", "test_labels_file": "L",
    "test_responses_file": "R", "input_model_file": "m", "output_model_file": "M",
    "predictions_file": "p", "probabilities_file": "P",
    "output_predictions_file": "o", "staged_scores_file": "", "hidden_units": "u",
    "units_per_stage": "j", "learning_rate": "n", "subsample": "s",
    "activation": "A", "optimizer": "O", "max_iterations": "i", "tolerance": "e",
    "step_size": "a", "batch_size": "b", "input_encoding": "", "bins": "",
    "l2": "", "refine_iterations": "",
    "loss": "", "quantiles": "", "non_crossing": "", "huber_delta": "",
    "active_units": "k", "seed": "S",
    "no_scaling": "", "warm_start": "", "column_names": "", "target": "", "task": "",
    "checkpoint": "", "cv": "", "holdout": "", "cv_scores_file": "",
    "test_column_names": "", "validation_column_names": "", "importance": "",
    "importances_file": "", "gradients": "", "input_gradients_file": "",
    "dependence": "", "partial_dependence_file": "", "training_losses_file": "",
    "report": "", "export": "", "validation_file": "",
    "validation_labels_file": "", "validation_responses_file": "",
    "validation_fraction": "", "patience": "", "tune": "", "folds": "",
    "tune_units_per_stage": "", "tune_learning_rates": "", "tune_subsamples": "",
    "tune_units": "", "tuning_scores_file": "", "class_weights": "",
    "latency": "", "early_exit": "", "units_used_file": "", "help": "h",
    "info": "", "verbose": "v", "version": "V", "scratch_folder": "",
}


def test_help(gbnn):
    out = gbnn.good("--help").out
    assert out == gbnn.good("-h").out
    assert out.startswith("Gradient Boosted Neural Networks\n\n  This program")
    assert "Default value 200." in out
    assert max(map(len, out.splitlines())) <= 80
    inputs, outputs = out.split("Optional input options:\n\n")[1].split(
        "Optional output options:\n\n")
    assert "For further information" in outputs
    results = ("output_model_file", "predictions_file", "probabilities_file",
               "output_predictions_file", "staged_scores_file",
               "importances_file", "input_gradients_file",
               "partial_dependence_file", "training_losses_file",
               "tuning_scores_file", "units_used_file", "cv_scores_file")
    for name, letter in OPTIONS.items():
        option = f"  --{name} (-{letter}) [" if letter else f"  --{name} ["
        assert option in (outputs if name in results else inputs)
    assert len(re.findall(r"^  --", inputs + outputs, re.M)) == len(OPTIONS)


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_info(gbnn, name):
    text = gbnn.good("--info", name).out
    assert text.startswith(f"  --{name}")
    assert text.strip() in gbnn.good("--help").out


def test_version(gbnn):
    out = gbnn.good("--version").out
    assert re.fullmatch(r"Gradient Boosted Neural Networks: part of mlpack "
                        r"\d+\.\d+\.\d+\.\n", out)


def test_verbose(task):
    out = task.program.good(*task.train, "-v", "-M", "m.bin").out
    for text in ("Execution parameters:", f"  hidden_units: {task.units}",
                 "  seed: 7", "  output_model_file: 'm.bin'", "Program timers:",
                 "  gbnn_training: ", "  loading_files: ", "  total_time: "):
        assert f"[INFO ] {text}" in out
    # Plain lines tell of progress, none of them drawn over another.
    progress = re.findall(r"^\[INFO \] (\d+) of 12 units, training loss (\S+), "
                          r"\S+ s remaining\.$", out, re.M)
    assert len(progress) >= 4 and progress[-1][0] == "12"
    losses = [float(loss) for _, loss in progress]
    assert losses == sorted(losses, reverse=True)
    assert "\r" not in out
    assert "[INFO ]" not in task.program.good(*task.train).out


def test_progress_of_a_warm_start_counts_all_units(binary):
    binary.program.good(*binary.train, "-M", "m.bin")
    out = binary.program.good(*binary.data, "-m", "m.bin", "--warm_start", "-u", 8,
                              "-v").out
    assert "20 of 20 units" in out


def on_terminal(program, *options):
    """All that the program writes to a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen([program.path, *map(str, options)],
                               cwd=program.folder, stdout=slave, stderr=slave)
    os.close(slave)
    text = b""
    try:
        while part := os.read(master, 4096):
            text += part
    except OSError:
        pass  # What Linux gives for the end of a terminal.
    os.close(master)
    assert process.wait() == 0
    return text.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_progress_bar_on_a_terminal(binary):
    text = on_terminal(binary.program, *binary.train, "-v")
    bars = re.findall(r"\r\[(=*)( *)\] (\d+) of 12 units, training loss \S+, "
                      r"\S+ s remaining", text)
    assert [int(bar[2]) for bar in bars] == list(range(1, 13))
    assert {len(bar[0]) + len(bar[1]) for bar in bars} == {30}
    assert len(bars[-1][0]) == 30
    # The line ends before the next one begins.
    assert re.search(r"12 of 12 units[^\r\n]*\r?\n", text)
    assert "units, training loss" not in on_terminal(binary.program, *binary.train)
