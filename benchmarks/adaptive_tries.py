"""Rules for choosing ratings that were tried for fewer ratings than `next_ratings` needs.

    .venv/bin/python -m benchmarks.adaptive_tries

prints a table and writes it to benchmarks/results/adaptive_tries.md, in about ten minutes;
`--seeds 2` for a quick look. Rules are compared on the same seeds.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from unittest.mock import patch

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.rating_replay import (
    BATCH,
    LIKERT,
    MOST,
    N_ITEMS,
    N_RATERS,
    UNIFORM,
    Ask,
    Batch,
    Floats,
    Moment,
    by_gain,
    by_policy,
    draw,
    replay,
    seeing_through,
)
from benchmarks.ratings_needed import geometric, ratios
from ocrjury.adaptive import choose_raters, next_ratings, rating_gain
from ocrjury.adaptive.information import expected_rise
from ocrjury.adaptive.rating_gain import CORRECTION_WORTH, Gain

RESULT = Path(__file__).parent / "results" / "adaptive_tries.md"
FIRST_SEED = 700
EXPLORE = 0.2
DIVERSE = 1.3  # largest share of a predicted level in a batch, times its share of the doubt
HEAD = """# What was tried for fewer ratings

Made by `.venv/bin/python -m benchmarks.adaptive_tries`. Ratings that each rule needs for the
accuracy of five even ratings of every page, as a share of uniform's five, with the worlds and
replays of [adaptive.md](adaptive.md). A fifth of the ratings is drawn at random unless said
otherwise. Seeds {first} to {last}; errors over draws of the seeds, which all rules share.

.62 was aimed at. No rule differs from the usual one beyond noise. Exploration costs nothing that
shows here, and finds confident errors.

"""
Rule = Callable[[Floats, Floats], Gain]
CHOSEN = by_gain(explore=EXPLORE, raters=True)
_usual: Rule = rating_gain._gain  # noqa: SLF001  # the rule that is replaced


def two_steps(shares: Floats, outcomes: Floats) -> Gain:
    """Rise of the label's probability by one rating, or by two if half of that is more."""
    usual = _usual(shares, outcomes)
    pairs = (outcomes[:, :, None] * outcomes[:, None, :]).reshape(len(outcomes), -1)
    rise = np.maximum(expected_rise(shares, outcomes), expected_rise(shares, pairs) / 2)
    return Gain(usual.bits, usual.bits + CORRECTION_WORTH * rise)


def posterior_loss(shares: Floats, outcomes: Floats) -> Gain:
    """Expected fall of the Brier score."""
    usual = _usual(shares, outcomes)
    joint = shares[:, :, None] * outcomes
    after = (joint**2).sum(axis=1) / np.maximum(shares @ outcomes, 1e-12)
    return Gain(usual.bits, np.maximum(after.sum(axis=1) - (shares**2).sum(axis=1), 0.0))


def diverse(now: Moment) -> Batch:
    """Batch in which no predicted level exceeds its share of the doubt by much."""
    level = dict(zip(now.truth.items, now.truth.label.tolist(), strict=True))
    doubt = dict.fromkeys(level.values(), 0.0)
    for item, sure in zip(now.truth.items, now.truth.confidence, strict=True):
        doubt[level[item]] += 1 - float(sure)
    wanted = BATCH - int(EXPLORE * BATCH)
    total = sum(doubt.values())
    left = {one: int(np.ceil(DIVERSE * wanted * part / total)) for one, part in doubt.items()}
    items: list[int] = []
    for item in _best(now, 3 * BATCH):
        if left[level[item]] > 0 and len(items) < wanted:
            items.append(item)
            left[level[item]] -= 1
    return _with_raters(now, items, order=np.random.default_rng(now.seed).permutation(N_ITEMS))


def fewest(now: Moment) -> Batch:
    """Batch whose exploration goes to the pages with the fewest ratings."""
    luck = np.random.default_rng(now.seed).random(N_ITEMS)
    number = np.bincount(now.table.item, minlength=N_ITEMS)
    best = _best(now, BATCH - int(EXPLORE * BATCH))
    return _with_raters(now, best, order=np.lexsort((luck, number)))


def _best(now: Moment, budget: int) -> list[int]:
    """Pages by `next_ratings` without exploration."""
    options = {"target_confidence": 1.0, "cap": N_RATERS, "explore": 0.0, "seed": now.seed}
    return list(next_ratings(now.truth, now.table, budget=budget, **options)["item"])


def _with_raters(now: Moment, items: list[int], *, order: Floats) -> Batch:
    """Pages, filled up to a batch in the given order, and the raters who tell most."""
    number = np.bincount(now.table.item, minlength=N_ITEMS)
    rest = [int(page) for page in order if number[page] < N_RATERS and page not in items]
    both = items + rest[: BATCH - len(items)]
    return Batch(both, choose_raters(now.truth, now.table, {one: both.count(one) for one in both}))


TRIES: dict[str, tuple[Ask, Rule | None]] = {
    "as an evaluation chooses": (CHOSEN, None),
    "two-step look-ahead": (CHOSEN, two_steps),
    "expected posterior loss (Brier)": (CHOSEN, posterior_loss),
    "a batch of diverse levels": (diverse, None),
    "exploration of the least rated": (fewest, None),
    "half the exploration": (by_gain(explore=EXPLORE / 2, raters=True), None),
    "no exploration": (by_gain(explore=0.0, raters=True), None),
    "clairvoyant": (seeing_through, None),
}


def lines(seeds: int) -> Iterator[str]:
    """Yield the table of ratings needed, as a share of uniform's five."""
    yield f"| rule | {' | '.join(LIKERT)} | geometric mean |"
    yield "|---" + "|--:" * (len(LIKERT) + 1) + "|"
    uniform = by_policy("uniform")
    even = {(n, "uniform"): _curves(n, uniform, seeds, most=float(UNIFORM)) for n in LIKERT}
    rng = np.random.default_rng(0)
    draws = [rng.integers(0, seeds, seeds) for _ in range(200)]
    for words, (ask, rule) in TRIES.items():
        changed: AbstractContextManager[object] = (
            patch.object(rating_gain, "_gain", rule) if rule else nullcontext()
        )
        with changed:
            own = even | {(name, words): _curves(name, ask, seeds) for name in LIKERT}
        by_world = ratios(own, words, np.arange(seeds))
        error = np.nanstd([geometric(ratios(own, words, some)) for some in draws])
        cells = " | ".join(f"{value:.2f}" for value in by_world)
        yield f"| {words} | {cells} | {geometric(by_world):.3f} ± {error:.3f} |"


def _curves(name: str, ask: Ask, seeds: int, *, most: float = MOST) -> list[Floats]:
    """Curves of a world, one per seed."""
    start = time.process_time()
    places = range(FIRST_SEED, FIRST_SEED + seeds)
    curves = [replay(draw(name, seed), ask, seed=seed, most=most) for seed in places]
    sys.stderr.write(f"{name}: {time.process_time() - start:.0f} s\n")
    return curves


def main() -> None:
    """Print the table and write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--seeds", type=int, default=4)
    seeds = parser.parse_args().seeds
    shown: list[str] = []
    with threadpool_limits(1):
        for line in lines(seeds):
            sys.stdout.write(line + "\n")
            shown.append(line)
    head = HEAD.format(first=FIRST_SEED, last=FIRST_SEED + seeds - 1)
    RESULT.write_text(head + "\n".join(shown) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
