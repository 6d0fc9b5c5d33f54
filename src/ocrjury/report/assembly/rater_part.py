"""What each rater said."""

from ocrjury.report.assembly.stored import Stored, estimate_of
from ocrjury.report.sections import RaterRow, Raters, RatingCounts


def rater_rows(stored: Stored) -> Raters:
    """Return the raters of the main rounds, on the headline's dimension."""
    dimension = stored.target_dimension
    given = stored.first_pass[stored.first_pass["dimension"] == dimension]
    severity = stored.agreement.get(dimension, {}).get("severity", {})
    labels = {t.item: t.label for t in stored.truths if t.dimension == dimension}
    rows = [
        RaterRow(
            rater=str(rater),
            n_ratings=len(own),
            mean=float(own["value"].mean()),
            severity=estimate_of(severity.get(str(rater))),
            counts=_per_level(own["value"].tolist(), stored),
            accuracy=float((own["value"] == own["item"].map(labels)).mean()),
        )
        for rater, own in given.groupby("rater")
    ]
    return Raters(rows=tuple(rows), dimension=dimension, mean=float(given["value"].mean()))


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
