"""One door to every way of inferring truth, for campaigns that name it in a file."""

from collections.abc import Callable, Mapping
from typing import Any

from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
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
"""Those that learn from items whose rating is known."""


def aggregate(t: RatingTable, *, method: str = "dawid_skene", **options: Any) -> Truth:
    """Truth by the named method; ``options`` are those of its function.

    Every method takes ``gold``, {item: rating}: models learn from it, and elsewhere these items are
    made certain. Where crowd-kit is installed, ``"crowdkit:GLAD"`` and the like are its aggregators
    of ratings; ``options`` are those of the class.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> t = RatingTable.from_matrix([[3, 3, 4]], scale=Scale.likert(1, 5))
    >>> aggregate(t, method="majority_vote").label.tolist()
    [3]
    """
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
    _check_slider(t.scale, known)
    return with_known(METHODS[method](t, **options), known)


def _check_slider(scale: Scale, known: Mapping[Any, Any]) -> None:
    """Raise if a number is known that a slider cannot show."""
    if scale.kind != "interval":
        return
    for item, rating in known.items():
        if isinstance(rating, int | float) and not scale.low <= rating <= scale.high:
            raise InputError(f"gold says {rating!r} of item {item!r}; the scale is {scale}.")
