"""scikit-learn estimators on top of gbnn()."""

import inspect
import re

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _sklearn
from ._gbnn import _parameters, gbnn

__all__ = ["GBNNClassifier", "GBNNRegressor"]

# The parameters of the method itself: plain values that shape the model.  What
# gbnn_main.cpp declares is what the estimators have, but for those that
# classifiers only have.
_PLAIN = ("flag", "int", "double", "string")
_METHOD = [p.name for p in _parameters if p.input and p.kind in _PLAIN
           and p.name not in ("seed", "verbose", "class_weights",
                              "early_exit", "target", "task", "cv",
                              "holdout")]
_DEFAULTS = {name: inspect.signature(gbnn).parameters[name].default
             for name in _METHOD}


def _constructor(**more):
    """The constructor whose signature scikit-learn inspects."""
    defaults = {**_DEFAULTS, **more, "random_state": None}

    def __init__(self, **values):
        for name, default in defaults.items():
            setattr(self, name, values.pop(name, default))
        if values:
            raise TypeError(f"{type(self).__name__}() got an unexpected "
                            f"parameter {next(iter(values))!r}")

    self = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    __init__.__signature__ = inspect.Signature(self + [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY,
                          default=default)
        for name, default in defaults.items()])
    return __init__


def _documented(own, more=""):
    """A class's docstring, and what gbnn() says of its parameters.

    Python 3.13 takes the indent off docstrings; here it is off in all.
    """
    entries = dict(re.findall(r"^(\w+ : .*)\n((?:    .*\n)+)",
                              inspect.getdoc(gbnn), re.M))
    text = "".join(f"{head}\n{body}" for head, body in entries.items()
                   if head.split(" : ")[0] in _METHOD)
    return (inspect.cleandoc(own) + "\n\nParameters\n----------\n" + text +
            more + "random_state : int, RandomState instance or None\n"
            "    A positive number is the seed of gbnn() itself.\n")


def _row_keys(*parts):
    """A number for each row that depends on nothing but its content."""
    random = np.random.RandomState(20230101)
    keys = 0
    for part in parts:
        part = np.ascontiguousarray(part, dtype=np.float64)
        part = part.reshape(len(part), -1).view(np.uint64)
        factors = random.randint(2**62, size=part.shape[1], dtype=np.uint64)
        keys = keys + part @ (2 * factors + 1)
    return keys


class _GBNNEstimator(BaseEstimator):
    """What classification and regression have in common."""

    __init__ = _constructor()

    def _more_tags(self):
        return {"allow_nan": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _seed(self):
        state = self.random_state
        if isinstance(state, (int, np.integer)) and state > 0:
            return int(state)
        return int(check_random_state(state).randint(1, 2**31 - 1))

    def _training_points(self, X, y, sample_weight):
        """Points, targets and weights in an order of their own.

        A point of weight zero is a point left out, and weights that are all
        alike are none.  Stages see random samples of the points; with an order
        that follows from their content, the same points make the same model
        in whatever order they come.
        """
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X)
            keep = weights != 0
            if not keep.any():
                raise ValueError("All samples have zero weight; no class or "
                                 "response is left to train on.")
            if not keep.all():
                X, y, weights = _sklearn.rows(X, keep), y[keep], weights[keep]
            if weights[0] > 0 and (weights == weights[0]).all():
                weights = None
        extra = [y] if weights is None else [y, weights]
        order = np.argsort(_row_keys(_sklearn.numbers(X), *extra),
                           kind="stable")
        return (_sklearn.rows(X, order), y[order],
                None if weights is None else weights[order])

    def _goes_on(self):
        """True if fit() is to add units to the model there is."""
        return self.warm_start and hasattr(self, "model_")

    def _train(self, X, weights, **targets):
        # What was left at its default was not given, so that the binding does
        # not warn of parameters that do not matter.
        given = {name: getattr(self, name) for name in _METHOD
                 if getattr(self, name) != _DEFAULTS[name]}
        given.pop("active_units", None)
        given.pop("warm_start", None)
        if self._goes_on():
            given.update(warm_start=True, input_model=self.model_)
            for own in ("activation", "input_encoding", "bins", "no_scaling"):
                given.pop(own, None)
        else:
            given["seed"] = self._seed()
        self.model_ = gbnn(training=X, weights=weights, **given,
                           **targets)["output_model"]
        return self

    def _output(self, X, name, units=None, **options):
        """An output for validated points, with some or all units active."""
        units = self.active_units if units is None else units
        if units == _DEFAULTS["active_units"]:
            units = None
        return gbnn(test=X, input_model=self.model_, active_units=units,
                    **options)[name]

    def _validated(self, X):
        check_is_fitted(self)
        return _sklearn.validate(self, X)

    def _stages(self, X):
        """The numbers of hidden units after each stage."""
        scores = gbnn(test=_sklearn.rows(X, slice(0, 1)), active_units=None,
                      input_model=self.model_, **self._any_target())
        units = int(scores["staged_scores"][-1, 0])
        step = self.units_per_stage or self._default_units_per_stage()
        return list(range(step, units, step)) + [units]


def _label_names(classes):
    """What gbnn() is to call the classes, in their order.

    Words and whole numbers are called what they are, so that the model says
    them wherever it goes; anything else gets numbers from 0 on.
    """
    if classes.dtype.kind in "iu":
        return classes.astype(np.float64)
    names = np.array([str(label) for label in classes.tolist()])
    ordered = len(set(names.tolist())) == len(names) and \
        sorted(names.tolist()) == names.tolist()
    if classes.dtype.kind in "UbO" and ordered:
        return names
    return np.arange(len(classes), dtype=np.float64)


