"""Ratings that no rater can give, with the reasons and remedies."""

from typing import Any, NamedTuple

import numpy as np

from ocrjury.assignment.demand import Demand, Groups
from ocrjury.assignment.quotas import largest_flow

_NAMED = 10  # items or raters that an error message names


class Shortage(NamedTuple):
    """Ratings that are missing in every possible assignment.

    Attributes
    ----------
    missing
        Missing ratings of each item, by its id, in canonical order; complete items are left
        out.
    full
        Ids of the raters who have no capacity left for them.
    capacity
        Number of ratings that these raters can give in all.
    scarce
        Ids of items with fewer eligible raters than requested.
    """

    missing: dict[Any, int]
    full: list[Any]
    capacity: int
    scarce: list[Any]

    def message(self) -> str:
        """Sentences about the missing ratings, with reasons and remedies."""
        lacks = _listed(
            [f"{item!r} lacks {number}" for item, number in self.missing.items()], "item"
        )
        reasons, remedies = [], []
        if self.scarce:
            reasons.append(
                f"Fewer raters may rate {_listed([*map(repr, self.scarce)], 'item')} than "
                "are wanted (eligible, and not an earlier rater of it)."
            )
            remedies.append("raters who may rate them")
        if self.full:
            reasons.append(
                f"Everybody who could take more has no capacity left: "
                f"{_listed([*map(repr, self.full)], 'rater')}, {self.capacity} in all."
            )
            remedies.append("capacity")
        return (
            f"{sum(self.missing.values())} rating(s) are missing: item {lacks}. "
            f"{' '.join(reasons)} Add {' or '.join(remedies)}, or ask for fewer ratings of these "
            "items."
        )


def find_shortage(demand: Demand, groups: Groups) -> Shortage:
    """Shortage of a demand; nothing is missing if it is feasible."""
    flow = largest_flow(groups, demand.capacity)
    short = np.zeros(len(demand.items), dtype=np.int64)
    lacking = groups.size * groups.need - flow.quotas.sum(axis=1)
    for members, number in zip(groups.members, lacking.tolist(), strict=True):
        each, rest = divmod(number, len(members))
        short[members] = each
        short[members[:rest]] += 1
    scarce = np.zeros(len(demand.items), dtype=bool)
    for group in np.flatnonzero(groups.need > groups.allowed.sum(axis=1)).tolist():
        scarce[groups.members[group]] = True
    return Shortage(
        {demand.items[place]: int(short[place]) for place in np.flatnonzero(short).tolist()},
        [demand.raters[place] for place in np.flatnonzero(flow.full).tolist()],
        int(demand.capacity[flow.full].sum()),
        [demand.items[place] for place in np.flatnonzero(scarce).tolist()],
    )


def _listed(names: list[str], noun: str) -> str:
    """First names, and the number of further ones."""
    rest = len(names) - _NAMED
    more = [f"and {rest} more {noun}{'s' * (rest > 1)}"] if rest > 0 else []
    return ", ".join([*names[:_NAMED], *more])
