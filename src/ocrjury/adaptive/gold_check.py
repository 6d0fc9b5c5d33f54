"""Check on gold items whether choosing items by expected information gain pays.

Every rating of a gold item is held out once: the model without it predicts the gain of the rating,
and the rating then shows the actual gain, in bits about the known category. If the ratings that the
model would have collected first bring it no closer to the known categories, its uncertainty has
other causes (matters of taste, or instructions that raters and experts read differently), and
ratings are better spread evenly.

Each item counts once, however often it was rated, so earlier rounds do not bias the result.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.special import stdtrit

from ocrjury.adaptive.defaults import EXPLORE
from ocrjury.adaptive.information import information_gain, weakened
from ocrjury.adaptive.rating_state import Dimensions, by_dimension, typical_confusion
from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.ratings import RatingTable
from ocrjury.truth.calibration import FLOOR
from ocrjury.truth.labels import Truth
from ocrjury.truth.rating_weight import rating_weights, softmax

Decision = Literal["information", "uniform", "undecided"]

LEAST_TO_CHECK = 30
_LIMIT = 3.0  # standard errors; two are exceeded by chance in one of twelve good campaigns
_ROUNDING = 1e-9  # bits; items that are alike differ by less


@dataclass(frozen=True, slots=True)
class GainCheck:
    """Information gained from the ratings of gold items, and the decision for the next round.

    Attributes
    ----------
    decision
        ``"information"``: choose items by expected gain; ``"uniform"``: spread ratings evenly;
        ``"undecided"``: too few gold items, so the default remains.
    reason
        The reason in one sentence.
    chosen, at_random
        Mean gain of a rating in bits about the known category, for the half of the gold items that
        the model would choose first, and for all of them; ``nan`` without enough gold items.
    n_items
        Gold items with two or more ratings, over all dimensions.
    """

    decision: Decision
    reason: str
    chosen: Estimate
    at_random: Estimate
    n_items: int

    def explore(self, share: float = EXPLORE) -> float:
        """Value of ``explore`` for `ocrjury.adaptive.next_ratings`: 1 to spread ratings evenly."""
        return 1.0 if self.decision == "uniform" else share


class _HeldOut(NamedTuple):
    """Mean expected and actual gain of each gold item's held-out ratings, in bits, shape (n,)."""

    expected: Floats
    actual: Floats


