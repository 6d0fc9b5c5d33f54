"""Compare labels and confidence of every method on simulated worlds with known truth.

    make peers
    .venv/bin/python -m benchmarks.truth_quality

prints tables and writes them to benchmarks/results/truth_quality.md (a quarter of an hour of CPU
time, nearly all of it in two of crowd-kit's methods). ``--keep "crowd-kit GLAD"`` takes rows from
the tables there instead, for methods that have not changed since. The public sets are read from the
folder that ``OCRJURY_TRUTH_SETS`` names, see `benchmarks.truth_sets`.
"""

import argparse
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student
from threadpoolctl import threadpool_limits

from benchmarks.likert_worlds import N_RATERS, RECIPES, World, worlds
from benchmarks.truth_sets import section
from benchmarks.truth_tries import tries_section
from ocrjury import RatingTable
from ocrjury.reliability import expected_calibration_error
from ocrjury.truth import Truth, aggregate, calibrated_truth

ROOT = Path(__file__).parents[1]
RESULT = ROOT / "benchmarks" / "results" / "truth_quality.md"
PEERS = ROOT / "out" / "peers"
PER_ITEM = (2, 3, 5)
METRICS = {"mae": "MAE", "brier": "Brier", "ece": "ECE"}
CLASSIC = {"prior": "none", "class_prior": "estimated"}
DEFAULT, BY_VOTES, BEFORE = "default", "default, prior by votes", "hierarchical"
METHODS: dict[str, Callable[[RatingTable], Truth]] = {
    DEFAULT: aggregate,
    BY_VOTES: partial(aggregate, class_prior="votes"),
    BEFORE: partial(aggregate, prior="hierarchical"),
    "majority": partial(aggregate, method="majority_vote"),
    "mean": partial(aggregate, method="mean_rating"),
    "classic": partial(aggregate, **CLASSIC),
    "one coin": partial(aggregate, method="one_coin"),
}
RIVALS: dict[str, Callable[[RatingTable], Truth]] = {
    DEFAULT: aggregate,
    "crowd-kit DawidSkene": partial(aggregate, method="crowdkit:DawidSkene"),
    "crowd-kit OneCoinDawidSkene": partial(aggregate, method="crowdkit:OneCoinDawidSkene"),
}
SLOW_RIVALS: dict[str, Callable[[RatingTable], Truth]] = {
    DEFAULT: aggregate,
    "crowd-kit GLAD": partial(aggregate, method="crowdkit:GLAD"),
    "crowd-kit MACE": partial(aggregate, method="crowdkit:MACE"),
}
CALIBRATED: dict[str, dict[str, Any]] = {DEFAULT: {}, "classic": CLASSIC}
GOLD = 40
MOST_ECE, MOST_WORSE, LEAST_GAIN = 0.08, 0.02, 1 / 3
LEVEL = 0.05  # of the test whether the default loses to the majority anywhere


