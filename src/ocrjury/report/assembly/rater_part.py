"""What each rater said."""

import math

import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.findings.raters import BiasTests
from ocrjury.pages.bias_rows import bias_rows
from ocrjury.report.assembly.stored import Stored
from ocrjury.report.distributions import RatingCounts
from ocrjury.report.findings import rater_flags
from ocrjury.report.profile_section import profiles_of
from ocrjury.report.sections.raters import RaterRow, Raters


def rater_rows(stored: Stored) -> Raters:
    """Return the raters of the main rounds, on the headline's dimension."""
    dimension = stored.target_dimension
    given = stored.first_pass[stored.first_pass["dimension"] == dimension]
    finding = stored.agreement.get(dimension)
    severity = {} if finding is None else {row.rater: row.severity for row in finding.profiles}
    ordered = stored.campaign.rubric.scale.ordered
    flags = _flags(stored)
    rows = [
        RaterRow(
            rater=str(rater),
            n_ratings=len(own),
            mean=float(own["value"].mean()) if ordered else math.nan,
            severity=severity.get(str(rater), Estimate(math.nan)),
            counts=_per_level(own["value"].tolist(), stored),
            accuracy=_accuracy(own, stored),
            flags=flags.get(str(rater), ()),
        )
        for rater, own in given.groupby("rater")
    ]
    mean = float(given["value"].mean()) if ordered else math.nan
    return Raters(
        rows=tuple(rows),
        dimension=dimension,
        mean=mean,
        tested=stored.bias is not None,
        bias=bias_rows(() if stored.bias is None else stored.bias.findings),
        profiles=profiles_of(stored.by_dimension(stored.agreement)),
    )


def _flags(stored: Stored) -> dict[str, tuple[str, ...]]:
    """Return in words what was found about each rater."""
    language = stored.campaign.language
    names = {
        one.name: dict(one.title).get(language, one.name)
        for one in stored.campaign.rubric.dimensions
    }
    tests = stored.bias or BiasTests()
    return rater_flags(tests.findings, tests.gains, names=names)


def _accuracy(own: pd.DataFrame, stored: Stored) -> float | None:
    """Return the share of a rater's ratings that equal the label; a slider has no labels."""
    scale = stored.campaign.rubric.scale
    if scale.kind == "interval":
        return None
    codes = dict(zip(scale.categories, scale.numbers, strict=True))
    labels = {
        truth.item: codes.get(truth.label)
        for truth in stored.truths
        if truth.dimension == stored.target_dimension
    }
    return float((own["value"] == own["item"].map(labels)).mean())


def rating_counts(stored: Stored) -> tuple[RatingCounts, ...]:
    """Return how often each level was given, by dimension."""
    return tuple(
        RatingCounts(str(name), _per_level(of["value"].tolist(), stored))
        for name, of in stored.first_pass.groupby("dimension", sort=False)
    )


def _per_level(values: list[float], stored: Stored) -> tuple[int, ...]:
    """Return how many of the values are at each level of the scale; none on a slider."""
    scale = stored.campaign.rubric.scale
    if scale.kind == "interval":
        return ()
    return tuple(values.count(level) for level in scale.numbers)
