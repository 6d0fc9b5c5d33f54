"""The order in which raters see their items: gold in between, repeats far apart, short sessions."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from ocrjury.arrays import Booleans, Integers
from ocrjury.assignment.distances import far_repeats, one_of_each, spaced
from ocrjury.assignment.identity import canonical_order, distinct_ids
from ocrjury.errors import InputError

Kind = Literal["item", "gold", "repeat"]
KINDS: tuple[Kind, ...] = ("item", "gold", "repeat")
_ITEM, _GOLD, _REPEAT = range(3)


class Queue(NamedTuple):
    """The turns of one rater.

    Attributes
    ----------
    items
        Places of the items in `Work.items`, in turn, shape (n,).
    kinds
        Places in `KINDS`, shape (n,).
    """

    items: Integers
    kinds: Integers


class Work(NamedTuple):
    """Items of each rater, as indices into lists of ids.

    Attributes
    ----------
    raters, items
        Ids in canonical order; the items with all gold.
    own
        Items of every rater, in the order of the queue if that is given.
    gold
        Gold items of every rater, their own ones among them.
    place
        A number for every item; items of the same one stay apart. None: the order is free.
    """

    raters: list[Any]
    items: list[Any]
    own: list[Integers]
    gold: list[Integers]
    place: Integers | None


def order_sessions(
    assignments: pd.DataFrame,
    *,
    gold: Sequence[Hashable] | Mapping[Any, Sequence[Hashable]] = (),
    gold_every: int = 10,
    repeats: int | Mapping[Any, int] = 0,
    minutes_per_item: float | Mapping[Any, float] = 1.0,
    session_minutes: float = 60,
    apart: Mapping[Any, Hashable] | None = None,
    seed: int,
) -> pd.DataFrame:
    """Every rater's queue with gold items and repeats, cut into sessions.

    Parameters
    ----------
    assignments
        Frame with columns item and rater, as of `assign_raters`; a column position gives the order
        of a rater's own items, otherwise it is drawn.
    gold
        Items whose answer is known, for all or {rater: items}. Each rater meets a random choice of
        them, none twice and none of their own items. One in ``gold_every`` turns is gold as long
        as it lasts; any set of that many turns is as likely as any other, so that the turns that
        were tell nothing about those to come.
    repeats
        How many of their own items each rater rates a second time, at least half a queue later,
        one number or {rater: number}; fewer where the queue is shorter than twice that number.
    minutes_per_item
        Time that a turn takes, one number or {rater: minutes}.
    session_minutes
        No session takes longer, unless a single item does.
    apart
        What items are of, {item: page}: items of the same one, such as the outputs of two systems
        for a page, have at least 10 turns between them, or nearly half a shorter queue. Gold of
        what a rater has as an item is left out, and of one page there is one gold item at most.

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
    rng = np.random.default_rng(seed)
    work = _read_work(assignments, gold, apart)
    mine = np.zeros(len(work.items), dtype=bool)
    queues, sessions = [], [np.empty(0, dtype=np.int64)]
    for rater, own, known in zip(work.raters, work.own, work.gold, strict=True):
        order = own if "position" in assignments.columns else rng.permutation(own)
        again = repeats.get(rater, 0) if isinstance(repeats, Mapping) else repeats
        others = _others(known, own, mine=mine)
        if work.place is not None:
            order = spaced(order, work.place[order], rng=rng)
            strange = others[~np.isin(work.place[others], work.place[own])]
            others = one_of_each(strange, work.place[strange], rng=rng)
        queue = _with_repeats(order, again, place=work.place, rng=rng)
        queue = _with_gold(queue, others, gold_every, rng=rng)
        most = _session_length(rater, minutes_per_item, session_minutes)
        queues.append(queue)
        turns = len(queue.items)  # sessions differ by at most one of them
        sessions.append(np.arange(turns) * -(-turns // most) // max(turns, 1) + 1)
    return _frame(work, queues, np.concatenate(sessions))


def _read_work(assignments: pd.DataFrame, gold: Any, apart: Mapping[Any, Hashable] | None) -> Work:
    """Assignments and gold in canonical order."""
    codes, names = pd.factorize(assignments["item"])
    people, raters = pd.factorize(assignments["rater"])
    rater_ids = canonical_order(raters.tolist())
    by_rater = {
        rater: distinct_ids(gold.get(rater, ()), f"gold items of rater {rater!r}")
        for rater in (rater_ids if isinstance(gold, Mapping) else ())
    }
    everybody = None if isinstance(gold, Mapping) else distinct_ids(gold, "gold items")
    known = (
        everybody if everybody is not None else [item for own in by_rater.values() for item in own]
    )
    items = canonical_order({*names.tolist(), *known})
    place = {name: number for number, name in enumerate(items)}
    item = np.array([place[name] for name in names.tolist()], dtype=np.int64)[codes]
    rank = {name: number for number, name in enumerate(rater_ids)}
    rater = np.array([rank[name] for name in raters.tolist()], dtype=np.int64)[people]
    turn = assignments["position"].to_numpy() if "position" in assignments.columns else item
    order = np.lexsort((turn, rater))
    own = np.split(item[order], np.cumsum(np.bincount(rater, minlength=len(rater_ids)))[:-1])
    shared = np.array([place[name] for name in everybody or ()], dtype=np.int64)
    golds = [
        shared
        if everybody is not None
        else np.array([place[name] for name in by_rater[rater_id]], dtype=np.int64)
        for rater_id in rater_ids
    ]
    # An item without a place gets one of its own.
    places = None
    if apart is not None:
        of = [(0, apart[item]) if item in apart else (1, item) for item in items]
        places = pd.factorize(pd.Series(of, dtype=object))[0].astype(np.int64)
    return Work(rater_ids, items, own if rater_ids else [], golds, places)


def _others(gold: Integers, own: Integers, *, mine: Booleans) -> Integers:
    """Gold items that are not among the rater's own; ``mine`` is all false before and after."""
    mine[own] = True
    others = gold[~mine[gold]]
    mine[own] = False
    return others


def _with_repeats(
    own: Integers, repeats: int, *, place: Integers | None, rng: np.random.Generator
) -> Queue:
    """Queue with some items of its first half again in its second half."""
    n = len(own)
    # A repeat comes right after the item at `after`, at least half of the items later.
    if place is None:
        again = rng.choice(n // 2, min(repeats, n // 2), replace=False)
        after = rng.integers(again + (n + 1) // 2, n) if len(again) else again
    else:
        again, after = far_repeats(own, place[own], repeats, rng=rng)
    order = np.argsort(np.concatenate([np.arange(n), after + 0.5]), kind="stable")
    kinds = np.repeat([_ITEM, _REPEAT], [n, len(again)])
    return Queue(np.concatenate([own, own[again]])[order], kinds[order])


def _with_gold(queue: Queue, gold: Integers, gold_every: int, *, rng: np.random.Generator) -> Queue:
    """Queue with gold items at random turns, as far as they last.

    What is left over of a turn is decided by lot, so that even the number cannot be counted down.
    """
    n = len(queue.items)
    number = min(int(n / (gold_every - 1) + rng.random()), len(gold))
    at = np.zeros(n + number, dtype=bool)
    at[rng.choice(n + number, number, replace=False)] = True
    items, kinds = np.empty(len(at), dtype=np.int64), np.full(len(at), _GOLD)
    items[at] = rng.choice(gold, number, replace=False) if number else gold[:0]
    items[~at], kinds[~at] = queue.items, queue.kinds
    return Queue(items, kinds)


def _frame(work: Work, queues: list[Queue], sessions: Integers) -> pd.DataFrame:
    """All queues below each other."""
    length = np.array([len(queue.items) for queue in queues], dtype=np.int64)
    none = np.empty(0, dtype=np.int64)
    items = np.concatenate([none, *(queue.items for queue in queues)])
    kinds = np.concatenate([none, *(queue.kinds for queue in queues)])
    start = np.repeat(np.cumsum(length) - length, length)
    return pd.DataFrame(
        {
            "item": pd.Series(work.items).take(items).array,
            "rater": pd.Series(work.raters).take(np.repeat(np.arange(len(length)), length)).array,
            "session": sessions,
            "position": np.arange(len(items)) - start + 1,
            "kind": pd.Series(KINDS).take(kinds).array,
        }
    )


def _session_length(
    rater: Any, minutes_per_item: float | Mapping[Any, float], session_minutes: float
) -> int:
    """Most turns that fit into one session of a rater."""
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
