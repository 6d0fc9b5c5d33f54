"""Disagreement of raters: items, usual signs of trouble, and the distribution of item means."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from ocrjury.agreement.patterns import usable
from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.language import phrase
from ocrjury.ratings import RatingTable
from ocrjury.ratings.table_checks import check_table

Kind = Literal["wide_range", "split", "rater_means", "single_value"]


@dataclass(frozen=True, slots=True)
class ProblemPattern:
    """A pattern of ratings that usually points to a problem with the rubric or the raters.

    Attributes
    ----------
    kind
        ``wide_range``: an item's ratings are 4 points apart on a Likert scale (its whole length
        if that is less), or four fifths of the length of an interval scale; ``split``: binary
        raters differ on an item; ``rater_means``: two raters' means are half the scale apart;
        ``single_value``: a rater used one value only.
    subjects
        The items, or the raters.
    sentence
        The finding, with its numbers.
    """

    kind: Kind
    subjects: tuple[Hashable, ...]
    sentence: str


def find_disagreements(table: RatingTable, *, threshold: float | None = None) -> pd.DataFrame:
    """Items with a wide range of ratings, widest first.

    Parameters
    ----------
    threshold
        Smallest range listed, in points of the scale. None: 2 on a Likert scale, 1 on a binary one,
        half the length of an interval scale; on a nominal scale any difference counts.

    Returns
    -------
    DataFrame
        Columns item n_ratings lowest highest range mean; ``attrs["threshold"]`` is the
        smallest range listed, ``attrs["n_items"]`` the number of items with two or more ratings,
        ``attrs["rate"]`` the share of those listed (``nan`` without any). On a nominal scale
        the range is the number of distinct values minus one, and lowest, highest and mean are
        missing.

    Raises
    ------
    InputError
        If the threshold is not above 0.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[1, 5], [3, 4], [2, 4]], scale=Scale.likert(1, 5))
    >>> find_disagreements(table).set_index("item")["range"].to_dict()
    {0: 4.0, 2: 2.0}
    """
    table = usable(table, "find_disagreements")
    least = default_threshold(table) if threshold is None else threshold
    if not least > 0:
        raise InputError(f"threshold must be above 0 points of the scale; found {threshold!r}.")
    rated = spread_of_items(table)
    paired = rated[rated["n_ratings"] >= 2]
    disagreements = paired[paired["range"] >= least - 1e-9]
    disagreements = disagreements.sort_values("range", ascending=False, kind="stable").reset_index(
        drop=True
    )
    disagreements.attrs["threshold"] = float(least)
    disagreements.attrs["n_items"] = len(paired)
    disagreements.attrs["rate"] = len(disagreements) / len(paired) if len(paired) else math.nan
    return disagreements


def spread_of_items(table: RatingTable) -> pd.DataFrame:
    """Number, lowest, highest, range and mean of the ratings of every rated item."""
    frame = pd.DataFrame({"item": table.item, "value": table.values})  # noqa: PD011  # no pandas
    groups = frame.groupby("item")["value"]
    lowest, highest, mean = groups.min(), groups.max(), groups.mean()
    spread = highest - lowest
    if not table.scale.ordered:
        spread = groups.nunique() - 1.0
        lowest = highest = mean = pd.Series(np.nan, index=spread.index)
    columns = {
        "item": pd.Series([table.items[place] for place in spread.index], index=spread.index),
        "n_ratings": groups.size(),
        "lowest": lowest,
        "highest": highest,
        "range": spread,
        "mean": mean,
    }
    return pd.DataFrame(columns).reset_index(drop=True)


def default_threshold(table: RatingTable) -> float:
    """Range from which ratings of an item count as a disagreement."""
    if table.scale.kind == "interval":
        return (table.scale.high - table.scale.low) / 2
    return 2.0 if table.scale.kind == "likert" else 1.0


def halves_up(means: Floats) -> Floats:
    """Means rounded to whole numbers, halves up whatever their rounding error.

    Examples
    --------
    >>> halves_up(np.array([2.5, 1.5 - 1e-15, 2.4])).tolist()
    [3.0, 2.0, 2.0]
    """
    return np.asarray(np.floor(means + 0.5 + 1e-12))


def mean_distribution(table: RatingTable) -> pd.DataFrame:
    """Number of items by mean rating, halves rounded up.

    Returns
    -------
    DataFrame
        One row per category of the scale, columns category n_items share.

    Raises
    ------
    InputError
        On a scale without ordered categories, or if some rater rated an item twice.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[1, 2], [2, 3], [5, 5]], scale=Scale.likert(1, 5))
    >>> mean_distribution(table)["n_items"].tolist()
    [0, 1, 1, 0, 1]
    """
    check_table(table, "mean_distribution")
    if table.scale.kind not in ("likert", "binary"):
        raise InputError(
            f"mean_distribution needs ordered categories; the scale is {table.scale}. "
            "Count the ratings themselves, or declare Scale.likert."
        )
    table = usable(table, "mean_distribution")
    size = np.bincount(table.item, minlength=table.n_items)
    total = np.bincount(table.item, weights=table.values, minlength=table.n_items)
    mean = total[size > 0] / size[size > 0]
    place = halves_up(mean).astype(int) - int(table.scale.low)
    counts = np.bincount(place, minlength=len(table.categories))
    return pd.DataFrame(
        {
            "category": list(table.scale.categories),
            "n_items": counts,
            "share": counts / max(len(mean), 1),
        }
    )


def find_problem_patterns(table: RatingTable) -> list[ProblemPattern]:
    """Common signs of a problem in one dimension, possibly none.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[1, 5], [4, 5], [2, 5]], scale=Scale.likert(1, 5))
    >>> [pattern.kind for pattern in find_problem_patterns(table)]
    ['wide_range', 'rater_means', 'single_value']
    """
    table = usable(table, "find_problem_patterns", compares_raters=True)
    if not table.n_ratings:
        return []
    patterns = [_wide_items(table), _distant_raters(table), _single_value_raters(table)]
    return [pattern for pattern in patterns if pattern is not None]


def _wide_items(table: RatingTable) -> ProblemPattern | None:
    """Items whose ratings are (almost) at opposite ends of the scale, None without any."""
    if not table.scale.ordered:
        return None
    length = table.scale.high - table.scale.low
    least = 0.8 * length if table.scale.kind == "interval" else min(4.0, length)
    wide = find_disagreements(table, threshold=least)
    if wide.empty:
        return None
    items, n = tuple(wide["item"]), wide.attrs["n_items"]
    if table.scale.kind == "binary":
        sentence = phrase("Raters are split on {n} of {all} items.", n=len(items), all=int(n))
        return ProblemPattern("split", items, sentence)
    return ProblemPattern(
        "wide_range",
        items,
        phrase(
            "The ratings of {n} of {all} items are {least} or more points apart.",
            n=len(items),
            all=int(n),
            least=f"{least:g}",
        ),
    )


def _distant_raters(table: RatingTable) -> ProblemPattern | None:
    """The strictest and the most lenient rater, if their means are half the scale apart."""
    if table.scale.kind not in ("likert", "interval"):
        return None
    size = np.bincount(table.rater, minlength=table.n_raters)
    total = np.bincount(table.rater, weights=table.values, minlength=table.n_raters)
    mean = np.divide(total, size, out=np.full(len(size), np.nan), where=size > 0)
    gap = float(np.nanmax(mean) - np.nanmin(mean))
    if gap < (table.scale.high - table.scale.low) / 2:
        return None
    strict, lenient = table.raters[np.nanargmin(mean)], table.raters[np.nanargmax(mean)]
    return ProblemPattern(
        "rater_means",
        (strict, lenient),
        phrase(
            "The mean ratings of {strict} ({low}) and {lenient} ({high}) are {gap} points apart.",
            strict=str(strict),
            low=f"{np.nanmin(mean):.2f}",
            lenient=str(lenient),
            high=f"{np.nanmax(mean):.2f}",
            gap=f"{gap:.2f}",
        ),
    )


def _single_value_raters(table: RatingTable) -> ProblemPattern | None:
    """Raters of three or more items who used a single value."""
    values = pd.DataFrame({"rater": table.rater, "code": table.codes}).groupby("rater")["code"]
    by_rater = values.agg(["size", "nunique"])
    places = by_rater[(by_rater["size"] >= 3) & (by_rater["nunique"] == 1)].index
    if not len(places):
        return None
    raters = tuple(table.raters[place] for place in places)
    sentence = phrase("The same value throughout: {raters}.", raters=", ".join(map(str, raters)))
    return ProblemPattern("single_value", raters, sentence)
