"""Temperature scaling of a truth's probabilities, so that confidence equals the share correct.

Guo et al. (2017), "On calibration of modern neural networks", ICML: probabilities to the power of
1 / T, normalised. Labels stay; only their confidence changes.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.ratings.table_checks import check_table
from ocrjury.truth.calibration_record import Calibration, compare_confidence
from ocrjury.truth.gold_items import place_gold, unknown_gold
from ocrjury.truth.inference import aggregate
from ocrjury.truth.labels import Places, Truth, label_places
from ocrjury.truth.rating_weight import softmax

LEAST_TO_CALIBRATE = 30
_COLDEST, _HOTTEST = 0.1, 20.0
# A few ratings never make a category less likely than this. Models that claim so are sometimes
# wrong, and one such item would determine the temperature of all others.
FLOOR = 1e-4
_SPREAD = 0.5  # prior standard deviation of the logarithm: 95 % between 0.37 and 2.7
_FOLDS = 10


def calibrate(truth: Truth, gold: Mapping[Any, Any]) -> Truth:
    """Truth at the temperature that fits items whose rating is known.

    Parameters
    ----------
    truth
        Fitted without the known ratings of these items; otherwise it would always be right there.
    gold
        {item: rating}, of gold items or of items drawn at random; at least 30.

    Returns
    -------
    Truth
        New probabilities and everything derived from them; ``calibration`` compares them with the
        old ones. Unchanged except for a warning if fewer than 30 of the items are known, on a
        continuous scale, and where a temperature would increase the loss on held-out items.
        Items that were clamped in the fit do not count.
    """
    if truth.categories.dtype.kind == "f":
        return truth.with_warning(
            "The probabilities are not calibrated: "
            "no rating on a continuous scale is exactly right."
        )
    places = place_gold(gold, truth.items, truth.categories)
    unknown = unknown_gold(gold, truth.items)
    warned = truth.with_warning(unknown) if unknown else truth
    if truth.known is not None:
        places = {row: category for row, category in places.items() if not truth.known[row]}
    if len(places) < LEAST_TO_CALIBRATE:
        return warned.with_warning(
            f"The probabilities are not calibrated: {len(places)} of their items have a known "
            f"rating, and {LEAST_TO_CALIBRATE} are needed."
        )
    rows, known = np.array(sorted(places.items())).T
    label = label_places(truth.label[rows], truth.categories)
    calibration = _check(_logs(truth, rows), known, label)
    cooled = with_temperature(warned, calibration.temperature)
    checked = replace(cooled, calibration=calibration)
    return checked if calibration.applied else checked.with_warning(_left_alone(calibration))


def calibrated_truth(
    t: RatingTable,
    gold: Mapping[Any, Any],
    *,
    known: Mapping[Any, Any] | None = None,
    blind: RatingTable | None = None,
    method: str = "dawid_skene",
    **options: Any,
) -> Truth:
    """Calibrated truth that uses all known ratings.

    Two fits: the first ignores ``gold`` and is calibrated with it; the second clamps it and uses
    the temperature of the first.

    Parameters
    ----------
    t
        The ratings.
    gold
        {item: rating} of a fair sample of items: gold items, or items drawn at random whose rating
        was adjudicated. With fewer than 30 there is a warning instead of a calibration.
    known
        {item: rating} of other items whose rating was adjudicated, for example after a
        disagreement. Both fits clamp them; they are harder than most and not representative of the
        rest.
    blind
        Ratings for the first fit, if not all: those of the people who settled ``gold`` are left
        out, because a model that sees the answer among the ratings is right too often.
    method, options
        As in `aggregate`, without ``gold``.

    Returns
    -------
    Truth
        Items of ``gold`` and ``known`` are certain; ``calibration`` is None if it was not possible.
    """
    check_table(t, "calibrated_truth")
    settled = {item: rating for item, rating in (known or {}).items() if item not in gold}
    if t.scale.kind == "interval":
        return aggregate(t, method=method, gold={**settled, **gold}, **options)
    first = aggregate(t if blind is None else blind, method=method, gold=settled, **options)
    checked = calibrate(first, gold)
    if blind is None and not any(item in gold for item in t.items):
        return checked
    final = aggregate(t, method=method, gold={**settled, **gold}, **options)
    added = checked.warnings[len(first.warnings) :]
    return replace(
        with_temperature(final, checked.temperature),
        calibration=checked.calibration,
        warnings=tuple(dict.fromkeys((*final.warnings, *added))),
    )


def with_temperature(truth: Truth, temperature: float) -> Truth:
    """Truth with its log-probabilities divided by a temperature, as in `calibrate`.

    The temperature replaces an earlier one. Items with a known category stay certain.

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
    cooled = softmax(_logs(truth, slice(None)) / temperature)
    if truth.known is not None:
        cooled[truth.known] = truth.probabilities[truth.known]
    return truth.with_probabilities(cooled, temperature=temperature)


def _logs(truth: Truth, rows: Integers | slice) -> Floats:
    """Log-probabilities before any temperature, up to a constant per item."""
    floor = FLOOR ** (1 / truth.temperature)
    return np.asarray(np.log(np.maximum(truth.probabilities[rows], floor)) * truth.temperature)


def _check(logs: Floats, known: Integers, label: Places) -> Calibration:
    """Best temperature, and its effect on held-out items."""
    # Folds depend on the items' content, not on their order, so the order has no influence.
    fold = np.empty(len(known), dtype=np.int64)
    fold[np.lexsort((*np.round(logs, 9).T, known))] = np.arange(len(known)) % _FOLDS
    after = np.empty_like(logs)
    for held_out in range(_FOLDS):
        rest = fold != held_out
        temperature = _best_temperature(logs[rest], known[rest])
        after[~rest] = softmax(logs[~rest] / temperature)
    return compare_confidence(
        softmax(logs),
        after,
        known,
        label=label,
        temperature=_best_temperature(logs, known),
    )


def _left_alone(calibration: Calibration) -> str:
    """Warning about a temperature that was not applied."""
    return (
        f"The probabilities were not changed: on the {calibration.n_items} items with a known "
        f"rating a temperature would raise the mean log loss from {calibration.loss_before:.3f} to "
        f"{calibration.loss_after:.3f}."
    )


def _best_temperature(logs: Floats, known: Integers) -> float:
    """Temperature that maximises the probability of the known categories.

    Its logarithm has a normal prior, because a model that happens to be right on every gold item
    would otherwise become certain of everything.
    """
    rows = np.arange(len(known))

    def loss(log_temperature: float) -> float:
        cooled = softmax(logs / math.exp(log_temperature))
        return (log_temperature / _SPREAD) ** 2 / 2 - float(np.log(cooled[rows, known]).sum())

    bounds = (math.log(_COLDEST), math.log(_HOTTEST))
    from scipy.optimize import minimize_scalar  # noqa: PLC0415  # takes .1 s, rarely needed

    return math.exp(minimize_scalar(loss, bounds=bounds, method="bounded").x)
