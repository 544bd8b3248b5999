"""Times training through Python: call.py PREFIX UNITS ITERATIONS ROUNDS."""

import json
import sys
import time

from harness.data import read_matrix
from mlpack_gbnn import gbnn

prefix, units, iterations, rounds = sys.argv[1], *map(int, sys.argv[2:])
points = read_matrix(prefix + ".train.bin")
labels = read_matrix(prefix + ".train_targets.bin").ravel()
best = {"call_wall": 1e300, "call_cpu": 1e300}
for _ in range(rounds):
    wall, cpu = time.perf_counter(), time.process_time()
    gbnn(training=points, labels=labels, hidden_units=units,
         max_iterations=iterations, optimizer="lbfgs", tolerance=0.0, seed=1)
    best["call_wall"] = min(best["call_wall"], time.perf_counter() - wall)
    best["call_cpu"] = min(best["call_cpu"], time.process_time() - cpu)
print(json.dumps(best))
