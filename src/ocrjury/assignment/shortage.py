"""Which ratings nobody can give, and why."""

from typing import Any, NamedTuple

import numpy as np

from ocrjury.assignment.demand import Demand, Groups
from ocrjury.assignment.quotas import largest_flow

_NAMED = 10  # items or raters that an error message names


class Shortage(NamedTuple):
    """Ratings that are missing however the rest is shared out.

    Attributes
    ----------
    missing
        Ratings that each item lacks, by its id, in canonical order; items without a lack are left
        out.
    full
        Ids of the raters who have no capacity left for them.
    capacity
        What these raters can give together.
    scarce
        Ids of items for which fewer raters are eligible than are wanted.
    """

    missing: dict[Any, int]
    full: list[Any]
    capacity: int
    scarce: list[Any]

    def message(self) -> str:
        """Return what is missing, why, and what would help."""
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
    """Return what is missing; nothing is if the demand is feasible."""
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
    """First names, and how many more there are."""
    rest = len(names) - _NAMED
    more = [f"and {rest} more {noun}{'s' * (rest > 1)}"] if rest > 0 else []
    return ", ".join([*names[:_NAMED], *more])
