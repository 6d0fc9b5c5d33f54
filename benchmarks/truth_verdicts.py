"""Where the default is worse than another method, and whether chance explains it.

A comparison has 51 or 68 cells, a set and a number of ratings each. One in forty cells in which two
methods are equal is worse beyond two standard errors, so Holm's method (1979, Scandinavian Journal
of Statistics 6(2), 65-70) tells which losses stand when all cells of a comparison are looked at.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import norm
from scipy.stats import t as student

OLD, NEW, VOTES = "hierarchical", "kinds", "majority"
CLEAR = 2.0  # standard errors
LEVEL = 0.05  # one-sided, for all cells of a comparison
LEAST, MOST_ECE = 3, 0.08
ROUNDING = 1e-9

Floats = npt.NDArray[np.floating[Any]]


def verdicts(wide: pd.DataFrame) -> Iterator[str]:
    """Yield where the default is worse, at all, beyond two errors or by Holm, and its ECE."""
    some = wide[wide.index.get_level_values("per_item") >= LEAST]
    for rival, rows, which in ((OLD, some, f", {LEAST} or more ratings"), (VOTES, wide, "")):
        for measure in ("Brier", "MAE"):
            cells = differences(rows, measure, rival)
            worse = cells[cells["mean"] > 0]
            clear = worse[worse["mean"] > CLEAR * worse["error"]]
            met = "met" if clear.empty else "missed"
            yield (
                f"{measure}{which}, against {rival}: worse beyond {CLEAR:g} standard errors "
                f"{_named(clear)} (goal: nowhere, {met}); "
                f"worse at all {_named(worse.drop(index=clear.index))} besides "
                f"({len(cells) - len(worse)} of {len(cells)} cells are better or equal). "
                f"By Holm at {LEVEL:.0%} over the {len(cells)} cells, with the errors on other "
                f"items for the public sets, it is worse {_named(cells[stand(cells)], 'wide')}.\n"
            )
    few = wide[wide.index.get_level_values("per_item") <= LEAST]["ECE"]
    for method in (NEW, OLD):
        by_set = few[method].groupby(["group", "name"], sort=False).mean()
        groups = by_set.groupby("group", sort=False).mean()
        listed = ", ".join(f"{group} {value:.3f}" for group, value in groups.items())
        met = f"goal: at most {MOST_ECE:.2f}, {'met' if by_set.mean() <= MOST_ECE else 'missed'}"
        yield (
            f"ECE at two and three ratings, mean over the sets, {method}: {by_set.mean():.4f} "
            f"({listed}{'; ' + met if method == NEW else ''}).\n"
        )


COMPARISONS = (("Brier", OLD), ("MAE", OLD), ("Brier", VOTES), ("MAE", VOTES))


def whole_sets(wide: pd.DataFrame) -> Iterator[str]:
    """Yield each set as one, over all its numbers of ratings from `LEAST` on, and the verdicts."""
    some = wide[wide.index.get_level_values("per_item") >= LEAST]
    sets = {key: differences(some, *key, whole=True) for key in COMPARISONS}
    heads = " | ".join(f"{measure} − {rival}" for measure, rival in COMPARISONS)
    yield f"| set | {heads} |"
    yield "|---" + "|--:" * len(COMPARISONS) + "|"
    for name in sets[COMPARISONS[0]].index:
        yield f"| {name} | " + " | ".join(_difference(sets[key].loc[name]) for key in sets) + " |"
    for measure, rival in COMPARISONS:
        cells = sets[measure, rival]
        worse = cells[cells["mean"] > 0]
        clear = worse[worse["mean"] > CLEAR * worse["error"]]
        yield (
            f"\n{measure} against {rival}: better or equal on {len(cells) - len(worse)} of "
            f"{len(cells)} sets, better beyond {CLEAR:g} standard errors on "
            f"{int((cells['mean'] < -CLEAR * cells['error']).sum())}; worse beyond them "
            f"{_listed(clear)}, worse at all {_listed(worse.drop(index=clear.index))} besides. By "
            f"Holm at {LEVEL:.0%}, with errors over items, worse {_listed(cells[stand(cells)])}."
        )


def _difference(cell: "pd.Series[float]") -> str:
    """Difference with its error, and that over items where it is another."""
    over_items = "" if cell["wide"] == cell["error"] else f" (items {cell['wide']:.4f})"
    return f"{cell['mean']:+.4f} ± {cell['error']:.4f}{over_items}"


def _listed(worse: pd.DataFrame) -> str:
    """Sets in words."""
    if worse.empty:
        return "nowhere"
    return "on " + ", ".join(f"{name} ({row['mean']:+.4f})" for name, row in worse.iterrows())


def differences(
    rows: pd.DataFrame, measure: str, rival: str, *, whole: bool = False
) -> pd.DataFrame:
    """Default minus a rival in every cell, with its standard errors.

    A cell is a set at a number of ratings, or with ``whole`` the set in the mean over all of them.
    ``error`` is over seeds, on which both methods see the same ratings; where a seed changes
    nothing, because all ratings are used, over items. ``wide`` is that on other items than these:
    seeds of simulated sets draw new items, those of public sets only which of their ratings are
    used, so that it is `error_over_items`.
    """
    by_cell = ["group", "name", *([] if whole else ["per_item"])]
    change = (rows[measure][NEW] - rows[measure][rival]).groupby([*by_cell, "seed"], sort=False)
    cells = change.mean().groupby(by_cell, sort=False).agg(["mean", "std", "count"])
    own = rows[f"{measure} {'of sets' if whole else 'over items'}"][rival]
    over_items = own.groupby(by_cell, sort=False).first()
    over_seeds = cells["std"] / np.sqrt(cells["count"])
    cells["error"] = over_seeds.where(over_seeds > ROUNDING, over_items)
    is_public = cells.index.get_level_values("group") == "public"
    cells["wide"] = np.where(is_public, over_items, cells["error"])
    cells["p"] = np.where(
        is_public,
        norm.sf(cells["mean"] / cells["wide"]),
        student.sf(cells["mean"] / cells["error"], cells["count"] - 1),
    )
    same = cells["mean"].abs() <= ROUNDING
    cells.loc[same, ["mean", "error", "wide"]], cells.loc[same, "p"] = 0.0, 1.0
    return cells.droplevel("group")


def error_over_items(changes: Sequence[Floats]) -> float:
    """Standard error of the mean of changes of the same items, one array a seed, over items.

    An item's changes are averaged over seeds first, which only draw its ratings.
    """
    by_item = np.mean(changes, axis=0)
    return float(by_item.std(ddof=1) / np.sqrt(len(by_item)))


def stand(cells: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Whether the loss of each cell stands by Holm's method."""
    order = np.argsort(cells["p"].to_numpy(), kind="stable")
    below = cells["p"].to_numpy()[order] <= LEVEL / np.arange(len(order), 0, -1)
    found = np.zeros(len(order), dtype=bool)
    found[order] = np.logical_and.accumulate(below)
    return found


def _named(worse: pd.DataFrame, error: str = "error") -> str:
    """Cells in words."""
    if worse.empty:
        return "nowhere"
    return "on " + ", ".join(
        f"{name} at {n} ({row['mean']:+.4f} ± {row[error]:.4f})"
        for (name, n), row in worse.iterrows()
    )
