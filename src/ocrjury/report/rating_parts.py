"""Parts of a report that rating tables alone can fill."""

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from ocrjury.campaign.recommendations import MIN_ITEMS
from ocrjury.findings.ratings import RatingsFinding
from ocrjury.pages.bias_rows import bias_rows
from ocrjury.pages.numbers import percent
from ocrjury.planner.double_rating import DOUBLE_SHARE
from ocrjury.ratings import RatingTable
from ocrjury.report.data import ScaleLabels
from ocrjury.report.distributions import RatingCounts
from ocrjury.report.findings import rater_flags
from ocrjury.report.profile_section import profiles_of
from ocrjury.report.sections.raters import RaterRow, Raters
from ocrjury.report.sections.recommendations import Recommendation
from ocrjury.sampling import sample_size
from ocrjury.scales import Scale


def scale_labels(scale: Scale) -> ScaleLabels:
    """Return the levels of the scale."""
    if scale.kind == "interval":
        return ScaleLabels(levels=(scale.low, scale.high), text=str(scale), kind=scale.kind)
    if scale.ordered:
        numbers = tuple(float(str(level)) for level in scale.categories)
        return ScaleLabels(levels=numbers, text=str(scale), kind=scale.kind)
    names = tuple(map(str, scale.categories))
    places = tuple(float(place) for place in range(len(names)))
    return ScaleLabels(levels=places, anchors=names, text=str(scale), kind=scale.kind)


def rating_recommendations(table: RatingTable) -> tuple[Recommendation, ...]:
    """Return the recommendations that ratings alone can answer."""
    per_item = table.counts().sum(axis=1)
    double = float((per_item > 1).mean()) if len(per_item) else math.nan
    few = int(per_item.min()) if len(per_item) else 0
    return (
        Recommendation("Raters per item", "at least 2, better 3", f"at least {few}", few >= 2),
        Recommendation(
            "Number of items",
            f"at least {MIN_ITEMS}; {sample_size()} for a share within ±5 points",
            f"{table.n_items:,}",
            table.n_items >= MIN_ITEMS,
        ),
        Recommendation(
            "Items with two or more raters",
            f"at least {DOUBLE_SHARE:.0%}",
            percent(double, 0),
            double >= DOUBLE_SHARE,
        ),
        Recommendation("Agreement in the report", "always printed", "always printed", met=True),
    )


def rater_part(finding: RatingsFinding, table: RatingTable, *, names: Mapping[str, str]) -> Raters:
    """Return one row per rater on the first dimension, in order of name.

    Parameters
    ----------
    table
        Of the first dimension.
    names
        Printed names of the dimensions.
    """
    first = finding.dimensions[0]
    flags = rater_flags(finding.bias.findings, finding.bias.gains, names=names)
    return Raters(
        rows=tuple(
            RaterRow(
                rater=profile.rater,
                n_ratings=profile.count,
                mean=profile.mean,
                severity=profile.severity,
                counts=profile.counts,
                flags=flags.get(profile.rater, ()),
            )
            for profile in sorted(first.profiles, key=lambda profile: profile.rater)
        ),
        dimension=first.dimension,
        mean=float(np.mean(table.values)) if table.scale.ordered else math.nan,
        tested=bool(finding.bias.findings),
        bias=bias_rows(finding.bias.findings),
        profiles=profiles_of(finding.dimensions),
    )


def rating_counts(name: str, table: RatingTable) -> RatingCounts:
    """Return how often each level was given; nothing on an interval scale."""
    return RatingCounts(name, _per_level(table, np.ones(len(table.codes), dtype=bool)))


def _per_level(table: RatingTable, which: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    """Return how many of some ratings are at each level."""
    if table.scale.kind == "interval":
        return ()
    found = np.bincount(table.codes[which], minlength=len(table.scale.categories))
    return tuple(int(number) for number in found)
