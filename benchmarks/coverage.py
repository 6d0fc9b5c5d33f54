"""Coverage of the headline interval for the true mean of the whole pool.

Runs the design of the bundled example many times with simulated raters, whose truth is known:

    .venv/bin/python benchmarks/coverage.py

prints a table and writes it to benchmarks/results/coverage.md.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import ndtr

from ocrjury import Estimate, RatingTable, Scale
from ocrjury.assignment import assign_raters
from ocrjury.estimation import auxiliaries, greg_mean, plain_mean, rated_mean
from ocrjury.readers import read_pool
from ocrjury.sampling import draw_sample, risk_scores
from ocrjury.simulation import RaterProfile, simulate_ratings, true_scores
from ocrjury.text import score_texts
from ocrjury.truth import dawid_skene

ROOT = Path(__file__).parents[1]
POOL = ROOT / "examples" / "korean-claims" / "fields.jsonl"
RESULT = ROOT / "benchmarks" / "results" / "coverage.md"

DOCUMENTS, RATERS, PER_ITEM, SEVERITY_SD = 200, 6, 2, 0.25
SCALE = Scale.likert(1, 5)
DIMENSION = "meaning"
Floats = npt.NDArray[np.float64]

HEADLINE = "headline: GREG, other raters"
WAYS = {
    HEADLINE: "rated_mean(raters='others') with auxiliaries",
    "these raters only": "rated_mean(raters='these') with auxiliaries",
    "Hajek, other raters": "rated_mean(raters='others') without auxiliaries",
    "draw only": "greg_mean of plain item means: as if raters never erred",
    "draw only, Dawid-Skene": "greg_mean of posterior mean scores",
    "naive": "plain_mean of item means: as if documents were drawn alike",
}


@dataclass(frozen=True)
class World:
    """Difference between two sets of evaluations."""

    name: str
    careless: float


WORLDS = (
    World("One of six raters answers at random 45 % of the time", 0.45),
    World("No careless rater", 0.0),
)


@dataclass(frozen=True)
class Pool:
    """Scored pool, and the auxiliaries of every document."""

    frame: pd.DataFrame
    auxiliary: Floats
    pool_mean: Floats


def main() -> None:
    """Run all worlds, print the tables and write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--evaluations", type=int, default=500)
    parser.add_argument("--no-write", action="store_true", help="print only")
    arguments = parser.parse_args()
    pool = load_pool()
    parts = [_preface(arguments.evaluations, pool)]
    for world in WORLDS:
        outcomes = pd.DataFrame(evaluations(pool, world, arguments.evaluations))
        parts.append(f"## {world.name}\n\n{table(outcomes)}\n")
    text = "\n".join(parts)
    sys.stdout.write(text)
    if not arguments.no_write:
        RESULT.write_text(text, encoding="utf-8")


def load_pool() -> Pool:
    """Bundled pool, scored."""
    frame = read_pool(POOL)
    scores = score_texts(
        frame["reference"].tolist(), frame["hypothesis"].tolist(), metrics=["cer", "ned"]
    )
    frame = frame.assign(cer=scores["cer"].to_numpy(), ned=scores["ned"].to_numpy())
    frame["risk"] = risk_scores(frame)
    matrix, _ = auxiliaries(frame, n=DOCUMENTS)
    return Pool(frame, matrix, matrix.mean(axis=0))


def evaluations(pool: Pool, world: World, n: int) -> Iterator[dict[str, float]]:
    """Yield the estimates of one evaluation and the truth, for each of n seeds."""
    for seed in range(n):
        yield evaluate(pool, profiles(world, seed), seed)


def profiles(world: World, seed: int) -> dict[str, RaterProfile]:
    """Six raters drawn from a population, the last of them careless."""
    severities = np.random.default_rng(seed).normal(0, SEVERITY_SD, RATERS)
    return {
        f"R{place + 1:02d}": RaterProfile(
            severity=float(severity), careless=world.careless if place == RATERS - 1 else 0.0
        )
        for place, severity in enumerate(severities)
    }


