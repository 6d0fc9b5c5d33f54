"""Coverage of the intervals of inferred labels, in the worlds of benchmarks.coverage."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache

import numpy as np
import pandas as pd

from benchmarks.coverage import (
    DIMENSION,
    DOCUMENTS,
    PER_ITEM,
    SCALE,
    WORLDS,
    Pool,
    World,
    load_pool,
    profiles,
)
from benchmarks.heavy_tailed_pool import Floats
from ocrjury import RatingTable
from ocrjury.assignment import assign_raters
from ocrjury.estimation import greg_mean, inferred_mean, rated_mean
from ocrjury.sampling import draw_sample
from ocrjury.simulation import simulate_ratings, true_scores
from ocrjury.truth import dawid_skene

RUNS = 400
LEVELS = np.arange(1.0, 6.0)
DRAW, POSTERIOR, LEFT_OUT, RATED = (
    "`greg_mean` of posterior means",
    "`inferred_mean`",
    "`inferred_mean` with `left_out`",
    "`rated_mean`, the headline",
)


@cache
def world() -> Pool:
    """Bundled pool."""
    return load_pool()


def posterior(ratings: pd.DataFrame, documents: "pd.Series[str]") -> Floats:
    """Probabilities of every category of every document, nan without ratings."""
    model = dawid_skene(RatingTable.from_long(ratings, scale=SCALE))
    probabilities = pd.DataFrame(model.probabilities, index=list(model.items))
    return probabilities.reindex(documents).to_numpy(dtype=float)


def run(case: World, seed: int) -> dict[str, tuple[float, float, float, float]]:
    """Value, low, high and truth of one evaluation, by estimator."""
    pool, raters = world(), profiles(case, seed)
    truth = true_scores(pool.frame, dimensions=[DIMENSION], scale=SCALE, seed=seed)
    sample = draw_sample(pool.frame, n=DOCUMENTS, stratum="doc_type", risk="risk", seed=seed)
    documents = sample["doc_id"]
    pairs = assign_raters(documents.tolist(), list(raters), raters_per_item=PER_ITEM, seed=seed)
    ratings = simulate_ratings(truth, pairs, profiles=raters, scale=SCALE, seed=seed)
    rows = pd.Index(pool.frame["doc_id"]).get_indexer(pd.Index(documents))
    known, means = pool.auxiliary[rows], pool.pool_mean
    pi, probabilities = sample["inclusion_probability"], posterior(ratings, documents)
    without = [posterior(ratings[ratings["rater"] != rater], documents) for rater in raters]
    estimates = {
        DRAW: greg_mean(probabilities @ LEVELS, pi, auxiliary=known, pool_mean=means),
        POSTERIOR: inferred_mean(
            probabilities, pi, levels=LEVELS, auxiliary=known, pool_mean=means
        ),
        LEFT_OUT: inferred_mean(
            probabilities, pi, levels=LEVELS, auxiliary=known, pool_mean=means, left_out=without
        ),
        RATED: rated_mean(ratings, items=sample, auxiliary=known, pool_mean=means),
    }
    target = float(truth[DIMENSION].mean())
    return {
        way: (estimate.value, estimate.low, estimate.high, target)
        for way, estimate in estimates.items()
    }


def report(*, share: float, processes: int) -> Iterator[str]:
    """Yield the lines of the section."""
    runs = max(2, round(RUNS * share))
    yield f"""
## Labels inferred by Dawid-Skene

{runs} evaluations each of the bundled pool as in benchmarks/coverage.py: {DOCUMENTS} documents, six
raters, {PER_ITEM} for each document. The truth is the mean level of the pool.
"""
    yield "| raters | interval | covers | bias | width |"
    yield "|---|---|--:|--:|--:|"
    for case in WORLDS:
        with ProcessPoolExecutor(processes) as pool:
            rows = list(pool.map(run, [case] * runs, range(runs), chunksize=5))
        for place, way in enumerate((DRAW, POSTERIOR, LEFT_OUT, RATED)):
            of = np.array([row[way] for row in rows])
            covers = ((of[:, 1] <= of[:, 3]) & (of[:, 3] <= of[:, 2])).mean()
            bias, width = (of[:, 0] - of[:, 3]).mean(), (of[:, 2] - of[:, 1]).mean()
            name = case.name if place == 0 else ""
            yield f"| {name} | {way} | {covers:.1%} | {bias:+.3f} | {width:.3f} |"
