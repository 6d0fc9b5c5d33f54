"""Headline estimate: the pool's mean rating, with the error of the draw and of the raters.

Symbols: n items drawn, M raters, omega_k the final weight of item k, m_k its ratings, b_r the
severity of rater r. An estimate is sum(omega_k ybar_k) of item means corrected for the severity
of their raters, so that every rater has weight 1 / M, however the items were assigned.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.comparison import check_pair
from ocrjury.estimation.gold_level import GoldLevel, gold_level
from ocrjury.estimation.greg import checked_auxiliary
from ocrjury.estimation.interval import Part, few_cases, is_share, with_interval
from ocrjury.estimation.linear import no_items
from ocrjury.estimation.rated_fit import (
    WHOSE,
    Auxiliary,
    Raters,
    check_options,
    fit_rated,
    rated_warnings,
    reliable_weights,
)
from ocrjury.estimation.rater_error import ONE_RATER, RatedFit, noise_part, rater_part
from ocrjury.estimation.rating_data import RatingData, rating_data


def rated_mean(
    ratings: pd.DataFrame,
    *,
    items: pd.DataFrame,
    auxiliary: npt.ArrayLike | None = None,
    pool_mean: npt.ArrayLike | None = None,
    gold: pd.DataFrame | None = None,
    raters: Raters = "others",
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
        ``item`` and true ``rating`` (may be fractional). The mean deviation corrects the level
        of all raters, shrunk where it could be due to chance.
    raters
        ``"others"``: raters are a sample from a population like them, and the interval covers what
        other raters would give. ``"these"``: what these M raters would give for the whole pool.
    confidence
        Level of the interval.

    Returns
    -------
    Estimate
        As for `hajek_mean`. With ``"others"`` and one rater the value without an interval, with
        reason ``fewer_than_two_raters``. A rater whose ratings scatter much more than those of the
        others gets less weight (`ocrjury.rater_model.fit_reliable`), with a warning; for zeros
        and ones, this needs enough items on which raters differ.

    Notes
    -----
    Four sources of error are added, with Satterthwaite's degrees of freedom for the t quantile:
    the draw (`deville_variance` of item means, which includes the ratings' noise except the finite
    population correction); that noise times pi, which the correction removed; the raters, their
    variance component over M (Brennan 2001, Generalizability Theory, chapter 4); and with gold the
    error of its level, which replaces the raters'. Severities come from the additive fit of
    `ocrjury.rater_model`; where every item has one rater, from the residuals per rater.

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
    check_pair(auxiliary, pool_mean)
    data = rating_data(ratings, items, gold)
    known = None
    if auxiliary is not None and pool_mean is not None:
        known = checked_auxiliary(auxiliary, pool_mean, len(data.pi))
    options = _Options(known, gold is not None, raters, confidence)
    return _of(data, options)


def rated_share(
    ratings: pd.DataFrame,
    *,
    items: pd.DataFrame,
    at_least: float | None = None,
    at_most: float | None = None,
    auxiliary: npt.ArrayLike | None = None,
    pool_mean: npt.ArrayLike | None = None,
    gold: pd.DataFrame | None = None,
    raters: Raters = "others",
    confidence: float = 0.95,
) -> Estimate:
    """Share of the pool rated at a level or above, or at a level or below.

    Parameters
    ----------
    ratings, items, auxiliary, pool_mean, gold, raters, confidence
        As in `rated_mean`. An item on which raters differ counts fractionally. A rater's weight
        depends on the ratings themselves, not on which side of the level they are.
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
    if (at_least is None) == (at_most is None):
        raise InputError(
            f"rated_share needs at_least or at_most; found {at_least!r} and {at_most!r}. "
            "at_least=4 is the share usable, at_most=1 the share unusable."
        )
    check_options(raters, confidence)
    check_pair(auxiliary, pool_mean)
    data = rating_data(ratings, items, gold)
    known = None
    if auxiliary is not None and pool_mean is not None:
        known = checked_auxiliary(auxiliary, pool_mean, len(data.pi))
    weight = reliable_weights(data) if data.sampled.any() else None
    options = _Options(known, gold is not None, raters, confidence, weight)
    return _of(_reached(data, at_least, at_most), options)


@dataclass(frozen=True, slots=True, eq=False)
class _Options:
    """Options of an estimate; ``weight`` is that of each rater, None to fit it."""

    known: Auxiliary | None
    with_gold: bool
    raters: Raters
    confidence: float
    weight: Floats | None = None


def _of(data: RatingData, options: _Options) -> Estimate:
    """Estimate from ratings, undefined if none is of a sampled item."""
    if not data.sampled.any():
        name = "Hajek" if options.known is None else "GREG"
        return no_items(f"{name}, {WHOSE[options.raters]}")
    fit = fit_rated(data, options.known, weight=options.weight)
    level = gold_level(data, fit.additive) if options.with_gold else None
    return _estimate(fit, level=level, raters=options.raters, confidence=options.confidence)


def _reached(data: RatingData, at_least: float | None, at_most: float | None) -> RatingData:
    """Data with 1 for ratings and gold that reach the level, 0 for the others."""

    def reached(column: Floats) -> Floats:
        within = column >= at_least if at_least is not None else column <= (at_most or 0.0)
        return np.where(np.isfinite(column), within.astype(float), np.nan)

    return replace(data, value=reached(data.value), gold=reached(data.gold))


def _estimate(
    fit: RatedFit, *, level: GoldLevel | None, raters: Raters, confidence: float
) -> Estimate:
    """Estimate with the interval of all its sources of error."""
    corrected = level is not None and level.usable
    shift = level.shift if level is not None and corrected else 0.0
    share = is_share(fit.data.value[fit.data.sampled])
    estimate = Estimate(
        fit.mean.value - shift,
        n_items=len(fit.rows),
        n_raters=fit.n_raters,
        n_ratings=int(fit.data.sampled.sum()),
        method=f"{fit.mean.method}, {WHOSE[raters]}{', gold-corrected' if corrected else ''}",
        warnings=(
            *rated_warnings(fit),
            *(few_cases(fit.item_means) if share else ()),
            *(level.warnings if level is not None else ()),
        ),
    )
    parts = [Part(fit.mean.variance(), fit.mean.df), noise_part(fit)]
    if level is not None and corrected:
        parts.append(level.part)
    elif raters == "others" and fit.n_raters < 2:
        warnings = (*estimate.warnings, ONE_RATER)
        return replace(estimate, reason="fewer_than_two_raters", warnings=warnings)
    elif raters == "others":
        parts.append(rater_part(fit))
    share_of = fit.mean.effective_n if share else None
    return with_interval(
        estimate, parts, confidence=confidence, share_of=share_of, draws=fit.mean.draws
    )
