"""Headline estimate: the pool's mean rating, with the error of the draw and of the raters.

Symbols: n items drawn, M raters, omega_k the final weight of item k, m_k its ratings, b_r the
severity of rater r. An estimate is sum(omega_k ybar_k) of item means corrected for the severity
of their raters, so that every rater has weight 1 / M, however the items were assigned.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.greg import Auxiliary, greg_fit, known_auxiliary
from ocrjury.estimation.interval import GOLD_CORRECTED, few_cases, nearest_share
from ocrjury.estimation.linear_estimate import check_confidence, no_items
from ocrjury.estimation.rated_warnings import rated_warnings
from ocrjury.estimation.rater_error import RatedFit, Raters, gold_level, rated_interval
from ocrjury.estimation.rating_data import RatingData, rating_data
from ocrjury.estimation.response import response_probabilities
from ocrjury.estimation.strata import Population, Strata, checked_strata
from ocrjury.rater_model import AdditiveFit

WHOSE: dict[str, str] = {"others": "other raters like these", "these": "these raters"}


def rated_mean(
    ratings: pd.DataFrame,
    *,
    items: pd.DataFrame,
    auxiliary: npt.ArrayLike | None = None,
    pool_mean: npt.ArrayLike | None = None,
    gold: pd.DataFrame | None = None,
    raters: Raters = "others",
    strata: npt.ArrayLike | None = None,
    population: Population | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """Mean rating of the pool, with an interval that includes the raters' error.

    Parameters
    ----------
    ratings
        One row per rating on one dimension: ``item``, ``rater``, ``rating`` (a number; 0 and 1
        make a share), including those of gold items.
    items
        Result of `ocrjury.sampling.draw_sample`: ``doc_id`` (or ``item``) and
        ``inclusion_probability``; within a ``stratum`` the rated items also stand for those that
        nobody rated, with a warning. Items of the same ``cluster`` were drawn together.
    auxiliary, pool_mean
        As in `greg_mean`, in the order of ``items``; without them the Hajek mean.
    gold
        ``item`` and true ``rating`` (may be fractional). From ten rated items on, the mean
        deviation corrects the level of all raters, shrunk where it could be due to chance; the
        interval is that of the mean without shrinkage and need not be symmetric. A share that it
        would move beyond 0 or 1 is not corrected, with a warning; whether it was is in ``method``.
    raters
        ``"others"``: raters are a sample from a population like them, and the interval covers what
        other raters would give. ``"these"``: the mean of what these M raters would give for the
        whole pool, each of them counting alike.
    strata, population
        As in `hajek_mean`, in the order of ``items``, for a sample of fixed size in each stratum;
        items that nobody rated do not count as drawn.
    confidence
        Level of the interval.

    Returns
    -------
    Estimate
        As for `hajek_mean`. With ``"others"`` and one rater the value without an interval, with
        reason ``fewer_than_two_raters``. With ``"others"`` a rater whose ratings scatter much more
        than those of the others gets less weight (`ocrjury.rater_model.fit_reliable`), with a
        warning; for zeros and ones, this needs enough items on which raters differ. All that
        enters is in `ocrjury.estimation.mean_sources`.

    Notes
    -----
    Four sources of error are added, with the t quantile of Satterthwaite, and for raters that of
    Cochran and Cox (`ocrjury.estimation.interval.t_quantile`): the draw (`deville_variance` of item
    means, which includes the ratings' noise except the finite population correction); that noise
    times pi, which the correction removed; the raters, their variance component over M (Brennan
    2001, Generalizability Theory, chapter 4); and with gold the error of its level, which replaces
    the raters'. Severities come from the additive fit of `ocrjury.rater_model`; where every item
    has one rater, from the residuals per rater.

    Examples
    --------
    >>> items = pd.DataFrame({"doc_id": list("abcd"), "inclusion_probability": 0.1})
    >>> ratings = pd.DataFrame(
    ...     {"item": [*"aabbccdd"], "rater": [*"xyyzzxxz"], "rating": [5, 4, 4, 2, 4, 5, 3, 1]}
    ... )
    >>> here = rated_mean(ratings, items=items, raters="these")
    >>> anywhere = rated_mean(ratings, items=items, raters="others")
    >>> round(here.value, 2), here.n_raters, anywhere.se > here.se
    (3.54, 3, True)
    """
    check_options(raters, confidence)
    data = rating_data(ratings, items, gold)
    known = known_auxiliary(auxiliary, pool_mean, len(data.pi))
    design = checked_strata(strata, population, len(data.pi))
    return mean_of(data, known, design=design, raters=raters, confidence=confidence)


def rated_share(  # noqa: PLR0913  # the options of rated_mean, and the level
    ratings: pd.DataFrame,
    *,
    items: pd.DataFrame,
    at_least: float | None = None,
    at_most: float | None = None,
    auxiliary: npt.ArrayLike | None = None,
    pool_mean: npt.ArrayLike | None = None,
    gold: pd.DataFrame | None = None,
    raters: Raters = "others",
    strata: npt.ArrayLike | None = None,
    population: Population | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """Share of the pool rated at a level or above, or at a level or below.

    Parameters
    ----------
    ratings, items, auxiliary, pool_mean, gold, raters, strata, population, confidence
        As in `rated_mean`. An item on which raters differ counts fractionally. A rater's weight,
        if any, depends on the ratings themselves, not on which side of the level they are.
    at_least, at_most
        The level; exactly one of the two: usable is ``at_least=4``, unusable ``at_most=1``.

    Returns
    -------
    Estimate
        Between 0 and 1, as is its interval. With fewer than 10 items on the smaller side a warning
        begins with "Too few cases".

    Examples
    --------
    >>> items = pd.DataFrame({"doc_id": list("abcd"), "inclusion_probability": 0.1})
    >>> ratings = pd.DataFrame(
    ...     {"item": list("aabbccdd"), "rater": ["x", "y"] * 4, "rating": [5, 4, 4, 4, 1, 2, 5, 3]}
    ... )
    >>> rated_share(ratings, items=items, at_least=4).value
    0.625
    """
    check_options(raters, confidence)
    data = rating_data(ratings, items, gold)
    known = known_auxiliary(auxiliary, pool_mean, len(data.pi))
    design = checked_strata(strata, population, len(data.pi))
    return share_of(
        data,
        known,
        at_least=at_least,
        at_most=at_most,
        design=design,
        raters=raters,
        confidence=confidence,
    )


def mean_of(
    data: RatingData,
    known: Auxiliary | None,
    *,
    design: Strata | None = None,
    raters: Raters,
    confidence: float = 0.95,
) -> Estimate:
    """`rated_mean` of data and auxiliaries that were checked."""
    if not data.sampled.any():
        return _nothing(known, raters)
    fit = fit_rated(data, known, additive_of(data, raters))
    return _estimate(fit, design, raters=raters, confidence=confidence)


def share_of(
    data: RatingData,
    known: Auxiliary | None,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    design: Strata | None = None,
    raters: Raters,
    confidence: float = 0.95,
) -> Estimate:
    """`rated_share` of data and auxiliaries that were checked."""
    if (at_least is None) == (at_most is None):
        raise InputError(
            f"rated_share needs at_least or at_most; found {at_least!r} and {at_most!r}. "
            "at_least=4 is the share usable, at_most=1 the share unusable."
        )
    if not data.sampled.any():
        return _nothing(known, raters)
    reached = as_reached(data, at_least=at_least, at_most=at_most)
    fit = fit_rated(reached, known, reached.weighted(additive_of(data, raters).weight))
    return _estimate(fit, design, raters=raters, confidence=confidence)


def as_reached(
    data: RatingData, *, at_least: float | None = None, at_most: float | None = None
) -> RatingData:
    """Data with 1 for ratings and gold that reach the level, 0 for the others."""

    def reached(column: Floats) -> Floats:
        within = column >= at_least if at_least is not None else column <= (at_most or 0.0)
        return np.where(np.isfinite(column), within.astype(float), np.nan)

    gold = None if data.gold is None else reached(data.gold)
    return replace(data, value=reached(data.value), gold=gold)


def _nothing(known: Auxiliary | None, raters: Raters) -> Estimate:
    """Undefined estimate, where no rating is of a sampled item."""
    return no_items(f"{'Hajek' if known is None else 'GREG'}, {WHOSE[raters]}")


def _estimate(
    fit: RatedFit, design: Strata | None, *, raters: Raters, confidence: float
) -> Estimate:
    """Estimate from a fit of ratings."""
    data = fit.data
    if design is not None:
        fit = replace(fit, mean=design.of(fit.rows).stratify(fit.mean))
    level = gold_level(fit)
    share = data.shares
    few = few_cases(fit.item_means) if share else ()
    corrected = f", {GOLD_CORRECTED}" if level.part else ""
    value = nearest_share(fit.mean.value) if share else fit.mean.value
    estimate = Estimate(
        value - level.shift,
        n_items=len(fit.rows),
        n_raters=fit.n_raters,
        n_ratings=int(data.sampled.sum()),
        method=f"{fit.mean.method}, {WHOSE[raters]}{corrected}",
        warnings=(*rated_warnings(fit), *few, *level.warnings),
        few=bool(few),
        gold_corrected=level.part is not None,
    )
    return rated_interval(
        estimate, fit, level=level, raters=raters, share=share, confidence=confidence
    )


def check_options(raters: str, confidence: float) -> None:
    """Raise unless both options are valid."""
    if raters not in WHOSE:
        raise InputError(f'raters must be "others" or "these"; found {raters!r}.')
    check_confidence(confidence)


def additive_of(data: RatingData, raters: Raters) -> AdditiveFit:
    """Additive fit of the ratings: these raters count alike, others by their scatter."""
    return data.equal if raters == "these" else data.reliable


def fit_rated(data: RatingData, known: Auxiliary | None, additive: AdditiveFit) -> RatedFit:
    """Weighted mean of item means, corrected for the severities of an additive fit."""
    rated, n = data.sampled, len(data.pi)
    item, value = data.item[rated], data.value[rated]
    of_rating = additive.weight[data.rater[rated]]
    corrected = of_rating * (value - additive.severity[data.rater[rated]])
    rows = np.unique(item)
    y = np.bincount(item, corrected, n)[rows] / np.bincount(item, of_rating, n)[rows]
    if np.ptp(value) == 0:  # where all are equal, rounding must not look like a spread
        y = np.full(len(rows), value[0])
    answered = np.isin(np.arange(n), rows)
    pi = response_probabilities(data.pi, responded=answered, stratum=data.stratum)
    cluster = None if data.cluster is None else data.cluster[rows]
    of_rows = None if known is None else (known[0][rows], known[1])
    return RatedFit(data, additive, rows, y, greg_fit(y, pi, of_rows, cluster=cluster))
