"""Meetings of raters on common items, and how even they are.

Two raters meet when they rate the same item. Agreement between them can only be measured where
they meet, and severities of two groups that never meet cannot be compared at all; so meetings are
spread evenly over pairs, and the graph of meetings is connected wherever swaps can connect it.

A swap lets two raters of two items change places, which leaves all loads as they are.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from ocrjury.arrays import Booleans, Integers
from ocrjury.assignment.demand import Demand

_AT_ONCE = 4096  # swaps looked at together
_LEAST_LOOKS, _MOST_LOOKS, _PER_ITEM = 1500, 6000, 60  # looks at most, and swaps per item
_PATIENCE = 40  # looks in a row that changed nothing
_NEAR, _BRIDGES, _MOST_BRIDGES = 300, 20_000, 1000  # items of a part, swaps drawn, swaps tried


class Swaps(NamedTuple):
    """Swaps of the rater in seat ``s`` of item ``one`` with that in seat ``t`` of ``other``."""

    one: Integers
    s: Integers
    other: Integers
    t: Integers

    def which(self, kept: Integers | Booleans) -> Self:
        """Subset of the swaps."""
        return type(self)(*(part[kept] for part in self))


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """Teams and the meetings they make.

    Attributes
    ----------
    demand
        Who may rate an item, and who did.
    teams
        Raters of each item, shape (N, W), R in an empty seat.
    pairs
        How often two raters met, shape (R + 1, R + 1); the last row and column are nobody's.
    busy
        Items that have raters.
    upper
        Places of the R (R - 1) / 2 pairs in the flat table.
    """

    demand: Demand
    teams: Integers
    pairs: Integers
    busy: Integers
    upper: Integers

    @classmethod
    def of(cls, demand: Demand, teams: Integers) -> Self:
        """Overlap of teams, earlier meetings counted."""
        n = len(demand.raters) + 1
        company = np.column_stack([teams, demand.before])
        flat = np.zeros(n * n, dtype=np.int64)
        for seat in range(teams.shape[1]):
            for other in range(company.shape[1]):
                if other != seat:
                    met = np.bincount(teams[:, seat] * n + company[:, other], minlength=n * n)
                    # A meeting with an earlier rater is seen from this side only.
                    flat += met
                    if other >= teams.shape[1]:
                        flat += met.reshape(n, n).T.ravel()
        pairs = flat.reshape(n, n)
        pairs[:-1, :-1] += demand.meetings
        pairs[-1], pairs[:, -1] = 0, 0
        low, high = np.triu_indices(n - 1, 1)
        return cls(demand, teams, pairs, np.flatnonzero(demand.need), low * n + high)

    def met(self) -> Integers:
        """Number of meetings of every pair of raters, shape (R (R - 1) / 2,)."""
        return np.asarray(self.pairs.ravel()[self.upper])

    def fits(self, swaps: Swaps) -> Booleans:
        """Mask of the swaps that leave distinct, eligible raters on both items."""
        a, b = self.teams[swaps.one, swaps.s], self.teams[swaps.other, swaps.t]
        apart = swaps.one != swaps.other
        return np.asarray(apart & self._may_join(swaps.one, b) & self._may_join(swaps.other, a))

    def _may_join(self, item: Integers, rater: Integers) -> Booleans:
        """Mask of the raters who may be added to an item's team."""
        known = np.column_stack([self.teams[item], self.demand.before[item]])
        allowed = self.demand.allowed[self.demand.kind[item], np.minimum(rater, self._nobody - 1)]
        return np.asarray((rater < self._nobody) & allowed & ~(known == rater[:, None]).any(axis=1))

    @property
    def _nobody(self) -> int:
        """Rater of an empty seat."""
        return len(self.pairs) - 1

    def changes(self, swaps: Swaps) -> tuple[Integers, Integers]:
        """Effect of swaps on meetings.

        Returns
        -------
        tuple
            The change of half the sum of squared meetings, which measures how uneven they are,
            and the company that changes, shape (n, 2 V): first that of ``one``, then of ``other``,
            nobody where both items have it.
        """
        a, b = self.teams[swaps.one, swaps.s], self.teams[swaps.other, swaps.t]
        left = self._company(swaps.one, swaps.s)
        right = self._company(swaps.other, swaps.t)
        both = left[:, :, None] == right[:, None, :]
        left[both.any(axis=2)] = self._nobody
        right[both.any(axis=1)] = self._nobody
        gain = self.pairs[b[:, None], left] - self.pairs[a[:, None], left] + (left < self._nobody)
        loss = self.pairs[a[:, None], right] - self.pairs[b[:, None], right]
        loss += right < self._nobody
        return 2 * (gain.sum(axis=1) + loss.sum(axis=1)), np.column_stack([left, right])

    def _company(self, item: Integers, seat: Integers) -> Integers:
        """Others of an item's team and its earlier raters."""
        company = np.column_stack([self.teams[item], self.demand.before[item]])
        company[np.arange(len(item)), seat] = self._nobody
        return company

    def carry_out(self, swaps: Swaps, company: Integers) -> None:
        """Carry out swaps of different items, given the company that they change."""
        a, b = self.teams[swaps.one, swaps.s], self.teams[swaps.other, swaps.t]
        lost, won = self._cells(a, b, company)
        for cells, step in ((lost, -1), (won, 1)):
            low, high = np.divmod(cells.ravel(), len(self.pairs))
            np.add.at(self.pairs, (low, high), step)
            np.add.at(self.pairs, (high, low), step)
        self.pairs[-1], self.pairs[:, -1] = 0, 0
        self.teams[swaps.one, swaps.s], self.teams[swaps.other, swaps.t] = b, a

    def _cells(self, a: Integers, b: Integers, company: Integers) -> tuple[Integers, Integers]:
        """Pairs, as places in the upper half, that meet once less and once more."""
        half = company.shape[1] // 2
        ends = [np.repeat(end[:, None], half, axis=1) for end in (a, b)]
        lost, won = (
            np.minimum(of, company) * len(self.pairs) + np.maximum(of, company)
            for of in (np.column_stack(ends), np.column_stack(ends[::-1]))
        )
        return lost, won

    def first_of_pair(self, swaps: Swaps, company: Integers, most: int) -> Booleans:
        """Mask of the swaps among the first ``most`` for every pair of raters they affect."""
        ends = self.teams[swaps.one, swaps.s], self.teams[swaps.other, swaps.t]
        cells = np.column_stack(self._cells(*ends, company)).ravel()
        order = np.argsort(cells, kind="stable")
        ranked = cells[order]
        new = np.append(True, ranked[1:] != ranked[:-1])
        first = np.maximum.accumulate(np.where(new, np.arange(len(ranked)), 0))
        turn = np.empty(len(cells), dtype=np.int64)
        turn[order] = np.arange(len(ranked)) - first
        turn[cells % len(self.pairs) == self._nobody] = 0
        return np.asarray((turn.reshape(len(swaps.one), 2 * company.shape[1]) < most).all(axis=1))


