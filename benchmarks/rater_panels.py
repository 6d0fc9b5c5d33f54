"""What a handful of raters add to the error, and whether plans come true.

Raters have severities that they take from item to item. The truth is what endlessly many such
raters would say of the pool on average.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr

from benchmarks.heavy_tailed_pool import Floats, KnownPool, simulated_pool
from ocrjury.assignment import assign_raters
from ocrjury.estimation import greg_mean, rated_mean
from ocrjury.planner import StudyPlan, plan_study
from ocrjury.sampling import draw_sample

ITEMS, PER_ITEM, GOLD, NOISE = 385, 2, 20, 0.5
LEVELS = np.arange(1.0, 6.0)
DRAW, THESE, OTHERS, CORRECTED = (
    "draw only: as if raters never erred",
    "these raters",
    "other raters like these",
    "other raters, 20 gold items",
)
WAYS = (DRAW, THESE, OTHERS, CORRECTED)


@dataclass(frozen=True)
class Panel:
    """So many raters with so much difference in severity."""

    raters: int
    severity: float
    runs: int = 200


PANELS = (
    Panel(4, 0.35),
    Panel(6, 0.35, runs=600),
    Panel(12, 0.35),
    Panel(30, 0.35),
    Panel(6, 0.15),
    Panel(6, 0.0),
)


@cache
def world() -> KnownPool:
    """Return the pool."""
    return simulated_pool()


def said_on_average(spread: float) -> Floats:
    """Return the mean rating of each true level by raters that scatter so much around it."""
    cuts = np.arange(1.5, 5.0)
    above = ndtr((LEVELS[:, None] - cuts) / spread) if spread > 0 else LEVELS[:, None] > cuts
    return np.asarray(1 + above.sum(axis=1), dtype=float)


def rate(level: Floats, severity: Floats, rng: np.random.Generator) -> Floats:
    """Return ratings on the five-point scale."""
    return np.clip(np.round(level + severity + NOISE * rng.normal(size=level.shape)), 1, 5)


def run(panel: Panel, seed: int) -> dict[str, tuple[float, float, float, float]]:
    """Return value, low, high and truth by way of one evaluation."""
    pool, rng = world(), np.random.default_rng([panel.raters, seed])
    known, known_mean = pool.known(ITEMS)
    sample = draw_sample(pool.frame, n=ITEMS, stratum="doc_type", risk="risk", seed=seed)
    rows = pool.places(sample["doc_id"])
    level = pool.outcomes["score"].to_numpy()
    severity = panel.severity * rng.normal(size=panel.raters)
    average = said_on_average(float(np.hypot(panel.severity, NOISE)))
    pairs = assign_raters(
        sample["doc_id"].tolist(), range(panel.raters), raters_per_item=PER_ITEM, seed=seed
    )
    place = pd.Series(level[rows], index=sample["doc_id"])[pairs["item"]].to_numpy()
    rater = pairs["rater"].to_numpy(dtype=int)
    ratings = pairs[["item", "rater"]].assign(rating=rate(place, severity[rater], rng))
    gold, controls = gold_of(level, severity, average=average, rng=rng)
    means = ratings.groupby("item")["rating"].mean()[sample["doc_id"]].to_numpy()
    how: dict[str, Any] = {"auxiliary": known[rows], "pool_mean": known_mean}
    found = {
        DRAW: greg_mean(means, sample["inclusion_probability"], **how),
        THESE: rated_mean(ratings, items=sample, raters="these", **how),
        OTHERS: rated_mean(ratings, items=sample, **how),
        CORRECTED: rated_mean(pd.concat([ratings, controls]), items=sample, gold=gold, **how),
    }
    truth = float(average[level.astype(int) - 1].mean())
    return {way: (one.value, one.low, one.high, truth) for way, one in found.items()}


def gold_of(
    level: Floats, severity: Floats, *, average: Floats, rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return gold items of mixed difficulty, and what every rater said of them."""
    drawn = rng.choice(level, GOLD)
    names = [f"gold-{place}" for place in range(GOLD)]
    gold = pd.DataFrame({"item": names, "rating": average[drawn.astype(int) - 1]})
    who = np.tile(np.arange(len(severity)), GOLD)
    said = rate(np.repeat(drawn, len(severity)), severity[who], rng)
    return gold, pd.DataFrame(
        {"item": np.repeat(names, len(severity)), "rater": who, "rating": said}
    )


PLANS: tuple[dict[str, float], ...] = (
    {"width": 0.3, "rater_sd": 0.35, "n_raters": 6},
    {"width": 0.7, "rater_sd": 0.35, "n_raters": 6},
    {"width": 0.2, "rater_sd": 0.15, "n_raters": 12},
    {"budget": 770, "rater_sd": 0.25, "n_raters": 8},
    {"budget": 770, "rater_sd": 0.25, "n_raters": 8, "cost_item": 2.0},
    {"budget": 400, "rater_sd": 0.1, "n_raters": 6, "population": 500},
)
SPREADS = {"score_sd": 1.1, "r_squared": 0.7, "noise_sd": NOISE}


def plan_of(wanted: dict[str, float]) -> StudyPlan:
    """Return the plan for what is wanted."""
    return plan_study(**{"population": 100_000, **SPREADS, **wanted})  # type: ignore[arg-type]


