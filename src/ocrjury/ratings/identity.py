"""Ids of items and raters, their places, and repeated pairs of item and rater.

Symbols: N items, M raters, n ratings.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

Repeats = Literal["error", "keep"]

_CELLS_PER_RATING = 64  # with fewer cells per rating, a table of flags is faster than sorting


class Pairs(NamedTuple):
    """Ids, and the places of each rating's item and rater in them."""

    items: tuple[Hashable, ...]
    raters: tuple[Hashable, ...]
    item: Integers
    rater: Integers

    def name(self, rating: int) -> str:
        """Item and rater of a rating, in words."""
        item, rater = self.items[self.item[rating]], self.raters[self.rater[rating]]
        return f"item {item!r} by rater {rater!r}"


def factorize(ids: "pd.Series[Any]") -> tuple[tuple[Hashable, ...], Integers]:
    """Distinct ids in order of appearance, and the place of each row's id."""
    import pandas as pd  # noqa: PLC0415  # 0.3 s that tables from a matrix do without

    # An index of tuples would become a MultiIndex.
    values = ids.to_numpy() if ids.dtype == object else ids
    try:
        places, distinct = pd.factorize(values)
    except TypeError as unhashable:
        raise InputError(
            f"column {ids.name!r} has ids that cannot be compared: {unhashable}. "
            "Ids are text, numbers or tuples."
        ) from unhashable
    names = tuple(distinct.tolist())
    _refuse_numbers_as_text(names, ids.name)
    return names, places.astype(np.int64, copy=False)


def _refuse_numbers_as_text(names: tuple[Hashable, ...], column: object) -> None:
    """Refuse ids that are a number in some rows and the same as text in others."""
    texts = {name for name in names if isinstance(name, str)}
    if not texts or len(texts) == len(names):
        return
    twice = next((name for name in names if not isinstance(name, str) and str(name) in texts), None)
    if twice is not None:
        raise InputError(
            f"column {column!r} has the id {twice!r} as a number in some rows and as text in "
            f"others, which would be two ids; make them alike, as with frame[{column!r}]"
            ".astype(str)."
        )


def side_ids(ids: Sequence[Hashable] | None, n: int, side: str) -> tuple[Hashable, ...]:
    """Ids of the items or raters of a matrix, 0 to n - 1 unless given."""
    if ids is None:
        return tuple(range(n))
    try:
        n_distinct = len(set(ids))
    except TypeError as unhashable:
        raise InputError(
            f"{side} have ids that cannot be compared: {unhashable}. "
            "Ids are text, numbers or tuples."
        ) from unhashable
    if len(ids) != n or n_distinct != n:
        raise InputError(
            f"{side} must hold one id for each of the {n}; found {len(ids)} ids, "
            f"{n_distinct} of them distinct."
        )
    return tuple(ids)


KEEP = 'Keep one of them, or pass repeats="keep" where repeated ratings are meant.'


def find_repeats(pairs: Pairs, repeats: Repeats, *, advice: str = KEEP) -> bool:
    """Return whether a pair of item and rater occurs twice; raise if that is not allowed."""
    if repeats not in ("error", "keep"):
        raise InputError(f'repeats must be "error" or "keep"; found {repeats!r}.')
    n_cells, n_ratings = len(pairs.items) * len(pairs.raters), len(pairs.item)
    pair = pairs.item * max(len(pairs.raters), 1) + pairs.rater
    if n_cells <= _CELLS_PER_RATING * n_ratings:
        seen = np.zeros(n_cells, dtype=bool)
        seen[pair] = True
        if np.count_nonzero(seen) == n_ratings:
            return False
    _, first, count = np.unique(pair, return_index=True, return_counts=True)
    repeated = first[count > 1]
    if repeats == "error" and len(repeated):
        raise InputError(
            f"{len(repeated)} pair(s) of item and rater have more than one rating; the first is "
            f"{pairs.name(repeated.min())}. {advice}"
        )
    return bool(len(repeated))


def advice_on(frame: "pd.DataFrame") -> str:
    """Advice about pairs that occur twice in a frame."""
    if "dimension" not in frame.columns:
        return KEEP
    names = sorted(map(str, frame["dimension"].dropna().unique()))
    if len(names) < 2:
        return KEEP
    return (
        f"The ratings are on {len(names)} dimensions ({', '.join(names)}): pass the rows of one, "
        "or use rating_tables(), which makes a table of each."
    )