def main() -> None:
    """Run all worlds, print the tables and write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--no-write", action="store_true", help="print only")
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--slow-seeds", type=int, default=4, help="for GLAD and MACE")
    parser.add_argument("--peers", type=Path, default=PEERS, help="where crowd-kit is installed")
    parser.add_argument(
        "--keep", nargs="*", default=[], choices=[*RIVALS, *SLOW_RIVALS], help="rows to keep"
    )
    arguments = parser.parse_args()
    sys.path.append(str(arguments.peers))
    kept: list[str] = arguments.keep
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # crowd-kit's warnings are not ours to fix
        drawn = list(worlds(arguments.seeds))
        ours = pd.DataFrame(score_rows(drawn, METHODS))
        errors = pd.DataFrame(calibration_rows(drawn))
        peers = [
            (seeds, methods, pd.DataFrame(score_rows(list(worlds(seeds)), methods, kept)))
            for seeds, methods in ((arguments.seeds, RIVALS), (arguments.slow_seeds, SLOW_RIVALS))
            if seeds
        ]
    parts = [preface(arguments.seeds, peer_version(arguments.peers), kept), *report(ours, errors)]
    parts += [section(arguments.seeds), tries_section()]
    for seeds, methods, some in peers:
        table = together(some, [name for name in methods if name in kept])
        parts.append(f"## Crowd-kit's methods, on {seeds} seeds\n\n{table}\n")
    text = "\n".join(parts)
    sys.stdout.write(text)
    if not arguments.no_write:
        RESULT.write_text(text, encoding="utf-8")


def peer_version(folder: Path) -> str:
    """Version of crowd-kit that is installed, or that was measured before."""
    found = next(folder.glob("crowd_kit-*.dist-info"), None)
    if found:
        return found.stem.split("-")[1]
    earlier = re.search(r"crowd-kit ([\d.]+)\.$", RESULT.read_text(encoding="utf-8"), re.MULTILINE)
    return earlier[1] if earlier else "none"


def score_rows(
    drawn: list[World], methods: dict[str, Callable[[RatingTable], Truth]], kept: Iterable[str] = ()
) -> Iterator[dict[str, Any]]:
    """Yield the scores of every method on every world, but those that are kept."""
    measured = {name: method for name, method in methods.items() if name not in kept}
    for world in drawn:
        sys.stderr.write(f"{world.recipe.name} {world.seed}\n")
        for per_item in PER_ITEM:
            table = world.table(per_item)
            for name, method in measured.items():
                key = {"world": world.recipe.name, "seed": world.seed, "ratings": per_item}
                yield {**key, "method": name, **scores_of(method(table), world, name)}


def scores_of(truth: Truth, world: World, name: str) -> dict[str, float]:
    """Errors of a truth against the true labels."""
    # The median is the best guess of anyone with probabilities; the mean has a better one.
    guess = truth.label if name == "mean" else truth.median
    right = np.eye(5)[world.true - 1]
    return {
        "accuracy": float((truth.label == world.true).mean()),
        "mae": float(np.abs(guess - world.true).mean()),
        "brier": float(((truth.probabilities - right) ** 2).sum(axis=1).mean()),
        "ece": ece(truth, world, np.arange(len(world.true))),
    }


def ece(truth: Truth, world: World, rows: Any) -> float:
    """Expected calibration error of some items, in ten bins."""
    stated = np.minimum(truth.confidence[rows], 1.0)
    return float(expected_calibration_error(stated, (truth.label == world.true)[rows]))


def calibration_rows(drawn: list[World]) -> Iterator[dict[str, Any]]:
    """Yield the errors before and after calibration, on items that are not gold."""
    for world in drawn:
        n_items = len(world.true)
        rows = np.random.default_rng(world.seed).permutation(n_items)
        gold = {int(row): int(world.true[row]) for row in rows[:GOLD]}
        for per_item in PER_ITEM:
            table = world.table(per_item)
            for name, options in CALIBRATED.items():
                yield {
                    "method": name,
                    "world": world.recipe.name,
                    "ratings": per_item,
                    "raw": ece(aggregate(table, **options), world, rows[GOLD:]),
                    "calibrated": ece(calibrated_truth(table, gold, **options), world, rows[GOLD:]),
                }


def report(scores: pd.DataFrame, errors: pd.DataFrame) -> Iterator[str]:
    """Yield the tables."""
    yield "## Our methods, all worlds together\n"
    yield together(scores)
    yield "\n## The default against the majority, world by world\n"
    yield against_majority(scores)
    yield f"\n## Calibration with {GOLD} gold items\n"
    yield calibration(errors)


def together(scores: pd.DataFrame, kept: Iterable[str] = ()) -> str:
    """Table of means over all worlds, by ratings per item; ``kept`` rows as they are."""
    names = ["accuracy", *METRICS]
    by_ratings = scores.groupby(["method", "ratings"], sort=False)[names].mean()
    overall = scores.groupby("method", sort=False)[names].mean()
    rows = {
        str(method): [*(value for n in PER_ITEM for value in by_ratings.loc[(method, n)]), *row]
        for method, row in zip(overall.index, overall.to_numpy(), strict=True)
    }
    rows |= {name: earlier_row(name) for name in kept}
    shown = ("accuracy", *METRICS.values())
    heads = [f"{name}, {n}" for n in PER_ITEM for name in shown] + [f"**{x}**" for x in shown]
    lines = ["| method | " + " | ".join(heads) + " |", "|---" + "|--:" * len(heads) + "|"]
    for method, cells in rows.items():
        lines.append(f"| {method} | " + " | ".join(f"{value:.3f}" for value in cells) + " |")
    rivals = [cells for name, cells in rows.items() if name not in {DEFAULT, BY_VOTES, BEFORE}]
    last = len(METRICS)
    beaten = np.array(rivals)[:, -last:] > np.array(rows[DEFAULT])[-last:]
    met = "met" if beaten.all() else "missed"
    lines.append(
        f"\nGoal: the default is better than every other in the mean, on all three: {met} "
        f"({beaten.sum()} of {beaten.size} comparisons)."
    )
    return "\n".join(lines)


def earlier_row(method: str) -> list[float]:
    """Numbers of a method in the tables of the last run."""
    row = re.search(
        rf"^\| {re.escape(method)} \|(.*)\|$", RESULT.read_text(encoding="utf-8"), re.MULTILINE
    )
    if not row:
        raise SystemExit(f"{RESULT} has no row of {method} to keep; measure it.")
    return [float(cell) for cell in row[1].split("|")]


def against_majority(scores: pd.DataFrame) -> str:
    """Table of differences in MAE, and whether any is a loss beyond noise."""
    wide = scores.pivot_table(index=["world", "ratings", "seed"], columns="method", values="mae")
    cells = (wide[DEFAULT] - wide["majority"]).groupby(["world", "ratings"], sort=False)
    margin = cells.agg(["mean", "std", "count"])
    margin["error"] = margin["std"] / np.sqrt(margin["count"])
    degrees = int(margin["count"].iloc[0]) - 1
    limit = float(student.ppf(1 - LEVEL / len(margin), degrees))
    lost = margin["mean"] > limit * margin["error"]
    lines = [
        "| world | " + " | ".join(f"{n} ratings" for n in PER_ITEM) + " |",
        "|---" + "|--:" * len(PER_ITEM) + "|",
    ]
    for recipe in RECIPES:
        rows = [margin.loc[(recipe.name, n)] for n in PER_ITEM]
        shown = " | ".join(f"{row['mean']:+.3f} ± {row['error']:.3f}" for row in rows)
        lines.append(f"| {recipe.name} | {shown} |")
    lines.append(
        f"\nDifference in MAE (default minus majority) and its standard error over seeds. Goal: no "
        f"loss beyond noise, at {LEVEL:.0%} for all {len(margin)} cells together (t above "
        f"{limit:.1f}): {'met' if not lost.any() else 'missed'}; the largest t is "
        f"{(margin['mean'] / margin['error']).max():.1f}, the largest loss "
        f"{margin['mean'].max():.3f}."
    )
    return "\n".join(lines)


def calibration(errors: pd.DataFrame) -> str:
    """Table of calibration errors, and whether the goals are met."""
    means = errors.groupby(["method", "world", "ratings"], sort=False).mean()
    lines = [
        "| method | world | " + " | ".join(f"{n}: raw | after" for n in PER_ITEM) + " |",
        "|---|---" + "|--:" * (2 * len(PER_ITEM)) + "|",
    ]
    for method in CALIBRATED:
        for recipe in RECIPES:
            rows = [means.loc[(method, recipe.name, n)] for n in PER_ITEM]
            shown = " | ".join(f"{row['raw']:.3f} | {row['calibrated']:.3f}" for row in rows)
            lines.append(f"| {method} | {recipe.name} | {shown} |")
    overall = means.groupby("method").mean()
    worse = (means["calibrated"] - means["raw"]).max()
    gain = 1 - overall.loc["classic", "calibrated"] / overall.loc["classic", "raw"]
    after = overall.loc[DEFAULT, "calibrated"]
    lines.append(
        f"\nDefault: {overall.loc[DEFAULT, 'raw']:.3f} before, {after:.3f} after (goal: at most "
        f"{MOST_ECE:g}, {_met(after <= MOST_ECE)}). Worst change of any cell: {worse:+.3f} (goal: "
        f"at most +{MOST_WORSE:g}, {_met(worse <= MOST_WORSE)}). Classic: "
        f"{overall.loc['classic', 'raw']:.3f} before, {overall.loc['classic', 'calibrated']:.3f} "
        f"after, {gain:.0%} less (goal: a third, {_met(gain >= LEAST_GAIN)}).\n"
    )
    return "\n".join(lines)


def _met(condition: Any) -> str:
    """Whether a goal is met, in words."""
    return "met" if condition else "missed"


def preface(seeds: int, peers: str, kept: list[str]) -> str:
    """Preface of the result: what the tables show."""
    described = "\n".join(
        f"* **{world.name}**: severity sd {world.severity:g}, errors of sd {world.spread[0]:g} to "
        f"{world.spread[1]:g}, careless shares {list(world.careless) or 'none'}, levels 1 to 5 in "
        f"shares {', '.join(f'{share:g}' for share in world.shares)}"
        for world in RECIPES
    )
    versions = ", ".join(f"{name} {version(name)}" for name in ("ocrjury", "numpy", "scipy"))
    earlier = (
        f"\nThe rows of {' and '.join(kept)} are those of an earlier run on the same worlds; the\n"
        "default's beside them are of this one."
        if kept
        else ""
    )
    return f"""# Labels and confidence on simulated Likert ratings

Made by `make peers` and `.venv/bin/python -m benchmarks.truth_quality`: 400 pages on five levels,
{N_RATERS} raters, {seeds} seeds each of five recipes (lengths in points):

{described}

Pages between two levels are hard for all raters alike, so errors on one page are not
independent. MAE is that of the posterior median (of the rounded mean for "mean"), Brier the sum
over levels, ECE that of the label's confidence in ten bins. Perfectly calibrated confidence on
400 pages shows an ECE of about .04. crowd-kit's methods have their default settings.

The method was developed with other seeds of the simulated sets, and on the public sets themselves;
some of the seeds shown were seen before the last constants were fixed. "{BEFORE}" is the model with
one typical rater; "{BY_VOTES}" is `class_prior="votes"`, without the power below one.

{versions}, crowd-kit {peers}.{earlier}
"""


if __name__ == "__main__":
    main()
