"""Fit of ratings: a weighted mean of item means corrected for the severity of their raters."""

from typing import Literal

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError
from ocrjury.estimation.greg import greg_fit
from ocrjury.estimation.hajek import hajek_fit
from ocrjury.estimation.linear import check_confidence
from ocrjury.estimation.rater_error import RatedFit
from ocrjury.estimation.rating_data import RatingData
from ocrjury.estimation.response import response_probabilities
from ocrjury.rater_model import AdditiveFit, fit_additive, fit_reliable

Raters = Literal["others", "these"]
Auxiliary = tuple[Floats, Floats]
WHOSE: dict[str, str] = {"others": "other raters like these", "these": "these raters"}
# Weights above this make no visible difference and are not reported.
_NOTABLE = 0.9


def check_options(raters: str, confidence: float) -> None:
    """Raise unless both options are valid."""
    if raters not in WHOSE:
        raise InputError(f'raters must be "others" or "these"; found {raters!r}.')
    check_confidence(confidence)


def fit_rated(
    data: RatingData, auxiliary: Auxiliary | None, *, weight: Floats | None = None
) -> RatedFit:
    """Weighted mean of severity-corrected item means.

    ``weight`` is that of each rater, shape (M,); None: by the scatter of each rater's ratings.
    """
    additive = _additive(data, weight)
    rated, n = data.sampled, len(data.pi)
    item, value = data.item[rated], data.value[rated]
    of_rating = additive.weight[data.rater[rated]]
    corrected = of_rating * (value - additive.severity[data.rater[rated]])
    rows = np.unique(item)
    y = np.bincount(item, corrected, n)[rows] / np.bincount(item, of_rating, n)[rows]
    if np.ptp(value) == 0:  # where all are equal, rounding must not look like a spread
        y = np.full(len(rows), value[0])
    pi = _answered(data, rows)
    if auxiliary is None:
        mean = hajek_fit(y, pi)
    else:
        columns, pool_mean = auxiliary
        mean = greg_fit(y, pi, auxiliary=columns[rows], pool_mean=pool_mean)
    cluster = None if data.cluster is None else data.cluster[rows]
    return RatedFit(data, additive, rows, y, mean.drawn_in(cluster))


def reliable_weights(data: RatingData) -> Floats:
    """Weight of each rater by the scatter of the ratings, shape (M,)."""
    return _additive(data, None).weight


def _additive(data: RatingData, weight: Floats | None) -> AdditiveFit:
    """Additive fit of the ratings."""
    size = {"n_items": data.n_items, "n_raters": data.n_raters}
    if weight is None:
        return fit_reliable(data.item, data.rater, data.value, **size)
    return fit_additive(data.item, data.rater, data.value, **size, rater_weight=weight)


def _answered(data: RatingData, rows: Integers) -> Floats:
    """Probability of each rated item to be drawn and rated."""
    responded = np.zeros(len(data.pi), dtype=bool)
    responded[rows] = True
    return response_probabilities(data.pi, responded=responded, stratum=data.stratum)


def rated_warnings(fit: RatedFit) -> tuple[str, ...]:
    """Warnings about an estimate, in whole sentences."""
    sentences = [*fit.mean.warnings, *_unrated(fit)]
    if fit.n_raters > 1 and not fit.additive.connected:
        sentences.append(
            f"Items in common join the {len(fit.additive.group)} raters into "
            f"{fit.additive.n_groups} groups, not one, so strict raters cannot be told from hard "
            "items between groups; let raters share items."
        )
    weight = fit.additive.weight
    sentences.extend(
        f"Ratings of {fit.data.raters[place]} scatter far more than those of the others and get "
        f"{weight[place]:.0%} of a colleague’s weight."
        for place in np.flatnonzero(weight < _NOTABLE)
    )
    return tuple(sentences)


def _unrated(fit: RatedFit) -> list[str]:
    """Warnings about items without a rating."""
    n, rated = len(fit.data.pi), len(fit.rows)
    if rated == n:
        return []
    sentences = [
        f"{n - rated} of {n} items have no rating; the rated items of their stratum stand for them."
    ]
    silent = len(np.setdiff1d(fit.data.stratum, fit.data.stratum[fit.rows]))
    if silent:
        sentences.append(
            f"{silent} {'stratum has' if silent == 1 else 'strata have'} no rated item at all; "
            "those of the others stand for it, which may be wrong by as much as strata differ."
        )
    return sentences
