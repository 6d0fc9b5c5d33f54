"""Make a truth as sure as it is right, with one temperature.

Guo et al. (2017), "On calibration of modern neural networks", ICML: probabilities to the power of
1 / T, normalised. Labels stay; only how sure they are changes.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from ocrjury.errors import InputError
from ocrjury.truth.gold_items import place_gold, unknown_gold
from ocrjury.truth.labels import Floats, Truth

LEAST_GOLD = 30
_COLDEST, _HOTTEST = 0.1, 20.0
_FLOOR = 1e-12  # probability that an impossible category has in logarithms


def calibrate(truth: Truth, gold: Mapping[Any, Any]) -> Truth:
    """Return the truth at the temperature that fits items whose rating is known.

    Parameters
    ----------
    truth
        Fitted without these items' known ratings: a truth that was told them is always right there.
    gold
        {item: rating}, best of gold items or of items drawn at random; at least 30.

    Returns
    -------
    Truth
        Probabilities and what follows from them are new, all else as before. With fewer than 30
        of the items known it is unchanged but for a warning.
    """
    places = place_gold(gold, truth.items, truth.categories)
    odd = unknown_gold(gold, truth.items)
    told = truth.with_warning(odd) if odd else truth
    if len(places) < LEAST_GOLD:
        return told.with_warning(
            f"The probabilities are not calibrated: {len(places)} of their items have a known "
            f"rating, and {LEAST_GOLD} are needed."
        )
    rows, known = np.array(list(places.items())).T
    # Times the temperature so far: logarithms as they were before, up to a constant per item.
    logs = np.log(np.maximum(truth.probabilities[rows], _FLOOR)) * truth.temperature
    return with_temperature(told, _best_temperature(logs, known))


def with_temperature(truth: Truth, temperature: float) -> Truth:
    """Return the truth with its log-probabilities divided by a temperature, as of `calibrate`.

    The temperature replaces an earlier one. Certain items, as those with a known rating, stay so.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> from ocrjury.truth import majority_vote
    >>> truth = majority_vote(RatingTable.from_matrix([[1, 1, 0]], scale=Scale.binary()))
    >>> with_temperature(truth, 2.0).probabilities.round(3).tolist()
    [[0.414, 0.586]]
    """
    if not 0 < temperature < math.inf:
        raise InputError(f"temperature must be a number above 0; found {temperature!r}.")
    relative = temperature / truth.temperature
    certain = (truth.probabilities == 1.0).any(axis=1, keepdims=True)
    logs = np.log(np.maximum(truth.probabilities, _FLOOR))
    cooled = np.where(certain, truth.probabilities, _softmax(logs / relative))
    return truth.with_probabilities(cooled, temperature=temperature)


def _best_temperature(logs: Floats, known: Floats) -> float:
    """Return the temperature under which the known categories are most probable.

    Its logarithm has a standard normal prior, because a model that happens to be right on every
    gold item would otherwise become certain of everything.
    """
    rows = np.arange(len(known))

    def loss(log_temperature: float) -> float:
        cooled = _softmax(logs / math.exp(log_temperature))
        fit = np.log(np.maximum(cooled[rows, known], _FLOOR)).sum()
        return log_temperature**2 / 2 - float(fit)

    bounds = (math.log(_COLDEST), math.log(_HOTTEST))
    return math.exp(minimize_scalar(loss, bounds=bounds, method="bounded").x)


def _softmax(logs: Floats) -> Floats:
    """Return probabilities of log-probabilities, row by row."""
    weights = np.exp(logs - logs.max(axis=1, initial=-np.inf, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
