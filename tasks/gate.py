"""Measure agreement, judge the round, infer the truth."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.agreement import measure_agreement, pairwise_kappa
from ocrjury.campaign.canonical import content_hash
from ocrjury.campaign.history import Step
from ocrjury.estimate import Estimate
from ocrjury.gate import DimensionVerdict, GatePolicy, Verdict, judge
from ocrjury.pages.artifacts import render_agreement, render_truth_summary, render_verdict
from ocrjury.rater_model import rater_severities
from ocrjury.ratings import RatingTable
from ocrjury.store.moves import Position, moving
from ocrjury.store.results import Result, VerdictRow, add_results, add_truths, add_verdicts
from tasks.artifacts import publish
from tasks.frames import records
from tasks.inference import infer_truths, summarize_truths, tables_of, truth_rows
from tasks.refusal import hold_if_refused
from tasks.suspicions import Suspicions, bias_result, suspect
from tasks.work import Case, at_work


class Judgement(NamedTuple):
    """The verdict on the main rounds, and what it was taken on."""

    number: int
    verdict: Verdict
    agreement: Mapping[str, Mapping[str, Estimate]]
    tables: Mapping[str, RatingTable]
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
        results = [Result(number, "truth", "*", summary, inputs)]
        if judgement is not None:
            results += _agreement_results(judgement, inputs)
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
    tables = tables_of(
        case,
        case.first_pass,
        # Items that were drawn because they look wrong would make raters look more alike than
        # they are on the pool.
        item_weight={i.item: 1 / (i.inclusion_probability or 1.0) for i in case.sample},
    )
    agreement = {
        name: measure_agreement(table, seed=case.row.seed) for name, table in tables.items()
    }
    suspicions = suspect(case, tables)
    policy = GatePolicy.preset(case.campaign.gate.policy)
    verdict = judge(agreement, policy, diagnosis=suspicions.diagnosis)
    number = max(round_.round for round_ in case.rounds if round_.kind == "main")
    return Judgement(number, verdict, agreement, tables, suspicions)


def _agreement_results(judgement: Judgement, inputs: str) -> list[Result]:
    """Return what was measured about each dimension."""
    return [
        Result(
            round=judgement.number,
            kind="agreement",
            dimension=name,
            body={
                "estimates": {key: one.to_json() for key, one in estimates.items()},
                "pairs": _pairs(judgement.tables[name]),
                "severity": {
                    str(rater): one.to_json()
                    for rater, one in rater_severities(judgement.tables[name]).items()
                },
            },
            inputs_hash=inputs,
        )
        for name, estimates in judgement.agreement.items()
    ]


def _pairs(table: RatingTable) -> list[dict[str, Any]]:
    """Return the kappa of every pair of raters; a slider has no categories to compare."""
    if table.scale.kind == "interval":
        return []
    return records(pairwise_kappa(table, weights="quadratic" if table.scale.ordered else "none"))


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
    """Show the agreement and the verdict on the run's page."""
    name = f"r{judgement.number:02d}"
    publish(
        case.name,
        f"{name}-agreement",
        render_agreement(evaluation=case.name, agreement=judgement.agreement),
    )
    publish(
        case.name,
        f"{name}-verdict",
        render_verdict(evaluation=case.name, verdict=judgement.verdict),
    )
