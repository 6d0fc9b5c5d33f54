"""Looks of a gate: what a judgement saw, and which look the ratings of a file are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pandas as pd

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.findings.looks import Look, Looks
from ocrjury.gate.fitting import items_seen
from ocrjury.gate.policy import GatePolicy
from ocrjury.gate.verdict import Verdict
from ocrjury.ratings.export_columns import LOOK, LOOKS


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """Look of the gate at each dimension.

    Attributes
    ----------
    policy
        Of the gate, with its number of looks.
    look
        Number of the look by dimension.
    items_before
        Number of items at every earlier look, where each holds those of the ones before.
    """

    policy: GatePolicy
    look: Mapping[str, int]
    items_before: Mapping[str, Sequence[int]] = field(default_factory=dict)


def seen(
    verdict: Verdict, glance: Glance, estimates: Mapping[str, Mapping[str, Estimate]]
) -> Looks:
    """Record of what a judgement saw on every dimension."""
    return Looks(
        tuple(
            Look(
                dimension=name,
                look=glance.look[name],
                planned=glance.policy.looks,
                items=items_seen(glance.policy, estimates[name]),
                statistic=part.primary,
                value=part.value,
                lower=part.lower,
                confidence=part.confidence,
                decision=part.decision,
            )
            for name, part in verdict.by_dimension.items()
        )
    )


def grows(items: Sequence[int]) -> bool:
    """Return whether every look has the items of those before; ratings may have been withdrawn."""
    return min(items) > 0 and all(earlier <= later for earlier, later in pairwise(items))


def glance_of(
    frame: pd.DataFrame,
    estimates: Mapping[str, Mapping[str, Estimate]],
    policy: GatePolicy,
    *,
    look: int | None = None,
    looks: int | None = None,
) -> Glance:
    """Look of the gate that the ratings of a file are.

    Parameters
    ----------
    frame
        Long frame item, rater, dimension, rating; of an export with the look that saw each rating
        first, and how many the gate had planned.
    look, looks
        Which look it is, and of how many, where somebody says so; else what those columns say.
        Without either it is the only one.

    Raises
    ------
    InputError
        If the look is none of those planned.
    """
    own = LOOK in frame.columns
    parts = {name: frame[frame["dimension"] == name] for name in estimates} if own else {}
    last = {name: int(parts[name][LOOK].max()) if own else 1 for name in estimates}
    number = last if look is None else dict.fromkeys(estimates, look)
    planned = looks
    if planned is None:
        # A gate that might look at any time planned no number.
        planned = int(frame[LOOKS].fillna(frame[LOOK]).max()) if own else max(number.values())
    if (look, looks) != (None, None):
        _check(number.values(), planned)
    policy = policy if policy.looks is None else replace(policy, looks=planned)
    if look is not None or not own:
        return Glance(policy=policy, look=number)
    before = {name: _items_before(part, last[name]) for name, part in parts.items()}
    return Glance(
        policy=policy,
        look=last,
        items_before={
            name: items
            for name, items in before.items()
            if grows([*items, items_seen(policy, estimates[name])])
        },
    )


def _check(looks: Iterable[int], planned: int) -> None:
    """Refuse a look that is none of those planned."""
    for look in looks:
        if not 1 <= look <= planned:
            raise InputError(
                f"looks are counted from 1 to as many as were planned; found look {look} of "
                f"{planned}. --look says which it is, --looks how many were planned."
            )


def _items_before(frame: pd.DataFrame, last: int) -> list[int]:
    """Number of items with two ratings or more at every look before the last."""
    return [
        int((frame[frame[LOOK] <= look].groupby("item").size() > 1).sum())
        for look in range(1, last)
    ]
