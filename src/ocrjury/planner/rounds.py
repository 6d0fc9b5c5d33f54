"""Turn what a round wants into assignments: who rates which item, in which order and session.

An item's *demand* is the number of new ratings it is to get; *eligible* are the raters who may
give them; *previous* are pairs of item and rater that must not come again.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import pandas as pd

from ocrjury.assignment import assign_raters, missing_ratings, order_sessions

Pair = tuple[str, str]


def main_demand(
    items: Sequence[str], *, per_item: int, double_rated: float = 1.0
) -> dict[str, int]:
    """Return the demand of a main round.

    Parameters
    ----------
    items
        In draw order, which is random: the first ones get the full number of raters.
    per_item
        Raters of an item that is rated more than once.
    double_rated
        Share of items that get `per_item` raters; the rest get one.

    Examples
    --------
    >>> main_demand(["a", "b", "c", "d"], per_item=2, double_rated=0.5)
    {'a': 2, 'b': 2, 'c': 1, 'd': 1}
    """
    full = round(double_rated * len(items))
    return {item: per_item if place < full else 1 for place, item in enumerate(items)}


def clip_demand(
    demand: Mapping[str, int],
    *,
    eligible: Mapping[str, Collection[str]],
    previous: Iterable[Pair] = (),
    capacity: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Return the demand that eligible raters who are new to each item can meet.

    Parameters
    ----------
    capacity
        As of `plan_assignments`, which accepts what is returned here.

    Examples
    --------
    >>> clip_demand({"a": 2, "b": 1}, eligible={"a": ["R1", "R2"], "b": []}, previous=[("a", "R1")])
    {'a': 1}
    """
    open_to = items_left({item: eligible.get(item, ()) for item in demand}, previous=previous)
    raters = sorted({rater for some in open_to.values() for rater in some})
    missing = missing_ratings(
        list(demand),
        raters,
        raters_per_item=dict(demand),
        capacity=_limits(raters, capacity or {}, total=sum(demand.values())),
        eligible=open_to,
    )
    clipped = {item: wanted - missing.get(item, 0) for item, wanted in demand.items()}
    return {item: wanted for item, wanted in clipped.items() if wanted > 0}


def items_left(
    eligible: Mapping[str, Collection[str]], *, previous: Iterable[Pair] = ()
) -> dict[str, list[str]]:
    """Return for every item the eligible raters who have not had it yet."""
    before = set(previous)
    return {
        item: [rater for rater in raters if (item, rater) not in before]
        for item, raters in eligible.items()
    }


def plan_assignments(
    demand: Mapping[str, int],
    *,
    eligible: Mapping[str, Collection[str]],
    previous: Iterable[Pair] = (),
    capacity: Mapping[str, int] | None = None,
    minutes_per_item: float | Mapping[str, float] = 1.0,
    session_minutes: float = 60.0,
    seed: int,
) -> pd.DataFrame:
    """Return the assignments of a round: item, rater, position, session.

    Parameters
    ----------
    capacity
        Ratings that a rater can take; who is not named has no limit.
    minutes_per_item
        How long an item takes, for everybody or by rater; sessions are cut by it.

    Raises
    ------
    InputError
        If the demand cannot be met; names the missing ratings and their items.
    """
    items = sorted(demand)
    open_to = items_left({item: eligible[item] for item in items}, previous=previous)
    raters = sorted({rater for some in open_to.values() for rater in some})
    assigned = assign_raters(
        items,
        raters,
        raters_per_item=dict(demand),
        capacity=_limits(raters, capacity or {}, total=sum(demand.values())),
        eligible=open_to,
        seed=seed,
    )
    ordered = order_sessions(
        assigned,
        minutes_per_item=minutes_per_item,
        session_minutes=session_minutes,
        seed=seed,
    )
    place = ordered.sort_values(["rater", "session", "position"]).groupby("rater").cumcount() + 1
    return ordered.assign(position=place)[["item", "rater", "position", "session"]]


def queue_gains(asked: pd.DataFrame) -> tuple[dict[str, int], dict[str, float], dict[str, str]]:
    """Return the demand, the gain and the reason of every item that `next_ratings` asked for."""
    first = asked.drop_duplicates("item").to_dict(orient="records")
    return (
        dict(Counter(str(item) for item in asked["item"])),
        {str(one["item"]): float(one["gain"]) for one in first},
        {str(one["item"]): str(one["reason"]) for one in first},
    )


def _limits(raters: Sequence[str], capacity: Mapping[str, int], *, total: int) -> dict[str, int]:
    """Return a limit for every rater; one without a limit could take all."""
    return {rater: capacity.get(rater, total) for rater in raters}
