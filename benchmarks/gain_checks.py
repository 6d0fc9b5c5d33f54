"""How often `check_gain` is wrong about useful raters, and how often it recognises useless ones."""

from collections import Counter

import numpy as np

from benchmarks.rating_replay import GOLD, LIKERT, TASTE, draw
from ocrjury.adaptive import check_gain
from ocrjury.truth import dawid_skene

SEEDS = range(300, 340)
PER_ITEM = (2, 3)


def check_table() -> list[str]:
    """Table of how often `check_gain` decides to ask evenly, by world and ratings per page."""
    heads = " | ".join(f"{number} ratings" for number in PER_ITEM)
    lines = [f"| world | {heads} |", "|---|" + "--:|" * len(PER_ITEM)]
    for name in (*LIKERT, *TASTE):
        cells = [_evenly(name, number) for number in PER_ITEM]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _evenly(name: str, per_item: int) -> str:
    """Number of draws of a world in which the check decides to ask evenly."""
    decisions: Counter[str] = Counter()
    for seed in SEEDS:
        world = draw(name, seed)
        have = np.zeros(world.rating.shape, dtype=bool)
        np.put_along_axis(have, world.order[:, :per_item], values=True, axis=1)
        table = world.table(have)
        gold = {item: int(world.true[item]) for item in GOLD}
        decisions[check_gain(dawid_skene(table), table, gold).decision] += 1
    return f"{decisions['uniform']} of {decisions.total()}"