def follow(wanted: dict[str, float], seed: int) -> tuple[float, bool]:
    """Return how long the interval of one evaluation by a plan is, and if it holds the truth."""
    plan, rng = plan_of(wanted), np.random.default_rng([5, seed])
    of, n = plan.components, plan.items
    known, rest = rng.normal(size=(2, of.population))
    score = 3 + of.score_sd * (np.sqrt(of.r_squared) * known + np.sqrt(1 - of.r_squared) * rest)
    severity = of.rater_sd * rng.normal(size=of.n_raters)
    asked = {
        f"d{k}": plan.raters_per_item if plan.raters_per_item > 1 else 1 + (k < plan.double_rated)
        for k in range(n)
    }
    pairs = assign_raters(list(asked), range(of.n_raters), raters_per_item=asked, seed=seed)
    item, rater = pairs["item"].str[1:].astype(int).to_numpy(), pairs["rater"].to_numpy(dtype=int)
    noise = of.noise_sd * rng.normal(size=len(pairs))
    ratings = pairs[["item", "rater"]].assign(rating=score[item] + severity[rater] + noise)
    gold = pd.DataFrame({"item": [f"g{k}" for k in range(plan.gold_items)]})
    gold["rating"] = rng.normal(3, 1, plan.gold_items)
    controls = gold.merge(pd.DataFrame({"rater": range(of.n_raters)}), how="cross")
    controls["rating"] += severity[controls["rater"].to_numpy()]
    controls["rating"] += of.noise_sd * rng.normal(size=len(controls))
    found = rated_mean(
        pd.concat([ratings, controls]),
        items=pd.DataFrame({"item": list(asked), "inclusion_probability": n / of.population}),
        auxiliary=known[:n],
        pool_mean=[known.mean()],
        gold=gold if plan.gold_items else None,
    )
    return found.high - found.low, bool(found.low <= score.mean() <= found.high)


def report(*, share: float, processes: int) -> Iterator[str]:
    """Yield the lines on raters and on plans."""
    yield from _panels(share, processes)
    yield from _plans(max(2, round(200 * share)), processes)


def _panels(share: float, processes: int) -> Iterator[str]:
    """Yield the section on raters."""
    yield f"""
## Raters who differ

{ITEMS} documents of the heavy-tailed pool, {PER_ITEM} ratings each on a five-point scale, noise of
standard deviation {NOISE}, severities as named. The truth is what endlessly many such raters would
say on average. Goals for 6 raters of 0.35: other raters at least 92 %, with gold at most half as
wide.
"""
    yield "| raters | severities | evaluations | interval for | covers | width | RMSE | |"
    yield "|--:|--:|--:|---|--:|--:|--:|---|"
    for panel in PANELS:
        runs = max(2, round(panel.runs * share))
        with ProcessPoolExecutor(processes) as pool:
            rows = list(pool.map(run, [panel] * runs, range(runs), chunksize=5))
        yield from _lines(panel, rows)


def _lines(panel: Panel, rows: list[dict[str, tuple[float, float, float, float]]]) -> Iterator[str]:
    """Yield the lines of a panel."""
    by_way = {way: np.array([row[way] for row in rows]) for way in WAYS}
    width = {way: float((of[:, 2] - of[:, 1]).mean()) for way, of in by_way.items()}
    for way, of in by_way.items():
        covers = float(((of[:, 1] <= of[:, 3]) & (of[:, 3] <= of[:, 2])).mean())
        met = ""
        if (panel.raters, panel.severity) == (6, 0.35) and way == OTHERS:
            met = "met" if covers >= 0.92 else "missed"
        if (panel.raters, panel.severity) == (6, 0.35) and way == CORRECTED:
            met = "met" if width[way] <= width[OTHERS] / 2 else "missed"
        first = (
            f"| {panel.raters} | {panel.severity:g} | {len(rows):,} " if way == DRAW else "| | | "
        )
        rmse = float(np.sqrt(((of[:, 0] - of[:, 3]) ** 2).mean()))
        yield f"{first}| {way} | {covers:.1%} | {width[way]:.3f} | {rmse:.3f} | {met} |"


def _plans(runs: int, processes: int) -> Iterator[str]:
    """Yield the section on plans."""
    yield f"""
## Plans and what became of them

`plan_study` for a pool of 100,000 documents (the last one: 500) whose scores vary by 1.1, of which
auxiliaries explain 70 %, and raters with noise of {NOISE}; {runs} simulated evaluations each, with
the plan's items, raters per item and gold items.
"""
    yield "| asked for | severities | raters | plan | planned width | achieved | covers |"
    yield "|---|--:|--:|---|--:|--:|--:|"
    for wanted in PLANS:
        plan = plan_of(wanted)
        with ProcessPoolExecutor(processes) as pool:
            found = list(pool.map(follow, [wanted] * runs, range(runs), chunksize=5))
        aim = " ".join(
            f"{key} {wanted[key]:g}" for key in ("width", "budget", "cost_item") if key in wanted
        )
        asked = f"{aim} | {wanted['rater_sd']:g} | {wanted['n_raters']:g}"
        what = (
            f"{plan.items} items, {plan.raters_per_item} each, {plan.double_rated} of two or more, "
            f"{plan.gold_items} gold"
        )
        width, covers = np.mean(found, axis=0)
        yield f"| {asked} | {what} | {plan.width:.3f} | {width:.3f} | {covers:.1%} |"
