"""Whether asking where the model is in doubt pays, judged by items whose category is known.

Every rating of a gold item is held out once: the model without it says what it expects the rating
to tell, and the rating then shows what it did tell, in bits about the known category. Where the
ratings that the model would have asked for first bring it no closer to the known categories, its
doubts are about something else (taste, or guides that raters and experts read differently), and
ratings are better spread evenly.

Each item counts once, however often it was rated, so that earlier rounds do not sway the answer.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from ocrjury.adaptive.information import information_gain, weakened
from ocrjury.adaptive.panel import Dimensions, Floats, Integers, by_dimension, typical_confusion
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth
from ocrjury.truth.rating_weight import rating_weights

Decision = Literal["information", "uniform", "undecided"]

LEAST_GOLD = 30
_FLOOR = 1e-4  # no rating is held to make the known category less likely than this
_LIMIT = 3.0  # standard errors; two would be reached by chance in one of twelve good campaigns


@dataclass(frozen=True, slots=True)
class GainCheck:
    """What the ratings of gold items told, and what follows for the next round.

    Attributes
    ----------
    decision
        ``"information"``: ask where it is expected to tell most; ``"uniform"``: ask evenly;
        ``"undecided"``: too little gold to tell, so the default stands.
    reason
        In one sentence.
    chosen, at_random
        Mean bits about the known category that a rating told, of the half of the gold items that
        the model would ask about first, and of all of them; ``nan`` without enough gold.
    n_items
        Gold items with two or more ratings, over all dimensions.
    """

    decision: Decision
    reason: str
    chosen: Estimate
    at_random: Estimate
    n_items: int

    def explore(self, share: float = 0.2) -> float:
        """Return what `ocrjury.adaptive.next_ratings` takes as ``explore``: 1 to ask evenly."""
        return 1.0 if self.decision == "uniform" else share


class _Held(NamedTuple):
    """Mean expected and actual bits of each gold item's held-out ratings, shape (n,)."""

    expected: Floats
    told: Floats


