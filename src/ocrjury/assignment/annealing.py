"""The last touch on few items, where swaps that only ever improve get stuck.

Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983): changes for the worse are accepted, ever
more rarely, and the best plan on the way is kept. Besides swaps, a rater with more ratings may hand
one over to another, as long as neither the largest load grows nor the smallest one falls.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ocrjury.assignment.overlap import Overlap, can_improve

_FEW = 60  # items times raters per item
_STEPS_PER_SEAT, _STARTS = 60, 3
_WARM, _COLD = 4.0, 0.15
_HAND_OVERS = 0.3  # share of changes that are no swaps
_RANGE = 3.0  # what one step of the range counts beside the sum of squares


class Seat(NamedTuple):
    """A place in a team."""

    item: int
    number: int


class Seating:
    """Few teams as plain lists, which single changes are quickest on."""

    def __init__(self, overlap: Overlap) -> None:
        demand, n = overlap.demand, len(overlap.demand.raters)
        self.teams = [
            team[:need]
            for team, need in zip(overlap.teams.tolist(), demand.need.tolist(), strict=True)
        ]
        self.before = [[r for r in row if r < n] for row in demand.before.tolist()]
        self.may = [set(np.flatnonzero(demand.allowed[kind])) for kind in demand.kind]
        self.pairs = overlap.pairs[:-1, :-1].tolist()
        self.load = [sum(team.count(rater) for team in self.teams) for rater in range(n)]
        self.limit = np.minimum(demand.capacity, max(self.load)).tolist()
        self.least = min(self.load)
        self.seats = [Seat(i, k) for i, team in enumerate(self.teams) for k in range(len(team))]

    def fits(self, item: int, rater: int) -> bool:
        """Return whether a rater may join an item's team."""
        return (
            rater in self.may[item]
            and rater not in self.teams[item]
            and rater not in self.before[item]
        )

    def replace(self, seat: Seat, rater: int) -> int:
        """Give a seat to another rater; return the change of half the sum of squared meetings."""
        team, old, change = self.teams[seat.item], self.teams[seat.item][seat.number], 0
        for other in (*self.before[seat.item], *team):
            if other == old:
                continue
            change += 2 * (self.pairs[rater][other] - self.pairs[old][other]) + 2
            for member, step in ((old, -1), (rater, 1)):
                self.pairs[member][other] += step
                self.pairs[other][member] += step
        team[seat.number] = rater
        self.load[old] -= 1
        self.load[rater] += 1
        return change

    def range(self) -> int:
        """Difference between the most and the fewest meetings of a pair."""
        counts = [count for rater, row in enumerate(self.pairs) for count in row[:rater]]
        return int(max(counts) - min(counts))


def settle(overlap: Overlap, *, rng: np.random.Generator) -> None:
    """Make the meetings of few items as even as annealing can."""
    if overlap.teams[overlap.busy].size > _FEW:
        return
    floor = _least_range(overlap)
    for _ in range(_STARTS):
        if not can_improve(overlap) or np.ptp(overlap.met()) <= floor:
            return
        _anneal(overlap, rng=rng, floor=floor)


def _least_range(overlap: Overlap) -> int:
    """Range that nothing can fall below: some pairs cannot meet, the rest must."""
    demand, met = overlap.demand, overlap.met()
    may = demand.allowed[demand.kind[overlap.busy]]
    may = may & ~(demand.before[overlap.busy][:, :, None] == np.arange(may.shape[1])).any(axis=1)
    joint = (may.T.astype(int) @ may) > 0
    together = joint[np.triu_indices(len(joint), 1)]
    if together.all() or not together.any():
        return 0
    return int(-(-met[together].sum() // together.sum()) - met[~together].min())


def _anneal(overlap: Overlap, *, rng: np.random.Generator, floor: int) -> None:
    """Cool the seating down once and keep the best teams of the way."""
    seating = Seating(overlap)
    squares, spread = 0.0, seating.range()
    best, kept = (spread, squares), [list(team) for team in seating.teams]
    steps = _STEPS_PER_SEAT * len(seating.seats)
    chance = rng.random((steps, 4)).tolist()
    for step, (*where, luck) in enumerate(chance):
        heat = _WARM * (_COLD / _WARM) ** (step / steps)
        undo = _changed(seating, where)
        if undo is None:
            continue
        change, back = undo
        new = seating.range()
        worse = change + _RANGE * (new - spread)
        if worse > 0 and luck >= math.exp(-worse / heat):
            for seat, rater in back:
                seating.replace(seat, rater)
            continue
        squares, spread = squares + change, new
        if (spread, squares) < best:
            best, kept = (spread, squares), [list(team) for team in seating.teams]
        if spread <= floor:
            break
    for item, team in enumerate(kept):
        overlap.teams[item, : len(team)] = team
    fresh = Overlap.of(overlap.demand, overlap.teams)
    overlap.pairs[:] = fresh.pairs


def _changed(
    seating: Seating, chance: Sequence[float]
) -> tuple[int, list[tuple[Seat, int]]] | None:
    """Change one or two seats at random; return the change and how to undo it, None if it fails."""
    first, second, third = chance
    seat = seating.seats[int(first * len(seating.seats))]
    a = seating.teams[seat.item][seat.number]
    if third < _HAND_OVERS:
        b = int(second * len(seating.load))
        even = seating.load[a] > seating.least and seating.load[b] < seating.limit[b]
        if b == a or not even or not seating.fits(seat.item, b):
            return None
        return seating.replace(seat, b), [(seat, a)]
    other = seating.seats[int(second * len(seating.seats))]
    b = seating.teams[other.item][other.number]
    if seat.item == other.item or not (seating.fits(seat.item, b) and seating.fits(other.item, a)):
        return None
    return seating.replace(seat, b) + seating.replace(other, a), [(other, b), (seat, a)]
