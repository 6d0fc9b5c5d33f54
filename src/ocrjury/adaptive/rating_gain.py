"""What each further rating of each item is expected to tell, in bits weighted over dimensions.

What a rating is worth is more than what it tells: bits that confirm a label mend nothing. A rating
counts its bits and, three times, the rise of the probability that the label is right. Either alone
does worse: bits ask where nothing will change, the rise is 0 wherever one rating cannot change the
label (`benchmarks/results/adaptive.md`).

Items go through in blocks, and only those that can still be among the wanted ratings are looked at
deeper, so that memory and time stay linear in the number of items.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ocrjury.adaptive.information import (
    count_outcomes,
    expected_confidence,
    expected_rise,
    information_gain,
    repeated_outcomes,
)
from ocrjury.adaptive.panel import Booleans, Floats, Integers, Panel, View

LEAST_GAIN = 0.01
"""Bits that a rating must be expected to tell on a dimension of the largest weight to be asked
for; a batch whose best rating is below is not worth a round."""
MENDING = 3.0
"""Bits that one right label more is worth."""
_LATER = 0.5  # worth of a bit that a later round could ask for as well
_BLOCK = 1 << 14  # items looked at together
_MOST_OUTCOMES = 500  # of several ratings: eight on five categories
_TIE = 1e-9


class Gain(NamedTuple):
    """What ratings are expected to tell, in bits, and what that is worth, shape (n,) each."""

    bits: Floats
    worth: Floats

    def at(self, rows: Booleans | Integers) -> "Gain":
        """Some of them."""
        return Gain(self.bits[rows], self.worth[rows])

    def least(self, other: "Gain", *, share: float) -> "Gain":
        """Return what is left where another gain counts a share, and is no greater than this."""
        return Gain(
            np.minimum(self.bits, other.bits * share), np.minimum(self.worth, other.worth * share)
        )


class Further(NamedTuple):
    """Ratings worth asking for: place of the item, bits, and their worth, shape (n,) each."""

    item: Integers
    gain: Floats
    worth: Floats


def least_gain(panel: Panel) -> float:
    """Weighted bits below which a rating is not asked for."""
    return LEAST_GAIN * max((view.weight for view in panel.views), default=1.0)


def first_gain(panel: Panel, items: Integers) -> Floats:
    """Gain of one rating by a rater who has not rated the item, shape (n,).

    It is the mean over these raters; where everybody has rated, that of a typical rater.
    """
    return _first(panel, items).bits


def _first(panel: Panel, items: Integers) -> Gain:
    """Gain of one rating by a rater who has not rated the item."""
    total = Gain(*np.zeros((2, len(items))))
    for view in panel.views:
        for block in _blocks(len(items)):
            found = _by_free_raters(panel, view, items[block])
            total.bits[block] += view.weight * found.bits
            total.worth[block] += view.weight * found.worth
    return total


def worthwhile(
    panel: Panel,
    candidates: Booleans,
    *,
    price: Floats,
    target_confidence: float,
    cap: int,
    budget: int,
) -> Further:
    """Ratings worth asking for, an item's first one before its second.

    Parameters
    ----------
    candidates
        Items that may be asked about, shape (N,).
    price
        Of a rating of each item, shape (N,).
    budget
        Ratings wanted; those that cannot be among the best ``budget`` per price may be left out.
    """
    items = np.flatnonzero(candidates & panel.unsure(target_confidence))
    gain = _first(panel, items)
    least = least_gain(panel)
    found: list[Further] = []
    for times in range(1, cap + 1):
        if times > 1:
            deeper = _promising(found, price, items=items, gain=gain, budget=budget)
            deeper &= panel.n_ratings[items] + times <= cap
            items, gain = items[deeper], gain.at(deeper)
            if not len(items) or not _countable(panel, times):
                break
            more = _further_gain(panel, items, times, target_confidence=target_confidence)
            gain = gain.least(more, share=_LATER ** (times - 1))
        telling = gain.bits >= least
        items, gain = items[telling], gain.at(telling)
        found.append(Further(items, *gain))
    return Further(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _promising(
    found: list[Further], price: Floats, *, items: Integers, gain: Gain, budget: int
) -> Booleans:
    """Whether an item's next rating, at most as good as its last, can be among the best."""
    value = np.concatenate([one.worth / price[one.item] for one in found])
    if len(value) <= budget:
        return np.ones(len(items), dtype=bool)
    if not budget:
        return np.zeros(len(items), dtype=bool)
    least = np.partition(value, len(value) - budget)[len(value) - budget]
    return np.asarray(gain.worth / price[items] >= least - _TIE)


def _countable(panel: Panel, times: int) -> bool:
    """Whether the outcomes of so many ratings are few enough to go through."""
    widest = max((view.probabilities.shape[1] for view in panel.views), default=1)
    return count_outcomes(widest, times) <= _MOST_OUTCOMES


def _by_free_raters(panel: Panel, view: View, items: Integers) -> Gain:
    """Unweighted mean gain on one dimension over the raters who are free."""
    shares = view.probabilities[items]
    groups = view.groups
    member = np.zeros((len(panel.raters), len(groups.size)))
    member[view.raters, groups.group] = 1.0
    free = groups.size - np.asarray(panel.rated[items] @ member)
    nobody = free.sum(axis=1) == 0
    total = np.zeros((2, len(items)))
    for rows, weight in view.by_weight(items, more=1):
        for confusion, n_free in zip(view.weakened(groups.confusion, weight), free.T, strict=True):
            who = rows[n_free[rows] > 0]
            total[:, who] += n_free[who] * _gain(shares[who], confusion)
        left = rows[nobody[rows]]
        total[:, left] = _gain(shares[left], view.weakened(view.typical, weight))
    return Gain(*(total / np.where(nobody, 1.0, free.sum(axis=1))))


def _gain(shares: Floats, outcomes: Floats) -> Gain:
    """Gain of an outcome for items with these probabilities."""
    bits = information_gain(shares, outcomes)
    return Gain(bits, bits + MENDING * expected_rise(shares, outcomes))


def _further_gain(panel: Panel, items: Integers, times: int, *, target_confidence: float) -> Gain:
    """Return what the last of several ratings adds; 0 where those before it probably suffice."""
    total = np.zeros((2, len(items)))
    unsettled = np.zeros(len(items), dtype=bool)
    for view in panel.views:
        for block in _blocks(len(items)):
            some = items[block]
            shares = view.probabilities[some]
            added, confidence = np.zeros((2, len(some))), np.zeros(len(some))
            for rows, weight in view.by_weight(some, more=times):
                after = repeated_outcomes(view.weakened(view.typical, weight), times)
                added[:, rows] += _gain(shares[rows], after)
            for rows, weight in view.by_weight(some, more=times - 1):
                before = repeated_outcomes(view.weakened(view.typical, weight), times - 1)
                added[:, rows] -= _gain(shares[rows], before)
                confidence[rows] = expected_confidence(shares[rows], before)
            total[:, block] += view.weight * added
            unsettled[block] |= confidence < target_confidence
    bits, worth = np.where(unsettled, total, 0.0)
    # Each rating weighs less the more there are; that takes nothing from what this one tells.
    return Gain(bits, np.maximum(worth, bits))


def _blocks(n_items: int) -> Iterator[slice]:
    """Yield slices that cover all places."""
    for start in range(0, n_items, _BLOCK):
        yield slice(start, start + _BLOCK)