def check_gain(
    truth: Truth | Mapping[Any, Truth],
    table: RatingTable | Mapping[Any, RatingTable],
    gold: Mapping[Any, Any],
) -> GainCheck:
    """Whether the ratings that the model would ask for tell anything about gold.

    Parameters
    ----------
    truth, table
        Truth and the ratings it was inferred from, or one of each per dimension. Items that a truth
        was told do not count: infer it without these gold items, as for
        `ocrjury.truth.calibrate`. A temperature has no influence.
    gold
        {item: rating} of a fair sample of items, or {dimension: {item: rating}}; at least 30 with
        two or more ratings.

    Returns
    -------
    GainCheck
        Falls back to ``"uniform"`` if the chosen half's ratings told nothing on average (0 bits or
        less), or less than those of all items by more than three standard errors.

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
    'One gold item has two or more ratings; 30 are needed to tell.'
    """
    dimensions = by_dimension(truth, table)
    known = _by_dimension(gold, dimensions)
    parts = [_hold_out(*dimensions[name], some) for name, some in known.items()]
    held = _Held(*(np.concatenate(one) for one in zip(*parts, strict=True)))
    n_items = len(held.told)
    if n_items < LEAST_GOLD:
        nothing = Estimate(
            math.nan, n_items=n_items, reason="too_few_common_items" if n_items else "no_items"
        )
        return GainCheck("undecided", _too_few(n_items), nothing, nothing, n_items)
    first = np.argsort(-held.expected, kind="stable")[: n_items // 2]
    chosen, everything = _mean(held.told[first]), _mean(held.told)
    decision, reason = _decide(chosen, everything, behind=_behind(held.told, first))
    return GainCheck(decision, reason, chosen, everything, n_items)


def _hold_out(truth: Truth, table: RatingTable, gold: Mapping[Any, Any]) -> _Held:
    """Return what held-out ratings of gold items were expected to tell and told."""
    known = _known_places(truth, table, gold)
    log_confusion = np.log(np.maximum(truth.confusion, _FLOOR))
    said = log_confusion[table.rater, :, table.codes]
    logs = np.zeros((table.n_items, len(truth.categories)))
    for category, column in enumerate(said.T):
        logs[:, category] += np.bincount(table.item, column, table.n_items)
    number = np.bincount(table.item, minlength=table.n_items)
    held = np.flatnonzero((known[table.item] >= 0) & (number[table.item] > 1))
    item = table.item[held]
    prior = np.log(np.maximum(truth.class_prior, _FLOOR))
    weight = rating_weights(number[item], rooted=truth.rooted)
    others = rating_weights(number[item] - 1, rooted=truth.rooted)
    after = _softmax(weight[:, None] * (prior + logs[item]))
    before = _softmax(others[:, None] * (prior + logs[item] - said[held]))
    load = np.bincount(table.rater, minlength=table.n_raters)
    typical = typical_confusion(truth.confusion, load)
    expected = np.zeros(len(held))
    for one in np.unique(weight):
        alike = weight == one
        answers = weakened(typical, float(one), class_prior=truth.class_prior)
        expected[alike] = information_gain(before[alike], answers)
    rows = np.arange(len(held))
    told = np.log2(
        np.maximum(after[rows, known[item]], _FLOOR) / np.maximum(before[rows, known[item]], _FLOOR)
    )
    used, place = np.unique(item, return_inverse=True)
    times = np.maximum(np.bincount(place, minlength=len(used)), 1)
    return _Held(
        np.bincount(place, expected, len(used)) / times,
        np.bincount(place, told, len(used)) / times,
    )


def _known_places(truth: Truth, table: RatingTable, gold: Mapping[Any, Any]) -> Integers:
    """Place of each item's known category, -1 where it is unknown or was told."""
    if truth.items != table.items or truth.raters != table.raters:
        raise InputError(
            "check_gain needs the truth of this very table; their items or raters differ. Infer "
            "the truth from this table again."
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
                f"gold says {gold[item]!r} of item {item!r}, which is no category of {table.scale}."
            )
        known[place] = places[gold[item]]
    return known


def _by_dimension(gold: Mapping[Any, Any], dimensions: Dimensions) -> dict[Any, Mapping[Any, Any]]:
    """Return {dimension: {item: rating}}."""
    if set(dimensions) == {None}:
        return {None: gold}
    if not all(isinstance(some, Mapping) for some in gold.values()):
        raise InputError(
            "gold must be {dimension: {item: rating}} where truth and table are per dimension."
        )
    return {name: gold.get(name, {}) for name in dimensions}


def _softmax(logs: Floats) -> Floats:
    """Probabilities of log-probabilities, row by row."""
    weights = np.exp(logs - logs.max(axis=1, initial=-np.inf, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _mean(bits: Floats) -> Estimate:
    """Mean with a 95 % interval."""
    value = float(bits.mean())
    error = float(bits.std(ddof=1)) / math.sqrt(len(bits))
    low, high = value - 1.96 * error, value + 1.96 * error
    return Estimate(value, low, high, se=error, n_items=len(bits), method="mean of items")


def _behind(told: Floats, first: Integers) -> bool:
    """Whether the first items' ratings told clearly less than those of the others."""
    others = np.delete(told, first)
    error = math.hypot(
        told[first].std(ddof=1) / math.sqrt(len(first)), others.std(ddof=1) / math.sqrt(len(others))
    )
    return bool(told[first].mean() - others.mean() < -_LIMIT * error)


def _decide(chosen: Estimate, everything: Estimate, *, behind: bool) -> tuple[Decision, str]:
    """Decision and its reason."""
    means = (
        f"on {everything.n_items} gold items a rating of the half that the model would ask about "
        f"first told {chosen.value:.3f} bits about the known category, one of any item "
        f"{everything.value:.3f}"
    )
    if chosen.value <= 0:
        return "uniform", f"The model's doubts do not point at what further ratings mend: {means}."
    if behind:
        return "uniform", f"The model's choice does worse than chance: {means}."
    return "information", f"Asking where the model is in doubt pays: {means}."


def _too_few(n_items: int) -> str:
    """Why there is no decision."""
    some = {0: "No gold item has", 1: "One gold item has"}.get(
        n_items, f"{n_items} gold items have"
    )
    return f"{some} two or more ratings; {LEAST_GOLD} are needed to tell."
