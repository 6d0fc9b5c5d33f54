"""Submissions: one rater's ratings of one item on all dimensions, at one time.

Symbols: n submissions of N items by M raters on D dimensions.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.bias.blocks import Blocks
from ocrjury.bias.timeline import session_order
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable, rating_tables
from ocrjury.ratings.export_columns import CLUSTER
from ocrjury.ratings.identity import item_clusters
from ocrjury.scales import Scale


@dataclass(frozen=True, slots=True, eq=False)
class Submissions:
    """n submissions, sorted by item and rater whatever the order of the frame.

    Attributes
    ----------
    raters, dimensions
        Their ids, sorted, of length M and D.
    n_items
        N.
    item, rater
        Places, shape (n,).
    draw
        Number of the draw in which the item came, shape (n,): its place, or that of its cluster.
    value
        Ratings, shape (n, D); ``nan`` where there is none.
    session
        Number of the session of one rater, shape (n,); -1 where the order is unknown.
    place
        Place in that session from 0, shape (n,); -1 where the order is unknown.
    point
        Length of one point of a five-point scale, in units of this scale.
    """

    raters: tuple[Hashable, ...]
    dimensions: tuple[str, ...]
    n_items: int
    item: Integers
    rater: Integers
    draw: Integers
    value: Floats
    session: Integers
    place: Integers
    point: float

    @property
    def n_raters(self) -> int:
        """Number of raters, M."""
        return len(self.raters)

    @property
    def ordered(self) -> bool:
        """Whether the order of any submissions is known."""
        return bool((self.place >= 0).any())

    def overall(self) -> Floats:
        """Mean of each submission's ratings, after removing each dimension's mean (n,)."""
        present = np.isfinite(self.value)
        total = np.where(present, self.value, 0.0).sum(axis=0)
        centre = total / np.maximum(present.sum(axis=0), 1)
        deviation = np.where(present, self.value - centre, 0.0)
        return np.asarray(deviation.sum(axis=1) / present.sum(axis=1), dtype=float)

    def position(self, *, least: int = 2) -> Floats:
        """Position of each submission in its session, shape (n,).

        From -.5 at the start to .5 at the end; 0 where the order is unknown and in sessions of
        fewer than ``least`` submissions.
        """
        placed = self.place >= 0
        size = np.bincount(self.session[placed], minlength=1)
        length = np.where(placed, size[np.maximum(self.session, 0)], 0)
        share = self.place / np.maximum(length - 1, 1) - 0.5
        return np.where(length >= max(least, 2), share, 0.0)

    def sequence(self) -> Integers:
        """Submissions with a known order, session by session."""
        placed = np.flatnonzero(self.place >= 0)
        return placed[np.lexsort((self.place[placed], self.session[placed]))]

    def neighbours(self, sequence: Integers | None = None) -> Blocks:
        """Blocks of all submissions, or of a sequence, in which the order may be shuffled."""
        rows = slice(None) if sequence is None else sequence
        return Blocks.of_neighbours(self.session[rows], self.draw[rows], self.place[rows])

    def follows(self, sequence: Integers, *, apart: bool = False) -> Booleans:
        """Mask of the submissions that follow another of the same session, shape (n',).

        ``apart``: of another draw, because two outputs of a page have more in common than order.
        """
        follows = np.zeros(len(sequence), dtype=bool)
        follows[1:] = np.diff(self.session[sequence]) == 0
        if apart:
            follows[1:] &= np.diff(self.draw[sequence]) != 0
        return follows

    def previous(self, value: Floats, *, apart: bool = False) -> tuple[Floats, Booleans]:
        """Value just before in the session, 0 without one, and whether there is one (n,).

        ``apart`` as in `follows`.
        """
        sequence = self.sequence()
        follows = self.follows(sequence, apart=apart)
        previous, present = np.zeros(len(value)), np.zeros(len(value), dtype=bool)
        previous[sequence[follows]] = value[np.roll(sequence, 1)[follows]]
        present[sequence[follows]] = True
        return previous, present


def read_submissions(
    ratings: pd.DataFrame, *, scale: Scale, tables: Mapping[str, RatingTable] | None = None
) -> Submissions:
    """Submissions from a long frame item, rater, dimension, rating.

    Parameters
    ----------
    tables
        The same ratings by dimension on this scale, if they are at hand.

    Raises
    ------
    InputError
        On a missing column or id, a rating outside the scale, two ratings of one item by one
        rater on one dimension, or two submissions at one position of one session.
    """
    if tables is None:
        tables = _tables(ratings, scale)
    tables = {name: table for name, table in tables.items() if table.n_ratings}
    dimensions = tuple(sorted(tables, key=_sort_key))
    parts = [tables[name] for name in dimensions]
    items = _ids(
        [table.items[place] for table in parts for place in np.flatnonzero(np.bincount(table.item))]
    )
    raters = _ids([rater for table in parts for rater in table.raters])
    places = [_places(table, items, raters) for table in parts]
    keys = [item * len(raters) + rater for item, rater in places]
    pairs = np.sort(np.concatenate(keys)) if keys else np.zeros(0, dtype=np.int64)
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]  # np.unique hashes, which takes longer
    value = np.full((len(pairs), len(dimensions)), np.nan)
    for column, (key, table) in enumerate(zip(keys, parts, strict=True)):
        value[np.searchsorted(pairs, key), column] = table.values  # noqa: PD011  # no frame
    item, rater = np.divmod(pairs, max(len(raters), 1))
    session, place = session_order(ratings, items=items, raters=raters, pairs=pairs)
    return Submissions(
        raters=tuple(raters),
        dimensions=dimensions,
        n_items=len(items),
        item=item,
        rater=rater,
        draw=_draws(ratings, items)[item],
        value=value,
        session=session,
        place=place,
        point=(scale.high - scale.low) / 4,
    )


def _tables(ratings: pd.DataFrame, scale: Scale) -> dict[str, RatingTable]:
    """One checked table for each dimension."""
    if "dimension" in ratings.columns and ratings["dimension"].isna().any():
        row = int(np.flatnonzero(ratings["dimension"].isna().to_numpy())[0]) + 1
        raise InputError(
            f"{int(ratings['dimension'].isna().sum())} row(s) have no dimension; the first is row "
            f"{row} of the frame. Name the dimension of every rating."
        )
    return rating_tables(ratings, scale=scale)


def _draws(ratings: pd.DataFrame, items: dict[Hashable, int]) -> Integers:
    """Draw of each item, shape (N,): one for each cluster, or for each item without clusters."""
    column = CLUSTER if CLUSTER in ratings.columns else None
    clusters = item_clusters(ratings, tuple(items), item="item", cluster=column)
    return np.arange(len(items)) if clusters is None else clusters


def _ids(ids: list[Hashable]) -> dict[Hashable, int]:
    """Place of each distinct id in sorted order."""
    distinct = dict.fromkeys(ids)  # often sorted already
    words = set(map(type, distinct)) == {str}  # sorted as by the key, but fast
    key: Callable[[Hashable], Any] = str if words else _sort_key
    return {name: place for place, name in enumerate(sorted(distinct, key=key))}


def _sort_key(name: Hashable) -> tuple[str, float, str]:
    """Key that sorts ids of any kind, numbers by size."""
    number = float(name) if isinstance(name, int | float | np.number) else 0.0
    return (type(name).__name__, number, str(name))


def _places(
    table: RatingTable, items: dict[Hashable, int], raters: dict[Hashable, int]
) -> tuple[Integers, Integers]:
    """Places of the items and raters of a table's ratings among all items and raters."""
    item = np.array([items.get(name, -1) for name in table.items], dtype=np.int64)
    rater = np.array([raters[name] for name in table.raters], dtype=np.int64)
    return item[table.item], rater[table.rater]
