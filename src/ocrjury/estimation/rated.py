"""The headline: the pool's mean score, with the error of the draw and of the raters.

Symbols: n items drawn, M raters, omega_k the final weight of item k, m_k its ratings, b_r the
severity of rater r. An estimate is sum(omega_k ybar_k) of item means that are corrected for who
rated them, so that every rater counts 1 / M, however the items fell.
"""

from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.comparison import check_pair
from ocrjury.estimation.gold_level import GoldLevel, gold_level
from ocrjury.estimation.greg import checked_auxiliary, greg_fit
from ocrjury.estimation.hajek import hajek_fit
from ocrjury.estimation.linear import (
    Floats,
    Part,
    check_confidence,
    is_share,
    no_items,
    with_interval,
)
from ocrjury.estimation.rater_error import RatedFit, noise_part, rater_part
from ocrjury.estimation.rating_data import RatingData, rating_data
from ocrjury.rater_model import fit_reliable

Raters = Literal["others", "these"]
Auxiliary = tuple[Floats, Floats]
_WHOSE: dict[str, str] = {"others": "other raters like these", "these": "these raters"}
# Weights closer to 1 than this make no difference that a reader could see.
_NOTABLE = 0.9
_ONE_RATER = (
    "All ratings are by one rater, so nothing shows how much raters differ: there is no interval "
    'for other raters. raters="these" gives one for this rater alone.'
)


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
    """Return the pool's mean rating, with an interval that holds the raters' error.

    Parameters
    ----------
    ratings
        One row per rating on one dimension: ``item``, ``rater``, ``rating`` (a number; 0 and 1
        make a share). Those of gold items belong to it.
    items
        What `ocrjury.sampling.draw_sample` returned: ``doc_id`` (or ``item``) and
        ``inclusion_probability``; within its ``stratum`` the rated items also stand for those that
        nobody rated, with a warning.
    auxiliary, pool_mean
        As in `greg_mean`, in the order of ``items``; without them the Hajek mean.
    gold
        ``item`` and true ``rating`` (a fraction is fine). Their mean deviation corrects the level
        of all raters, shrunk where it could be chance.
    raters
        ``"others"``: raters are drawn from a population like them, and the interval says what
        other raters would say. ``"these"``: what these M raters would say of the whole pool.
    confidence
        Level of the interval.

    Returns
    -------
    Estimate
        As of `hajek_mean`. With ``"others"`` and one rater the value without an interval, with
        reason ``fewer_than_two_raters``. A rater whose ratings scatter far more than those of the
        others counts less (`ocrjury.rater_model.fit_reliable`), and a warning says so.

    Notes
    -----
    Four sources of error are added, with Satterthwaite's degrees of freedom for the t quantile:
    the draw (`deville_variance` of item means, which holds the ratings' noise but for the finite
    population correction); that noise times pi, which the correction took off; the raters, their
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
    _check_options(raters, confidence)
    check_pair(auxiliary, pool_mean)
    data = rating_data(ratings, items, gold)
    name = "Hajek" if auxiliary is None else "GREG"
    if not data.sampled.any():
        return no_items(f"{name}, {_WHOSE[raters]}")
    known = None
    if auxiliary is not None and pool_mean is not None:
        known = checked_auxiliary(auxiliary, pool_mean, len(data.pi))
    fit = _rated_fit(data, known)
    level = gold_level(data, fit.additive) if gold is not None else None
    return _estimate(fit, level=level, raters=raters, confidence=confidence)


def _check_options(raters: str, confidence: float) -> None:
    """Raise unless both are usable."""
    if raters not in _WHOSE:
        raise InputError(f'raters must be "others" or "these"; found {raters!r}.')
    check_confidence(confidence)


def _rated_fit(data: RatingData, auxiliary: Auxiliary | None) -> RatedFit:
    """Return the weighted mean of severity-corrected item means."""
    additive = fit_reliable(
        data.item, data.rater, data.value, n_items=data.n_items, n_raters=data.n_raters
    )
    rated, n = data.sampled, len(data.pi)
    item, value = data.item[rated], data.value[rated]
    weight = additive.weight[data.rater[rated]]
    corrected = weight * (value - additive.severity[data.rater[rated]])
    rows = np.unique(item)
    y = np.bincount(item, corrected, n)[rows] / np.bincount(item, weight, n)[rows]
    if np.ptp(value) == 0:  # where all are equal, rounding must not look like a spread
        y = np.full(len(rows), value[0])
    pi = _answered(data, rows)
    if auxiliary is None:
        mean = hajek_fit(y, pi)
    else:
        columns, pool_mean = auxiliary
        mean = greg_fit(y, pi, auxiliary=columns[rows], pool_mean=pool_mean)
    return RatedFit(data, additive, rows, mean)


def _answered(data: RatingData, rows: npt.NDArray[np.int64]) -> Floats:
    """Return probabilities of being drawn and rated: those of the draw, times the stratum's share.

    Items that nobody rated are taken to miss at random within their stratum.
    """
    weight = 1 / data.pi
    drawn = np.bincount(data.stratum, weight)
    rated = np.bincount(data.stratum[rows], weight[rows], len(drawn))
    return np.asarray(data.pi[rows] * (rated / drawn)[data.stratum[rows]], dtype=float)


def _estimate(
    fit: RatedFit, *, level: GoldLevel | None, raters: Raters, confidence: float
) -> Estimate:
    """Return the estimate with all its sources of error."""
    corrected = level is not None and level.usable
    shift = level.shift if level is not None and corrected else 0.0
    estimate = Estimate(
        fit.mean.value - shift,
        n_items=len(fit.rows),
        n_raters=fit.n_raters,
        n_ratings=int(fit.data.sampled.sum()),
        method=f"{fit.mean.method}, {_WHOSE[raters]}{', gold-corrected' if corrected else ''}",
        warnings=(*_warnings(fit), *(level.warnings if level is not None else ())),
    )
    parts = [Part(fit.mean.variance(), fit.mean.df), noise_part(fit)]
    if level is not None and corrected:
        parts.append(level.part)
    elif raters == "others" and fit.n_raters < 2:
        warnings = (*estimate.warnings, _ONE_RATER)
        return replace(estimate, reason="fewer_than_two_raters", warnings=warnings)
    elif raters == "others":
        parts.append(rater_part(fit))
    share_of = fit.mean.effective_n if is_share(fit.data.value[fit.data.sampled]) else None
    return with_interval(estimate, parts, confidence=confidence, share_of=share_of)


def _warnings(fit: RatedFit) -> tuple[str, ...]:
    """Return what a reader of the estimate must know, in whole sentences."""
    sentences = list(fit.mean.warnings)
    n, rated = len(fit.data.pi), len(fit.rows)
    if rated < n:
        sentences.append(
            f"{n - rated} of {n} items have no rating; the rated items of their stratum stand "
            "for them."
        )
    if fit.n_raters > 1 and not fit.additive.connected:
        sentences.append(
            f"Items in common join the {len(fit.additive.group)} raters into "
            f"{fit.additive.n_groups} groups, not one, so strict raters cannot be told from hard "
            "items between groups; let raters share items."
        )
    weight = fit.additive.weight
    sentences.extend(
        f"Ratings of {fit.data.raters[place]} scatter far more than those of the others and count "
        f"{weight[place]:.0%} of theirs."
        for place in np.flatnonzero(weight < _NOTABLE)
    )
    return tuple(sentences)
