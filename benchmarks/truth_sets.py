"""The default beside its predecessor on public and on simulated sets, set by set.

The public sets are not part of this repository. ``OCRJURY_TRUTH_SETS`` is a folder with one folder
per set, each with labels.csv (item, rater, label) and gold.csv (item, label); labels are numbers
from 0.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchmarks.likert_worlds import RECIPES, draw_world
from benchmarks.name_worlds import NAMES, draw_names
from benchmarks.truth_verdicts import (
    LEAST,
    NEW,
    OLD,
    VOTES,
    differences,
    error_over_items,
    verdicts,
    whole_sets,
)
from ocrjury import RatingTable, Scale
from ocrjury.reliability import expected_calibration_error
from ocrjury.truth import Truth, dawid_skene, majority_vote
from ocrjury.truth.labels import label_places

FOLDER = "OCRJURY_TRUTH_SETS"
PUBLIC = {"n_face": False, "dog": False, "cf_amt": False, "emotion5": True}
"""Names of the public sets with gold, and whether their categories are ordered."""
FIRST_SEED = 2000
FRESH = (10_000, 60)
"""First of other seeds for sets as a whole, and their number; nothing was chosen on them."""
PER_ITEM = (2, 3, 5, 10)
ALL = 1_000_000  # more ratings than any item has
METHODS: dict[str, Callable[[RatingTable], Truth]] = {
    OLD: lambda table: dawid_skene(table, prior="hierarchical"),
    NEW: dawid_skene,
    VOTES: majority_vote,
    "classic": lambda table: dawid_skene(table, prior="none", class_prior="estimated"),
}

FIGURES = ("accuracy", "MAE", "Brier", "ECE", "over")
OVER = ("over items", "of sets")
SETS = f"""Default minus a rival, mean of all numbers of ratings from {LEAST} on, with its standard
error over draws that both methods see. Draws of a public set use other ratings of the same items;
"items" is the error on other items of that kind.
"""

Floats = npt.NDArray[np.floating[Any]]
Integers = npt.NDArray[np.integer[Any]]


class Case(NamedTuple):
    """Ratings of a set, and the place of each item's true category, -1 where it is not known."""

    group: str
    name: str
    per_item: int
    seed: int
    table: RatingTable
    true: npt.NDArray[np.int64]


def cases(seeds: int, *, first: int = FIRST_SEED) -> Iterator[Case]:
    """Yield all sets at all numbers of ratings."""
    folder = os.environ.get(FOLDER)
    for seed in range(first, first + seeds):
        for per_item in PER_ITEM:
            for name in PUBLIC if folder else ():
                yield public_case(Path(str(folder)) / name, per_item, seed)
        for recipe in RECIPES:
            drawn = draw_world(recipe, seed)
            for per_item in PER_ITEM:
                table = drawn.table(per_item)
                yield Case("Likert", recipe.name, per_item, seed, table, drawn.true - 1)
        for world in NAMES:
            names = draw_names(world, seed)
            for per_item in PER_ITEM:
                table = names.table(per_item)
                yield Case("names", world.name, per_item, seed, table, names.true)


def public_case(folder: Path, per_item: int, seed: int) -> Case:
    """Public set with some ratings of each item, drawn at random."""
    labels, gold = (pd.read_csv(folder / f"{name}.csv") for name in ("labels", "gold"))
    n_categories = int(max(labels["label"].max(), gold["label"].max())) + 1
    ordered = PUBLIC[folder.name]
    names = [chr(ord("a") + place) for place in range(n_categories)]
    labels = labels.drop_duplicates(["item", "rater"])
    order = np.random.default_rng([seed, per_item]).permutation(len(labels))
    labels = labels.iloc[order]
    labels = labels[labels.groupby("item").cumcount() < per_item]
    rating = labels["label"] if ordered else labels["label"].map(dict(enumerate(names)))
    frame = pd.DataFrame({"item": labels["item"], "rater": labels["rater"], "rating": rating})
    scale = Scale.likert(0, n_categories - 1) if ordered else Scale.nominal(names)
    table = RatingTable.from_long(frame, scale=scale)
    known = dict(zip(gold["item"], gold["label"], strict=True))
    true = np.array([known.get(item, -1) for item in table.items])
    return Case("public", folder.name, per_item, seed, table, true)


