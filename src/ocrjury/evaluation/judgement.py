"""Judgement on a round: agreement, bias and verdict of main rounds, truth of all rounds.

With it go the accuracy and steadiness of the raters, and the cost of the round.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import pandas as pd

from ocrjury.campaign.accuracy import measure_accuracy
from ocrjury.campaign.content_hashes import content_hash
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.gate_looks import take_look
from ocrjury.evaluation.inference import (
    Inferred,
    first_pass_tables,
    infer_truths,
    weighted_first_pass,
)
from ocrjury.evaluation.kept_rows import truth_rows, verdict_rows
from ocrjury.evaluation.metric_ranks import rank_correlations
from ocrjury.evaluation.truth_summary import summarize_truths
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.dimensions import DimensionsFinding
from ocrjury.findings.looks import Looks
from ocrjury.findings.measurement.agreement import measure_dimension
from ocrjury.findings.measurement.dimensions import measure_dimensions
from ocrjury.findings.measurement.judges import Scores
from ocrjury.findings.measurement.raters import diagnose, measure_raters
from ocrjury.findings.pool_scores import RankCorrelations
from ocrjury.findings.raters import Accuracies, Accuracy, BiasTests, Control
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.findings.rounds import RoundSummary
from ocrjury.findings.truth import TruthSummary
from ocrjury.gate import Verdict
from ocrjury.ratings import RatingTable
from ocrjury.ratings.export_columns import CLUSTER
from ocrjury.scales import Scale
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.database import Connection
from ocrjury.store.results import (
    Result,
    TruthRow,
    VerdictRow,
    add_results,
    add_truths,
    add_verdicts,
)

KEYS = ["item", "rater"]


class MainJudgement(NamedTuple):
    """The verdict on the main rounds, and what it was taken on."""

    number: int
    verdict: Verdict
    looks: Looks
    agreement: Mapping[str, AgreementFinding]
    together: DimensionsFinding
    tests: BiasTests
    ranks: Sequence[RankCorrelations]

    def results(self, inputs: str) -> list[Result]:
        """Findings as the store keeps them."""
        return [
            *(
                Result(self.number, "agreement", name, finding, inputs)
                for name, finding in self.agreement.items()
            ),
            Result(self.number, "looks", ALL_DIMENSIONS, self.looks, inputs),
            Result(self.number, "dimensions", ALL_DIMENSIONS, self.together, inputs),
            Result(self.number, "bias", ALL_DIMENSIONS, self.tests, inputs),
            *(
                Result(self.number, "rank_correlations", ranks.dimension, ranks, inputs)
                for ranks in self.ranks
            ),
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


def judge_last_round(case: Case, *, tick: Tick = unwatched) -> Judgement:
    """Judge the main rounds by their first-pass ratings; infer the truth from all ratings."""
    inputs = content_hash(case.ratings.astype(str).to_dict(orient="list"))
    anew = _is_judged_anew(case)
    parts = Parts(tick, (len(case.dimensions) + 3 if anew else 0) + 2)
    main = _judge_main_rounds(case, parts) if anew else None
    parts.begin("truths of the items")
    inferred = infer_truths(case)
    parts.begin("accuracy of the raters")
    summary = summarize_truths(
        inferred, first_pass_tables(case), target=case.campaign.truth.target_confidence
    )
    results = [Result(case.rounds[-1].round, "truth", ALL_DIMENSIONS, summary, inputs)]
    results += control_results(case, inferred, inputs=inputs)
    verdicts = []
    if main is not None:
        results += main.results(inputs)
        policy_hash = content_hash(case.campaign.gate.model_dump())
        verdicts = verdict_rows(main.verdict, number=main.number, policy_hash=policy_hash)
    return Judgement(main, summary, results, truth_rows(inferred), verdicts)


def _is_judged_anew(case: Case) -> bool:
    """Return whether the main rounds have no verdict yet, or the last round is one of them.

    Later rounds do not change it, because what they ask is chosen by what was answered before.
    """
    return case.rounds[-1].kind == "main" or case.standing.history.estimated_once


def _judge_main_rounds(case: Case, parts: Parts) -> MainJudgement:
    """Verdict on all main rounds."""
    tables = first_pass_tables(case)
    agreement = {
        name: measure_dimension(
            name, tables[name], seed=case.row.seed, judges=_judge_scores(case, name, tables[name])
        )
        for name in parts.each(tables, "agreement on")
    }
    parts.begin("bias of the raters")  # it informs advice, no verdict
    tests = measure_raters(
        _in_order(case.first_pass), tables, scale=case.campaign.rubric.scales, seed=case.row.seed
    )
    parts.begin("the gate")
    number = max(round_.round for round_ in case.rounds if round_.kind == "main")
    diagnosis = diagnose(agreement.values(), tests, scale=case.campaign.rubric.scales)
    verdict, looks = take_look(case, agreement, number=number, diagnosis=diagnosis)
    parts.begin("the dimensions together")
    together = measure_dimensions(
        weighted_first_pass(case), agreement.values(), scale=case.campaign.rubric.scales
    )
    ranks = rank_correlations(case)
    return MainJudgement(number, verdict, looks, agreement, together, tests, ranks)


def _in_order(ratings: pd.DataFrame) -> pd.DataFrame:
    """Ratings with sessions that are unique over rounds and raters."""
    parts = ratings[["round", "rater", "session"]].astype(str)
    session = parts["round"] + "/" + parts["rater"] + "/" + parts["session"]
    columns = ["item", "rater", "dimension", "rating", "position", CLUSTER]
    return ratings[columns].assign(session=session)


def _judge_scores(case: Case, dimension: str, table: RatingTable) -> Mapping[str, Scores]:
    columns = case.campaign.pool.judges_of(dimension)
    if not columns:
        return {}
    # The snapshot has a row for each document, and an item bears its document's name.
    pool = case.pool().set_index("doc_id")
    names = {str(category): category for category in table.scale.categories}
    return {
        judge: pool[column].to_dict() if table.scale.ordered else pool[column].map(names).to_dict()
        for judge, column in columns.items()
    }


def control_results(case: Case, inferred: Inferred | None, *, inputs: str) -> list[Result]:
    """Summarise the last round beside its truths and its verdict.

    A ``round`` with its size, cost and confidence; a ``calibration`` of every dimension that was
    checked against gold; and ``control``: accuracy on gold and steadiness of every rater.
    """
    number = case.rounds[-1].round
    results = [Result(number, "round", ALL_DIMENSIONS, summarize_round(case, inferred), inputs)]
    if inferred is None:
        return results
    results += [
        Result(number, "calibration", name, truth.calibration, inputs)
        for name, truth in inferred.truths.items()
        if truth.calibration is not None
    ]
    controls = {name: measure_control(case, name) for name in case.dimensions}
    return results + [
        Result(number, "control", name, control, inputs)
        for name, control in controls.items()
        if control != Control()
    ]


def summarize_round(case: Case, inferred: Inferred | None) -> RoundSummary:
    """Size and cost of the last round, and the confidence of the labels after it."""
    number = case.rounds[-1].round
    done = [row for row in case.last_assignments if row.state == "done"]
    cost = {person.pseudonym: person.cost for person in case.raters}
    given = case.ratings[case.ratings["round"] == number]
    gold = int((given["round_kind"] == "gold").sum())
    second = int((given["repeat"] > 0).sum())
    return RoundSummary(
        items=len({row.item for row in done if row.reason not in {"gold", "repeat"}}),
        assignments=len(done),
        ratings=len(given) - gold - second,
        gold_ratings=gold,
        second_ratings=second,
        raters=len({row.rater for row in done}),
        cost=float(sum(cost.get(row.rater, 1.0) for row in done)),
        **_confidence(case, inferred),
    )


def measure_control(case: Case, dimension: str) -> Control:
    """Accuracy on gold and steadiness of the raters of a dimension."""
    of = case.ratings[case.ratings["dimension"] == dimension]
    known = case.gold.get(dimension, {})
    again = of[of["round_kind"] == "repeat"]
    if not known and again.empty:
        return Control()  # as in most rounds, for which the rest is not worth its time
    given = of[of["round_kind"].isin(["main", "gold"])]
    on_gold = given[given["item"].isin(list(known))]
    on_gold = on_gold.assign(known=on_gold["item"].map(known))
    first = given[[*KEYS, "rating"]].rename(columns={"rating": "known"})
    again = again.merge(first, on=KEYS)
    measure = partial(_accuracy, case, case.campaign.rubric.scales[dimension])
    return Control(gold=_accuracies(on_gold, measure), second=_accuracies(again, measure))


def _accuracies(
    rows: pd.DataFrame, measure: Callable[[pd.DataFrame], Accuracy]
) -> Accuracies | None:
    if rows.empty:
        return None
    by_rater = {str(rater): measure(own) for rater, own in rows.groupby("rater")}
    return Accuracies(measure(rows), by_rater)


def _accuracy(case: Case, scale: Scale, rows: pd.DataFrame) -> Accuracy:
    return measure_accuracy(
        rows["rating"].tolist(),
        rows["known"].tolist(),
        scale=scale,
        tolerance=case.campaign.rounds.pilot.criterion.tolerance_on(scale),
        together=[case.page_of.get(item, item) for item in rows["item"]],
    )


def _confidence(case: Case, inferred: Inferred | None) -> dict[str, Any]:
    labelled = [] if inferred is None else inferred.labelled
    if inferred is None or not labelled:
        return {"uncertain_share": math.nan, "confidence": math.nan, "calibrated": None}
    truths = [inferred.truths[name] for name in labelled]
    target = case.campaign.truth.target_confidence
    unsure = inferred.uncertain_items(target)
    confident = [float(truth.confidence.mean()) for truth in truths if truth.items]
    n_items = len({item for truth in truths for item in truth.items})
    return {
        "uncertain_share": len(unsure) / n_items if n_items else math.nan,
        "confidence": sum(confident) / len(confident) if confident else math.nan,
        "calibrated": all(truth.calibration is not None for truth in truths),
    }