def check_columns(frame: "pd.DataFrame", columns: Sequence[object]) -> None:
    """Raise if a named column is absent or ambiguous."""
    absent = [name for name in columns if isinstance(name, str) and name not in frame.columns]
    if absent:
        raise InputError(
            f"the frame has no column {', '.join(map(repr, absent))}; found "
            f"{', '.join(map(repr, frame.columns))}. Name the columns with item=, rater=, value=."
        )
    wanted = [name for name in columns if isinstance(name, str)]
    twice = [name for name in wanted if list(frame.columns).count(name) > 1]
    if twice:
        raise InputError(
            f"the frame has more than one column {', '.join(map(repr, twice))}; "
            "rename or drop all but one of them."
        )


def check_ids(frame: "pd.DataFrame", *columns: str) -> None:
    """Raise if an id is missing."""
    for column in columns:
        missing = frame[column].isna().to_numpy()
        if missing.any():
            raise InputError(
                f"{np.count_nonzero(missing)} row(s) have no id in column {column!r}; the first is "
                f"row {int(missing.argmax()) + 1} of the frame."
            )


def item_weights(
    frame: "pd.DataFrame",
    items: tuple[Hashable, ...],
    *,
    item: str,
    item_weight: str | Mapping[Hashable, float] | None,
) -> Floats | None:
    """Weight of every item, in the order of ``items``."""
    if item_weight is None:
        return None
    by_item = _by_item(frame, item, item_weight)
    absent = [name for name in items if name not in by_item]
    if absent:
        raise InputError(f"{len(absent)} item(s) have no weight; the first is {absent[0]!r}.")
    return np.array([_weight(by_item[name], name) for name in items])


def item_clusters(
    frame: "pd.DataFrame",
    items: tuple[Hashable, ...],
    *,
    item: str,
    cluster: str | Mapping[Hashable, Hashable] | None,
) -> Integers | None:
    """Number of every item's cluster, in the order of ``items``; None if no two share one.

    Raises
    ------
    InputError
        If an item has no cluster, or several.
    """
    if cluster is None:
        return None
    import pandas as pd  # noqa: PLC0415  # as in factorize

    by_item = _by_item(frame, item, cluster)
    codes, names = pd.factorize(np.array([*map(by_item.get, items), None], dtype=object)[:-1])
    if (codes < 0).any():
        raise InputError(
            f"{np.count_nonzero(codes < 0)} item(s) have no cluster; the first is "
            f"{items[int((codes < 0).argmax())]!r}. An item drawn by itself is a cluster of its "
            "own."
        )
    return None if len(names) == len(items) else codes.astype(np.int64)


def _by_item(
    frame: "pd.DataFrame", item: str, given: str | Mapping[Hashable, Any]
) -> Mapping[Hashable, Any]:
    """Values by item, from a column or as given."""
    if not isinstance(given, str):
        return given
    per_item = frame.groupby(item, sort=False, dropna=False)[given]
    varying = per_item.nunique(dropna=False)
    if (varying > 1).any():
        raise InputError(
            f"column {given!r} must be constant within an item; it varies on "
            f"{int((varying > 1).sum())} item(s), the first is {varying[varying > 1].index[0]!r}."
        )
    return dict(per_item.first().to_dict())


def _weight(weight: object, item: Hashable) -> float:
    """Weight of an item as a number; raise if it is not one."""
    try:
        return float(weight)  # type: ignore[arg-type]  # checked here
    except (TypeError, ValueError) as error:
        raise InputError(
            f"item_weight needs numbers; found {weight!r} for item {item!r}."
        ) from error


def given_weights(weights: Sequence[float] | npt.NDArray[Any] | None) -> Floats | None:
    """Weights in the order of the items as an array; raise if they are not numbers."""
    if weights is None:
        return None
    try:
        return np.asarray(weights, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"item_weight needs a number for every item; {error}.") from error


def check_weights(weights: Floats | None, n_items: int) -> None:
    """Raise unless there is a finite, non-negative weight for every item."""
    if weights is None:
        return
    if weights.shape != (n_items,) or not np.isfinite(weights).all() or (weights < 0).any():
        raise InputError(
            f"item_weight needs {n_items} finite numbers, none below 0; found shape "
            f"{weights.shape}, smallest {weights.min(initial=np.inf):g}."
        )
