"""Truth inference by the name of the method, as written in a campaign file."""

from collections.abc import Callable, Mapping
from typing import Any

from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.ratings.table_checks import check_table
from ocrjury.scales import Scale
from ocrjury.truth.crowdkit_aggregators import PREFIX, crowdkit_truth
from ocrjury.truth.dawid_skene_model import dawid_skene
from ocrjury.truth.gold_items import with_known
from ocrjury.truth.labels import Truth
from ocrjury.truth.one_coin_model import one_coin
from ocrjury.truth.votes import majority_vote, mean_rating, median_rating

METHODS: dict[str, Callable[..., Truth]] = {
    "dawid_skene": dawid_skene,
    "one_coin": one_coin,
    "majority_vote": majority_vote,
    "mean_rating": mean_rating,
    "median_rating": median_rating,
}
LEARNING = frozenset({"dawid_skene", "one_coin"})
"""Methods that learn from items whose rating is known."""


def aggregate(t: RatingTable, *, method: str = "dawid_skene", **options: Any) -> Truth:
    """Truth by the named method; ``options`` are those of its function.

    Every method takes ``gold``, {item: rating}: models learn from it, other methods make these
    items certain. If crowd-kit is installed, names such as ``"crowdkit:GLAD"`` select its
    aggregators; their ``options`` are those of the class, ``method_`` that called ``method``.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> t = RatingTable.from_matrix([[3, 3, 4]], scale=Scale.likert(1, 5))
    >>> aggregate(t, method="majority_vote").label.tolist()
    [3]
    """
    check_table(t, "aggregate")
    if method.startswith(PREFIX):
        return crowdkit_truth(t, name=method.removeprefix(PREFIX), **options)
    if method not in METHODS:
        raise InputError(
            f"method must be one of {', '.join(METHODS)}, or {PREFIX} and the name of an "
            f"aggregator of crowd-kit; found {method!r}."
        )
    if method in LEARNING:
        return METHODS[method](t, **options)
    known = options.pop("gold", None) or {}
    _check_range(t.scale, known)
    return with_known(METHODS[method](t, **options), known)


def _check_range(scale: Scale, known: Mapping[Any, Any]) -> None:
    """Raise if a known rating is outside a continuous scale."""
    if scale.kind != "interval":
        return
    for item, rating in known.items():
        if isinstance(rating, int | float) and not scale.low <= rating <= scale.high:
            raise InputError(f"gold item {item!r} has the rating {rating!r}; the scale is {scale}.")
