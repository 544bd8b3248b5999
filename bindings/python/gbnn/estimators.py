"""scikit-learn estimators on top of gbnn()."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Optional

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array

from . import _sklearn
from ._constructors import ClassifierParameters, RegressorParameters
from ._estimator import Table, documented
from ._facts import Facts
from ._inspection import Inspected
from ._runtime.convert import from_words, is_number

__all__ = ["GBNNClassifier", "GBNNRegressor"]


def _label_names(classes: Any) -> Any:
    """What gbnn() is to call the classes, in their order.

    Words, booleans and whole numbers are called what they are, so that the
    model says them wherever it goes; anything else gets numbers from 0 on.
    """
    labels = classes.tolist()
    if all(is_number(label) and abs(label) <= 2**53 for label in labels):
        return classes.astype(np.float64)
    names = np.array([str(label) for label in labels])
    ordered = len(set(names.tolist())) == len(names) and \
        sorted(names.tolist()) == names.tolist()
    if classes.dtype.kind in "UbO" and ordered:
        return names
    return np.arange(len(classes), dtype=np.float64)


class GBNNClassifier(ClassifierMixin, ClassifierParameters,  # type: ignore
                     Inspected):
    """Classification with a gradient boosted neural network.

    Takes arrays, and data frames whose columns hold categories, strings or
    booleans; missing values are filled in.  Labels are of any type.

    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, of the type in which they were given.
    feature_importances_ : ndarray of shape (n_features_in_,)
        How much the loss on training points rises without each column, in
        shares that add up to 1; computed when it is first asked for.
    training_losses_ : ndarray of shape (n_stages + 1, 2 or 3)
        The learning curve: number of hidden units, mean loss on the training
        data while they were added, and on the validation data, if any.
    model_ : GBNNModel
        The model, as gbnn() takes it.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        The names of the columns, if they have names.

    Examples
    --------
    >>> from mlpack_gbnn import GBNNClassifier
    >>> X = [[i % 7, i % 2] for i in range(70)]
    >>> y = ["odd" if row[1] else "even" for row in X]
    >>> model = GBNNClassifier(hidden_units=10, random_state=1).fit(X, y)
    >>> print(model.predict([[3, 0], [3, 1]]))
    ['even' 'odd']
    >>> model.predict_proba([[3, 0]]).shape
    (1, 2)
    """

    __doc__ = documented(__doc__, ClassifierParameters)
    _regression = False

    def _class_weights(self) -> Dict[str, Any]:
        """class_weight as gbnn() takes it."""
        given = self.class_weight
        if given is None:
            return {}
        if isinstance(given, str) and given == "balanced":
            return {"class_weights": given}
        if isinstance(given, str) or not hasattr(given, "items"):
            raise ValueError("class_weight must be a dict, 'balanced' or None, "
                             f"but is {given!r}")
        given = dict(given.items())
        classes = self.classes_.tolist()
        # As in scikit-learn, a class that does not occur is a mistake unless
        # all that do are mentioned.
        unknown = [label for label in given if label not in classes]
        if unknown and not set(classes) <= set(given):
            raise ValueError(f"class_weight has a weight of {unknown[0]!r}, "
                             "which is none of the classes")
        pairs = {self._names[classes.index(label)]: weight
                 for label, weight in given.items() if label in classes}
        return {"class_weights": pairs} if pairs else {}

    def fit(self, X: Table, y: Any, sample_weight: Any = None, *,
            eval_set: Any = None, communicator: Any = None) -> GBNNClassifier:
        """Train on points X with labels y.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
        eval_set : tuple (X, y), optional
            Points to stop early with: the number of units with the lowest
            loss on them is kept, and training ends after `patience` stages
            without a lower one.  A list with one such tuple will do.
        communicator : mpi4py.MPI.Comm, optional
            Processes that train one model together, such as MPI.COMM_WORLD.
            Each calls fit() with points of its own, and has the whole model
            then: the same whatever the number of processes, and how points
            are dealt out, as long as their order is that of the processes.

        Returns
        -------
        self
        """
        goes_on = self._goes_on()
        X, y = _sklearn.validate(self, X, _sklearn.labels(y),
                                 reset=not goes_on)
        check_classification_targets(y)
        # Coded before points are sorted by content, which strings are not.
        labels, codes = np.unique(y, return_inverse=True)
        X, codes, weights = self._training_points(X, codes.astype(float),
                                                  sample_weight, communicator)
        y = labels[codes.astype(int)]
        if not goes_on:
            self.classes_ = np.unique(y)
            if communicator is not None:
                self.classes_ = np.unique(np.concatenate(
                    communicator.allgather(self.classes_)))
            self._names = _label_names(self.classes_)
        codes = np.searchsorted(self.classes_, y)
        known = codes < len(self.classes_)
        if not (known.all() and (self.classes_[codes] == y).all()):
            raise ValueError("With warm_start, all classes must be among "
                             "those of the first fit.")
        self._train(X, weights, {"labels": self._names[codes]}, eval_set,
                    communicator, **self._class_weights())
        return self

    def _learn(self, known: Facts) -> None:
        self._names = np.array(known.words) if known.words else known.numbers
        self.classes_ = from_words(known.words) if known.words \
            else known.numbers.astype(np.int64)

    def _target(self, name: str, y: Any) -> Dict[str, Any]:
        """Labels as gbnn() knows them; it tells of those that it does not."""
        _sklearn.require_targets(self, y)
        names = dict(zip(self.classes_.tolist(), self._names.tolist()))
        words = self._names.dtype.kind == "U"
        given = [names.get(label, str(label) if words else label)
                 for label in _sklearn.labels(y).ravel().tolist()]
        return {name + "labels": np.array(given)}

    def _decoded(self, predictions: Any) -> Any:
        """Labels as gbnn() predicts them, as classes."""
        names = from_words(self._names.tolist()) \
            if self._names.dtype.kind == "U" else self._names
        return self.classes_[np.searchsorted(names, predictions)]

    def _early_exit(self) -> Dict[str, Any]:
        return {} if self.early_exit == -1 else {"early_exit": self.early_exit}

    def predict(self, X: Table) -> Any:
        """The likeliest class of each point."""
        return self._decoded(self._call(
            test=self._validated(X), **self._early_exit())["predictions"])

    def score(self, X: Table, y: Any, sample_weight: Any = None) -> float:
        """The accuracy: the share of points whose class is predicted."""
        _sklearn.require_targets(self, y)
        score: float = super().score(X, _sklearn.labels(y), sample_weight)
        return score

    def predict_proba(self, X: Table) -> NDArray[np.float64]:
        """The probability of each class, in the order of classes_."""
        return self._probabilities(self._validated(X), **self._early_exit())

    def units_used(self, X: Table) -> NDArray[np.int64]:
        """The number of hidden units that predicting each point takes."""
        options = self._early_exit() or {"early_exit": 0.0}
        used: NDArray[np.int64] = self._call(
            test=self._validated(X), **options)["units_used"].astype(np.int64)
        return used

    def _probabilities(self, X: Table, units: Optional[int] = None,
                       **options: Any) -> NDArray[np.float64]:
        probabilities: NDArray[np.float64] = self._call(
            units, test=X, **options)["probabilities"]
        return probabilities

    def predict_log_proba(self, X: Table) -> NDArray[np.float64]:
        """The logarithms of predict_proba()."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def staged_predict(self, X: Table) -> Iterator[Any]:
        """Predictions after each stage of boosting, one after the other."""
        X = self._validated(X)
        for units in self._stages():
            yield self._decoded(self._call(units, test=X)["predictions"])

    def staged_predict_proba(self, X: Table) -> Iterator[NDArray[np.float64]]:
        """Probabilities after each stage of boosting."""
        X = self._validated(X)
        for units in self._stages():
            yield self._probabilities(X, units)


