"""What a model says of itself: its columns, its classes, its stages."""

from __future__ import annotations

import json
from typing import Any, Dict, List, NamedTuple, Tuple

import numpy as np
from numpy.typing import NDArray

from ._gbnn import GBNNModel
from ._runtime.library import FORMATS, to_text


class Facts(NamedTuple):
    """What is read of a model."""

    regression: bool
    # The names of the columns, or none, and the categories of each column;
    # none of one of numbers.
    names: List[str]
    categories: List[List[str]]
    # Labels in ascending order: numbers, and the words that they are, if any.
    numbers: NDArray[np.float64]
    words: List[str]
    responses: int
    # The number of hidden units after each stage.
    stage_ends: List[int]


def _object(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    """A vector has the same key for each of its elements."""
    result = dict(pairs)
    if "elem" in result:
        result["elem"] = [value for key, value in pairs if key == "elem"]
    return result


def facts(model: GBNNModel) -> Facts:
    """Read a model in the form in which it says what is what."""
    content = json.loads(to_text(model._to_bytes(FORMATS[".json"])),
                         object_pairs_hook=_object)["model"]
    encoder, labels = content["encoder"], content["labels"]
    regression = bool(content["regression"])
    boosted = content["regressor" if regression else "classifier"]["gbnn"]
    network = boosted["network"]
    # Quantiles are several outputs of one response.
    one = regression and boosted["loss"]["name"] == "quantile"
    return Facts(
        regression, encoder["names"], encoder["categories"],
        np.array(labels["numbers"].get("elem", []), dtype=np.float64),
        labels["words"], 1 if one else int(network["outputWeights"]["n_rows"]),
        [int(end) for end in network["stageEnds"]])
