"""Whether every rater meets the criterion of a pilot, on every dimension."""

from collections.abc import Iterable, Mapping, Sequence

from ocrjury.campaign.accuracy import Rated, known_values, measure_accuracy
from ocrjury.campaign.history import VerdictWord
from ocrjury.campaign.rating_sections import Criterion
from ocrjury.findings.pilots import Score
from ocrjury.findings.raters import Accuracy
from ocrjury.scales import Scale


def judge_raters(
    ratings: Mapping[str, Iterable[Rated]],
    gold: Mapping[str, Mapping[str, float]],
    *,
    raters: Sequence[str],
    criterion: Criterion,
    scale: Scale,
) -> list[Score]:
    """Score of every rater on every dimension of a pilot.

    Parameters
    ----------
    ratings
        Ratings of the pilot, by dimension; dimensions without ratings count too.
    gold
        Known values by dimension and item.
    raters
        All raters of the pilot; a rater without ratings has not met the criterion.
    criterion
        Criterion to meet.
    scale
        Scale of all dimensions.
    """
    scores = []
    for dimension, given in ratings.items():
        rows, of_gold = list(given), gold.get(dimension, {})
        known = known_values(rows, of_gold, scale=scale)
        for rater in raters:
            own = [row for row in rows if row.rater == rater and (row.item, rater) in known]
            accuracy = measure_accuracy(
                [row.value for row in own],
                [known[row.item, rater] for row in own],
                scale=scale,
                tolerance=criterion.tolerance_on(scale),
                n_gold=sum(row.item in of_gold for row in own),
            )
            scores.append(_score(rater, dimension, accuracy, criterion=criterion, scale=scale))
    return scores


def verdict_of(scores: Iterable[Score]) -> VerdictWord:
    """Verdict on a pilot: PASS if everybody met the criterion.

    FAIL if a rater missed it, INCONCLUSIVE if a rater's outcome is unknown.
    """
    outcomes = {score.outcome for score in scores}
    if "missed" in outcomes:
        return "FAIL"
    return "PASS" if outcomes == {"met"} else "INCONCLUSIVE"


def _score(
    rater: str, dimension: str, accuracy: Accuracy, *, criterion: Criterion, scale: Scale
) -> Score:
    """Score that follows from an accuracy."""
    reached = accuracy.of(criterion.measure)
    limit = criterion.limit_on(scale)
    if accuracy.n < criterion.min_ratings:
        sentence = (
            f"{rater} gave {accuracy.n} ratings on {dimension} that can be compared; the pilot "
            f"needs {criterion.min_ratings}."
        )
        return Score(rater, dimension, "unknown", sentence, accuracy)
    if not reached.defined:
        sentence = (
            f"For {rater} on {dimension} the {criterion.measure.replace('_', ' ')} is undefined "
            f"({str(reached.reason).replace('_', ' ')})."
        )
        return Score(rater, dimension, "unknown", sentence, accuracy)
    error = criterion.measure == "mean_absolute_error"
    met = reached.value <= limit + 1e-9 if error else reached.value >= limit - 1e-9
    verb = "met" if met else "missed"
    sentence = (
        f"{rater} {verb} the criterion on {dimension}: "
        f"{_reached(reached.value, accuracy, criterion=criterion, scale=scale)}."
    )
    return Score(rater, dimension, verb, sentence, accuracy)  # type: ignore[arg-type]  # as above


def _reached(value: float, accuracy: Accuracy, *, criterion: Criterion, scale: Scale) -> str:
    """In words what was reached and what was asked for."""
    limit, n = criterion.limit_on(scale), accuracy.n
    against = "gold" if accuracy.n_gold == n else "the other raters"
    if 0 < accuracy.n_gold < n:
        against = "gold or, without it, the other raters"
    if criterion.measure == "share_within":
        tolerance = criterion.tolerance_on(scale)
        within = f"within {tolerance:g} of" if tolerance else "equal to"
        return f"{value:.0%} of {n} ratings {within} {against}, {limit:.0%} needed"
    if criterion.measure == "mean_absolute_error":
        return f"{n} ratings are off {against} by {value:.2f} in the mean, {limit:g} allowed"
    return f"weighted kappa {value:.2f} with {against} over {n} ratings, {limit:g} needed"
