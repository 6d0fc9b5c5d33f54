"""Ratings of N items by M raters, stored as one long list of n ratings.

The long form needs memory for ratings only: 100 raters who each saw 5 % of the items cost as much
as 5 who saw all. `RatingTable.counts` (N, K) and `RatingTable.matrix` (N, M) are computed from it.
A table given as a matrix keeps one byte per cell and computes the long form on first access.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError
from ocrjury.ratings.encoding import Grid, column_values, encode, grid_of, plain_numbers, present
from ocrjury.ratings.export_columns import warn_of_uncounted
from ocrjury.ratings.identity import (
    Pairs,
    Repeats,
    advice_on,
    check_columns,
    check_ids,
    check_weights,
    factorize,
    find_repeats,
    given_weights,
    item_clusters,
    item_weights,
    side_ids,
)
from ocrjury.ratings.matrices import (
    ANONYMOUS,
    ON_DEMAND,
    REPEATED,
    answers_of,
    made_on_demand,
    seats_of,
    two_dimensional,
    whole_counts,
)
from ocrjury.scales import Scale

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class RatingTable:
    """n ratings of N items by M raters on one dimension.

    Attributes
    ----------
    scale
        The declared scale.
    items, raters
        Ids as given, in order of first appearance, shapes (N,) and (M,).
    item, rater
        Place of each rating's item and rater in ``items`` and ``raters``, shape (n,).
    values
        Each rating as a number, shape (n,); on a nominal scale the category's place.
    categories
        Numbers that ``codes`` refer to, shape (K,): the scale's categories, or on an interval scale
        the distinct values observed, ascending.
    codes
        Place of each rating in ``categories``, shape (n,).
    item_weight
        Weight of each item, shape (N,), or None.
    cluster
        Number of each item's cluster, such as its page, shape (N,); None: no two share one.
    repeated
        Whether a rater rated some item more than once; most statistics refuse such a table.
    anonymous
        Whether the table was given as counts, without raters; ``raters`` are then only seats, and
        statistics that compare raters refuse the table.
    grid
        Codes of shape (N, M), -1 where there is no rating, of a table given as a matrix of numbers;
        else None. Only code that needs the speed reads it.
    """

    scale: Scale
    items: tuple[Hashable, ...]
    raters: tuple[Hashable, ...]
    item: Integers
    rater: Integers
    values: Floats
    categories: Floats
    codes: Integers
    item_weight: Floats | None = None
    cluster: Integers | None = None
    repeated: bool = False
    anonymous: bool = False
    grid: Grid | None = field(default=None, init=False, repr=False)

    @classmethod
    def from_long(
        cls,
        frame: "pd.DataFrame",
        *,
        scale: Scale,
        item: str = "item",
        rater: str = "rater",
        value: str = "rating",
        repeats: Repeats = "error",
        item_weight: str | Mapping[Hashable, float] | None = None,
        cluster: str | Mapping[Hashable, Hashable] | None = None,
    ) -> Self:
        """Table from a frame with one row per rating.

        Parameters
        ----------
        frame
            One row per rating; a missing rating is an absent row or a missing value.
        item, rater, value
            Names of the columns.
        repeats
            ``"keep"`` accepts several ratings of one item by one rater, which only truth
            inference and intra-rater functions can use.
        item_weight
            Name of a column that is constant within an item, or a mapping from item to weight.
        cluster
            The same for what was drawn together: items of one cluster count as one draw in every
            interval, because their ratings go together.
        """
        check_columns(frame, [item, rater, value, item_weight, cluster])
        check_ids(frame, item, rater)
        warn_of_uncounted(frame)
        # An item whose only rating is missing is still an item of the table.
        items, places = factorize(frame[item])
        weights = item_weights(frame, items, item=item, item_weight=item_weight)
        clusters = item_clusters(frame, items, item=item, cluster=cluster)
        rater_ids, ratings = frame[rater], frame[value]
        rated = ratings.notna().to_numpy()
        if not rated.all():
            places, rater_ids, ratings = places[rated], rater_ids[rated], ratings[rated]
        raters, rater_places = factorize(rater_ids)
        pairs = Pairs(items, raters, places, rater_places)
        numbers, categories, codes = encode(pairs, column_values(ratings), scale)
        repeated = find_repeats(pairs, repeats, advice=advice_on(frame))
        check_weights(weights, len(items))
        return cls(scale, *pairs, numbers, categories, codes, weights, clusters, repeated)

    @classmethod
    def from_matrix(
        cls,
        values: Sequence[Sequence[Any]] | npt.NDArray[Any],
        *,
        scale: Scale,
        items: Sequence[Hashable] | None = None,
        raters: Sequence[Hashable] | None = None,
        item_weight: Sequence[float] | npt.NDArray[Any] | None = None,
    ) -> Self:
        """Table from a matrix of shape (N, M), ``nan`` or None where there is no rating."""
        matrix = two_dimensional(values)
        n_items, n_raters = matrix.shape
        rater_ids = side_ids(raters, n_raters, "raters")
        weights = given_weights(item_weight)
        grid = grid_of(plain_numbers(matrix), scale)
        if grid is not None:
            check_weights(weights, n_items)
            return cls._lazily(
                scale=scale,
                raters=rater_ids,
                categories=np.array(scale.numbers),
                item_weight=weights,
                cluster=None,
                repeated=False,
                anonymous=False,
                grid=grid,
                **({} if items is None else {"items": side_ids(items, n_items, "items")}),
            )
        rated = present(matrix)
        pairs = Pairs(side_ids(items, n_items, "items"), rater_ids, *np.nonzero(rated))
        numbers, categories, codes = encode(pairs, matrix[rated], scale)
        check_weights(weights, n_items)
        return cls(scale, *pairs, numbers, categories, codes, weights)

    @classmethod
    def from_counts(
        cls,
        counts: Sequence[Sequence[int]] | npt.NDArray[Any],
        *,
        scale: Scale,
        items: Sequence[Hashable] | None = None,
        item_weight: Sequence[float] | npt.NDArray[Any] | None = None,
    ) -> Self:
        """Table from the number of raters who chose each category, shape (N, K).

        Published examples often have this form. They do not tell who rated, which coefficients for
        any raters do not need: Fleiss, Gwet, Brennan-Prediger, percent agreement, alpha, A^HH.

        Parameters
        ----------
        counts
            Whole numbers from 0, one column per category of the scale, in its order; an interval
            scale has no categories and is refused. A cross table, as for `from_crosstab`, leads to
            a warning only if its rows have unlike sums and most counts are on its diagonal.

        Examples
        --------
        >>> table = RatingTable.from_counts([[2, 0], [1, 1]], scale=Scale.binary())
        >>> table.n_items, table.n_raters, table.codes.tolist()
        (2, 2, [0, 0, 0, 1])
        """
        whole = whole_counts(counts, scale)
        ids = side_ids(items, len(whole), "items")
        weights = given_weights(item_weight)
        check_weights(weights, len(whole))
        item, seat, codes = seats_of(whole)
        seats = tuple(range(int(seat.max(initial=-1)) + 1))
        numbers = np.array(scale.numbers)
        return cls(
            scale, ids, seats, item, seat, numbers[codes], numbers, codes, weights, anonymous=True
        )

    @classmethod
    def from_crosstab(
        cls,
        counts: Sequence[Sequence[int]] | npt.NDArray[Any],
        *,
        scale: Scale,
        raters: Sequence[Hashable] = ("A", "B"),
    ) -> Self:
        """Table of two raters from the number of items with each pair of answers, shape (K, K).

        Parameters
        ----------
        counts
            Rows are the first rater's categories, columns the second's, in the order of the scale.

        Examples
        --------
        >>> table = RatingTable.from_crosstab([[2, 1], [0, 3]], scale=Scale.binary())
        >>> table.n_items, table.matrix()[2].tolist()
        (6, [0.0, 1.0])
        """
        both = answers_of(whole_counts(counts, scale, square=True))
        numbers, codes, ids = np.array(scale.numbers), both.ravel(), side_ids(raters, 2, "raters")
        places = np.repeat(np.arange(len(both)), 2), np.tile([0, 1], len(both))
        return cls(scale, tuple(range(len(both))), ids, *places, numbers[codes], numbers, codes)

    @classmethod
    def _lazily(cls, **known: object) -> Self:
        """Table whose other attributes are computed on first access."""
        table = cls.__new__(cls)
        for name, value in known.items():
            object.__setattr__(table, name, value)
        return table

    if not TYPE_CHECKING:  # mypy would believe in every attribute

        def __getattr__(self, name: str) -> Any:
            """Compute an attribute from the grid on first access."""
            if name not in ON_DEMAND:
                message = f"{type(self).__name__!r} object has no attribute {name!r}"
                raise AttributeError(message, name=name, obj=self)
            attributes = made_on_demand(name, self.grid, lambda: self.categories[self.codes])
            for attribute, value in attributes.items():
                object.__setattr__(self, attribute, value)
            return attributes[name]

    @property
    def n_items(self) -> int:
        """Number of items, N."""
        return len(self.items) if self.grid is None else len(self.grid)

    @property
    def n_raters(self) -> int:
        """Number of raters, M."""
        return len(self.raters)

    @property
    def n_ratings(self) -> int:
        """Number of ratings, n."""
        return len(self.codes) if self.grid is None else int(np.count_nonzero(self.grid >= 0))

    def counts(self) -> Integers:
        """Number of ratings per item and category, shape (N, K)."""
        n, k = self.n_items, len(self.categories)
        return np.bincount(self.item * k + self.codes, minlength=n * k).reshape(n, k)

    def matrix(self) -> Floats:
        """Ratings as a matrix, shape (N, M), ``nan`` where there is no rating."""
        self.refuse_repeats("matrix")
        self.refuse_anonymous("matrix")
        matrix = np.full((self.n_items, self.n_raters), np.nan)
        matrix[self.item, self.rater] = self.values
        return matrix

    def refuse_repeats(self, caller: str) -> None:
        """Raise if some rater rated an item twice, which ``caller`` cannot use."""
        if self.repeated:
            raise InputError(REPEATED.format(caller))

    def refuse_anonymous(self, caller: str) -> None:
        """Raise if the table has counts only, while ``caller`` compares raters."""
        if self.anonymous:
            raise InputError(ANONYMOUS.format(caller))
