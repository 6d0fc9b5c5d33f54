"""Turn what a round wants into assignments: who rates which item, in which order and session.

An item's *demand* is the number of new ratings it is to get; *eligible* are the raters who may
give them; *previous* are pairs of item and rater that must not come again.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from ocrjury.assignment import assign_raters, missing_ratings, order_sessions
from ocrjury.planner.double_rating import double_rated_items

Pair = tuple[str, str]


class Controls(NamedTuple):
    """Items that check the raters in passing.

    Parameters
    ----------
    gold
        Items whose rating is known that each rater may meet, {rater: items}.
    gold_every
        About every how many-th turn of a rater is one of them.
    repeats
        Below 1 the share of their own items that raters rate a second time, else the number.
    """

    gold: Mapping[str, Sequence[str]] = {}
    gold_every: int = 10
    repeats: float = 0.0

    def own_items(self, turns: int) -> int:
        """Number of own items that leave room for the controls within a number of turns.

        Examples
        --------
        >>> Controls({"R1": ["g1"]}, repeats=0.1).own_items(100)
        80
        """
        # Random placement may give one gold item more than expected.
        room = (turns - 1) * (self.gold_every - 1) // self.gold_every if self.gold else turns
        fewer = room / (1 + self.repeats) if self.repeats < 1 else room - self.repeats
        return max(int(fewer), 0)

    def repeats_of(self, load: Mapping[str, float]) -> dict[str, int]:
        """Number of items that each rater rates a second time, by the number of own items."""
        if self.repeats < 1:
            return {rater: int(self.repeats * number + 0.5) for rater, number in load.items()}
        return dict.fromkeys(load, int(self.repeats))


NO_CONTROLS = Controls()


def main_demand(
    items: Sequence[str], *, per_item: int, double_rated: float = 1.0
) -> dict[str, int]:
    """Demand of a main round.

    Parameters
    ----------
    items
        In draw order, which is random: the first ones get the full number of raters.
    per_item
        Raters of an item that is rated more than once.
    double_rated
        Share of items that get `per_item` raters, counted by `double_rated_items`; the rest get
        one.

    Examples
    --------
    >>> items = [f"d{place}" for place in range(1000)]
    >>> sum(main_demand(items, per_item=2, double_rated=0.2).values())
    1200
    >>> sum(main_demand(items[:100], per_item=2, double_rated=0.2).values())
    177
    """
    full = double_rated_items(len(items), share=double_rated)
    return {item: per_item if place < full else 1 for place, item in enumerate(items)}


def clip_demand(
    demand: Mapping[str, int],
    *,
    eligible: Mapping[str, Collection[str]],
    previous: Iterable[Pair] = (),
    capacity: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Demand that eligible raters who are new to each item can meet.

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
    """Eligible raters who have not had an item yet, for every item."""
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
    controls: Controls = NO_CONTROLS,
    pages: Mapping[str, str] | None = None,
    seed: int,
) -> pd.DataFrame:
    """Assignments of a round: item, rater, position, session, kind.

    The kind is ``"item"``, or ``"gold"`` or ``"repeat"`` of what `controls` asks for.

    Parameters
    ----------
    capacity
        Ratings that a rater can take, controls included; who is not named has no limit.
    minutes_per_item
        How long an item takes, for everybody or by rater; sessions are cut by it.
    pages
        The page of each output of several OCR systems; those of one page stay apart in a queue.

    Raises
    ------
    InputError
        If the demand cannot be met; names the missing ratings and their items.
    """
    items = sorted(demand)
    before = list(previous)
    open_to = items_left({item: eligible[item] for item in items}, previous=before)
    raters = sorted({rater for some in open_to.values() for rater in some})
    room = {rater: controls.own_items(turns) for rater, turns in (capacity or {}).items()}
    assigned = assign_raters(
        items,
        raters,
        raters_per_item=dict(demand),
        capacity=_limits(raters, room, total=sum(demand.values())),
        eligible=open_to,
        previous=pd.DataFrame(before, columns=["item", "rater"]),
        seed=seed,
    )
    ordered = order_sessions(
        assigned,
        gold=controls.gold,
        gold_every=controls.gold_every,
        repeats=controls.repeats_of(Counter(assigned["rater"].tolist())),
        minutes_per_item=minutes_per_item,
        session_minutes=session_minutes,
        apart=pages,
        seed=seed,
    )
    place = ordered.sort_values(["rater", "session", "position"]).groupby("rater").cumcount() + 1
    return ordered.assign(position=place)[["item", "rater", "position", "session", "kind"]]


def queue_gains(
    requested: pd.DataFrame,
) -> tuple[dict[str, int], dict[str, list[float]], dict[str, str]]:
    """Demand, gain of each rating, and reason of `next_ratings`, by item.

    Examples
    --------
    >>> ratings = pd.DataFrame({"item": ["a", "b", "a"], "gain": [0.9, 0.5, 0.2], "reason": "gain"})
    >>> queue_gains(ratings)[1]
    {'a': [0.9, 0.2], 'b': [0.5]}
    """
    gains: dict[str, list[float]] = {}
    reasons: dict[str, str] = {}
    for rating in requested.to_dict(orient="records"):
        item = str(rating["item"])
        gains.setdefault(item, []).append(float(rating["gain"]))
        reasons.setdefault(item, str(rating["reason"]))
    return {item: len(own) for item, own in gains.items()}, gains, reasons


def _limits(raters: Sequence[str], capacity: Mapping[str, int], *, total: int) -> dict[str, int]:
    """Limit of every rater; a rater without one could take all items."""
    return {rater: capacity.get(rater, total) for rater in raters}
