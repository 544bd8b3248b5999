"""What classification and regression have in common: their training."""

from __future__ import annotations

import difflib
import inspect
import warnings
from typing import Any, Dict, List, Optional, Tuple, Type

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _sklearn
from ._facts import facts
from ._gbnn import GBNNModel, gbnn
from ._runtime.function import _callers_level

# An array, a list of lists or a data frame.
Table = Any

# What to do instead, for parameters of gbnn() that estimators do not have.
_INSTEAD = {
    "export": "call the method export() after fit()",
    "report": "call the method report() after fit()",
    "importance": "call permutation_importance() after fit(), or look at "
                  "feature_importances_",
    "dependence": "call the method partial_dependence() after fit()",
    "gradients": "call gbnn() with input_model=model.model_",
    "validation": "call fit(X, y, eval_set=(X_val, y_val))",
    "cv": "use scikit-learn's cross_val_score()",
    "holdout": "use scikit-learn's train_test_split()",
    "seed": "it is called random_state here",
    "checkpoint": "call gbnn() itself",
    "class_weights": "it is called class_weight here",
    "loss": "labels have a loss of their own; choose one with GBNNRegressor",
    "quantiles": "only GBNNRegressor has them",
    "early_exit": "only GBNNClassifier has it",
}
# What warm starts keep; gbnn() says so, or stops, if it is given.
_KEPT = ("activation", "input_encoding", "bins", "no_scaling", "loss",
         "huber_delta", "quantiles", "non_crossing")
# Points of the training data that importances are computed on, at most.
_MAX_SEEN = 2000


def documented(text: Optional[str], parameters: type) -> str:
    """A docstring with the documentation of the parameters put in.

    Python 3.13 takes the indent off docstrings; here it is off in all.
    """
    return inspect.cleandoc(text or "").replace(
        "{parameters}", inspect.getdoc(parameters) or "")


def _row_keys(*parts: Any) -> Any:
    """A number for each row that depends on nothing but its content."""
    random = np.random.RandomState(20230101)
    keys: Any = 0
    for part in parts:
        part = np.ascontiguousarray(part, dtype=np.float64)
        part = part.reshape(len(part), -1).view(np.uint64)
        factors = random.randint(2**62, size=part.shape[1], dtype=np.uint64)
        keys = keys + part @ (2 * factors + 1)
    return keys


def _differs(value: Any, default: Any) -> bool:
    """True if a parameter is not at its default; it may be a list."""
    if default is None:
        return value is not None
    if isinstance(default, tuple) and not isinstance(value, str):
        return tuple(np.atleast_1d(value)) != default
    return bool(value != default)


