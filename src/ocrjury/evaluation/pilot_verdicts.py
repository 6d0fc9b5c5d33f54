"""Judge a pilot: whether every rater meets the campaign's criterion."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from ocrjury.campaign.accuracy import Rated
from ocrjury.campaign.canonical import content_hash
from ocrjury.campaign.criterion import judge_raters, verdict_of
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.controls import control_results
from ocrjury.evaluation.inference import tables_of
from ocrjury.evaluation.judgement import verdict_rows
from ocrjury.evaluation.recalibration import RECALIBRATE
from ocrjury.findings.measurement.agreement import measure_dimension
from ocrjury.findings.pilots import PilotCriterion, PilotFinding, Score
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
    criterion, scale = case.campaign.rounds.pilot.criterion, case.campaign.rubric.scale
    scores, tables = _scores(case, given, last.dimensions), tables_of(case, given)
    finding = PilotFinding(
        PilotCriterion(
            criterion.measure,
            tolerance=criterion.tolerance_on(scale),
            limit=criterion.limit_on(scale),
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


def _scores(case: Case, given: pd.DataFrame, dimensions: Sequence[str]) -> list[Score]:
    """Score of each rater of the last pilot; dropped raters are left out."""
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
    """Sentences on raters who missed the criterion, or one that all met it."""
    short = [score.sentence for score in scores if score.outcome != "met"]
    if short:
        return tuple(short)
    raters = {score.rater for score in scores}
    subject = f"All {len(raters)} raters" if len(raters) > 1 else listing(sorted(raters))
    return (f"{subject} met the criterion of the pilot.",)
