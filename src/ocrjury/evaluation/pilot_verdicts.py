"""Judge a pilot: whether every rater meets the campaign's criterion."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from ocrjury.campaign.accuracy import Rated, known_values, measure_accuracy
from ocrjury.campaign.content_hashes import content_hash
from ocrjury.campaign.rating_sections import Criterion
from ocrjury.estimate import reason_words
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.inference import tables_of
from ocrjury.evaluation.judgement import control_results
from ocrjury.evaluation.kept_rows import verdict_rows
from ocrjury.evaluation.recalibrated_people import may_practise_alone
from ocrjury.findings.measurement.agreement import measure_dimension
from ocrjury.findings.pilots import PilotCriterion, PilotFinding, Score
from ocrjury.findings.raters import Accuracy
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.gate import Action, DimensionVerdict, Verdict
from ocrjury.gate.reading import beside, short_in_unit
from ocrjury.gate.verdict import RECALIBRATE, Decision
from ocrjury.language import Phrase, counted, phrase
from ocrjury.rater_statistics import is_error
from ocrjury.scales import Scale, Scales, scale_of
from ocrjury.sentences import listed
from ocrjury.statistics import statistic
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.results import Result, VerdictRow


class PilotJudgement(NamedTuple):
    """The verdict on a pilot, and what the store keeps of it."""

    verdict: Verdict
    results: Sequence[Result]
    rows: Sequence[VerdictRow]


def judge_pilot(case: Case, *, tick: Tick = unwatched) -> PilotJudgement:
    """Compare the ratings of the last pilot with gold, or with each other.

    The agreement among its raters is kept as advice; pilots have no part in anything else. What was
    practised again counts for neither: its answers were told.
    """
    last = case.rounds[-1]
    given = case.ratings[(case.ratings["round"] == last.round) & (case.ratings["repeat"] == 0)]
    inputs = content_hash(given.astype(str).to_dict(orient="list"))
    criterion, scales = case.campaign.rounds.pilot.criterion, case.campaign.rubric.scales
    parts = Parts(tick, 1 + len(last.dimensions))
    parts.begin("the criterion of the pilot")
    scores, tables = _scores(case, given, last.dimensions), tables_of(case, given)
    finding = PilotFinding(
        PilotCriterion(
            criterion.measure,
            tolerance=_common(criterion.tolerance_on(scales[name]) for name in last.dimensions),
            limit=_common(criterion.limit_on(scales[name]) for name in last.dimensions),
            min_ratings=criterion.min_ratings,
        ),
        tuple(scores),
        {
            name: measure_dimension(name, tables[name])
            for name in parts.each(last.dimensions, "agreement on")
        },
    )
    verdict = _verdict(case, scores, measure=criterion.measure)
    policy_hash = content_hash(criterion.model_dump(mode="json"))
    rows = verdict_rows(verdict, number=last.round, policy_hash=policy_hash)
    results = [Result(last.round, "pilot", ALL_DIMENSIONS, finding, inputs)]
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


def _verdict(case: Case, scores: Sequence[Score], *, measure: str) -> Verdict:
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
        tuple(_recalibrations(case, short)),
    )


def _recalibrations(case: Case, short: Mapping[str, Sequence[str]]) -> Iterator[Action]:
    """Advice on raters who missed the criterion on some dimensions."""
    for rater, names in short.items():
        alone = len(short) > 1 or may_practise_alone(case, rater, names)
        yield (_recalibration if alone else _with_others)(rater, names)


def _with_others(rater: str, names: Sequence[str]) -> Action:
    """Advice on a rater who can be compared with other raters only."""
    text = phrase(
        "Recalibrate all raters on {dimensions}, as too little gold is left for {rater} to "
        "practise alone; or proceed and say why.",
        rater=rater,
        dimensions=listed([phrase("{dimension}", dimension=name) for name in names]),
    )
    return Action(RECALIBRATE, text, names[0] if len(names) == 1 else None)


def _recalibration(rater: str, names: Sequence[str]) -> Action:
    dimensions = listed([phrase("{dimension}", dimension=name) for name in names])
    text = phrase(
        "Recalibrate {rater} on {dimensions}, or proceed and say why.",
        rater=rater,
        dimensions=dimensions,
    )
    return Action(RECALIBRATE, text, names[0] if len(names) == 1 else None, rater)


def _reasons(scores: Sequence[Score]) -> tuple[str, ...]:
    """Sentences on raters who missed the criterion, or one that all met it."""
    short = [score.sentence for score in scores if score.outcome != "met"]
    if short:
        return tuple(short)
    raters = {score.rater for score in scores}
    if len(raters) > 1:
        return (phrase("All {n} raters met the criterion of the pilot.", n=len(raters)),)
    return (phrase("{rater} met the criterion of the pilot.", rater="".join(raters)),)


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


def verdict_of(scores: Iterable[Score]) -> Decision:
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
    words = {"rater": rater, "dimension": dimension}
    if accuracy.n < criterion.min_ratings:
        sentence = phrase(
            "{rater} gave {ratings} on {dimension} that can be compared; the pilot needs {least}.",
            ratings=counted(accuracy.n, "rating"),
            least=criterion.min_ratings,
            **words,
        )
        return Score(rater, dimension, "unknown", sentence, accuracy)
    if not reached.defined:
        sentence = phrase(
            "For {rater} on {dimension} the {measure} is undefined ({reason}).",
            measure=statistic(criterion.measure).label,
            reason=reason_words(reached.reason),
            **words,
        )
        return Score(rater, dimension, "unknown", sentence, accuracy)
    words["found"] = _reached(reached.value, accuracy, criterion=criterion, scale=scale)
    less = is_error(criterion.measure)
    if reached.value <= limit + 1e-9 if less else reached.value >= limit - 1e-9:
        sentence = phrase("{rater} met the criterion on {dimension}: {found}.", **words)
        return Score(rater, dimension, "met", sentence, accuracy)
    sentence = phrase("{rater} missed the criterion on {dimension}: {found}.", **words)
    return Score(rater, dimension, "missed", sentence, accuracy)


def _reached(value: float, accuracy: Accuracy, *, criterion: Criterion, scale: Scale) -> Phrase:
    measure, tolerance = criterion.measure, criterion.tolerance_on(scale)
    limit = criterion.limit_on(scale)
    reached = beside(value, limit, measure, places=2)
    words = {"n": accuracy.n, "others": _others(accuracy), "limit": short_in_unit(limit, measure)}
    if is_error(measure):
        return phrase(
            "{n} ratings are off {others} by {error} in the mean, {limit} allowed",
            error=reached,
            **words,
        )
    if measure == "weighted_kappa":
        return phrase(
            "weighted kappa {kappa} with {others} over {n} ratings, {limit} needed",
            kappa=reached,
            **words,
        )
    if not tolerance:
        return phrase(
            "{share} of {n} ratings equal to {others}, {limit} needed", share=reached, **words
        )
    return phrase(
        "{share} of {n} ratings within {tolerance} of {others}, {limit} needed",
        share=reached,
        tolerance=f"{tolerance:g}",
        **words,
    )


def _others(accuracy: Accuracy) -> Phrase:
    """Reference that the ratings were compared with."""
    if accuracy.n_gold == accuracy.n:
        return phrase("gold")
    if accuracy.n_gold:
        return phrase("gold or, without it, the other raters")
    return phrase("the other raters")
