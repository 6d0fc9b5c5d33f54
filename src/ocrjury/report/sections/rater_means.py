"""Mean and spread of each rater's plain ratings."""

import math
from itertools import accumulate
from typing import NamedTuple

from ocrjury.language import tr
from ocrjury.pages.numbers import decimal, paragraph, series
from ocrjury.report.data import ReportData
from ocrjury.report.sections.raters import Raters


class Box(NamedTuple):
    """One rater's ratings: lowest, first quartile, median, third quartile, highest."""

    rater: str
    mean: float
    ends: tuple[float, ...]


def boxes(report: ReportData) -> list[Box]:
    """Boxes of the chart of means."""
    levels = report.scale.levels
    return [Box(row.rater, row.mean, _ends(levels, row.counts)) for row in report[Raters].rows]


def _ends(levels: tuple[float, ...], counts: tuple[int, ...]) -> tuple[float, ...]:
    """Five numbers of a box, nothing without counts."""
    total = sum(counts)
    if not total:
        return ()
    reached = list(accumulate(counts))
    places = (1, total / 4, total / 2, 3 * total / 4, total)
    return tuple(levels[next(k for k, n in enumerate(reached) if n >= at)] for at in places)


def title(raters: Raters) -> str:
    """Finding of the chart of means."""
    means = [row.mean for row in raters.rows if math.isfinite(row.mean)]
    if not means:
        return tr("No rater gave a rating")
    low, high = decimal(min(means)), decimal(max(means))
    if low == high:
        return tr("Every rater’s mean is {mean}", mean=low)
    return tr("Means lie between {low} and {high}", low=low, high=high)


def alternative(raters: Raters) -> str:
    """Chart of means in words."""
    means = tr(
        "Mean of each rater: {means}; all {mean}.",
        means=series(f"{row.rater} {decimal(row.mean)}" for row in raters.rows),
        mean=decimal(raters.mean),
    )
    return paragraph([tr("{sentence}.", sentence=title(raters)), means])
