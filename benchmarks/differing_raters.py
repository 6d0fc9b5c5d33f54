"""The error that a few raters add to an estimate, and the widths that plans achieve.

Raters keep their severities from item to item. The truth is the mean rating of the pool by
infinitely many such raters.
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
class RaterGroup:
    """Number of raters, and the standard deviation of their severities."""

    raters: int
    severity: float
    runs: int = 200


GROUPS = (
    RaterGroup(4, 0.35),
    RaterGroup(6, 0.35, runs=600),
    RaterGroup(12, 0.35),
    RaterGroup(30, 0.35),
    RaterGroup(6, 0.15),
    RaterGroup(6, 0.0),
)


@cache
def world() -> KnownPool:
    """Pool."""
    return simulated_pool()


def mean_rating_of(spread: float) -> Floats:
    """Mean rating of each true level by raters with this spread around it."""
    cuts = np.arange(1.5, 5.0)
    above = ndtr((LEVELS[:, None] - cuts) / spread) if spread > 0 else LEVELS[:, None] > cuts
    return np.asarray(1 + above.sum(axis=1), dtype=float)


def rate(level: Floats, severity: Floats, rng: np.random.Generator) -> Floats:
    """Ratings on the five-point scale."""
    return np.clip(np.round(level + severity + NOISE * rng.normal(size=level.shape)), 1, 5)


def run(group: RaterGroup, seed: int) -> dict[str, tuple[float, float, float, float]]:
    """Value, low, high and truth of one evaluation, by estimator."""
    pool, rng = world(), np.random.default_rng([group.raters, seed])
    known, known_mean = pool.known(ITEMS)
    sample = draw_sample(pool.frame, n=ITEMS, stratum="doc_type", risk="risk", seed=seed)
    rows = pool.places(sample["doc_id"])
    level = pool.outcomes["score"].to_numpy()
    severity = group.severity * rng.normal(size=group.raters)
    average = mean_rating_of(float(np.hypot(group.severity, NOISE)))
    pairs = assign_raters(
        sample["doc_id"].tolist(), range(group.raters), raters_per_item=PER_ITEM, seed=seed
    )
    place = pd.Series(level[rows], index=sample["doc_id"])[pairs["item"]].to_numpy()
    rater = pairs["rater"].to_numpy(dtype=int)
    ratings = pairs[["item", "rater"]].assign(rating=rate(place, severity[rater], rng))
    gold, controls = gold_of(level, severity, average=average, rng=rng)
    means = ratings.groupby("item")["rating"].mean()[sample["doc_id"]].to_numpy()
    how: dict[str, Any] = {"auxiliary": known[rows], "pool_mean": known_mean}
    estimates = {
        DRAW: greg_mean(means, sample["inclusion_probability"], **how),
        THESE: rated_mean(ratings, items=sample, raters="these", **how),
        OTHERS: rated_mean(ratings, items=sample, **how),
        CORRECTED: rated_mean(pd.concat([ratings, controls]), items=sample, gold=gold, **how),
    }
    truth = float(average[level.astype(int) - 1].mean())
    return {
        way: (estimate.value, estimate.low, estimate.high, truth)
        for way, estimate in estimates.items()
    }


def gold_of(
    level: Floats, severity: Floats, *, average: Floats, rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Gold items of mixed difficulty, and every rater's ratings of them."""
    drawn = rng.choice(level, GOLD)
    names = [f"gold-{place}" for place in range(GOLD)]
    gold = pd.DataFrame({"item": names, "rating": average[drawn.astype(int) - 1]})
    rater = np.tile(np.arange(len(severity)), GOLD)
    ratings = rate(np.repeat(drawn, len(severity)), severity[rater], rng)
    return gold, pd.DataFrame(
        {"item": np.repeat(names, len(severity)), "rater": rater, "rating": ratings}
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
    """Plan for a width or a budget."""
    return plan_study(**{"population": 100_000, **SPREADS, **wanted})  # type: ignore[arg-type]


def follow(wanted: dict[str, float], seed: int) -> tuple[float, bool]:
    """Length of the interval of one evaluation by a plan, and whether it covers the truth."""
    plan, rng = plan_of(wanted), np.random.default_rng([5, seed])
    of, n = plan.components, plan.items
    known, rest = rng.normal(size=(2, of.population))
    score = 3 + of.score_sd * (np.sqrt(of.r_squared) * known + np.sqrt(1 - of.r_squared) * rest)
    severity = of.rater_sd * rng.normal(size=of.n_raters)
    wanted_of = {
        f"d{k}": plan.raters_per_item if plan.raters_per_item > 1 else 1 + (k < plan.double_rated)
        for k in range(n)
    }
    pairs = assign_raters(list(wanted_of), range(of.n_raters), raters_per_item=wanted_of, seed=seed)
    item, rater = pairs["item"].str[1:].astype(int).to_numpy(), pairs["rater"].to_numpy(dtype=int)
    noise = of.noise_sd * rng.normal(size=len(pairs))
    ratings = pairs[["item", "rater"]].assign(rating=score[item] + severity[rater] + noise)
    gold = pd.DataFrame({"item": [f"g{k}" for k in range(plan.gold_items)]})
    gold["rating"] = rng.normal(3, 1, plan.gold_items)
    controls = gold.merge(pd.DataFrame({"rater": range(of.n_raters)}), how="cross")
    controls["rating"] += severity[controls["rater"].to_numpy()]
    controls["rating"] += of.noise_sd * rng.normal(size=len(controls))
    estimate = rated_mean(
        pd.concat([ratings, controls]),
        items=pd.DataFrame({"item": list(wanted_of), "inclusion_probability": n / of.population}),
        auxiliary=known[:n],
        pool_mean=[known.mean()],
        gold=gold if plan.gold_items else None,
    )
    return estimate.high - estimate.low, bool(estimate.low <= score.mean() <= estimate.high)


def report(*, share: float, processes: int) -> Iterator[str]:
    """Yield the lines on raters and on plans."""
    yield from _groups(share, processes)
    yield from _plans(max(2, round(200 * share)), processes)


def _groups(share: float, processes: int) -> Iterator[str]:
    """Yield the section on raters."""
    yield f"""
## Raters who differ

{ITEMS} documents of the heavy-tailed pool, {PER_ITEM} ratings each on a five-point scale, noise of
standard deviation {NOISE}. "Severities" is the standard deviation of the raters' severities. The
truth is the mean rating of infinitely many such raters. Goals for 6 raters with 0.35: the interval
for other raters covers at least 92 %, and with gold it is at most half as wide.
"""
    yield "| raters | severities | evaluations | interval for | covers | width | RMSE | |"
    yield "|--:|--:|--:|---|--:|--:|--:|---|"
    for group in GROUPS:
        runs = max(2, round(group.runs * share))
        with ProcessPoolExecutor(processes) as pool:
            rows = list(pool.map(run, [group] * runs, range(runs), chunksize=5))
        yield from _lines(group, rows)


def _lines(
    group: RaterGroup, rows: list[dict[str, tuple[float, float, float, float]]]
) -> Iterator[str]:
    """Yield the lines of one group of raters."""
    by_way = {way: np.array([row[way] for row in rows]) for way in WAYS}
    width = {way: float((of[:, 2] - of[:, 1]).mean()) for way, of in by_way.items()}
    for way, of in by_way.items():
        covers = float(((of[:, 1] <= of[:, 3]) & (of[:, 3] <= of[:, 2])).mean())
        met = ""
        if (group.raters, group.severity) == (6, 0.35) and way == OTHERS:
            met = "met" if covers >= 0.92 else "missed"
        if (group.raters, group.severity) == (6, 0.35) and way == CORRECTED:
            met = "met" if width[way] <= width[OTHERS] / 2 else "missed"
        first = (
            f"| {group.raters} | {group.severity:g} | {len(rows):,} " if way == DRAW else "| | | "
        )
        rmse = float(np.sqrt(((of[:, 0] - of[:, 3]) ** 2).mean()))
        yield f"{first}| {way} | {covers:.1%} | {width[way]:.3f} | {rmse:.3f} | {met} |"


def _plans(runs: int, processes: int) -> Iterator[str]:
    """Yield the section on plans."""
    yield f"""
## Plans and achieved widths

`plan_study` for a pool of 100,000 documents (the last one: 500). The standard deviation of
scores is 1.1, auxiliaries explain 70 % of the variance, and raters have noise of {NOISE}. Each
plan is followed in {runs} simulated evaluations with its items, raters per item and gold items.
"""
    yield "| asked for | severities | raters | plan | planned width | achieved | covers |"
    yield "|---|--:|--:|---|--:|--:|--:|"
    for wanted in PLANS:
        plan = plan_of(wanted)
        with ProcessPoolExecutor(processes) as pool:
            evaluations = list(pool.map(follow, [wanted] * runs, range(runs), chunksize=5))
        aim = " ".join(
            f"{key} {wanted[key]:g}" for key in ("width", "budget", "cost_item") if key in wanted
        )
        target = f"{aim} | {wanted['rater_sd']:g} | {wanted['n_raters']:g}"
        what = (
            f"{plan.items} items, {plan.raters_per_item} each, {plan.double_rated} of two or more, "
            f"{plan.gold_items} gold"
        )
        width, covers = np.mean(evaluations, axis=0)
        yield f"| {target} | {what} | {plan.width:.3f} | {width:.3f} | {covers:.1%} |"