class GBNNRegressor(RegressorMixin, RegressorParameters,  # type: ignore
                    Inspected):
    """Regression with a gradient boosted neural network.

    Takes arrays, and data frames whose columns hold categories, strings or
    booleans; missing values are filled in.  There may be several responses.

    {parameters}

    Attributes
    ----------
    n_outputs_ : int
        Number of responses.
    feature_importances_ : ndarray of shape (n_features_in_,)
        How much the loss on training points rises without each column, in
        shares that add up to 1; computed when it is first asked for.
    training_losses_ : ndarray of shape (n_stages + 1, 2 or 3)
        The learning curve: number of hidden units, mean loss on the training
        data while they were added, and on the validation data, if any.
    model_ : GBNNModel
        The model, as gbnn() takes it.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        The names of the columns, if they have names.

    Examples
    --------
    >>> from mlpack_gbnn import GBNNRegressor
    >>> X = [[i / 10] for i in range(100)]
    >>> y = [row[0] ** 2 for row in X]
    >>> model = GBNNRegressor(hidden_units=30, random_state=1).fit(X, y)
    >>> bool(abs(model.predict([[5.0]])[0] - 25) < 1)
    True
    >>> model = GBNNRegressor(loss="quantile", quantiles=[0.1, 0.9],
    ...                       hidden_units=30, random_state=1).fit(X, y)
    >>> model.predict([[5.0]]).shape
    (1, 2)
    """

    __doc__ = documented(__doc__, RegressorParameters)
    _regression = True

    def _more_tags(self) -> Dict[str, Any]:
        return {"multioutput": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X: Table, y: Any, sample_weight: Any = None, *,
            eval_set: Any = None, communicator: Any = None) -> GBNNRegressor:
        """Train on points X with responses y.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array-like of shape (n_samples,), optional
        eval_set : tuple (X, y), optional
            Points to stop early with: the number of units with the lowest
            loss on them is kept, and training ends after `patience` stages
            without a lower one.  A list with one such tuple will do.
        communicator : mpi4py.MPI.Comm, optional
            Processes that train one model together, such as MPI.COMM_WORLD.
            Each calls fit() with points of its own, and has the whole model
            then: the same whatever the number of processes, and how points
            are dealt out, as long as their order is that of the processes.

        Returns
        -------
        self
        """
        X, y = _sklearn.validate(self, X, y, multi_output=True,
                                 reset=not self._goes_on())
        X, y, weights = self._training_points(X, y, sample_weight,
                                              communicator)
        self.n_outputs_ = 1 if y.ndim == 1 else y.shape[1]
        self._flat = y.ndim == 1
        self._train(X, weights, {"responses": y}, eval_set, communicator)
        return self

    def _learn(self, known: Facts) -> None:
        self.n_outputs_ = known.responses
        self._flat = True

    def _target(self, name: str, y: Any) -> Dict[str, Any]:
        _sklearn.require_targets(self, y)
        return {name + "responses": check_array(
            _sklearn.plain(y), ensure_2d=False, dtype=np.float64,
            input_name="y")}

    def _responses(self, X: Table, units: Optional[int] = None) -> Any:
        result = self._call(units, test=X)["output_predictions"]
        flat = self._flat and result.shape[1] == 1
        return result.reshape(-1) if flat else result

    def predict(self, X: Table) -> NDArray[np.float64]:
        """The response of each point; of several quantiles, one a column."""
        responses: NDArray[np.float64] = self._responses(self._validated(X))
        return responses

    def score(self, X: Table, y: Any, sample_weight: Any = None) -> float:
        """The coefficient of determination, R^2; not of several quantiles."""
        _sklearn.require_targets(self, y)
        predictions = self.predict(X)
        columns = predictions.shape[1] if predictions.ndim == 2 else 1
        if columns != self.n_outputs_:
            raise ValueError(
                "score() needs one prediction for each point, but the model "
                f"has {columns} quantiles; use staged_scores(X, y)[-1, 1], "
                "which is their mean pinball loss")
        score: float = r2_score(y, predictions, sample_weight=sample_weight)
        return score

    def staged_predict(self, X: Table) -> Iterator[NDArray[np.float64]]:
        """Predictions after each stage of boosting, one after the other."""
        X = self._validated(X)
        for units in self._stages():
            yield self._responses(X, units)
