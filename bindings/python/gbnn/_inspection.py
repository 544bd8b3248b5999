"""Looking inside an estimator, and its files."""

from __future__ import annotations

import os
from typing import Any, List, Type, TypeVar, Union

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from ._estimator import Estimator, Table
from ._facts import Facts, facts
from ._gbnn import GBNNModel, gbnn

Path = Union[str, "os.PathLike[str]"]
Self = TypeVar("Self", bound="Inspected")


class Inspected(Estimator):
    """An estimator that can be looked at, and kept in files."""

    _regression: bool

    def _learn(self, known: Facts) -> None:
        """Take from a model what fit() would have set."""
        raise NotImplementedError

    def _column_names(self) -> List[str]:
        """What the columns are called."""
        names = getattr(self, "feature_names_in_", None)
        if names is not None:
            return [str(name) for name in names]
        return [f"column {i + 1}" for i in range(self.n_features_in_)]

    # --- Looking inside ----------------------------------------------------

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much the loss on training points rises without each column.

        That is the permutation importance on at most 2000 training points, in
        shares that add up to 1.  It is computed when it is first asked for, or
        when the model is copied or pickled, with the units that are active
        then.  What save() writes does not have it: use
        permutation_importance(), which takes any points.
        """
        check_is_fitted(self)
        if self._importances is not None:
            return self._importances
        if self._seen is None:
            raise AttributeError(
                "feature_importances_ needs training points, and a model "
                "from a file has none; use permutation_importance(X, y)")
        return self._compute_importances(self._seen)

    def permutation_importance(self, X: Table, y: Any) -> Bunch:
        """How much the mean loss rises when a column is shuffled.

        Use points that the model was not trained on, if there are any.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)

        Returns
        -------
        Bunch
            `importances_mean` and `importances_std`, over five repeats, and
            `gradients_mean`, by how much the prediction changes on average when
            the column does by one standard deviation; each of shape
            (n_features,).

        Examples
        --------
        >>> from mlpack_gbnn import GBNNClassifier
        >>> X = [[i % 7, i % 2] for i in range(70)]
        >>> y = ["odd" if row[1] else "even" for row in X]
        >>> model = GBNNClassifier(hidden_units=10, random_state=1).fit(X, y)
        >>> int(model.permutation_importance(X, y).importances_mean.argmax())
        1
        """
        result = self._call(test=self._validated(X), importance=True,
                            **self._target("test_", y))["importances"]
        return Bunch(importances_mean=result[:, 0],
                     importances_std=result[:, 1], gradients_mean=result[:, 2])

    def partial_dependence(self, X: Table, column: Union[str, int]) -> Bunch:
        """The mean prediction if a column has the same value in all points.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        column : str or int
            The name of the column, or its number from 0 on.

        Returns
        -------
        Bunch
            `grid_values`, values of the column (or its categories, and NaN
            if words were missing in training), and `average`, the mean probability of each class, or each response,
            of shape (n_outputs, n_values).
        """
        X = self._validated(X)
        place = self._place(column)
        known = facts(self.model_)
        # Names of their own: those of the columns may be there twice.
        names = [str(i) for i in range(1, self.n_features_in_ + 1)]
        result = self._call(
            test=X, test_column_names=known.names or None, column_names=names,
            dependence=names[place])["partial_dependence"]
        values = result[:, 0]
        categories = known.categories[place]
        if categories:
            values = np.array([np.nan if np.isnan(place) else
                               categories[int(place)] for place in values],
                              dtype=object)
        return Bunch(grid_values=values, average=result[:, 1:].T)

    def _place(self, column: Union[str, int]) -> int:
        """The number of a column, from 0 on."""
        names = self._column_names()
        if column in names:
            return names.index(str(column))
        if isinstance(column, (int, np.integer)) and \
                0 <= column < self.n_features_in_:
            return int(column)
        raise ValueError(f"there is no column {column!r}; there are "
                         f"{', '.join(names)}, or numbers from 0 to "
                         f"{self.n_features_in_ - 1}")

    def staged_scores(self, X: Table, y: Any) -> NDArray[np.float64]:
        """The score for each number of active hidden units.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)

        Returns
        -------
        ndarray of shape (n_units + 1, 2)
            The number of units, and the accuracy, or the error that goes with
            the loss (for the squared one, the root mean squared error).
        """
        scores: NDArray[np.float64] = self._call(
            test=self._validated(X), **self._target("test_", y)
        )["staged_scores"]
        return scores

    @property
    def training_losses_(self) -> NDArray[np.float64]:
        """The learning curve, of shape (n_stages + 1, 2 or 3).

        Columns: number of hidden units, mean loss on the training data while
        units were added, and on the validation data, if there was any.
        """
        check_is_fitted(self)
        losses: NDArray[np.float64] = gbnn(
            input_model=self.model_)["training_losses"]
        return losses

    # --- Files -------------------------------------------------------------

    def report(self, path: Path, X: Table, y: Any = None) -> None:
        """Write a page of HTML about the model to a file.

        Parameters
        ----------
        path : str or path
            The file; its name ends in .html.
        X : array-like or DataFrame of shape (n_samples, n_features)
            Points to look at the model with, best those of a test.
        y : array-like, optional
            Their labels or responses; with them, the page has scores, too.
        """
        X = self._validated(X)
        target = {} if y is None else self._target("test_", y)
        self._call(test=X, report=os.fspath(path), **target)

    def export(self, path: Path) -> None:
        """Write the model for programs that know nothing of mlpack.

        Parameters
        ----------
        path : str or path
            The file; its name ends in .onnx for ONNX, or .h for C.
        """
        check_is_fitted(self)
        self._call(export=os.fspath(path))

    def save(self, path: Path) -> None:
        """Write the model to a file that all languages and mlpack_gbnn read.

        Unlike a pickle, it has the model only, not the parameters with which
        it was trained.

        Parameters
        ----------
        path : str or path
            The file; its name ends in .bin, .json or .xml.
        """
        check_is_fitted(self)
        self.model_.save(path)

    @classmethod
    def load(cls: Type[Self], path: Path, **parameters: Any) -> Self:
        """A fitted estimator with a model that any language has saved.

        Parameters
        ----------
        path : str or path
            The file; its name ends in .bin, .json or .xml.
        **parameters
            Parameters of the estimator, as active_units; the others have
            their defaults, whatever the model was trained with.
        """
        model = GBNNModel.load(path)
        known = facts(model)
        if known.regression != cls._regression:
            kind, right = ("regression", "GBNNRegressor") \
                if known.regression else ("classification", "GBNNClassifier")
            raise ValueError(f"'{path}' has a model for {kind}; use "
                             f"{right}.load()")
        estimator = cls(**parameters)
        estimator.model_ = model
        estimator.n_features_in_ = len(known.categories)
        if known.names:
            estimator.feature_names_in_ = np.array(known.names, dtype=object)
        estimator._learn(known)
        return estimator
