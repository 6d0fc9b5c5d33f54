"""Measure agreement, judge the round, infer the truth."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import NamedTuple

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.canonical import content_hash
from ocrjury.campaign.history import Step
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.controls import control_results
from ocrjury.evaluation.inference import (
    first_pass_tables,
    infer_truths,
    summarize_truths,
    truth_rows,
)
from ocrjury.evaluation.judges import judge_scores
from ocrjury.evaluation.suspicions import Suspicions, bias_result, suspect
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.dimensions import DimensionsFinding
from ocrjury.findings.measurement.agreement import measure_dimension
from ocrjury.findings.measurement.dimensions import measure_dimensions
from ocrjury.gate import DimensionVerdict, GatePolicy, Verdict, judge
from ocrjury.pages.artifacts import (
    render_agreement,
    render_bias,
    render_truth_summary,
    render_verdict,
)
from ocrjury.store.moves import Position, moving
from ocrjury.store.results import Result, VerdictRow, add_results, add_truths, add_verdicts
from ocrjury.tasks import at_work, hold_if_refused, publish


class Judgement(NamedTuple):
    """The verdict on the main rounds, and what it was taken on."""

    number: int
    verdict: Verdict
    agreement: Mapping[str, AgreementFinding]
    together: DimensionsFinding
    suspicions: Suspicions


@task(task_run_name="{position.evaluation}-judge", cache_policy=NO_CACHE)
@hold_if_refused
def judge_round(position: Position, step: Step) -> None:
    """Judge the main round by its first-pass ratings; infer the truth from all ratings."""
    with at_work() as work:
        case = work.case(position.evaluation)
        inputs = content_hash(case.ratings.astype(str).to_dict(orient="list"))
        judgement = _judge_main_rounds(case)
        inferred = infer_truths(case)
        summary = summarize_truths(inferred, target=case.campaign.truth.target_confidence)
        number = case.rounds[-1].round
        results = [Result(number, "truth", "*", summary.to_json(), inputs)]
        results += control_results(case, inferred, inputs=inputs)
        if judgement is not None:
            results += [
                Result(judgement.number, "agreement", name, finding.to_json(), inputs)
                for name, finding in judgement.agreement.items()
            ]
            results.append(
                Result(judgement.number, "dimensions", "*", judgement.together.to_json(), inputs)
            )
            results.append(
                bias_result(judgement.suspicions, number=judgement.number, inputs=inputs)
            )
        with moving(work.engine, position, step, mover=work.mover) as connection:
            add_results(connection, case.name, results, now=work.now)
            add_truths(connection, case.name, truth_rows(inferred))
            if judgement is not None:
                add_verdicts(connection, case.name, _verdict_rows(case, judgement))
        if judgement is not None:
            _publish(case, judgement)
        publish(
            case.name,
            f"r{number:02d}-truth",
            render_truth_summary(evaluation=case.name, summary=summary),
        )


def _judge_main_rounds(case: Case) -> Judgement | None:
    """Return the verdict on all main rounds, None if it stands already.

    Later rounds do not change it, because what they ask is chosen by what was answered before.
    """
    last = case.rounds[-1]
    if last.kind != "main" and not case.standing.history.estimated_once:
        return None
    tables = first_pass_tables(case)
    agreement = {
        name: measure_dimension(
            name, table, seed=case.row.seed, judges=judge_scores(case, name, table)
        )
        for name, table in tables.items()
    }
    suspicions = suspect(case, tables)
    verdict = judge(
        {name: finding.estimates for name, finding in agreement.items()},
        GatePolicy.preset(case.campaign.gate.policy),
        diagnosis=suspicions.diagnosis,
        population=case.row.pool_size,
    )
    number = max(round_.round for round_ in case.rounds if round_.kind == "main")
    together = measure_dimensions(
        case.first_pass, agreement.values(), scale=case.campaign.rubric.scale
    )
    return Judgement(number, verdict, agreement, together, suspicions)


def _verdict_rows(case: Case, judgement: Judgement) -> list[VerdictRow]:
    """Return the overall verdict and those of the dimensions as the store keeps them."""
    policy_hash = content_hash(case.campaign.gate.model_dump())
    verdict = judgement.verdict
    actions = [asdict(action) for action in verdict.actions]
    by_name: dict[str, Verdict | DimensionVerdict] = {"*": verdict, **verdict.by_dimension}
    return [
        VerdictRow(
            round=judgement.number,
            dimension=name,
            decision=one.decision,
            grade=one.grade,
            reasons=list(one.reasons),
            needed_items=one.needed_items,
            actions=actions if name == "*" else [],
            policy_hash=policy_hash,
        )
        for name, one in by_name.items()
    ]


def _publish(case: Case, judgement: Judgement) -> None:
    """Show the agreement, the tests for bias and the verdict on the run's page."""
    pages = {
        "agreement": render_agreement(
            evaluation=case.name, findings=tuple(judgement.agreement.values())
        ),
        "bias": render_bias(evaluation=case.name, findings=judgement.suspicions.findings),
        "verdict": render_verdict(evaluation=case.name, verdict=judgement.verdict),
    }
    for what, page in pages.items():
        publish(case.name, f"r{judgement.number:02d}-{what}", page)
