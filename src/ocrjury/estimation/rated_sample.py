"""The ratings of one evaluation on one dimension, with the sample that they are of."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Booleans
from ocrjury.columns import check_columns
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.greg import Auxiliary, known_auxiliary
from ocrjury.estimation.group_fits import GroupFits, fit_groups, known_groups
from ocrjury.estimation.groups import group_means_of
from ocrjury.estimation.headline import as_reached, check_options, mean_of, share_of
from ocrjury.estimation.rater_error import Raters
from ocrjury.estimation.rating_data import RatingData, rating_data
from ocrjury.estimation.sources import MeanSources, sources_of
from ocrjury.ratings.export_columns import AUXILIARY, COUNTS, KIND, KNOWN, PROBABILITY

_COLUMNS = ("item", "rater", "dimension", "rating", KIND, COUNTS, PROBABILITY, "stratum", KNOWN)


@dataclass(frozen=True, eq=False)
class RatedSample:
    """Ratings of one evaluation on one dimension, with their sample.

    Attributes
    ----------
    ratings, items, auxiliary, pool_mean, gold
        As in `rated_mean`.
    differences
        Whether the ratings are differences, such as of a judge and a rater, of which zeros and ones
        make no share.

    Notes
    -----
    No strata are passed on: where the auxiliaries tell them apart, as a column for each document
    type does, the residuals vary within strata anyway, and the variance is right for a sample that
    is random, stratified and error-focused in parts. Without such columns it is too large.
    """

    ratings: pd.DataFrame
    items: pd.DataFrame
    auxiliary: npt.ArrayLike | None = None
    pool_mean: npt.ArrayLike | None = None
    gold: pd.DataFrame | None = None
    differences: bool = False

    @classmethod
    def from_export(cls, ratings: pd.DataFrame, dimension: str) -> Self:
        """Sample from what ``ocrjury ratings export`` wrote.

        Parameters
        ----------
        ratings
            The export as `pandas.read_csv` reads it, with all its rows.
        dimension
            Name of the dimension.

        Raises
        ------
        InputError
            If a column is missing, or no rating of the dimension counts.

        Notes
        -----
        The auxiliaries of an export are centred at the pool, so that their means over it are 0. An
        export without any comes from a mean whose only auxiliary is the constant.
        """
        check_columns(ratings, _COLUMNS, "ratings")
        of = ratings[ratings["dimension"] == dimension]
        drawn = (of[COUNTS] == 1) & of[PROBABILITY].notna()
        if not drawn.any():
            known = ", ".join(map(repr, ratings["dimension"].unique()))
            raise InputError(
                f"no rating on {dimension!r} counts in this export; its dimensions are {known}."
            )
        in_passing = of[KNOWN].notna() & of[KIND].isin(["gold", "main"])
        items = of[drawn].drop_duplicates("item")
        names = [
            name
            for name in items.columns
            if name.startswith(AUXILIARY) and items[name].notna().any()
        ]
        gold = (
            of[in_passing]
            .drop_duplicates("item")[["item", KNOWN]]
            .rename(columns={KNOWN: "rating"})
        )
        return cls(
            of.loc[drawn | in_passing, ["item", "rater", "rating"]].astype({"rating": float}),
            items[["item", PROBABILITY, "stratum", "cluster"]].reset_index(drop=True),
            items[names].to_numpy(dtype=float),
            np.zeros(len(names)),
            gold if len(gold) else None,
        )

    @cached_property
    def data(self) -> RatingData:
        """Ratings and items as arrays, checked once for whatever is estimated from them."""
        return rating_data(self.ratings, self.items, self.gold, differences=self.differences)

    @cached_property
    def known(self) -> Auxiliary | None:
        """Auxiliaries and their means, checked."""
        return known_auxiliary(self.auxiliary, self.pool_mean, len(self.data.pi))

    def mean(self, *, raters: Raters = "others", confidence: float = 0.95) -> Estimate:
        """Mean rating of the pool in this evaluation."""
        check_options(raters, confidence)
        return mean_of(self.data, self.known, raters=raters, confidence=confidence)

    def share(
        self,
        *,
        at_least: float | None = None,
        at_most: float | None = None,
        raters: Raters = "others",
    ) -> Estimate:
        """Share of the pool rated at a level or above, or at a level or below."""
        return share_of(self.data, self.known, at_least=at_least, at_most=at_most, raters=raters)

    def sources(self, *, at_least: float | None = None) -> MeanSources:
        """Raters and sources of error behind the mean, or behind the share at a level or above."""
        return sources_of(self.data, self.known, at_least=at_least)

    def means_by(
        self,
        group: str,
        pool_means: Mapping[object, npt.ArrayLike],
        *,
        of: Booleans | None = None,
        at_least: float | None = None,
        confidence: float = 0.95,
    ) -> dict[object, Estimate]:
        """Mean rating of each group of the pool, by the name of a column of the items.

        With ``of``, shape (n,), the groups are of these items only; raters and regression are
        still those of the whole sample. With ``at_least`` it is the share rated at a level or
        above.
        """
        data, additive = self.data, None
        if at_least is not None and data.sampled.any():
            data = as_reached(data, at_least=at_least)
            additive = data.weighted(self.data.reliable.weight)
        return group_means_of(
            data,
            self.items[group],
            auxiliary=self.auxiliary,
            pool_means=pool_means,
            of=of,
            additive=additive,
            confidence=confidence,
        )

    def fits_by(self, group: str, pool_means: Mapping[object, npt.ArrayLike]) -> GroupFits | None:
        """Fits behind `means_by`, without gold; None without ratings."""
        if not self.data.sampled.any():
            return None
        groups = known_groups(self.items[group], auxiliary=self.auxiliary, pool_means=pool_means)
        return fit_groups(self.data, groups, additive=self.data.reliable)

    def without_rater(self, rater: object) -> Self:
        """Ratings of all the other raters."""
        return replace(self, ratings=self.ratings[~self.ratings["rater"].isin([rater])])
