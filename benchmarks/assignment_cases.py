"""Cases of `benchmarks.assignment`, and simple methods to compare with."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ocrjury.assignment import assign_raters

LANGUAGES, TYPES = 4, 6


class Conditions(NamedTuple):
    """Items, raters and the options of `assign_raters`."""

    items: list[str]
    raters: list[str]
    options: dict[str, Any]

    @property
    def need(self) -> list[int]:
        """Number of ratings wanted for each item."""
        wanted = self.options["raters_per_item"]
        return [wanted] * len(self.items) if isinstance(wanted, int) else list(wanted.values())


def alike(n: int, raters: int, per_item: int) -> Conditions:
    """Items that anybody may rate."""
    return Conditions(_names("d", n), _names("R", raters), {"raters_per_item": per_item})


def unlike(n: int, raters: int, *, before: int) -> Conditions:
    """Items in four languages and six types, two or three ratings each.

    A rater reads two of the languages on average and has a conflict with a type now and then; two
    in three have a capacity. ``before`` items were rated by two people already.
    """
    rng = np.random.default_rng(7)
    items, names = _names("d", n), _names("R", raters)
    kinds = _kinds(names, rng)
    kind = rng.integers(0, len(kinds), n)
    eligible = {item: kinds[one] for item, one in zip(items, kind.tolist(), strict=True)}
    wanted = dict(zip(items, rng.integers(2, 4, n).tolist(), strict=True))
    most = int(1.6 * sum(wanted.values()) / raters)
    capacity = {name: most for place, name in enumerate(names) if place % 3}
    pairs = [
        (item, kinds[one][place])
        for item, one in zip(items[:before], kind[:before].tolist(), strict=True)
        for place in rng.choice(len(kinds[one]), 2, replace=False).tolist()
    ]
    options: dict[str, Any] = {
        "raters_per_item": wanted,
        "capacity": capacity,
        "eligible": eligible,
    }
    if before:
        options["previous"] = pd.DataFrame(pairs, columns=["item", "rater"])
    return Conditions(items, names, options)


def _kinds(raters: Sequence[str], rng: np.random.Generator) -> list[list[str]]:
    """Eligible raters by language and type."""
    reads = rng.random((len(raters), LANGUAGES)) < 0.5
    reads[np.arange(len(raters)), np.arange(len(raters)) % LANGUAGES] = True
    conflict = rng.random((len(raters), TYPES)) < 0.1
    return [
        [name for place, name in enumerate(raters) if reads[place, one] and not conflict[place, of]]
        for one, of in itertools.product(range(LANGUAGES), range(TYPES))
    ]


def _names(letter: str, number: int) -> list[str]:
    """Names of equal length."""
    return [f"{letter}{place:07d}" for place in range(number)]


def ours(of: Conditions) -> pd.DataFrame:
    """Plan of `assign_raters`."""
    return assign_raters(of.items, of.raters, seed=1, **of.options)


def in_turn(of: Conditions) -> pd.DataFrame:
    """Round robin: the next raters of the list for every item of a shuffled list."""
    items = np.random.default_rng(1).permutation(len(of.items))
    need = np.array(of.need)[items]
    rater = np.arange(need.sum()) % len(of.raters)
    return _frame(of, np.repeat(items, need), rater)


def at_random(of: Conditions) -> pd.DataFrame:
    """Different raters for every item, drawn from all; only for one number of ratings."""
    rng, per_item = np.random.default_rng(1), of.need[0]
    drawn = rng.integers(0, len(of.raters), (len(of.items), per_item))
    while True:
        ordered = np.sort(drawn, axis=1)
        twice = np.flatnonzero((np.diff(ordered, axis=1) == 0).any(axis=1))
        if not len(twice):
            return _frame(of, np.repeat(np.arange(len(of.items)), per_item), drawn.ravel())
        drawn[twice] = rng.integers(0, len(of.raters), (len(twice), per_item))


def least_busy(of: Conditions) -> pd.DataFrame:
    """Eligible raters with the least to do and spare capacity, item by item."""
    place = {name: number for number, name in enumerate(of.raters)}
    limit = of.options.get("capacity", {})
    room = np.array([limit.get(name, np.inf) for name in of.raters])
    previous = of.options.get("previous", pd.DataFrame(columns=["item", "rater"]))
    before: dict[str, list[int]] = {}
    for item, rater in zip(previous["item"], previous["rater"], strict=True):
        before.setdefault(item, []).append(place[rater])
    kinds = {id(may): np.array([place[name] for name in may]) for may in _lists(of)}
    load = np.zeros(len(of.raters))
    items, raters = [], []
    for number, (item, need) in enumerate(zip(of.items, of.need, strict=True)):
        may = kinds[id(of.options["eligible"][item])]
        cost = np.where(load[may] < room[may], load[may], np.inf)
        cost[np.isin(may, before.get(item, ()))] = np.inf
        team = may[np.argsort(cost, kind="stable")[:need]]
        team = team[np.isfinite(np.sort(cost)[:need])]
        load[team] += 1
        items += [number] * len(team)
        raters += team.tolist()
    return _frame(of, np.array(items), np.array(raters))


def _lists(of: Conditions) -> list[list[str]]:
    """Distinct lists of eligible raters."""
    return list({id(may): may for may in of.options["eligible"].values()}.values())


def _frame(of: Conditions, item: np.ndarray, rater: np.ndarray) -> pd.DataFrame:
    """Places as names."""
    return pd.DataFrame(
        {
            "item": pd.Series(of.items).take(item).array,
            "rater": pd.Series(of.raters).take(rater).array,
        }
    )


class Quality(NamedTuple):
    """Evenness and faults of a plan.

    ``missing`` ratings and ``forbidden`` pairs break the conditions; ``pairs`` are how often any
    two raters met who could meet, earlier ratings included; ``never``: the share of them who did
    not.
    """

    loads: tuple[int, int]
    pairs: tuple[int, int]
    never: float
    missing: int
    forbidden: int


def quality_of(plan: pd.DataFrame, of: Conditions) -> Quality:
    """Evenness of a plan, and the number of conditions that it breaks."""
    n = len(of.raters)
    item = pd.Index(of.items).get_indexer(pd.Index(plan["item"]))
    rater = pd.Index(of.raters).get_indexer(pd.Index(plan["rater"]))
    counts = np.bincount(rater, minlength=n)
    both = [np.concatenate(ends) for ends in zip((item, rater), _earlier(of), strict=True)]
    met = _meetings(*both, n=n)[_could_meet(of)]
    return Quality(
        (int(counts.min()), int(counts.max())),
        (int(met.min()), int(met.max())),
        float((met == 0).mean()),
        sum(of.need) - len(plan),
        _forbidden(item, rater, of=of),
    )


def _earlier(of: Conditions) -> tuple[np.ndarray, np.ndarray]:
    """Items and raters of earlier ratings."""
    before = of.options.get("previous", pd.DataFrame({"item": [], "rater": []}))
    item = pd.Index(of.items).get_indexer(pd.Index(before["item"]))
    return item, pd.Index(of.raters).get_indexer(pd.Index(before["rater"]))


def _meetings(item: np.ndarray, rater: np.ndarray, *, n: int) -> np.ndarray:
    """Number of common items of any two raters, shape (n, n)."""
    order = np.argsort(item, kind="stable")
    item, rater = item[order], rater[order]
    met = np.zeros(n * n, dtype=np.int64)
    apart = 1
    while True:
        same = item[apart:] == item[:-apart]
        if not same.any():
            break
        cells = np.minimum(rater[apart:], rater[:-apart]) * n + np.maximum(
            rater[apart:], rater[:-apart]
        )
        met += np.bincount(cells[same], minlength=n * n)
        apart += 1
    return met.reshape(n, n)


def _could_meet(of: Conditions) -> np.ndarray:
    """Pairs of raters who are both eligible for some item, shape (n, n), upper half."""
    n = len(of.raters)
    if "eligible" not in of.options:
        return np.triu(np.ones((n, n), dtype=bool), 1)
    place: Mapping[str, int] = {name: number for number, name in enumerate(of.raters)}
    may = np.zeros((len(_lists(of)), n), dtype=np.int64)
    for row, names in enumerate(_lists(of)):
        may[row, [place[name] for name in names]] = 1
    return np.triu(may.T @ may > 0, 1)


def _forbidden(item: np.ndarray, rater: np.ndarray, *, of: Conditions) -> int:
    """Number of ratings that break a condition: twice, not eligible, again, beyond capacity."""
    n = len(of.raters)
    cells = item.astype(np.int64) * n + rater
    bad = len(cells) - len(np.unique(cells))
    if "eligible" in of.options:
        sets = {id(may): set(may) for may in _lists(of)}
        names = np.array(of.raters, dtype=object)[rater].tolist()
        eligible = [of.options["eligible"][of.items[one]] for one in item.tolist()]
        bad += sum(name not in sets[id(may)] for name, may in zip(names, eligible, strict=True))
    if "previous" in of.options:
        old_item, old_rater = _earlier(of)
        bad += int(np.isin(cells, old_item.astype(np.int64) * n + old_rater).sum())
    limit = of.options.get("capacity", {})
    most = np.array([limit.get(name, len(item)) for name in of.raters])
    loads = np.bincount(rater, minlength=n)
    return bad + int(np.maximum(loads - most, 0).sum())


METHODS: dict[str, Callable[[Conditions], pd.DataFrame]] = {
    "`assign_raters`": ours,
    "round robin, shuffled": in_turn,
    "at random": at_random,
    "least busy first": least_busy,
}
