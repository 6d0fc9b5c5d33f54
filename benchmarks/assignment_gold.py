"""Predictability of gold in queues of a million turns, for three ways of placing it."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import chisquare

from benchmarks.assignment_cases import alike, ours
from ocrjury.assignment import order_sessions

RATERS, EVERY, SESSION = 50, 10, 60
PARTS, LONGEST, ENOUGH = 20, 60, 300  # of a queue; waits looked at, and how often they must come


class Foresight(NamedTuple):
    """Predictability of the places of gold.

    Attributes
    ----------
    share
        Of turns that are gold.
    best
        The largest share of gold among turns after a wait of so many turns since the last one: how
        often somebody is right who counts turns and knows the habit.
    even
        p value of: gold is equally likely in every twentieth of a queue.
    memoryless
        p value of: gold is equally likely after every wait.
    """

    share: float
    best: float
    even: float
    memoryless: float


def foresight(gold: list[np.ndarray]) -> Foresight:
    """Predictability of queues; each queue is an array of whether a turn is gold."""
    waits, hits = np.zeros(LONGEST + 1), np.zeros(LONGEST + 1)
    parts, turns = np.zeros(PARTS), np.zeros(PARTS)
    for is_gold in gold:
        part = np.arange(len(is_gold)) * PARTS // len(is_gold)
        parts += np.bincount(part, weights=is_gold, minlength=PARTS)
        turns += np.bincount(part, minlength=PARTS)
        last = np.maximum.accumulate(np.where(is_gold, np.arange(len(is_gold)), -1))
        known = np.flatnonzero(last[:-1] >= 0) + 1
        wait = np.minimum(known - last[known - 1], LONGEST)
        waits += np.bincount(wait, minlength=LONGEST + 1)
        hits += np.bincount(wait, weights=is_gold[known], minlength=LONGEST + 1)
    share, seen = parts.sum() / turns.sum(), waits >= ENOUGH
    expected = hits[seen].sum() / waits[seen].sum() * waits[seen]
    both = np.concatenate([hits[seen], (waits - hits)[seen]])
    chance = np.concatenate([expected, waits[seen] - expected])
    return Foresight(
        share,
        float((hits[seen] / waits[seen]).max()),
        float(chisquare(parts, turns * share).pvalue),
        float(chisquare(both, chance, ddof=int(seen.sum())).pvalue),
    )


def every_tenth(n: int, _rng: np.random.Generator) -> np.ndarray:
    """Gold at every tenth turn."""
    return np.asarray(np.arange(n) % EVERY == EVERY - 1)


def one_in_every_ten(n: int, rng: np.random.Generator) -> np.ndarray:
    """Gold at a random turn of every ten."""
    is_gold = np.zeros(n, dtype=bool)
    starts = np.arange(0, n - EVERY, EVERY)
    is_gold[starts + rng.integers(0, EVERY, len(starts))] = True
    return is_gold


def queues() -> pd.DataFrame:
    """Million turns of 50 raters, with gold and repeats."""
    plan = ours(alike(300_000, RATERS, 3))
    return order(plan)


def order(plan: pd.DataFrame) -> pd.DataFrame:
    """Queues of a plan."""
    gold = [f"g{place:07d}" for place in range(4000)]
    return order_sessions(
        plan, gold=gold, gold_every=EVERY, repeats=200, session_minutes=SESSION, seed=1
    )


def gold_lines(ordered: pd.DataFrame) -> Iterator[str]:
    """Yield the table on predicting gold, and the sentence on sessions and repeats."""
    of_rater = [rows for _, rows in ordered.groupby("rater")]
    ours_gold = [rows["kind"].eq("gold").to_numpy() for rows in of_rater]
    yield "| gold at | share of turns | best guess is right | even over the queue | no memory |"
    yield "|---|--:|--:|--:|--:|"
    yield _row("`order_sessions`: any turn alike", foresight(ours_gold))
    peers: dict[str, Callable[[int, np.random.Generator], np.ndarray]] = {
        "a random turn of every ten": one_in_every_ten,
        "every tenth turn": every_tenth,
    }
    for name, place in peers.items():
        rng = np.random.default_rng(1)
        yield _row(name, foresight([place(len(gold), rng) for gold in ours_gold]))
    turns = ordered.groupby(["rater", "session"]).size()
    yield (
        f"\nLongest session {turns.max()} turns of a minute, shortest {turns.min()}. A repeat "
        f"comes at least {100 * min(map(_least_distance, of_rater)):.0f} % of the queue after its "
        "first time; no gold item comes twice to a rater."
    )


def _row(name: str, seen: Foresight) -> str:
    """Line of the table."""
    p_values = [f"p = {p:.2f}" if p >= 0.005 else "p < .01" for p in (seen.even, seen.memoryless)]
    return f"| {name} | {seen.share:.1%} | {seen.best:.1%} | {' | '.join(p_values)} |"


def _least_distance(rows: pd.DataFrame) -> float:
    """Least distance of a repeat from its first time, as a share of the queue."""
    first = rows[rows["kind"] == "item"].set_index("item")["position"]
    again = rows[rows["kind"] == "repeat"].set_index("item")["position"]
    return float((again - first[again.index]).min() / len(rows))
