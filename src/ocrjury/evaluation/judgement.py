"""Judgement on a round: agreement, bias and verdict of main rounds, truth of all rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

import pandas as pd

from ocrjury.campaign.canonical import content_hash
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.controls import control_results
from ocrjury.evaluation.inference import (
    first_pass_tables,
    infer_truths,
    summarize_truths,
    truth_rows,
)
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.dimensions import DimensionsFinding
from ocrjury.findings.measurement.agreement import Scores, measure_dimension
from ocrjury.findings.measurement.dimensions import measure_dimensions
from ocrjury.findings.measurement.raters import diagnose, measure_raters
from ocrjury.findings.raters import BiasTests
from ocrjury.findings.truth import TruthSummary
from ocrjury.gate import DimensionVerdict, GatePolicy, Verdict, judge
from ocrjury.ratings import RatingTable
from ocrjury.store.database import Connection
from ocrjury.store.results import (
    Result,
    TruthRow,
    VerdictRow,
    add_results,
    add_truths,
    add_verdicts,
)


class MainJudgement(NamedTuple):
    """The verdict on the main rounds, and what it was taken on."""

    number: int
    verdict: Verdict
    agreement: Mapping[str, AgreementFinding]
    together: DimensionsFinding
    tests: BiasTests

    def results(self, inputs: str) -> list[Result]:
        """Findings as the store keeps them."""
        return [
            *(
                Result(self.number, "agreement", name, finding.to_json(), inputs)
                for name, finding in self.agreement.items()
            ),
            Result(self.number, "dimensions", "*", self.together.to_json(), inputs),
            Result(self.number, "bias", "*", self.tests.to_json(), inputs),
        ]


class Judgement(NamedTuple):
    """Judgement on the last round; `main` is None where the verdict stands already."""

    main: MainJudgement | None
    summary: TruthSummary
    results: Sequence[Result]
    truths: Sequence[TruthRow]
    verdicts: Sequence[VerdictRow]

    def keep(self, connection: Connection, case: Case) -> None:
        """Add everything to the store."""
        add_results(connection, case.name, self.results, now=case.work.now)
        add_truths(connection, case.name, self.truths)
        add_verdicts(connection, case.name, self.verdicts)


def judge_last_round(case: Case) -> Judgement:
    """Judge the main rounds by their first-pass ratings; infer the truth from all ratings."""
    inputs = content_hash(case.ratings.astype(str).to_dict(orient="list"))
    main = _judge_main_rounds(case)
    inferred = infer_truths(case)
    summary = summarize_truths(inferred, target=case.campaign.truth.target_confidence)
    results = [Result(case.rounds[-1].round, "truth", "*", summary.to_json(), inputs)]
    results += control_results(case, inferred, inputs=inputs)
    verdicts = []
    if main is not None:
        results += main.results(inputs)
        policy_hash = content_hash(case.campaign.gate.model_dump())
        verdicts = verdict_rows(main.verdict, number=main.number, policy_hash=policy_hash)
    return Judgement(main, summary, results, truth_rows(inferred), verdicts)


def _judge_main_rounds(case: Case) -> MainJudgement | None:
    """Verdict on all main rounds, None if it stands already.

    Later rounds do not change it, because what they ask is chosen by what was answered before.
    """
    last = case.rounds[-1]
    if last.kind != "main" and not case.standing.history.estimated_once:
        return None
    tables = first_pass_tables(case)
    agreement = {
        name: measure_dimension(
            name, table, seed=case.row.seed, judges=_judge_scores(case, name, table)
        )
        for name, table in tables.items()
    }
    # They inform advice, no verdict.
    tests = measure_raters(
        _in_order(case.first_pass), tables, scale=case.campaign.rubric.scale, seed=case.row.seed
    )
    verdict = judge(
        {name: finding.estimates for name, finding in agreement.items()},
        GatePolicy.preset(case.campaign.gate.policy),
        diagnosis=diagnose(agreement.values(), tests),
        population=case.row.pool_size,
    )
    number = max(round_.round for round_ in case.rounds if round_.kind == "main")
    together = measure_dimensions(
        case.first_pass, agreement.values(), scale=case.campaign.rubric.scale
    )
    return MainJudgement(number, verdict, agreement, together, tests)


def verdict_rows(verdict: Verdict, *, number: int, policy_hash: str) -> list[VerdictRow]:
    """Overall verdict and those of the dimensions as the store keeps them."""
    actions = [asdict(action) for action in verdict.actions]
    by_name: dict[str, Verdict | DimensionVerdict] = {"*": verdict, **verdict.by_dimension}
    return [
        VerdictRow(
            round=number,
            dimension=name,
            decision=part.decision,
            grade=part.grade,
            reasons=list(part.reasons),
            needed_items=part.needed_items,
            actions=actions if name == "*" else [],
            policy_hash=policy_hash,
        )
        for name, part in by_name.items()
    ]


def _in_order(ratings: pd.DataFrame) -> pd.DataFrame:
    """Ratings with sessions that are unique over rounds and raters."""
    parts = ratings[["round", "rater", "session"]].astype(str)
    session = parts["round"] + "/" + parts["rater"] + "/" + parts["session"]
    columns = ["item", "rater", "dimension", "rating", "position"]
    return ratings[columns].assign(session=session)


def _judge_scores(case: Case, dimension: str, table: RatingTable) -> Mapping[str, Scores]:
    """Scores by item of every automatic judge that scored a dimension."""
    columns = {
        judge: by_dimension[dimension]
        for judge, by_dimension in case.campaign.pool.judges.items()
        if dimension in by_dimension
    }
    if not columns:
        return {}
    # The snapshot has a row for each document, and an item bears its document's name.
    pool = case.pool().set_index("doc_id")
    names = {str(category): category for category in table.scale.categories}
    return {
        judge: pool[column].to_dict() if table.scale.ordered else pool[column].map(names).to_dict()
        for judge, column in columns.items()
    }
