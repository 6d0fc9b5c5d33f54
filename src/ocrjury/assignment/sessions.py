"""The order in which raters see their items: gold in between, repeats far apart, short sessions."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from ocrjury.assignment.identity import canonical_order, distinct_ids, shuffled
from ocrjury.errors import InputError

Kind = Literal["item", "gold", "repeat"]


class Turn(NamedTuple):
    """One item in a rater's queue."""

    item: Any
    kind: Kind


def order_sessions(
    assignments: pd.DataFrame,
    *,
    gold: Sequence[Hashable] | Mapping[Any, Sequence[Hashable]] = (),
    gold_every: int = 10,
    repeats: int | Mapping[Any, int] = 0,
    minutes_per_item: float | Mapping[Any, float] = 1.0,
    session_minutes: float = 60,
    seed: int,
) -> pd.DataFrame:
    """Return every rater's queue with gold items and repeats, cut into sessions.

    Parameters
    ----------
    assignments
        Frame with columns item and rater, as of `assign_raters`; a column position gives the order
        of a rater's own items, otherwise it is drawn.
    gold
        Items whose answer is known, for all or {rater: items}. Each rater meets a random choice of
        them, none twice and none of their own items, about one in ``gold_every`` turns, at places
        that nobody can foresee.
    repeats
        How many of their own items each rater rates a second time, at least half a queue later,
        one number or {rater: number}; fewer where the queue is shorter than twice that number.
    minutes_per_item
        Time that a turn takes, one number or {rater: minutes}.
    session_minutes
        No session takes longer, unless a single item does.

    Returns
    -------
    DataFrame
        Columns item, rater, session, position, kind. ``position`` counts from 1 through a rater's
        whole queue, ``session`` from 1 within a rater; sessions are about equally long. ``kind`` is
        ``"item"``, ``"gold"`` or ``"repeat"``.

    Examples
    --------
    >>> import pandas as pd
    >>> plan = pd.DataFrame({"item": ["a", "b"], "rater": ["R01", "R01"]})
    >>> order_sessions(plan, gold=["g"], gold_every=3, seed=0)["kind"].value_counts().to_dict()
    {'item': 2, 'gold': 1}
    """
    _check_assignments(assignments)
    _check_numbers(gold_every, repeats, session_minutes)
    everybody = None if isinstance(gold, Mapping) else distinct_ids(gold, "gold items")
    rng = np.random.default_rng(seed)
    rows: list[tuple[Any, Any, int, int, Kind]] = []
    for rater in canonical_order(assignments["rater"].unique().tolist()):
        own = _own_items(assignments[assignments["rater"] == rater], rng=rng)
        others = _other_gold(gold, everybody, rater, own=set(own))
        again = repeats.get(rater, 0) if isinstance(repeats, Mapping) else repeats
        queue = _with_repeats(own, again, rng=rng)
        queue = _with_gold(queue, shuffled(others, rng), gold_every, rng=rng)
        most = _session_length(rater, minutes_per_item, session_minutes)
        sessions = _sessions(len(queue), most)
        rows += [
            (turn.item, rater, session, position, turn.kind)
            for position, (turn, session) in enumerate(zip(queue, sessions, strict=True), start=1)
        ]
    return pd.DataFrame(rows, columns=["item", "rater", "session", "position", "kind"])


def _own_items(rows: pd.DataFrame, *, rng: np.random.Generator) -> list[Any]:
    """Return the items of one rater in the order of their queue, drawn if there is none."""
    if "position" in rows.columns:
        return list(rows.sort_values("position", kind="stable")["item"].tolist())
    return shuffled(canonical_order(rows["item"].tolist()), rng)


def _other_gold(gold: Any, everybody: list[Any] | None, rater: Any, *, own: set[Any]) -> list[Any]:
    """Return the gold items that a rater may meet, without the rater's own items."""
    if everybody is None:
        everybody = distinct_ids(gold.get(rater, ()), f"gold items of rater {rater!r}")
    return [item for item in everybody if item not in own]


