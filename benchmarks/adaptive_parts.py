"""Ratings saved by the choice of pages and by the choice of raters, each left out in turn."""

import sys
import time
from unittest.mock import patch

import numpy as np

from benchmarks.rating_replay import LIKERT, UNIFORM, Floats, by_gain, by_policy, draw, replay
from benchmarks.ratings_needed import geometric, ratios
from ocrjury.adaptive import rating_gain

SEEDS = range(700, 710)
WORTH = {
    "bits about whether the label is right": 0.0,
    "rise of the label's probability": 1e6,
    "bits and three times the rise, as `next_ratings` does": rating_gain.CORRECTION_WORTH,
}
"""Bits that one more right label is worth, by the rule that chooses pages."""


def parts_table() -> list[str]:
    """Table of the ratings needed, as geometric means, by what chooses pages and raters."""
    even = {(name, "uniform"): _curves(name) for name in LIKERT}
    lines = ["| pages are chosen by | raters by chance | raters chosen |", "|---|--:|--:|"]
    for words, worth in WORTH.items():
        cells = []
        for raters in (False, True):
            with patch.object(rating_gain, "CORRECTION_WORTH", worth):
                chosen = {(name, words): _curves(name, raters=raters) for name in LIKERT}
            needed = ratios(even | chosen, words, np.arange(len(SEEDS)))
            cells.append(f"{geometric(needed):.2f}")
        lines.append(f"| {words} | {' | '.join(cells)} |")
    return lines


def _curves(name: str, *, raters: bool | None = None) -> list[Floats]:
    """Curves of a world, one per seed; those of asking evenly if ``raters`` is None."""
    start = time.perf_counter()
    ask = by_policy("uniform") if raters is None else by_gain(explore=0.2, raters=raters)
    most = {"most": float(UNIFORM)} if raters is None else {}
    curves = [replay(draw(name, seed), ask, seed=seed, **most) for seed in SEEDS]
    sys.stderr.write(f"parts, {name}: {time.perf_counter() - start:.0f} s\n")
    return curves
