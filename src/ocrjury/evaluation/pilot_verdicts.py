"""Judge a pilot: whether every rater meets the campaign's criterion."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import NamedTuple

from ocrjury.campaign.accuracy import Rated
from ocrjury.campaign.canonical import content_hash
from ocrjury.campaign.criterion import Score, judge_raters, verdict_of
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.controls import control_results
from ocrjury.evaluation.inference import tables_of
from ocrjury.evaluation.recalibration import RECALIBRATE
from ocrjury.findings.measurement.agreement import measure_dimension
from ocrjury.gate import Action, DimensionVerdict, Verdict
from ocrjury.pages.numbers import listing
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
    criterion = case.campaign.rounds.pilot.criterion
    scores, tables = _scores(case, last.dimensions), tables_of(case, given)
    body = {
        "criterion": criterion.model_dump(mode="json"),
        "scores": [score.to_json() for score in scores],
        "agreement": {
            name: measure_dimension(name, tables[name]).to_json() for name in last.dimensions
        },
    }
    verdict = _verdict(scores, measure=criterion.measure)
    results = [Result(last.round, "pilot", "*", body, inputs)]
    results += control_results(case, None, inputs=inputs)
    return PilotJudgement(verdict, results, _rows(case, verdict))


def _scores(case: Case, dimensions: Sequence[str]) -> list[Score]:
    """What each rater of the last pilot reached; nobody who was dropped is asked for more."""
    number = case.rounds[-1].round
    given = case.ratings[case.ratings["round"] == number]
    ratings = {
        name: [
            Rated(one["item"], one["rater"], float(one["rating"]))
            for one in given[given["dimension"] == name].to_dict(orient="records")
        ]
        for name in dimensions
    }
    asked = {one.rater for one in case.assignments if one.round == number} - case.dropped
    return judge_raters(
        ratings,
        case.gold,
        raters=sorted(asked),
        criterion=case.campaign.rounds.pilot.criterion,
        scale=case.campaign.rubric.scale,
    )


def _verdict(scores: Sequence[Score], *, measure: str) -> Verdict:
    """Verdict on a pilot in the words of the gate."""
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
    """Who missed the criterion and how; if nobody did, that."""
    short = [score.sentence for score in scores if score.outcome != "met"]
    if short:
        return tuple(short)
    raters = {score.rater for score in scores}
    who = f"All {len(raters)} raters" if len(raters) > 1 else listing(sorted(raters))
    return (f"{who} met the criterion of the pilot.",)


def _rows(case: Case, verdict: Verdict) -> list[VerdictRow]:
    """Verdict as the store keeps it."""
    criterion = case.campaign.rounds.pilot.criterion
    by_name: dict[str, Verdict | DimensionVerdict] = {"*": verdict, **verdict.by_dimension}
    return [
        VerdictRow(
            round=case.rounds[-1].round,
            dimension=name,
            decision=one.decision,
            grade=None,
            reasons=list(one.reasons),
            needed_items=None,
            actions=[asdict(action) for action in verdict.actions] if name == "*" else [],
            policy_hash=content_hash(criterion.model_dump(mode="json")),
        )
        for name, one in by_name.items()
    ]