def _with_repeats(own: list[Any], repeats: int, *, rng: np.random.Generator) -> list[Turn]:
    """Return the queue with some items of its first half again in its second half."""
    n = len(own)
    half = (n + 1) // 2
    again = rng.choice(n // 2, min(repeats, n // 2), replace=False)
    # A repeat comes right after the item at `place`, at least half of the items later.
    after = [(int(rng.integers(first + half, n)), int(first)) for first in again]
    queue: list[Turn] = []
    for place, item in enumerate(own):
        queue.append(Turn(item, "item"))
        queue += [Turn(own[first], "repeat") for where, first in after if where == place]
    return queue


def _with_gold(
    queue: list[Turn], gold: list[Any], gold_every: int, *, rng: np.random.Generator
) -> list[Turn]:
    """Return the queue with a gold item at a random place of every stretch, as far as they last.

    The first stretch begins at a random phase, so that even a rater who knows ``gold_every``
    cannot foresee the next one.
    """
    stretch = gold_every - 1
    phase = int(rng.integers(stretch))
    starts = range(-phase, len(queue), stretch)
    places = [start + int(rng.integers(stretch)) for start in starts]
    inside = [place for place in places if 0 <= place < len(queue)]
    kept = rng.permutation(len(inside))[: len(gold)]
    gold_at = {inside[which]: item for which, item in zip(kept.tolist(), gold, strict=False)}
    mixed: list[Turn] = []
    for place, turn in enumerate(queue):
        if place in gold_at:
            mixed.append(Turn(gold_at[place], "gold"))
        mixed.append(turn)
    return mixed


def _session_length(
    rater: Any, minutes_per_item: float | Mapping[Any, float], session_minutes: float
) -> int:
    """Return the most turns that fit into one session of a rater."""
    if isinstance(minutes_per_item, Mapping):
        if rater not in minutes_per_item:
            raise InputError(
                f"minutes_per_item has no time for rater {rater!r}. Name every rater, or give one "
                "number for all."
            )
        minutes_per_item = minutes_per_item[rater]
    if not minutes_per_item > 0:
        raise InputError(f"minutes_per_item must be above 0; found {minutes_per_item!r}.")
    # The tiny addition keeps 60 items of 1/60 hour in one hour.
    return max(1, int(session_minutes / minutes_per_item + 1e-9))


def _sessions(n_turns: int, most: int) -> list[int]:
    """Return the session of each turn, from 1; sessions differ by at most one turn."""
    n_sessions = -(-n_turns // most)
    return [turn * n_sessions // n_turns + 1 for turn in range(n_turns)]


def _check_assignments(assignments: pd.DataFrame) -> None:
    """Raise if the frame lacks a column or names a pair twice."""
    absent = [name for name in ("item", "rater") if name not in assignments.columns]
    if absent:
        raise InputError(
            f"assignments need the columns 'item' and 'rater'; {', '.join(map(repr, absent))} not "
            f"found among {', '.join(map(repr, assignments.columns))}."
        )
    twice = assignments[assignments.duplicated(["item", "rater"])]
    if len(twice):
        raise InputError(
            f"assignments name {len(twice)} pair(s) of item and rater twice; the first is item "
            f"{twice['item'].iloc[0]!r} for rater {twice['rater'].iloc[0]!r}. Keep one of each."
        )


def _check_numbers(
    gold_every: int, repeats: int | Mapping[Any, int], session_minutes: float
) -> None:
    """Raise if an option is out of range."""
    if gold_every < 2 or gold_every != int(gold_every):
        raise InputError(f"gold_every must be a whole number from 2; found {gold_every!r}.")
    for number in repeats.values() if isinstance(repeats, Mapping) else [repeats]:
        if number < 0 or number != int(number):
            raise InputError(f"repeats must be a whole number, not below 0; found {number!r}.")
    if not session_minutes > 0:
        raise InputError(f"session_minutes must be above 0; found {session_minutes!r}.")