def spread_meetings(overlap: Overlap, *, rng: np.random.Generator) -> None:
    """Swap raters of random items wherever that makes meetings more even."""
    most = min(max(len(overlap.busy) * _PER_ITEM // _AT_ONCE, _LEAST_LOOKS), _MOST_LOOKS)
    looks = idle = 0
    while looks < most and idle < _PATIENCE and can_improve(overlap):
        swaps = _random_swaps(overlap, rng=rng)
        swaps = swaps.which(overlap.fits(swaps))
        change, company = overlap.changes(swaps)
        # Each of several swaps of one pair costs up to 1 more per pair that it touches.
        touched = 2 * company.shape[1]
        at_once = max(int(-change.min(initial=0)) // (4 * touched), 1)
        order = np.argsort(change, kind="stable")
        order = order[: np.count_nonzero(change <= (1 - at_once) * touched)]
        order = order[overlap.first_of_pair(swaps.which(order), company[order], at_once)]
        overlap.carry_out(swaps.which(order), company[order])
        looks += 1
        idle = 0 if (change[order] < 0).any() else idle + 1


def can_improve(overlap: Overlap) -> bool:
    """Return whether meetings are less even than they could be, beyond half a per cent."""
    met = overlap.met()
    if len(overlap.busy) < 2 or not met.size:
        return False
    return int(np.ptp(met)) > max(int(met.sum() % met.size > 0), float(met.mean()) / 200)


def _random_swaps(overlap: Overlap, *, rng: np.random.Generator) -> Swaps:
    """Swaps between random items, each of which comes once."""
    n = len(overlap.busy)
    number = min(n // 2, _AT_ONCE)
    if n <= 4 * _AT_ONCE:
        drawn = rng.permutation(n)[: 2 * number].reshape(2, number)
    else:
        start, gap = rng.integers(n), rng.integers(number, n - number)
        drawn = (start + np.arange(number) + np.array([[0], [gap]])) % n
    items = overlap.busy[drawn]
    seats = (rng.random((2, number)) * overlap.demand.need[items]).astype(np.int64)
    return Swaps(items[0], seats[0], items[1], seats[1])


def connect_raters(overlap: Overlap, *, rng: np.random.Generator) -> None:
    """Swap raters between groups of raters that never meet, as long as that joins groups."""
    part, n_parts = _parts(overlap)
    while n_parts > 1:
        for swap in _bridges(overlap, part, rng=rng):
            _, company = overlap.changes(swap)
            overlap.carry_out(swap, company)
            new_part, joined = _parts(overlap)
            if joined < n_parts:
                part, n_parts = new_part, joined
                break
            overlap.carry_out(swap, company)
        else:
            return


def _parts(overlap: Overlap) -> tuple[Integers, int]:
    """Group of raters who meet that each rater with items is in (others -1), and how many."""
    taken = np.unique(overlap.teams[overlap.busy])
    taken = taken[taken < len(overlap.pairs) - 1]
    _, part = connected_components(csr_matrix(overlap.pairs[:-1, :-1] > 0), directed=False)
    own = np.full(len(part), -1, dtype=np.int64)
    labels, own[taken] = np.unique(part[taken], return_inverse=True)
    return own, len(labels)


def _bridges(overlap: Overlap, part: Integers, *, rng: np.random.Generator) -> list[Swaps]:
    """Possible swaps between teams of different parts, the least uneven ones first."""
    items = rng.permutation(overlap.busy)
    company = np.column_stack([overlap.teams[items], overlap.demand.before[items]])
    items = items[(company < len(part)).sum(axis=1) > 1]
    if not len(items):
        return []
    of_item = part[overlap.teams[items, 0]]
    near = [items[of_item == name][:_NEAR] for name in np.unique(of_item)]
    ends = rng.choice(np.concatenate(near), (2, _BRIDGES))
    seats = (rng.random(ends.shape) * overlap.demand.need[ends]).astype(np.int64)
    swaps = Swaps(ends[0], seats[0], ends[1], seats[1])
    apart = part[overlap.teams[ends[0], 0]] != part[overlap.teams[ends[1], 0]]
    swaps = swaps.which(apart & overlap.fits(swaps))
    best = np.argsort(overlap.changes(swaps)[0], kind="stable")[:_MOST_BRIDGES]
    return [swaps.which(best[place : place + 1]) for place in range(len(best))]
