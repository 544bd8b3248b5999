"""Pictures of fitted estimators, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

if TYPE_CHECKING:
    from ._inspection import Inspected

__all__ = ["plot_learning_curve", "plot_units", "plot_importances",
           "plot_dependence"]


def _axes(ax: Any) -> Any:
    """The axes to draw on: those given, or those of a new figure."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            "pictures need matplotlib, which is not installed; install it "
            "with 'pip install matplotlib', or on Debian with 'apt install "
            "python3-matplotlib'", name="matplotlib") from error
    return pyplot.subplots()[1]


def plot_learning_curve(model: Inspected, *, ax: Any = None) -> Any:
    """Draw the mean loss against the hidden units, as boosting added them.

    Parameters
    ----------
    model : GBNNClassifier or GBNNRegressor
        A fitted estimator.
    ax : matplotlib Axes, optional
        Where to draw; a new figure, unless it is given.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from mlpack_gbnn import GBNNRegressor, plot_learning_curve
    >>> X = [[i / 10] for i in range(100)]
    >>> y = [row[0] ** 2 for row in X]
    >>> model = GBNNRegressor(hidden_units=30, random_state=1)
    >>> ax = plot_learning_curve(model.fit(X[::2], y[::2],
    ...                                    eval_set=(X[1::2], y[1::2])))
    >>> print(ax.get_xlabel())
    hidden units
    """
    losses = model.training_losses_
    ax = _axes(ax)
    ax.plot(losses[:, 0], losses[:, 1], label="training data")
    if losses.shape[1] > 2:
        ax.plot(losses[:, 0], losses[:, 2], label="validation data")
        best = int(losses[:, 2].argmin())
        ax.plot(losses[best, 0], losses[best, 2], "o", color="C1",
                label=f"kept: {int(losses[best, 0])} units")
    ax.set(xlabel="hidden units", ylabel="mean loss while boosting")
    ax.legend()
    return ax


def plot_units(model: Inspected, X: Any, y: Any, *, ax: Any = None) -> Any:
    """Draw the accuracy, or the error, against the active hidden units.

    Parameters
    ----------
    model : GBNNClassifier or GBNNRegressor
        A fitted estimator.
    X, y : array-like
        Points that it was not trained on, and their labels or responses.
    ax : matplotlib Axes, optional
        Where to draw; a new figure, unless it is given.

    Returns
    -------
    matplotlib Axes
    """
    scores = model.staged_scores(X, y)
    ax = _axes(ax)
    ax.plot(scores[:, 0], scores[:, 1])
    ax.set(xlabel="active hidden units",
           ylabel="accuracy" if hasattr(model, "classes_") else "error")
    return ax


def plot_importances(model: Inspected, X: Any = None, y: Any = None, *,
                     top: int = 20, ax: Any = None) -> Any:
    """Draw how important the columns are, the most important first.

    Parameters
    ----------
    model : GBNNClassifier or GBNNRegressor
        A fitted estimator.
    X, y : array-like, optional
        Points to measure on, best those that it was not trained on.  Without
        them, feature_importances_ is drawn.
    top : int
        Number of columns to draw at most.
    ax : matplotlib Axes, optional
        Where to draw; a new figure, unless it is given.

    Returns
    -------
    matplotlib Axes
    """
    if (X is None) != (y is None):
        raise ValueError("X and y go together: give both or none of them")
    if X is None:
        means, deviations = model.feature_importances_, None
        label = "share of the importance, on training points"
    else:
        found = model.permutation_importance(X, y)
        means, deviations = found.importances_mean, found.importances_std
        label = "rise of the mean loss when the column is shuffled"
    order = np.argsort(-means, kind="stable")[:top]
    names = model._column_names()
    ax = _axes(ax)
    ax.barh([names[i] for i in order], means[order],
            xerr=None if deviations is None else deviations[order])
    ax.invert_yaxis()
    ax.set(xlabel=label)
    return ax


def plot_dependence(model: Inspected, X: Any, column: Union[str, int], *,
                    ax: Any = None) -> Any:
    """Draw the mean prediction against the values of a column.

    Parameters
    ----------
    model : GBNNClassifier or GBNNRegressor
        A fitted estimator.
    X : array-like
        Points over which predictions are averaged.
    column : str or int
        The name of the column, or its number from 0 on.
    ax : matplotlib Axes, optional
        Where to draw; a new figure, unless it is given.

    Returns
    -------
    matplotlib Axes
    """
    found = model.partial_dependence(X, column)
    lines = list(enumerate(found.average))
    classes: Optional[Any] = getattr(model, "classes_", None)
    ax = _axes(ax)
    # Of two probabilities one is enough.
    if classes is not None and len(classes) == 2:
        lines = lines[1:]
    values, style = found.grid_values, {}
    if values.dtype == object:
        values = [v if isinstance(v, str) else "(missing)" for v in values]
        style = {"linestyle": "none", "marker": "o"}
    for k, line in lines:
        label = f"output {k + 1}" if classes is None else str(classes[k])
        ax.plot(values, line, label=label, **style)
    ax.set(xlabel=column if isinstance(column, str)
           else model._column_names()[column],
           ylabel="mean prediction" if classes is None
           else "mean probability")
    if classes is not None or len(lines) > 1:
        ax.legend()
    return ax