class GBNNClassifier(ClassifierMixin, _GBNNEstimator):
    """Classification with a gradient boosted neural network.

    Takes arrays, and data frames whose columns hold categories, strings or
    booleans; missing values are filled in.  Labels are of any type.
    """

    __doc__ = _documented(
        __doc__,
        "class_weight : dict, 'balanced' or None\n"
        "    Weights of the classes, which multiply those of the points;\n"
        "    with 'balanced', all classes weigh the same together.\n"
        "early_exit : float\n"
        "    Share of the predicted labels that may differ from those of\n"
        "    all active units, when the prediction of a point ends as soon\n"
        "    as its label is decided; 0 means none, -1 no early exit.\n")
    __init__ = _constructor(class_weight=None, early_exit=-1.0)

    def _class_weights(self):
        """class_weight as gbnn() takes it."""
        given = self.class_weight
        if given is None:
            return {}
        if isinstance(given, str) and given == "balanced":
            return {"class_weights": given}
        if not hasattr(given, "items"):
            raise ValueError("class_weight must be a dict, 'balanced' or None, "
                             f"but is {given!r}")
        classes = self.classes_.tolist()
        # As in scikit-learn, a class that does not occur is a mistake unless
        # all that do are mentioned.
        unknown = [label for label in given if label not in classes]
        if unknown and not set(classes) <= set(given):
            raise ValueError(f"class_weight has a weight of {unknown[0]!r}, "
                             "which is none of the classes")
        pairs = [f"{self._names[classes.index(label)]}:{float(weight)!r}"
                 for label, weight in given.items() if label in classes]
        return {"class_weights": ",".join(pairs)} if pairs else {}

    def fit(self, X, y, sample_weight=None):
        """Train on points X with labels y.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        goes_on = self._goes_on()
        X, y = _sklearn.validate(self, X, y, reset=not goes_on)
        check_classification_targets(y)
        # Coded before points are sorted by content, which strings are not.
        labels, codes = np.unique(y, return_inverse=True)
        X, codes, weights = self._training_points(X, codes.astype(float),
                                                  sample_weight)
        y = labels[codes.astype(int)]
        if not goes_on:
            self.classes_ = np.unique(y)
        codes = np.searchsorted(self.classes_, y)
        known = codes < len(self.classes_)
        if not (known.all() and (self.classes_[codes] == y).all()):
            raise ValueError("With warm_start, all classes must be among "
                             "those of the first fit.")
        self._names = _label_names(self.classes_)
        return self._train(X, weights, labels=self._names[codes],
                           **self._class_weights())

    def _decoded(self, predictions):
        """Labels as gbnn() predicts them, as classes."""
        if self._names.dtype.kind != "U":
            return self.classes_[np.searchsorted(self._names, predictions)]
        places = {name: k for k, name in enumerate(self._names.tolist())}
        return self.classes_[[places[name] for name in predictions.tolist()]]

    def _default_units_per_stage(self):
        # As gbnn() says of units_per_stage.
        return 1 if len(self.classes_) == 2 else 3

    def _any_target(self):
        return {"test_labels": self._names[:1]}

    def predict(self, X):
        """The likeliest class of each point."""
        return self._decoded(self._output(self._validated(X), "predictions",
                                          **self._early_exit()))

    def predict_proba(self, X):
        """The probability of each class, in the order of classes_."""
        return self._probabilities(self._validated(X), **self._early_exit())

    def _early_exit(self):
        return {} if self.early_exit == -1 else {"early_exit": self.early_exit}

    def units_used(self, X):
        """The number of hidden units that predicting each point takes."""
        X = self._validated(X)
        options = self._early_exit() or {"early_exit": 0.0}
        return self._output(X, "units_used", **options).astype(int)

    def _probabilities(self, X, units=None, **options):
        probabilities = self._output(X, "probabilities", units, **options)
        if len(self.classes_) == 1:
            return np.ones((len(probabilities), 1))
        return probabilities

    def predict_log_proba(self, X):
        """The logarithms of predict_proba()."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def staged_predict(self, X):
        """Predictions after each stage of boosting, one after the other."""
        X = self._validated(X)
        for units in self._stages(X):
            yield self._decoded(self._output(X, "predictions", units))

    def staged_predict_proba(self, X):
        """Probabilities after each stage of boosting."""
        X = self._validated(X)
        for units in self._stages(X):
            yield self._probabilities(X, units)


class GBNNRegressor(RegressorMixin, _GBNNEstimator):
    """Regression with a gradient boosted neural network.

    Takes arrays, and data frames whose columns hold categories, strings or
    booleans; missing values are filled in.  There may be several responses.
    """

    __doc__ = _documented(__doc__)

    def _more_tags(self):
        return {"multioutput": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X, y, sample_weight=None):
        """Train on points X with responses y.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        X, y = _sklearn.validate(self, X, y, multi_output=True,
                                 reset=not self._goes_on())
        X, y, weights = self._training_points(X, y, sample_weight)
        self.n_outputs_ = 1 if y.ndim == 1 else y.shape[1]
        self._flat = y.ndim == 1
        return self._train(X, weights, responses=y)

    def _default_units_per_stage(self):
        return 3

    def _any_target(self):
        return {"test_responses": np.zeros((1, self.n_outputs_))}

    def _responses(self, X, units=None):
        result = self._output(X, "output_predictions", units)
        flat = self._flat and result.shape[1] == 1
        return result.reshape(-1) if flat else result

    def predict(self, X):
        """The response of each point; of several quantiles, one a column."""
        return self._responses(self._validated(X))

    def staged_predict(self, X):
        """Predictions after each stage of boosting, one after the other."""
        X = self._validated(X)
        for units in self._stages(X):
            yield self._responses(X, units)
