"""Answers as the program in C++ does (see cpp/main.cpp), for Python's peers."""

import json
import math
import os
import sys
import time
import warnings

import numpy as np

from harness.data import read_matrix


def paper_gbnn(classes, size, seed, threads):
    from peers.paper_gbnn import PaperGBNN
    return PaperGBNN(classes, size, seed)


def mlp(solver):
    def make(classes, size, seed, threads):
        from sklearn.compose import TransformedTargetRegressor
        from sklearn.neural_network import MLPClassifier, MLPRegressor
        from sklearn.preprocessing import StandardScaler
        if classes > 0:
            return MLPClassifier((size,), solver=solver, random_state=seed)
        # Without scaled responses these networks hardly learn.
        return TransformedTargetRegressor(
            MLPRegressor((size,), solver=solver, random_state=seed),
            transformer=StandardScaler())
    return make


def xgboost(classes, size, seed, threads):
    from xgboost import XGBClassifier, XGBRegressor
    kind = XGBClassifier if classes > 0 else XGBRegressor
    return kind(n_estimators=size, tree_method="hist", n_jobs=threads,
                random_state=seed)


CONTESTANTS = {"paper_gbnn": paper_gbnn, "mlp_adam": mlp("adam"),
               "mlp_lbfgs": mlp("lbfgs"), "xgboost": xgboost}


def timed(function):
    """What a function returns and how long it takes: wall, processor."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = function()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def timed_short(function, enough=0.05):
    """The fastest call of a function, which is called for a while."""
    stop = time.perf_counter() + enough
    best_wall = best_cpu = math.inf
    while True:
        result, wall, cpu = timed(function)
        best_wall, best_cpu = min(best_wall, wall), min(best_cpu, cpu)
        if time.perf_counter() > stop:
            return result, best_wall, best_cpu


def compete(threads, name, prefix, classes, size, seed):
    classes, size, seed = int(classes), int(size), int(seed)
    train, test, y, y_test = (
        read_matrix(f"{prefix}.{part}.bin")
        for part in ("train", "test", "train_targets", "test_targets"))
    y, y_test = y.ravel(), y_test.ravel()
    model = CONTESTANTS[name](classes, size, seed, threads)
    # Importing happens above; nothing but training is timed here.
    _, train_wall, train_cpu = timed(lambda: model.fit(train, y))
    model.predict(test)
    found, wall, cpu = timed_short(lambda: model.predict(test))
    score = (np.mean(found == y_test) if classes > 0
             else np.sqrt(np.mean((found - y_test) ** 2)))
    return {"train_wall": train_wall, "train_cpu": train_cpu,
            "predict_wall": wall, "predict_cpu": cpu, "score": float(score)}


def predict(threads, name, points, dimensionality, size, rounds):
    """Prediction of many generated points."""
    random = np.random.RandomState(1)
    x = random.randn(20000, int(dimensionality))
    y = (x[:, 0] * x[:, 1] + np.sin(2 * x[:, 2]) + 0.5 * x[:, 3] > 0)
    model = CONTESTANTS[name](2, int(size), 1, threads).fit(x, y.astype(float))
    many = random.randn(int(points), int(dimensionality)).astype(np.float32)
    walls, cpus = zip(*(timed(lambda: model.predict(many))[1:]
                        for _ in range(int(rounds))))
    return {"all_wall": min(walls), "all_cpu": min(cpus)}


def main():
    warnings.simplefilter("ignore")
    threads = int(os.environ["OMP_NUM_THREADS"])
    tasks = {"compete": compete, "predict": predict}
    for line in sys.stdin:
        task, *arguments = line.split()
        print(json.dumps(tasks[task](threads, *arguments)), flush=True)


if __name__ == "__main__":
    main()