class Errors(NamedTuple):
    """Errors of a truth on the items whose category is known, each of shape (N,)."""

    right: npt.NDArray[np.bool_]
    distance: Floats
    squares: Floats
    stated: Floats

    def figures(self) -> dict[str, float]:
        """Means, calibration error and over-confidence."""
        return {
            "accuracy": float(self.right.mean()),
            "MAE": float(self.distance.mean()),
            "Brier": float(self.squares.mean()),
            "ECE": float(expected_calibration_error(self.stated, self.right)),
            "over": float(self.stated.mean() - self.right.mean()),
        }


def errors_of(case: Case, truth: Truth) -> Errors:
    """Errors of a truth; without order the distance is 1 where the label is wrong."""
    known = case.true >= 0
    true, shares = case.true[known], truth.probabilities[known]
    places = label_places(truth.label, truth.categories)[known]
    n_categories = shares.shape[1]
    median = np.minimum((shares.cumsum(axis=1) < 0.5 - 1e-8).sum(axis=1), n_categories - 1)
    right = places == true
    return Errors(
        right,
        np.abs(median - true) if case.table.scale.ordered else 1.0 - right,
        ((shares - np.eye(n_categories)[true]) ** 2).sum(axis=1),
        np.minimum(truth.confidence[known], 1.0),
    )


def rows_of(case: Case, methods: Iterable[str] = tuple(METHODS)) -> Iterator[dict[str, Any]]:
    """Yield the errors of each method, and the default's distance from it, item by item."""
    found = {method: errors_of(case, METHODS[method](case.table)) for method in methods}
    items = [item for item, true in zip(case.table.items, case.true, strict=True) if true >= 0]
    order = np.argsort(np.array(items))  # which draws of ratings shuffle
    for method, errors in found.items():
        yield {
            **key_of(case),
            "method": method,
            **errors.figures(),
            "MAE by item": (found[NEW].distance - errors.distance)[order],
            "Brier by item": (found[NEW].squares - errors.squares)[order],
        }


def key_of(case: Case) -> dict[str, Any]:
    """Columns that name a case."""
    return {name: getattr(case, name) for name in ("group", "name", "per_item", "seed")}


def wide_table(found: list[dict[str, Any]]) -> pd.DataFrame:
    """Figures by case, a column for each figure and method."""
    rows = pd.DataFrame(found)
    same_items = rows[rows["group"] == "public"].groupby(["name", "per_item", "method"])
    for measure in ("MAE", "Brier"):
        over_items = same_items[f"{measure} by item"].agg(lambda some: error_over_items(list(some)))
        rows = rows.join(over_items.rename(f"{measure} over items"), on=over_items.index.names)
        enough = rows[(rows["group"] == "public") & (rows["per_item"] >= LEAST)]
        of_sets = enough.groupby(["name", "method"])[f"{measure} by item"].agg(
            lambda some: error_over_items(list(some))
        )
        rows = rows.join(of_sets.rename(f"{measure} of sets"), on=of_sets.index.names)
    return rows.pivot_table(
        index=["group", "name", "per_item", "seed"],
        columns="method",
        values=[*FIGURES, *(f"{name} {over}" for name in ("MAE", "Brier") for over in OVER)],
        sort=False,
    )


def report(seeds: int) -> str:
    """Section of the results."""
    wide = wide_table([row for case in cases(seeds) for row in rows_of(case)])
    first, number = FRESH
    fresh = wide_table(
        [row for case in cases(number, first=first) for row in rows_of(case, (OLD, NEW, VOTES))]
    )
    parts = [
        "### Means over the sets\n",
        *group_lines(wide),
        "\n### Brier score, set by set: default minus hierarchical, then minus majority\n",
        *set_lines(wide),
        "\n### Calibration error of the default, and stated confidence minus share right\n",
        *calibration_lines(wide),
        "\n### Sets as a whole\n",
        SETS,
        *whole_sets(wide),
        f"\n### Sets as a whole, {number} other seeds from {first}\n",
        *whole_sets(fresh),
        "\n### All ratings of the public sets\n",
        *all_ratings_lines(),
        "\n### Goals\n",
        *verdicts(wide),
    ]
    return "\n".join(parts)