def evaluate(pool: Pool, raters: Mapping[str, RaterProfile], seed: int) -> dict[str, float]:
    """Estimates of one evaluation beside the true means."""
    truth = true_scores(pool.frame, dimensions=[DIMENSION], scale=SCALE, seed=seed)
    sample = draw_sample(pool.frame, n=DOCUMENTS, stratum="doc_type", risk="risk", seed=seed)
    assignments = assign_raters(
        sample["doc_id"].tolist(), list(raters), raters_per_item=PER_ITEM, seed=seed
    )
    ratings = simulate_ratings(truth, assignments, profiles=raters, scale=SCALE, seed=seed)
    results: dict[str, float] = {
        "truth": float(truth[DIMENSION].mean()),
        "all": mean_of_many(truth, raters),
        "careful": mean_of_many(truth, {"default": RaterProfile()}),
    }
    for name, estimate in estimates(pool, sample, ratings).items():
        results |= {
            name: estimate.value,
            f"{name} low": estimate.low,
            f"{name} high": estimate.high,
        }
    return results


def mean_of_many(truth: pd.DataFrame, raters: Mapping[str, RaterProfile]) -> float:
    """Mean of ratings by infinitely many raters, with the same share of careless ones."""
    latent = truth[f"latent_{DIMENSION}"].to_numpy(dtype=float)
    cuts = np.arange(1.5, 5.0)
    means = []
    for profile in raters.values():
        spread = float(np.sqrt(profile.noise**2 + profile.halo**2 + SEVERITY_SD**2))
        careful = 1 + ndtr((latent[:, None] - cuts) / spread).sum(axis=1).mean()
        means.append((1 - profile.careless) * careful + profile.careless * 3.0)
    return float(np.mean(means))


def estimates(pool: Pool, sample: pd.DataFrame, ratings: pd.DataFrame) -> dict[str, Estimate]:
    """Mean score of the pool, by every estimator."""
    rows = pd.Index(pool.frame["doc_id"]).get_indexer(pd.Index(sample["doc_id"]))
    columns, pool_mean = pool.auxiliary[rows], pool.pool_mean
    pi = sample["inclusion_probability"]
    item_means = ratings.groupby("item")["rating"].mean()[sample["doc_id"]].to_numpy()
    model = dawid_skene(RatingTable.from_long(ratings, scale=SCALE))
    posterior = pd.Series(model.mean, index=list(model.items))[sample["doc_id"]].to_numpy()
    by_way = [
        rated_mean(ratings, items=sample, auxiliary=columns, pool_mean=pool_mean),
        rated_mean(ratings, items=sample, auxiliary=columns, pool_mean=pool_mean, raters="these"),
        rated_mean(ratings, items=sample),
        greg_mean(item_means, pi, auxiliary=columns, pool_mean=pool_mean),
        greg_mean(posterior, pi, auxiliary=columns, pool_mean=pool_mean),
        plain_mean(item_means),
    ]
    return dict(zip(WAYS, by_way, strict=True))


def table(outcomes: pd.DataFrame) -> str:
    """Comparison as Markdown."""
    lines = [
        "| estimate | covers true mean | careful raters | all raters | bias | RMSE | width |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name in WAYS:
        error = outcomes[name] - outcomes["truth"]
        low, high = outcomes[f"{name} low"], outcomes[f"{name} high"]
        covers = {
            target: ((low <= outcomes[target]) & (outcomes[target] <= high)).mean()
            for target in ("truth", "careful", "all")
        }
        lines.append(
            f"| {name} | {covers['truth']:.1%} | {covers['careful']:.1%} | {covers['all']:.1%} "
            f"| {error.mean():+.3f} | {np.sqrt((error**2).mean()):.3f} "
            f"| {(high - low).mean():.3f} |"
        )
    return "\n".join(lines)


def _preface(n: int, pool: Pool) -> str:
    """Preface of the result: what the tables show."""
    ways = "\n".join(f"* **{name}**: `{how}`" for name, how in WAYS.items())
    return f"""# Coverage of the headline interval

{n} simulated evaluations of the bundled pool ({len(pool.frame):,} fields), seeds 0 to {n - 1}:
{DOCUMENTS} documents drawn (50 % random, 30 % stratified, 20 % error-focused), {PER_ITEM} raters
per document out of {RATERS} with severities of standard deviation {SEVERITY_SD}, noise 0.35 and
halo 0.2 points of the five-point scale. Intervals promise 95 %.

* The **true mean** is the mean over the pool of the level that the rating guide gives each
  document. Bias, RMSE and width refer to it, in points.
* **Careful raters**: the mean rating of infinitely many raters, none of them careless. It is 0.02
  lower, because an error on a perfect document can only go down.
* **All raters**: the same with as many careless raters as among the six. Random answers pull it
  towards the middle of the scale. Nobody asks for that mean; the plain average aims at it.

{ways}

Made by `.venv/bin/python benchmarks/coverage.py`.
"""


if __name__ == "__main__":
    main()
