"""GBNN on scikit-learn's MLPRegressor, straight from the paper.

Each stage is an MLPRegressor of J units fitted to the pseudo-residuals on a
subsample; its Newton step is taken on all points.  In the end the stages are
merged into one network.
"""

import warnings

import numpy as np
from scipy.special import expit, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPRegressor


class SquaredError:
    """Regression: y is the response."""

    def encode(self, y):
        return y.reshape(-1, 1)

    def start(self, y):
        return y.mean(axis=0)

    def gradient_and_curvature(self, y, scores):
        return y - scores, np.ones_like(y)

    def decide(self, scores):
        return scores[:, 0]


class Logistic:
    """Two classes: y is -1 or 1, the loss ln(1 + exp(-2 y F))."""

    def encode(self, y):
        return np.where(y == 1, 1.0, -1.0).reshape(-1, 1)

    def start(self, y):
        mean = y.mean(axis=0)
        return 0.5 * np.log((1 + mean) / (1 - mean))

    def gradient_and_curvature(self, y, scores):
        residuals = 2 * y * expit(-2 * y * scores)
        return residuals, residuals * (2 * y - residuals)

    def decide(self, scores):
        return (scores[:, 0] > 0).astype(float)


class CrossEntropy:
    """Several classes: y is one-hot, the probabilities are a softmax."""

    def encode(self, y):
        return np.eye(int(y.max()) + 1)[y.astype(int)]

    def start(self, y):
        return np.zeros(y.shape[1])

    def gradient_and_curvature(self, y, scores):
        p = softmax(scores, axis=1)
        return y - p, p * (1 - p)

    def decide(self, scores):
        return scores.argmax(axis=1).astype(float)


class PaperGBNN:
    """The settings are those of the other contestants."""

    def __init__(self, classes, units, seed, rate=0.1, subsample=0.75):
        self.loss = {0: SquaredError, 2: Logistic}.get(classes, CrossEntropy)()
        self.units_per_stage = 1 if classes == 2 else 3
        self.units, self.rate, self.subsample = units, rate, subsample
        self.random = np.random.RandomState(seed)

    def fit(self, x, y):
        y = self.loss.encode(y)
        self.bias = self.loss.start(y)
        scores = np.tile(self.bias, (len(x), 1))
        layers = []
        for first in range(0, self.units, self.units_per_stage):
            size = min(self.units_per_stage, self.units - first)
            residuals, curvature = self.loss.gradient_and_curvature(y, scores)
            w1, b1, w2, b2 = self.fit_stage(x, residuals, size)
            h = expit(x @ w1 + b1) @ w2 + b2
            below = (curvature * h * h).sum(axis=0)
            step = np.divide((residuals * h).sum(axis=0), below,
                             out=np.zeros_like(below), where=below > 0)
            scores += self.rate * step * h
            layers.append((w1, b1, self.rate * step * w2))
            self.bias = self.bias + self.rate * step * b2
        self.w1, self.b1, self.w2 = (
            np.concatenate(parts, axis) for parts, axis in
            zip(zip(*layers), (1, 0, 0)))
        return self

    def fit_stage(self, x, residuals, size):
        chosen = self.random.choice(len(x), int(self.subsample * len(x)),
                                    replace=False)
        stage = MLPRegressor((size,), activation="logistic", solver="lbfgs",
                             max_iter=200, tol=0.0, random_state=self.random)
        target = residuals[chosen]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            stage.fit(x[chosen], target[:, 0] if target.shape[1] == 1
                      else target)
        return (stage.coefs_[0], stage.intercepts_[0],
                stage.coefs_[1], stage.intercepts_[1])

    def predict(self, x):
        return self.loss.decide(expit(x @ self.w1 + self.b1) @ self.w2
                                + self.bias)
