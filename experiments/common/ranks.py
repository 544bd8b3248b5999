"""Mean scores of methods on tasks, their ranks, and Nemenyi's test."""

import math

import numpy as np
from scipy import stats


class Scores:
    """Mean scores and seconds of methods on tasks, over folds they share."""

    def __init__(self, lines, regression, folds):
        self.lines, self.regression, self.folds = lines, regression, folds

    def shared(self, task, names):
        """The folds that all of some methods have been run on."""
        return [fold for fold in range(self.folds) if
                all((task, fold, name) in self.lines for name in names)]

    def mean(self, task, name, folds, what="score"):
        """NaN if a fold was not finished."""
        values = [self.lines[task, fold, name].get(what, math.nan)
                  for fold in folds]
        return float(np.mean(values))

    def badness(self, task, name, folds):
        """Less is better; what was not finished is worst."""
        mean = self.mean(task, name, folds)
        if math.isnan(mean):
            return math.inf
        # Equal up to rounding is equal.
        return float(f"{mean if self.regression[task] else 1 - mean:.9g}")


def page_table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def critical_difference(methods, tasks):
    """Nemenyi's, at .05."""
    q = stats.studentized_range.ppf(0.95, methods, np.inf) / math.sqrt(2)
    return q * math.sqrt(methods * (methods + 1) / (6 * tasks))


def nemenyi(difference, methods, tasks):
    """How likely two mean ranks differ by so much if methods are equal."""
    error = math.sqrt(methods * (methods + 1) / (6 * tasks))
    return float(stats.studentized_range.sf(
        abs(difference) / error * math.sqrt(2), methods, np.inf))


def mean_ranks(scores, tasks, names):
    """Mean rank of each method, and on how many tasks, p and the difference
    that counts."""
    ranks = []
    for task in tasks:
        folds = scores.shared(task, names)
        if folds:
            ranks.append(stats.rankdata([scores.badness(task, name, folds)
                                         for name in names]))
    if not ranks:
        return {}, 0, math.nan, math.nan
    ranks = np.array(ranks)
    p = math.nan
    if len(names) > 2 and len(ranks) > 1 and ranks.std() > 0:
        p = stats.friedmanchisquare(*ranks.T).pvalue
    return (dict(zip(names, ranks.mean(axis=0))), len(ranks), p,
            critical_difference(len(names), len(ranks))
            if len(names) > 1 else math.nan)


def number(value, form):
    return "-" if math.isnan(value) else format(value, form)
