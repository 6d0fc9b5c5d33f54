"""One door to every way of inferring truth, for campaigns that name it in a file."""

from collections.abc import Callable
from typing import Any

from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.dawid_skene_model import dawid_skene
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


def aggregate(t: RatingTable, *, method: str = "dawid_skene", **options: Any) -> Truth:
    """Return the truth by the named method; ``options`` are those of its function.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> t = RatingTable.from_matrix([[3, 3, 4]], scale=Scale.likert(1, 5))
    >>> aggregate(t, method="majority_vote").label.tolist()
    [3]
    """
    if method not in METHODS:
        raise InputError(f"method must be one of {', '.join(METHODS)}; found {method!r}.")
    return METHODS[method](t, **options)
