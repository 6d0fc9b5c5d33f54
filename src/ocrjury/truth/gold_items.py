"""Items whose category is known."""

import math
from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ocrjury.errors import InputError
from ocrjury.truth.labels import Labels, Truth, mark_known, ordered


def place_gold(
    gold: Mapping[Any, Any] | None, items: tuple[Hashable, ...], categories: Labels
) -> dict[int, int]:
    """Known categories as {place of item: place of category}; items not in ``items`` are left out.

    On an interval scale the nearest category is taken.

    Raises
    ------
    InputError
        If a known rating is not on the scale.
    """
    if not gold:
        return {}
    places = {item: place for place, item in enumerate(items)}
    if categories.dtype.kind == "f":
        numbers = {places[item]: _number(item, gold[item]) for item in gold if item in places}
        nearest = np.abs(np.array(list(numbers.values()))[:, None] - categories).argmin(axis=1)
        return dict(zip(numbers, nearest.tolist(), strict=True))
    codes = {category: code for code, category in enumerate(categories.tolist())}
    off_scale = [item for item, rating in gold.items() if rating not in codes]
    if off_scale:
        raise InputError(
            f"Gold items with a rating outside the scale: {len(off_scale)}; the first is item "
            f"{off_scale[0]!r} with {gold[off_scale[0]]!r}. Allowed are "
            f"{', '.join(str(category) for category in codes)}."
        )
    return {places[item]: codes[rating] for item, rating in gold.items() if item in places}


def _number(item: Hashable, rating: Any) -> float:
    """Known rating on a continuous scale as a number."""
    try:
        number = float(rating)
    except (TypeError, ValueError):
        number = math.nan
    if math.isfinite(number):
        return number
    raise InputError(f"gold item {item!r} has the rating {rating!r}, which is not a number.")


def unknown_gold(gold: Mapping[Any, Any] | None, items: tuple[Hashable, ...]) -> str | None:
    """Warning about gold items that are not among the items, None if all are."""
    if not gold:
        return None
    known = set(items)
    absent = [item for item in gold if item not in known]
    if not absent:
        return None
    return (
        f"Gold items that are not among the items were not used: {len(absent)}, for example "
        f"{absent[0]!r}."
    )


def clamp(probabilities: np.ndarray[Any, np.dtype[np.float64]], gold: Mapping[int, int]) -> None:
    """Make the category of items with a known one certain, in place."""
    for place, category in gold.items():
        probabilities[place] = 0.0
        probabilities[place, category] = 1.0


def with_known(truth: Truth, known: Mapping[Any, Any]) -> Truth:
    """Truth in which items with a known rating are certain; the raters are unchanged.

    For methods that cannot learn from known ratings; `dawid_skene` and `one_coin` take ``gold``.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> from ocrjury.truth import majority_vote
    >>> t = RatingTable.from_matrix([[4, 5], [2, 2]], scale=Scale.likert(1, 5))
    >>> truth = with_known(majority_vote(t), {0: 5})
    >>> truth.label.tolist(), truth.confidence.tolist()
    ([5, 2], [1.0, 1.0])
    """
    places = place_gold(known, truth.items, truth.categories)
    if not places:
        return truth
    probabilities = truth.probabilities.copy()
    clamp(probabilities, places)
    columns = {
        name: getattr(truth, name).copy()
        for name in ("label", "median", "mean", "confidence", "tied")
    }
    for row in places:
        rating = known[truth.items[row]]
        columns["label"][row] = rating
        if ordered(truth.categories):
            columns["median"][row] = columns["mean"][row] = rating
        columns["confidence"][row], columns["tied"][row] = 1.0, False
    before = () if truth.known is None else np.flatnonzero(truth.known).tolist()
    marked = mark_known(len(truth.items), {*before, *places})
    return replace(truth, probabilities=probabilities, known=marked, **columns)
