"""Composition of a mean and its interval: each rater's part, and each source of error."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.errors import InputError
from ocrjury.estimation.greg import Auxiliary, known_auxiliary
from ocrjury.estimation.headline import as_reached, fit_rated
from ocrjury.estimation.interval import Part, half_length, joint_df
from ocrjury.estimation.rater_error import RatedFit, Source, error_parts, gold_level, noise_of_items
from ocrjury.estimation.rating_data import RatingData, rating_data


@dataclass(frozen=True, slots=True)
class RaterPart:
    """One rater's part in a mean.

    Attributes
    ----------
    rater, n_ratings
        Name, and number of ratings of sampled items.
    weight
        Weight of a rating beside that of a colleague who scatters ordinarily, 0 to 1.
    share
        Part of the rater's level in the mean; those of all raters sum to 1.
    severity
        What is taken off the rater's ratings, in points; below 0 the rater is stricter.
    """

    rater: object
    n_ratings: int
    weight: float
    share: float
    severity: float


@dataclass(frozen=True, slots=True)
class MeanSources:
    """Raters and sources of error behind a mean for other raters like these.

    Attributes
    ----------
    raters
        Those who rated sampled items.
    parts
        Variance and its degrees of freedom by source; none with one rater and no gold.
    n_items, pool_size
        Items rated, and documents for which they stand.
    estimator
        "GREG", or "Hajek" where no auxiliary was given or the items were too few for any.
    lasting
        Variance of the ratings that more items do not lessen: their noise on a pool of its size.
    """

    raters: tuple[RaterPart, ...]
    parts: Mapping[Source, Part]
    n_items: int
    pool_size: float
    estimator: str
    lasting: float = 0.0

    @property
    def effective_raters(self) -> float:
        """Number of raters with equal parts whose levels would be as uncertain together."""
        shares = np.array([rater.share for rater in self.raters])
        return float(shares.sum() ** 2 / (shares @ shares)) if len(shares) else 0.0

    @property
    def df(self) -> float:
        """Degrees of freedom of the interval, of its t quantile."""
        return joint_df(list(self.parts.values()))

    @property
    def shares(self) -> dict[Source, float]:
        """Share of the variance by source."""
        total = sum(part.variance for part in self.parts.values())
        return {name: part.variance / total for name, part in self.parts.items() if total > 0}

    @property
    def most_items(self) -> float:
        """Number of times that the items rated would make up the whole pool, at least 1."""
        return max(self.pool_size / self.n_items, 1.0)

    def half_length(
        self, *, items: float = 1.0, raters: float = 1.0, confidence: float = 0.95
    ) -> float:
        """Half the length of the interval with this many times the items or raters.

        More items are drawn from the same pool and rated as these were, so that a census has no
        error of the draw left; more raters are like these and share the same number of ratings.
        """
        if not self.parts:
            return math.nan
        return half_length(
            [self._with(name, items=items, raters=raters) for name in self.parts], confidence
        )

    def _with(self, source: Source, *, items: float, raters: float) -> Part:
        """One source of error with more items or raters."""
        part = self.parts[source]
        if source == "gold":
            return part
        times = min(items, self.most_items)
        if source == "raters":
            # The same ratings, of more raters, tell less of each: what noise took off stays.
            noise = ((part.measured or part.variance) - part.variance) / times
            df = max(self.effective_raters * raters - 1, 1.0)
            return Part(part.variance / raters, df, part.variance / raters + noise)
        if source == "ratings":
            lasting = min(self.lasting, part.variance)
            return Part(lasting + (part.variance - lasting) / times, part.df * times)
        left = 1.0
        if self.pool_size > self.n_items:
            now, then = (1 / (self.n_items * t) - 1 / self.pool_size for t in (1.0, times))
            left = max(then, 0.0) / now * times
        return Part(part.variance * left / times, part.df * times)


def mean_sources(
    ratings: pd.DataFrame,
    *,
    items: pd.DataFrame,
    auxiliary: npt.ArrayLike | None = None,
    pool_mean: npt.ArrayLike | None = None,
    gold: pd.DataFrame | None = None,
    at_least: float | None = None,
) -> MeanSources:
    """Raters and sources of error behind `rated_mean` for other raters like these.

    Parameters
    ----------
    ratings, items, auxiliary, pool_mean, gold
        As in `rated_mean`.
    at_least
        A level; then the sources are those of `rated_share`.

    Examples
    --------
    >>> items = pd.DataFrame({"doc_id": list("abcd"), "inclusion_probability": 0.1})
    >>> ratings = pd.DataFrame(
    ...     {"item": [*"aabbccdd"], "rater": [*"xyyzzxxz"], "rating": [5, 4, 4, 2, 4, 5, 3, 1]}
    ... )
    >>> sources = mean_sources(ratings, items=items)
    >>> [round(rater.severity, 2) for rater in sources.raters], sources.effective_raters
    ([0.73, 0.33, -1.07], 3.0)
    >>> now, more_items, more_raters = (
    ...     sources.half_length(items=i, raters=r) for i, r in [(1, 1), (2, 1), (1, 2)])
    >>> round(more_items / now, 2), round(more_raters / now, 2)
    (0.85, 0.65)
    """
    data = rating_data(ratings, items, gold)
    return sources_of(data, known_auxiliary(auxiliary, pool_mean, len(data.pi)), at_least=at_least)


def sources_of(
    data: RatingData, known: Auxiliary | None, *, at_least: float | None = None
) -> MeanSources:
    """`mean_sources` of data and auxiliaries that were checked."""
    if not data.sampled.any():
        raise InputError("mean_sources needs ratings of the items; found none of them.")
    additive = data.reliable
    if at_least is not None:
        data = as_reached(data, at_least=at_least)
        additive = data.weighted(additive.weight)
    fit = fit_rated(data, known, additive)
    level = gold_level(fit)
    parts = error_parts(fit, level=level, raters="others") or {}
    if any(math.isnan(part.variance) for part in parts.values()):
        parts = {}
    documents = float((1 / data.pi).sum())
    return MeanSources(
        _raters(fit),
        parts,
        len(fit.rows),
        documents,
        fit.mean.method,
        lasting=noise_of_items(fit),
    )


def _raters(fit: RatedFit) -> tuple[RaterPart, ...]:
    """Part of each rater of sampled items."""
    data, additive = fit.data, fit.additive
    count = np.bincount(data.rater[data.sampled], minlength=data.n_raters)
    share = fit.share / fit.share.sum()
    return tuple(
        RaterPart(
            data.raters[place],
            int(count[place]),
            float(additive.weight[place]),
            float(share[place]),
            float(additive.severity[place]),
        )
        for place in np.flatnonzero(count)
    )
