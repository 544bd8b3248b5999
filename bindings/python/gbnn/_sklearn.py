"""Checking what estimators are given, with any scikit-learn from 1.2 on."""

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length, \
    column_or_1d

from ._runtime import convert
from ._runtime.library import to_bytes

try:
    from sklearn.utils.validation import _check_feature_names, \
        _check_n_features, validate_data
except ImportError:  # Before 1.6 these were methods of the estimator.
    def validate_data(estimator, *args, **options):
        options["force_all_finite"] = options.pop("ensure_all_finite")
        return estimator._validate_data(*args, **options)

    def _check_feature_names(estimator, X, reset):
        estimator._check_feature_names(X, reset=reset)

    def _check_n_features(estimator, X, reset):
        estimator._check_n_features(X, reset=reset)


def plain(values):
    """What is to be numbers: scikit-learn drops masks and takes dates."""
    try:
        convert.check_times(values)
    except convert.Mismatch as error:
        raise TypeError(str(error)) from None
    return convert.unmasked(values)


def _require_labels(missing):
    """Refuse points without a label."""
    if any(missing):
        raise ValueError(f"y contains NaN: point {missing.index(True) + 1} "
                         "has no label; leave out the points without one")


def labels(y):
    """Labels as a plain array: pandas has types of its own for some."""
    if y is None:
        return y
    y = convert.unmasked(y)
    dtype = getattr(y, "dtype", None)
    kind = getattr(dtype, "kind", "O")
    if hasattr(y, "iloc") and y.ndim == 1 and kind in "biuf" and \
            not isinstance(dtype, np.dtype):
        _require_labels(y.isna().tolist())
        return y.to_numpy(dtype=np.dtype(bool if kind == "b" else kind + "8"))
    y = np.asarray(y)
    if y.dtype.kind == "O":
        _require_labels([convert.is_missing(label) for label in y.ravel()])
        if all(isinstance(label, (bool, np.bool_)) for label in y.ravel()):
            return y.astype(bool)
        if all(convert.is_number(label) for label in y.ravel()):
            numbers = y.astype(float)
            whole = (numbers == np.floor(numbers)) & (abs(numbers) < 2**53)
            return y.astype(np.int64) if whole.all() else numbers
    return y


def require_targets(estimator, y):
    """Refuse to do without targets, in scikit-learn's words."""
    if y is None:
        raise ValueError(f"This {type(estimator).__name__} estimator requires "
                         "y to be passed, but the target y is None.")


def _targets(estimator, y, multi_output):
    """The targets beside a data frame with categories."""
    require_targets(estimator, y)
    if multi_output:
        return check_array(y, ensure_2d=False, dtype=np.float64)
    return column_or_1d(y, warn=True)


def _require_cells(estimator, X, training):
    """Refuse an empty data frame, in scikit-learn's words."""
    for i, what in enumerate(("sample(s)", "feature(s)")):
        if X.shape[i] == 0 and (training or i == 1):
            raise ValueError(f"Found a DataFrame with 0 {what} (shape="
                             f"{X.shape}) while a minimum of 1 is required by "
                             f"{type(estimator).__name__}.")


def _named(estimator, X, reset):
    """A data frame whose columns are called by numbers, with names for them.

    scikit-learn knows words only.  The names that pandas gives to columns
    without names, 0, 1, 2, ..., are none.
    """
    if reset:
        estimator._numbered = False
    if not convert.is_frame(X) or \
            any(isinstance(name, str) for name in X.columns):
        return X
    names, places = [list(map(str, of))
                     for of in (X.columns, range(X.shape[1]))]
    known = getattr(estimator, "feature_names_in_", ())
    are_places = (names == places)
    if reset:
        estimator._numbered = are_places
        keep = are_places
    else:
        if estimator._numbered and not are_places and \
                sorted(names) == sorted(places):
            raise ValueError("X has its columns in another order than in "
                             "fit(); X[sorted(X.columns)] has the right one")
        keep = len(known) == 0 or \
            (are_places and not set(names) & set(known))
    if keep:
        return X
    X = X.copy(deep=False)
    X.columns = names
    return X


def validate(estimator, X, y="no_validation", multi_output=False, reset=True):
    """X, or X and y, in the form in which gbnn() takes them.

    Missing values are allowed.  A data frame that holds categories stays one,
    since scikit-learn's own checks want numbers.  The columns must be those of
    the first fit unless `reset`.
    """
    training = not isinstance(y, str)
    reset = reset and training
    if convert.is_frame(X):
        _require_cells(estimator, X, training)
    given, X = X, _named(estimator, X, reset)
    if not convert.has_categories(X):
        X = plain(X)
    if multi_output:
        y = plain(y)
    try:
        return _validate(estimator, X, y, multi_output, reset, training)
    except ValueError as error:
        # scikit-learn wants columns in the same order; its error stays.
        names = getattr(estimator, "feature_names_in_", None)
        if "feature names should match" in str(error) and \
                set(names) <= set(X.columns):
            right = "list(model.feature_names_in_)"
            if X is not given:
                called = dict(zip(X.columns, given.columns.tolist()))
                right = [called[name] for name in names]
            raise ValueError(f"{error}\nX[{right}] has the right columns in "
                             "the right order.") from None
        if "could not convert string to float" in str(error) and \
                not convert.is_frame(X):
            raise ValueError(f"X has words ({error}); only a DataFrame may "
                             "have them: give pd.DataFrame(X)") from None
        raise


def _validate(estimator, X, y, multi_output, reset, training):
    if convert.has_categories(X):
        _check_feature_names(estimator, X, reset=reset)
        _check_n_features(estimator, X, reset=reset)
        if not training:
            return X
        y = _targets(estimator, y, multi_output)
        check_consistent_length(X, y)
    else:
        options = {"dtype": np.float64, "ensure_all_finite": "allow-nan",
                   "reset": reset}
        if not training:
            return validate_data(estimator, X, **options)
        X, y = validate_data(estimator, X, y, multi_output=multi_output,
                             **options)
    return X, y.astype(np.float64) if multi_output else y


def rows(X, which):
    """Some rows of an array or a data frame."""
    return X.iloc[which] if hasattr(X, "iloc") else X[which]


def _column_bytes(column):
    """A column with its words as bytes; those of files may not be UTF-8."""
    if getattr(column.dtype, "kind", "O") != "O":
        return column
    return column.astype(object).map(
        lambda cell: to_bytes(cell) if isinstance(cell, str) else cell)


def numbers(X):
    """The rows as numbers that tell them apart."""
    if not hasattr(X, "iloc"):
        return X
    from pandas.util import hash_pandas_object
    try:
        keys = hash_pandas_object(X, index=False)
    except UnicodeEncodeError:
        keys = hash_pandas_object(X.apply(_column_bytes), index=False)
    return np.asarray(keys).view(np.float64)