class Estimator(BaseEstimator):  # type: ignore[misc]
    """Parameters, training and what predictions are made of."""

    model_: GBNNModel
    n_features_in_: int
    # Of some training points, until importances are asked for.
    _seen: Optional[Dict[str, Any]] = None
    _importances: Optional[NDArray[np.float64]] = None
    # Whether columns were called 0, 1, 2, ..., as pandas does.
    _numbered = False
    # Parameters of the first fit; of a model from a file, nobody knows.
    _kept: Dict[str, Any] = {}

    def __new__(cls: Type[Any], *args: Any, **values: Any) -> Any:
        names = cls._get_param_names()
        for name in values:
            if name in names:
                continue
            near = difflib.get_close_matches(name, names, 1)
            hint = _INSTEAD.get(name) or \
                (f"did you mean {near[0]!r}?" if near else "see its docstring")
            raise TypeError(f"{cls.__name__}() has no parameter {name!r}; "
                            f"{hint}")
        return super().__new__(cls)

    def __getstate__(self) -> Dict[str, Any]:
        # Training data is nobody's business who gets a pickle of the model;
        # what is to be known of it is computed before.
        if self._seen is not None:
            self._compute_importances(self._seen)
        state: Dict[str, Any] = super().__getstate__()
        return state

    def _more_tags(self) -> Dict[str, Any]:
        return {"allow_nan": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _seed(self, communicator: Any) -> int:
        state = self.random_state
        if isinstance(state, (int, np.integer)) and state > 0:
            seed = int(state)
        else:
            seed = int(check_random_state(state).randint(1, 2**31 - 1))
        return seed if communicator is None else int(communicator.bcast(seed))

    def _given(self) -> Dict[str, Any]:
        """The parameters of gbnn() that are not at their defaults.

        What was left at its default was not given, so that the binding does
        not warn of parameters that do not matter.
        """
        parameters = inspect.signature(type(self).__init__).parameters
        given = {name: value
                 for name, value in self.get_params(deep=False).items()
                 if _differs(value, parameters[name].default)}
        for name in ("random_state", "class_weight", "early_exit",
                     "active_units", "warm_start"):
            given.pop(name, None)
        return given

    def _training_points(self, X: Table, y: Any, sample_weight: Any,
                         communicator: Any) -> Tuple[Table, Any, Any]:
        """Points, targets and weights in an order of their own.

        A point of weight zero is a point left out, and weights that are all
        alike are none.  Stages see random samples of the points; with an order
        that follows from their content, the same points make the same model
        in whatever order they come.  Of several processes, nobody sees all
        points; there they stay in the order of the processes.
        """
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X)
        if communicator is not None:
            return X, y, weights
        if weights is not None:
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

    def _goes_on(self) -> bool:
        """True if fit() is to add units to the model there is."""
        return bool(self.warm_start) and hasattr(self, "model_")

    def _kept_now(self) -> Dict[str, Any]:
        """The parameters that a warm start does not change."""
        return {name: np.copy(value).tolist() for name, value in
                self.get_params(deep=False).items() if name in _KEPT}

    def _changes(self) -> Dict[str, Any]:
        """Of these parameters, those that are not what they were."""
        parameters = inspect.signature(type(self).__init__).parameters
        changes: Dict[str, Any] = {}
        for name, value in self._kept_now().items():
            old = self._kept.get(name, parameters[name].default)
            same = np.array_equal(np.atleast_1d(value), np.atleast_1d(old))
            changes[name] = None if same else getattr(self, name)
            # gbnn() takes a flag that is not set for one not given.
            if changes[name] is False:
                warnings.warn(f"'{name}' ignored because the input model has "
                              "its own!", stacklevel=_callers_level())
        return changes

    def _target(self, name: str, y: Any) -> Dict[str, Any]:
        """The targets y as those of gbnn()'s `name`, like 'test_'."""
        raise NotImplementedError

    def _validation(self, eval_set: Any) -> Dict[str, Any]:
        """The points to stop early with as gbnn() takes them."""
        if eval_set is None:
            return {}
        pair = eval_set
        if isinstance(pair, list) and len(pair) == 1:
            pair = pair[0]
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ValueError("eval_set must be a pair (X, y), or a list with "
                             f"one such pair, but is {type(eval_set).__name__}"
                             + (f" of {len(eval_set)}" if hasattr(
                                 eval_set, "__len__") else ""))
        return {"validation": _sklearn.validate(self, pair[0]),
                **self._target("validation_", pair[1])}

    def _train(self, X: Table, weights: Any, targets: Dict[str, Any],
               eval_set: Any, communicator: Any, **more: Any) -> Any:
        given = {**self._given(), **more, **self._validation(eval_set)}
        if self._goes_on():
            given.update(warm_start=True, input_model=self.model_,
                         **self._changes())
        else:
            given["seed"] = self._seed(communicator)
        names = getattr(self, "feature_names_in_", None)
        if names is not None:
            given["column_names"] = list(names)
        if communicator is not None:
            given["communicator"] = communicator
        kept = self._kept if self._goes_on() else self._kept_now()
        self.model_ = gbnn(training=X, weights=weights, **targets,
                           **given)["output_model"]
        self._kept = kept
        self._remember(X, targets)
        return self

    def _remember(self, X: Table, targets: Dict[str, Any]) -> None:
        """Keep some points to compute importances on, if that is asked for."""
        size = len(X)
        some = np.unique(np.linspace(0, size - 1, min(size, _MAX_SEEN),
                                     dtype=int))
        self._importances = None
        self._seen = {"test": _sklearn.rows(X, some),
                      **{"test_" + name: values[some]
                         for name, values in targets.items()}}

    def _compute_importances(self, seen: Dict[str, Any]
                             ) -> NDArray[np.float64]:
        """Importances on the points kept, which are let go of then."""
        rise = self._call(**seen, importance=True)["importances"]
        rise = np.maximum(rise[:, 0], 0)
        importances: NDArray[np.float64] = rise / (rise.sum() or 1)
        self._importances = importances
        self._seen = None
        return importances

    def _validated(self, X: Table) -> Table:
        check_is_fitted(self)
        return _sklearn.validate(self, X)

    def _call(self, units: Optional[int] = None, **options: Any) -> Any:
        """gbnn() with the model, with some or all units active."""
        units = self.active_units if units is None else units
        if units != -1:
            options["active_units"] = units
        return gbnn(input_model=self.model_, **options)

    def _stages(self) -> List[int]:
        """The numbers of hidden units after each stage."""
        return facts(self.model_).stage_ends
