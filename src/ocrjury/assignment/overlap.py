"""Which raters meet on items, and how evenly.

Two raters meet when they rate the same item. Agreement between them can only be measured where
they meet, and severities of two groups that never meet cannot be compared at all; so meetings are
spread evenly over pairs, and the graph of meetings is connected wherever swaps can connect it.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from ocrjury.assignment.demand import Groups, Integers
from ocrjury.assignment.realisation import Pairs, Team, meet

_MOST_SWAPS = 200_000
_SWAPS_PER_ITEM = 60
_SWAPS_AT_ONCE = 1000
_MOST_BRIDGES = 2000  # swaps tried to join two parts


class Swap(NamedTuple):
    """Rater ``a`` of item ``one`` and rater ``b`` of item ``other`` change places."""

    one: int
    a: int
    other: int
    b: int

    def back(self) -> Self:
        """Return the swap that undoes this one."""
        return self._replace(a=self.b, b=self.a)


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """Teams and the meetings they make.

    Attributes
    ----------
    teams
        Raters of each item.
    pairs
        How often two raters met, R rows of R.
    partners
        Earlier raters of each item.
    may
        Raters who may rate an item.
    """

    teams: dict[int, Team]
    pairs: Pairs
    partners: list[tuple[int, ...]]
    may: dict[int, set[int]]

    def fits(self, swap: Swap) -> bool:
        """Return whether a swap leaves distinct, eligible raters on both items."""
        one, a, other, b = swap
        return (
            one != other
            and a not in self.teams[other]
            and b not in self.teams[one]
            and b in self.may[one]
            and a in self.may[other]
        )

    def carry_out(self, swap: Swap) -> int:
        """Swap, and return by how much meetings become less even; loads stay as they are."""
        change = 0
        for item, out, new in ((swap.one, swap.a, swap.b), (swap.other, swap.b, swap.a)):
            self.teams[item].remove(out)
            company = [*self.partners[item], *self.teams[item]]
            change += meet(self.pairs, out, company, times=-1)
            change += meet(self.pairs, new, company, times=1)
            self.teams[item].append(new)
        return change


def may_rate(groups: Groups) -> dict[int, set[int]]:
    """Return the raters who may rate each item."""
    by_group = [set(np.flatnonzero(allowed).tolist()) for allowed in groups.allowed]
    return {
        place: raters
        for members, raters in zip(groups.members, by_group, strict=True)
        for place in members.tolist()
    }


def spread_meetings(overlap: Overlap, *, rng: np.random.Generator) -> None:
    """Swap raters of random items wherever that makes meetings more even."""
    items = list(overlap.teams)
    tries = min(_MOST_SWAPS, _SWAPS_PER_ITEM * len(items))
    while tries > 0 and _can_improve(overlap):
        _try_swaps(overlap, items, min(tries, _SWAPS_AT_ONCE), rng=rng)
        tries -= _SWAPS_AT_ONCE


def _try_swaps(overlap: Overlap, items: list[int], tries: int, *, rng: np.random.Generator) -> None:
    """Try random swaps and take back those that make meetings less even."""
    draws = rng.integers(len(items), size=(tries, 2)).tolist()
    seats = rng.random((tries, 2)).tolist()
    for (first, second), (left, right) in zip(draws, seats, strict=True):
        one, other = items[first], items[second]
        a = overlap.teams[one][int(left * len(overlap.teams[one]))]
        b = overlap.teams[other][int(right * len(overlap.teams[other]))]
        swap = Swap(one, a, other, b)
        if overlap.fits(swap) and overlap.carry_out(swap) > 0:
            overlap.carry_out(swap.back())


def connect_raters(overlap: Overlap, *, rng: np.random.Generator) -> None:
    """Swap raters between parts of the panel that never meet, as long as that joins parts."""
    part, n_parts = _parts(overlap)
    while n_parts > 1:
        for swap in _bridges(overlap, part, rng=rng):
            overlap.carry_out(swap)
            new_part, joined = _parts(overlap)
            if joined < n_parts:
                part, n_parts = new_part, joined
                break
            overlap.carry_out(swap.back())
        else:
            return


def _can_improve(overlap: Overlap) -> bool:
    """Return whether some pair met at least twice more often than another one."""
    counts = np.array(overlap.pairs)
    met = counts[np.triu_indices(len(counts), 1)]
    return len(overlap.teams) > 1 and met.size > 0 and int(np.ptp(met)) > 1


def _parts(overlap: Overlap) -> tuple[Integers, int]:
    """Return the part of the panel that each rater with items is in (others -1), and how many."""
    busy = np.unique([rater for team in overlap.teams.values() for rater in team]).astype(int)
    _, part = connected_components(csr_matrix(np.array(overlap.pairs) > 0), directed=False)
    own = np.full(len(overlap.pairs), -1, dtype=np.int64)
    labels, own[busy] = np.unique(part[busy], return_inverse=True)
    return own, len(labels)


def _bridges(overlap: Overlap, part: Integers, *, rng: np.random.Generator) -> Iterator[Swap]:
    """Yield possible swaps between teams of different parts, in random order."""
    by_part: dict[int, list[int]] = {}
    for item in rng.permutation(list(overlap.teams)).tolist():
        team = overlap.teams[item]
        if len(team) + len(overlap.partners[item]) > 1:
            by_part.setdefault(int(part[team[0]]), []).append(item)
    swaps = (
        Swap(one, a, other, b)
        for left, right in itertools.combinations(by_part.values(), 2)
        for one, other in itertools.product(left[:50], right[:50])
        for a, b in itertools.product(list(overlap.teams[one]), list(overlap.teams[other]))
    )
    return itertools.islice(filter(overlap.fits, swaps), _MOST_BRIDGES)