def section(seeds: int) -> str:
    """Section of the results with its introduction."""
    public = "four public sets (faces, dogs, weather, feelings), " if os.environ.get(FOLDER) else ""
    return INTRODUCTION.format(
        public=public, seeds=seeds, first=FIRST_SEED, old=OLD, table=report(seeds)
    )


INTRODUCTION = """## The default beside its predecessor, on more sets

The default (`kinds`) and the default of before (`{old}`) on {public}the five
recipes above and eight worlds of two to four categories (benchmarks/name_worlds.py); 400 items,
{seeds} seeds from {first}. On public sets a seed draws which ratings of an item are used. MAE is
1 - accuracy where categories are not ordered. Errors are standard errors over seeds, or over items
where all ratings are used and a seed changes nothing.

{table}"""


def group_lines(wide: pd.DataFrame) -> Iterator[str]:
    """Yield a table of means by group and number of ratings."""
    measures = ("accuracy", "MAE", "Brier", "ECE")
    heads = " | ".join(f"{name}, {n}" for name in measures for n in PER_ITEM)
    yield f"| sets | method | {heads} |"
    yield "|---|---" + "|--:" * (len(measures) * len(PER_ITEM)) + "|"
    means = wide.groupby(["group", "name", "per_item"], sort=False).mean()
    by_group = means.groupby(["group", "per_item"], sort=False).mean()
    for group in dict.fromkeys(by_group.index.get_level_values("group")):
        for method in METHODS:
            cells = [
                by_group.loc[(group, n), (name, method)] for name in measures for n in PER_ITEM
            ]
            yield f"| {group} | {method} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |"


def all_ratings_lines() -> Iterator[str]:
    """Yield a table of the public sets with every rating; no other draw of ratings exists."""
    yield "| set | items with gold | ratings of each | method | accuracy | MAE | Brier | ECE |"
    yield "|---|--:|--:|---|--:|--:|--:|--:|"
    folder = os.environ.get(FOLDER)
    for name in PUBLIC if folder else ():
        case = public_case(Path(str(folder)) / name, ALL, FIRST_SEED)
        each = case.table.n_ratings / case.table.n_items
        for row in rows_of(case):
            first = name, f"{(case.true >= 0).sum():,}", f"{each:.1f}"
            cells = [f"{row[figure]:.3f}" for figure in ("accuracy", "MAE", "Brier", "ECE")]
            yield f"| {' | '.join([*first, row['method'], *cells])} |"


def set_lines(wide: pd.DataFrame) -> Iterator[str]:
    """Yield a table of differences in Brier score with the standard errors of the first."""
    yield "| set | " + " | ".join(f"{n} ratings" for n in PER_ITEM) + " |"
    yield "|---" + "|--:" * len(PER_ITEM) + "|"
    beside, votes = (differences(wide, "Brier", rival) for rival in (OLD, VOTES))
    for name in dict.fromkeys(beside.index.get_level_values("name")):
        cells = [
            f"{beside.loc[(name, n), 'mean']:+.4f} ± {beside.loc[(name, n), 'error']:.4f}, "
            f"{votes.loc[(name, n), 'mean']:+.3f}"
            for n in PER_ITEM
        ]
        yield f"| {name} | " + " | ".join(cells) + " |"


def calibration_lines(wide: pd.DataFrame) -> Iterator[str]:
    """Yield a table of calibration errors and of over-confidence."""
    yield "| set | " + " | ".join(f"{n} ratings" for n in PER_ITEM) + " |"
    yield "|---" + "|--:" * len(PER_ITEM) + "|"
    means = wide.groupby(["name", "per_item"], sort=False).mean()
    for name in dict.fromkeys(means.index.get_level_values("name")):
        cells = [means.loc[(name, n)] for n in PER_ITEM]
        shown = " | ".join(
            f"{cell[('ECE', NEW)]:.3f}, {cell[('over', NEW)]:+.3f}" for cell in cells
        )
        yield f"| {name} | {shown} |"
