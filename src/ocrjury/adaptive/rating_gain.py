"""Expected gain of each further rating of each item, in bits weighted over dimensions.

The worth of a rating is not its information alone: bits that confirm a label correct nothing. The
worth is the bits plus three times the expected rise of the probability that the label is right.
Either alone does worse: bits favour items where nothing will change, and the rise is 0 wherever one
rating cannot change the label (`benchmarks/results/adaptive.md`).

Items are processed in blocks, and further ratings are computed only for items that can still be
chosen, so memory and time are linear in the number of items.
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
from ocrjury.adaptive.rating_state import RatingState, View
from ocrjury.arrays import Booleans, Floats, Integers

LEAST_GAIN = 0.01
"""Smallest expected gain of a rating in bits, on a dimension of the largest weight; a batch whose
best rating has less is not worth a round."""
CORRECTION_WORTH = 3.0
"""Worth of one more right label, in bits."""
_LATER = 0.5  # worth of a bit that a later round could collect as well
_BLOCK = 1 << 14  # items processed together
_MOST_OUTCOMES = 500  # outcomes of several ratings: eight ratings on five categories
_TIE = 1e-9


class Gain(NamedTuple):
    """Expected gain of ratings in bits, and their worth, shape (n,) each."""

    bits: Floats
    worth: Floats

    def at(self, rows: Booleans | Integers) -> "Gain":
        """Gains of some of the items."""
        return Gain(self.bits[rows], self.worth[rows])

    def least(self, other: "Gain", *, share: float) -> "Gain":
        """Element-wise minimum of this gain and a share of another."""
        return Gain(
            np.minimum(self.bits, other.bits * share), np.minimum(self.worth, other.worth * share)
        )


class Further(NamedTuple):
    """Ratings worth collecting: place of the item, bits, and their worth, shape (n,) each."""

    item: Integers
    gain: Floats
    worth: Floats


def least_gain(state: RatingState) -> float:
    """Weighted bits below which a rating is not collected."""
    return LEAST_GAIN * max((view.weight for view in state.views), default=1.0)


def first_gain(state: RatingState, items: Integers) -> Floats:
    """Expected gain of one rating by a rater who has not rated the item, in bits, shape (n,).

    It is the mean over these raters, as far as they may be asked; where everybody has rated the
    item, that of a typical rater.
    """
    return _first(state, items).bits


def _first(state: RatingState, items: Integers) -> Gain:
    """Expected gain of one rating by a rater who has not rated the item."""
    total = Gain(*np.zeros((2, len(items))))
    for view in state.views:
        for block in _blocks(len(items)):
            gain = _by_free_raters(state, view, items[block])
            total.bits[block] += view.weight * gain.bits
            total.worth[block] += view.weight * gain.worth
    return total


def worthwhile(
    state: RatingState,
    candidates: Booleans,
    *,
    price: Floats,
    target_confidence: float,
    caps: Integers,
    budget: int,
) -> Further:
    """Ratings worth collecting, an item's first one before its second.

    Parameters
    ----------
    candidates
        Items that may be chosen, shape (N,).
    price
        Price of a rating of each item, shape (N,).
    caps
        Largest number of ratings of each item, those it has included, shape (N,).
    budget
        Number of ratings wanted; ratings that cannot be among the best ``budget`` per price may be
        left out.
    """
    items = np.flatnonzero(candidates & state.unsure(target_confidence))
    gain = _first(state, items)
    least = least_gain(state)
    widest = max((view.probabilities.shape[1] for view in state.views), default=1)
    ratings: list[Further] = []
    for times in range(1, max(int(caps.max(initial=1)), 1) + 1):
        if times > 1:
            deeper = _promising(ratings, price, items=items, gain=gain, budget=budget)
            deeper &= state.n_ratings[items] + times <= caps[items]
            items, gain = items[deeper], gain.at(deeper)
            if not len(items) or count_outcomes(widest, times) > _MOST_OUTCOMES:
                break
            more = _further_gain(state, items, times, target_confidence=target_confidence)
            gain = gain.least(more, share=_LATER ** (times - 1))
        sufficient = gain.bits >= least
        items, gain = items[sufficient], gain.at(sufficient)
        ratings.append(Further(items, *gain))
    return Further(*(np.concatenate(parts) for parts in zip(*ratings, strict=True)))


def _promising(
    ratings: list[Further], price: Floats, *, items: Integers, gain: Gain, budget: int
) -> Booleans:
    """Mask of items whose next rating, worth at most as much as the last, may be among the best."""
    value = np.concatenate([batch.worth / price[batch.item] for batch in ratings])
    if len(value) <= budget:
        return np.ones(len(items), dtype=bool)
    if not budget:
        return np.zeros(len(items), dtype=bool)
    least = np.partition(value, len(value) - budget)[len(value) - budget]
    return np.asarray(gain.worth / price[items] >= least - _TIE)


def _by_free_raters(state: RatingState, view: View, items: Integers) -> Gain:
    """Unweighted mean gain on one dimension over the raters left who have not rated the item."""
    shares = view.probabilities[items]
    groups = view.groups
    member = np.zeros((len(state.raters), len(groups.size)))
    member[view.raters, groups.group] = state.askable[view.raters]
    free = member.sum(axis=0) - np.asarray(state.rated[items] @ member)
    all_rated = free.sum(axis=1) == 0
    total = np.zeros((2, len(items)))
    for rows, weight in view.by_weight(items, more=1):
        for confusion, n_free in zip(view.weakened(groups.confusion, weight), free.T, strict=True):
            can_rate = rows[n_free[rows] > 0]
            total[:, can_rate] += n_free[can_rate] * _gain(shares[can_rate], confusion)
        rest = rows[all_rated[rows]]
        total[:, rest] = _gain(shares[rest], view.weakened(view.typical, weight))
    return Gain(*(total / np.where(all_rated, 1.0, free.sum(axis=1))))


def _gain(shares: Floats, outcomes: Floats) -> Gain:
    """Gain from an outcome, for items with these probabilities."""
    bits = information_gain(shares, outcomes)
    return Gain(bits, bits + CORRECTION_WORTH * expected_rise(shares, outcomes))


def _further_gain(
    state: RatingState, items: Integers, times: int, *, target_confidence: float
) -> Gain:
    """Gain of the last of several ratings; 0 where the earlier ones probably suffice."""
    total = np.zeros((2, len(items)))
    unsettled = np.zeros(len(items), dtype=bool)
    for view in state.views:
        for block in _blocks(len(items)):
            places = items[block]
            shares = view.probabilities[places]
            gained, confidence = np.zeros((2, len(places))), np.zeros(len(places))
            for rows, weight in view.by_weight(places, more=times):
                after = repeated_outcomes(view.weakened(view.typical, weight), times)
                gained[:, rows] += _gain(shares[rows], after)
            for rows, weight in view.by_weight(places, more=times - 1):
                before = repeated_outcomes(view.weakened(view.typical, weight), times - 1)
                gained[:, rows] -= _gain(shares[rows], before)
                confidence[rows] = expected_confidence(shares[rows], before)
            total[:, block] += view.weight * gained
            unsettled[block] |= confidence < target_confidence
    bits, worth = np.where(unsettled, total, 0.0)
    # Each rating weighs less the more there are, but this one is no less informative for it.
    return Gain(bits, np.maximum(worth, bits))


def _blocks(n_items: int) -> Iterator[slice]:
    """Yield slices that cover all places."""
    for start in range(0, n_items, _BLOCK):
        yield slice(start, start + _BLOCK)