def check_gain(
    truth: Truth | Mapping[Any, Truth],
    table: RatingTable | Mapping[Any, RatingTable],
    gold: Mapping[Any, Any],
) -> GainCheck:
    """Check whether ratings chosen by expected gain bring the model closer to gold.

    Parameters
    ----------
    truth, table
        Truth and the ratings it was inferred from, or one of each per dimension. Items clamped in
        the truth do not count: infer it without these gold items, as for
        `ocrjury.truth.calibrate`. A temperature has no influence.
    gold
        {item: rating} of a fair sample of items, or {dimension: {item: rating}}; at least 30 with
        two or more ratings.

    Returns
    -------
    GainCheck
        Decides for ``"uniform"`` if the ratings of the chosen half gained nothing on average (0
        bits or less), or less than those of the other half by more than three standard errors.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> from ocrjury.truth import dawid_skene
    >>> t = RatingTable.from_matrix([[1, 1, 0]] * 20 + [[0, 0, 1]] * 20, scale=Scale.binary())
    >>> gold = {item: int(item < 20) for item in range(40)}
    >>> check = check_gain(dawid_skene(t), t, gold)
    >>> check.decision, check.explore()
    ('information', 0.2)
    >>> check_gain(dawid_skene(t), t, {0: 1}).reason
    'One gold item has two or more ratings; 30 are needed.'
    """
    dimensions = by_dimension(truth, table)
    known = _by_dimension(gold, dimensions)
    parts = [_hold_out(*dimensions[name], known_ratings) for name, known_ratings in known.items()]
    held = _HeldOut(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    n_items = len(held.actual)
    if n_items < LEAST_TO_CHECK:
        undefined = Estimate(
            math.nan, n_items=n_items, reason="too_few_common_items" if n_items else "no_items"
        )
        return GainCheck("undecided", _too_few(n_items), undefined, undefined, n_items)
    first = np.argsort(-held.expected, kind="stable")[: n_items // 2]
    chosen, everything = _mean(held.actual[first]), _mean(held.actual)
    decision, reason = _decide(chosen, everything, behind=_behind(held.actual, first))
    return GainCheck(decision, reason, chosen, everything, n_items)


def _hold_out(truth: Truth, table: RatingTable, gold: Mapping[Any, Any]) -> _HeldOut:
    """Expected and actual gain of held-out ratings of gold items."""
    known = _known_places(truth, table, gold)
    log_confusion = np.log(np.maximum(truth.confusion, FLOOR))
    rating_logs = log_confusion[table.rater, :, table.codes]
    logs = np.zeros((table.n_items, len(truth.categories)))
    for category, column in enumerate(rating_logs.T):
        logs[:, category] += np.bincount(table.item, column, table.n_items)
    number = np.bincount(table.item, minlength=table.n_items)
    held = np.flatnonzero((known[table.item] >= 0) & (number[table.item] > 1))
    item = table.item[held]
    prior = np.log(np.maximum(truth.class_prior, FLOOR))
    weight, others = (
        rating_weights(n, dependence=truth.dependence, bounded=truth.bounded)
        for n in (number[item], number[item] - 1)
    )
    after = softmax(weight[:, None] * (prior + logs[item]))
    before = softmax(others[:, None] * (prior + logs[item] - rating_logs[held]))
    load = np.bincount(table.rater, minlength=table.n_raters)
    typical = typical_confusion(truth.confusion, load)
    expected = np.zeros(len(held))
    for level in np.unique(weight):
        same = weight == level
        outcomes = weakened(typical, float(level), class_prior=truth.class_prior)
        expected[same] = information_gain(before[same], outcomes)
    rows = np.arange(len(held))
    actual = np.log2(
        np.maximum(after[rows, known[item]], FLOOR) / np.maximum(before[rows, known[item]], FLOOR)
    )
    used, place = np.unique(item, return_inverse=True)
    times = np.maximum(np.bincount(place, minlength=len(used)), 1)
    return _HeldOut(
        np.bincount(place, expected, len(used)) / times,
        np.bincount(place, actual, len(used)) / times,
    )


def _known_places(truth: Truth, table: RatingTable, gold: Mapping[Any, Any]) -> Integers:
    """Place of each item's known category, -1 where it is unknown or was clamped in the truth."""
    if truth.items != table.items or truth.raters != table.raters:
        raise InputError(
            "check_gain needs a truth inferred from this table; their items or raters differ. "
            "Infer the truth from this table again."
        )
    if table.scale.kind == "interval":
        raise InputError(
            f"check_gain needs categories; found a scale of {table.scale}, on which no number is "
            "exactly right."
        )
    places = {category: place for place, category in enumerate(truth.categories.tolist())}
    known = np.full(table.n_items, -1)
    for place, item in enumerate(table.items):
        if item not in gold or (truth.known is not None and truth.known[place]):
            continue
        if gold[item] not in places:
            raise InputError(
                f"gold item {item!r} has the rating {gold[item]!r}, which is not on the scale "
                f"{table.scale}."
            )
        known[place] = places[gold[item]]
    return known


def _by_dimension(gold: Mapping[Any, Any], dimensions: Dimensions) -> dict[Any, Mapping[Any, Any]]:
    """Gold ratings as {dimension: {item: rating}}."""
    if set(dimensions) == {None}:
        return {None: gold}
    if not all(isinstance(ratings, Mapping) for ratings in gold.values()):
        raise InputError(
            "gold must be {dimension: {item: rating}} where truth and table are per dimension."
        )
    return {name: gold.get(name, {}) for name in dimensions}


def _mean(bits: Floats) -> Estimate:
    """Mean with a 95 % interval (Student's t)."""
    value = float(bits.mean())
    error = float(bits.std(ddof=1)) / math.sqrt(len(bits))
    reach = float(stdtrit(len(bits) - 1, 0.975)) * error
    return Estimate(
        value, value - reach, value + reach, se=error, n_items=len(bits), method="mean of items"
    )


def _behind(actual: Floats, first: Integers) -> bool:
    """Return whether the first items' ratings gained clearly less than the others'."""
    others = np.delete(actual, first)
    error = math.hypot(
        actual[first].std(ddof=1) / math.sqrt(len(first)),
        others.std(ddof=1) / math.sqrt(len(others)),
    )
    return bool(others.mean() - actual[first].mean() > max(_LIMIT * error, _ROUNDING))


def _decide(chosen: Estimate, overall: Estimate, *, behind: bool) -> tuple[Decision, str]:
    """Decision and its reason."""
    means = (
        f"on {overall.n_items} gold items, a rating of the half that the model would choose first "
        f"gained {chosen.value:.3f} bits about the known category, a rating of any item "
        f"{overall.value:.3f}"
    )
    if chosen.value <= _ROUNDING:
        return "uniform", f"Further ratings do not resolve the model's uncertainty: {means}."
    if behind:
        return "uniform", f"The model's choice of items is worse than a random choice: {means}."
    return "information", f"Choosing the items that the model is unsure about pays: {means}."


def _too_few(n_items: int) -> str:
    """Reason why there is no decision."""
    subject = {0: "No gold item has", 1: "One gold item has"}.get(
        n_items, f"{n_items} gold items have"
    )
    return f"{subject} two or more ratings; {LEAST_TO_CHECK} are needed."
