"""Items whose category is known."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from ocrjury.errors import InputError
from ocrjury.truth.labels import Labels


def place_gold(
    gold: Mapping[Any, Any] | None, items: tuple[Hashable, ...], categories: Labels
) -> dict[int, int]:
    """Return {place of item: place of category}; items that are not here are left out.

    Raises
    ------
    InputError
        If a known rating is no category of the scale.
    """
    if not gold:
        return {}
    codes = {category: code for code, category in enumerate(categories.tolist())}
    places = {item: place for place, item in enumerate(items)}
    strange = [item for item, rating in gold.items() if rating not in codes]
    if strange:
        raise InputError(
            f"{len(strange)} gold item(s) have a rating outside the scale; the first is item "
            f"{strange[0]!r} with {gold[strange[0]]!r}. Allowed are "
            f"{', '.join(str(category) for category in codes)}."
        )
    return {places[item]: codes[rating] for item, rating in gold.items() if item in places}


def unknown_gold(gold: Mapping[Any, Any] | None, items: tuple[Hashable, ...]) -> str | None:
    """Return a sentence about gold items that are not among the items, None if all are."""
    known = set(items)
    absent = [item for item in gold or {} if item not in known]
    if not absent:
        return None
    return (
        f"{len(absent)} gold item(s) are not among the items and were not used, for example "
        f"{absent[0]!r}."
    )


def clamp(probabilities: np.ndarray[Any, np.dtype[np.float64]], gold: Mapping[int, int]) -> None:
    """Make the probabilities of items with a known category certain, in place."""
    for place, category in gold.items():
        probabilities[place] = 0.0
        probabilities[place, category] = 1.0
