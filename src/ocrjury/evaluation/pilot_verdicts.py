"""Judge a pilot: whether every rater meets the campaign's criterion."""

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from ocrjury.campaign.accuracy import Rated, known_values, measure_accuracy
from ocrjury.campaign.canonical import content_hash
from ocrjury.campaign.history import VerdictWord
from ocrjury.campaign.rating_sections import Criterion
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.inference import tables_of
from ocrjury.evaluation.judgement import control_results, verdict_rows
from ocrjury.evaluation.recalibration import RECALIBRATE
from ocrjury.findings.measurement.agreement import measure_dimension
from ocrjury.findings.pilots import PilotCriterion, PilotFinding, Score
from ocrjury.findings.raters import Accuracy
from ocrjury.gate import Action, DimensionVerdict, Verdict
from ocrjury.pages.numbers import listing
from ocrjury.scales import Scale, Scales, scale_of
from ocrjury.store.results import Result, VerdictRow


class PilotJudgement(NamedTuple):
    """The verdict on a pilot, and what the store keeps of it."""

    verdict: Verdict
    results: Sequence[Result]
    rows: Sequence[VerdictRow]


def judge_pilot(case: Case) -> PilotJudgement:
    """Compare the ratings of the last pilot with gold, or with each other.

    The agreement among its raters is kept as advice; pilots have no part in anything else.
    """
    last = case.rounds[-1]
    given = case.ratings[case.ratings["round"] == last.round]
    inputs = content_hash(given.astype(str).to_dict(orient="list"))
    criterion, scales = case.campaign.rounds.pilot.criterion, case.campaign.rubric.scales
    scores, tables = _scores(case, given, last.dimensions), tables_of(case, given)
    finding = PilotFinding(
        PilotCriterion(
            criterion.measure,
            tolerance=_common(criterion.tolerance_on(scales[name]) for name in last.dimensions),
            limit=_common(criterion.limit_on(scales[name]) for name in last.dimensions),
            min_ratings=criterion.min_ratings,
        ),
        tuple(scores),
        {name: measure_dimension(name, tables[name]) for name in last.dimensions},
    )
    verdict = _verdict(scores, measure=criterion.measure)
    policy_hash = content_hash(criterion.model_dump(mode="json"))
    rows = verdict_rows(verdict, number=last.round, policy_hash=policy_hash)
    results = [Result(last.round, "pilot", "*", finding.to_json(), inputs)]
    results += control_results(case, None, inputs=inputs)
    return PilotJudgement(verdict, results, rows)


def _common(numbers: Iterable[float]) -> float:
    """Number that all dimensions share, nan if their scales make it differ."""
    different = set(numbers)
    return different.pop() if len(different) == 1 else math.nan


def _scores(case: Case, given: pd.DataFrame, dimensions: Sequence[str]) -> list[Score]:
    ratings = {
        name: [
            Rated(row["item"], row["rater"], float(row["rating"]))
            for row in given[given["dimension"] == name].to_dict(orient="records")
        ]
        for name in dimensions
    }
    raters = {row.rater for row in case.last_assignments} - case.dropped
    return judge_raters(
        ratings,
        case.gold,
        raters=sorted(raters),
        criterion=case.campaign.rounds.pilot.criterion,
        scale=case.campaign.rubric.scales,
        page_of=case.page_of,
    )


def _verdict(scores: Sequence[Score], *, measure: str) -> Verdict:
    by_dimension: dict[str, list[Score]] = {}
    for score in scores:
        by_dimension.setdefault(score.dimension, []).append(score)
    short: dict[str, list[str]] = {}
    for score in scores:
        if score.outcome != "met":
            short.setdefault(score.rater, []).append(score.dimension)
    return Verdict(
        verdict_of(scores),
        None,
        {
            name: DimensionVerdict(
                verdict_of(of), None, _reasons(of), None, primary=measure, value=float("nan")
            )
            for name, of in by_dimension.items()
        },
        _reasons(scores),
        tuple(
            Action(
                RECALIBRATE,
                f"Recalibrate {rater} on {listing(names)}, or proceed and say why.",
                dimension=names[0] if len(names) == 1 else None,
                rater=rater,
            )
            for rater, names in short.items()
        ),
    )


def _reasons(scores: Sequence[Score]) -> tuple[str, ...]:
    """Sentences on raters who missed the criterion, or one that all met it."""
    short = [score.sentence for score in scores if score.outcome != "met"]
    if short:
        return tuple(short)
    raters = {score.rater for score in scores}
    subject = f"All {len(raters)} raters" if len(raters) > 1 else listing(sorted(raters))
    return (f"{subject} met the criterion of the pilot.",)


def judge_raters(
    ratings: Mapping[str, Iterable[Rated]],
    gold: Mapping[str, Mapping[str, float]],
    *,
    raters: Sequence[str],
    criterion: Criterion,
    scale: Scales,
    page_of: Mapping[str, str] = MappingProxyType({}),
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
    page_of
        Page of each item that several systems read, which counts as one draw.
    """
    scores = []
    for dimension, given in ratings.items():
        rows, of_gold = list(given), gold.get(dimension, {})
        own_scale = scale_of(scale, dimension)
        known = known_values(rows, of_gold, scale=own_scale)
        for rater in raters:
            own = [row for row in rows if row.rater == rater and (row.item, rater) in known]
            accuracy = measure_accuracy(
                [row.value for row in own],
                [known[row.item, rater] for row in own],
                scale=own_scale,
                tolerance=criterion.tolerance_on(own_scale),
                n_gold=sum(row.item in of_gold for row in own),
                together=[page_of.get(row.item, row.item) for row in own],
            )
            scores.append(_score(rater, dimension, accuracy, criterion=criterion, scale=own_scale))
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
