"""Make a truth as sure as it is right, with one temperature.

Guo et al. (2017), "On calibration of modern neural networks", ICML: probabilities to the power of
1 / T, normalised. Labels stay; only how sure they are changes.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.calibration_record import Calibration, compare_confidence
from ocrjury.truth.gold_items import place_gold, unknown_gold
from ocrjury.truth.inference import aggregate
from ocrjury.truth.labels import Floats, Places, Truth, label_places
from ocrjury.truth.rating_blocks import Integers

LEAST_GOLD = 30
_COLDEST, _HOTTEST = 0.1, 20.0
# No handful of ratings makes a category less likely than this. Models that say so are at times
# wrong, and one such item would decide about the temperature of all others.
_FLOOR = 1e-4
_SPREAD = 0.5  # prior standard deviation of the logarithm: 95 % between 0.37 and 2.7
_FOLDS = 10


def calibrate(truth: Truth, gold: Mapping[Any, Any]) -> Truth:
    """Truth at the temperature that fits items whose rating is known.

    Parameters
    ----------
    truth
        Fitted without these items' known ratings: a truth that was told them is always right there.
    gold
        {item: rating}, of gold items or of items drawn at random; at least 30.

    Returns
    -------
    Truth
        Probabilities and what follows from them are new, ``calibration`` says how well they were
        and are, all else is as before. With fewer than 30 of the items known it is unchanged but
        for a warning; so it is on a slider, and where a temperature would make it worse on items
        that had no part in finding it. Items that the truth was told do not count.
    """
    if truth.categories.dtype.kind == "f":
        return truth.with_warning(
            "The probabilities are not calibrated: no number on a slider is exactly right."
        )
    places = place_gold(gold, truth.items, truth.categories)
    odd = unknown_gold(gold, truth.items)
    told = truth.with_warning(odd) if odd else truth
    if truth.known is not None:
        places = {row: category for row, category in places.items() if not truth.known[row]}
    if len(places) < LEAST_GOLD:
        return told.with_warning(
            f"The probabilities are not calibrated: {len(places)} of their items have a known "
            f"rating, and {LEAST_GOLD} are needed."
        )
    rows, known = np.array(sorted(places.items())).T
    label = label_places(truth.label[rows], truth.categories)
    found = _check(_logs(truth, rows), known, label)
    cooled = with_temperature(told, found.temperature)
    checked = replace(cooled, calibration=found)
    return checked if found.applied else checked.with_warning(_left_alone(found))


def calibrated_truth(
    t: RatingTable,
    gold: Mapping[Any, Any],
    *,
    known: Mapping[Any, Any] | None = None,
    blind: RatingTable | None = None,
    method: str = "dawid_skene",
    **options: Any,
) -> Truth:
    """Truth that knows all that is known and is as sure as it is right.

    Two fits: the first does not know ``gold`` and is calibrated with it, the second knows it and
    takes over the temperature.

    Parameters
    ----------
    t
        The ratings.
    gold
        {item: rating} of a fair sample of items: gold items, or items drawn at random whose rating
        was settled. Under 30 of them there is no calibration, and a warning.
    known
        {item: rating} of other items whose rating is settled, for example because raters disagreed.
        Both fits know them; as they are harder than most, they say nothing about the rest.
    blind
        The ratings that the first fit sees, if not all: without those by whoever settled ``gold``,
        as a model that was shown the answer among the ratings is right too often.
    method, options
        As of `aggregate`, without ``gold``.

    Returns
    -------
    Truth
        Items of ``gold`` and ``known`` are certain; ``calibration`` is None if there was none.
    """
    settled = {item: rating for item, rating in (known or {}).items() if item not in gold}
    if t.scale.kind == "interval":
        return aggregate(t, method=method, gold={**settled, **gold}, **options)
    first = aggregate(t if blind is None else blind, method=method, gold=settled, **options)
    checked = calibrate(first, gold)
    if blind is None and not any(item in gold for item in t.items):
        return checked
    final = aggregate(t, method=method, gold={**settled, **gold}, **options)
    said = checked.warnings[len(first.warnings) :]
    return replace(
        with_temperature(final, checked.temperature),
        calibration=checked.calibration,
        warnings=tuple(dict.fromkeys((*final.warnings, *said))),
    )


def with_temperature(truth: Truth, temperature: float) -> Truth:
    """Truth with its log-probabilities divided by a temperature, as of `calibrate`.

    The temperature replaces an earlier one. Items that the truth was told stay certain.

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
    if temperature == truth.temperature:
        return truth
    cooled = _softmax(_logs(truth, slice(None)) / temperature)
    if truth.known is not None:
        cooled[truth.known] = truth.probabilities[truth.known]
    return truth.with_probabilities(cooled, temperature=temperature)


def _logs(truth: Truth, rows: Integers | slice) -> Floats:
    """Log-probabilities as they were before any temperature, up to a constant per item."""
    floor = _FLOOR ** (1 / truth.temperature)
    return np.asarray(np.log(np.maximum(truth.probabilities[rows], floor)) * truth.temperature)


def _check(logs: Floats, known: Integers, label: Places) -> Calibration:
    """Best temperature, and how it does on items that had no part in finding it."""
    # By what is known of items, not by their order, which must not decide anything.
    fold = np.empty(len(known), dtype=np.int64)
    fold[np.lexsort((*np.round(logs, 9).T, known))] = np.arange(len(known)) % _FOLDS
    after = np.empty_like(logs)
    for held_out in range(_FOLDS):
        rest = fold != held_out
        temperature = _best_temperature(logs[rest], known[rest])
        after[~rest] = _softmax(logs[~rest] / temperature)
    return compare_confidence(
        _softmax(logs),
        after,
        known,
        label=label,
        temperature=_best_temperature(logs, known),
    )


def _left_alone(found: Calibration) -> str:
    """Sentence about a temperature that was not used."""
    return (
        f"The probabilities were left as they are: on the {found.n_items} items with a known "
        f"rating a temperature would raise the mean log loss from {found.loss_before:.3f} to "
        f"{found.loss_after:.3f}."
    )


def _best_temperature(logs: Floats, known: Integers) -> float:
    """Temperature under which the known categories are most probable.

    Its logarithm has a normal prior, because a model that happens to be right on every gold item
    would otherwise become certain of everything.
    """
    rows = np.arange(len(known))

    def loss(log_temperature: float) -> float:
        cooled = _softmax(logs / math.exp(log_temperature))
        return (log_temperature / _SPREAD) ** 2 / 2 - float(np.log(cooled[rows, known]).sum())

    bounds = (math.log(_COLDEST), math.log(_HOTTEST))
    return math.exp(minimize_scalar(loss, bounds=bounds, method="bounded").x)


def _softmax(logs: Floats) -> Floats:
    """Probabilities of log-probabilities, row by row."""
    weights = np.exp(logs - logs.max(axis=1, initial=-np.inf, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
