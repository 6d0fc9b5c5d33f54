"""Everything that is stored about an evaluation, read once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pandas as pd

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.registry import RaterEntry
from ocrjury.errors import StateError
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.dimensions import Composites, DimensionsFinding
from ocrjury.findings.field_errors import FieldErrors
from ocrjury.findings.judges import JudgeBiases
from ocrjury.findings.looks import Looks
from ocrjury.findings.plan import Plan
from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.findings.pool_metrics import GroupMeans, PoolMetrics
from ocrjury.findings.pool_scores import PoolScores, RankCorrelations
from ocrjury.findings.raters import BiasTests
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.findings.routing import RoutingFinding
from ocrjury.findings.sampling import SampleDesign
from ocrjury.findings.systems import Preferences, Systems
from ocrjury.findings.trend import Repeats, Trend
from ocrjury.findings.truth import TruthSummary
from ocrjury.report.design import Design
from ocrjury.store.database import Engine
from ocrjury.store.decisions import StoredDecision, list_decisions, list_set_aside
from ocrjury.store.documents import SampledItem, list_items
from ocrjury.store.evaluations import Evaluation, read_evaluation, read_rubric
from ocrjury.store.exclusions import list_excluded_ratings
from ocrjury.store.paces import rushed_raters
from ocrjury.store.raters import list_raters
from ocrjury.store.ratings import RatingRow, list_ratings
from ocrjury.store.remarks import RuleBreakRow, list_rule_breaks
from ocrjury.store.reports import ReportRow, list_reports
from ocrjury.store.results import (
    Finding,
    TruthRow,
    VerdictRow,
    findings_by_round,
    latest_findings,
    latest_truths,
    latest_verdicts,
)
from ocrjury.store.rounds import AssignmentRow, RoundRow, list_assignments, list_rounds
from ocrjury.store.rubric_counts import RubricHistory, rubric_history
from ocrjury.store.shown_images import ChangedImages, changed_images
from ocrjury.store.workspace import Store


class Uncounted(NamedTuple):
    """Ratings that were given and do not count.

    `set_aside` has assignment, dimension and decision of those that a recalibration left out,
    `excluded` round and item of those whose item a lead excluded.
    """

    set_aside: list[tuple[str, str, str]]
    excluded: list[tuple[int, str]]


@dataclass(frozen=True)
class Stored:
    """An evaluation with all that was written about it."""

    row: Evaluation
    campaign: Campaign
    people: list[RaterEntry]
    items: list[SampledItem]
    rounds: list[RoundRow]
    assignments: list[AssignmentRow]
    ratings: list[RatingRow]
    rule_breaks: list[RuleBreakRow]
    verdicts: list[VerdictRow]
    decisions: list[StoredDecision]
    uncounted: Uncounted
    truths: list[TruthRow]
    agreement: dict[str, AgreementFinding]
    together: DimensionsFinding
    estimates: dict[str, PoolEstimates]
    composites: Composites
    plans: dict[str, Plan]
    trends: dict[str, Trend]
    repeats: Repeats | None
    judge_biases: dict[str, JudgeBiases]
    field_errors: FieldErrors | None
    routing: RoutingFinding | None
    systems: dict[str, Systems]
    preferences: Preferences | None
    scores: PoolScores
    metrics: PoolMetrics
    rank_correlations: dict[str, RankCorrelations]
    group_means: dict[str, GroupMeans]
    bias: BiasTests | None
    truth_by_round: dict[int, TruthSummary]
    looks: dict[int, Looks]
    reports: list[ReportRow]
    images: ChangedImages
    rubrics: RubricHistory
    rushed: Mapping[str, float]

    @property
    def target_dimension(self) -> str:
        """Dimension of the headline."""
        return self.campaign.target_dimension

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages of the report, the main one first."""
        return tuple(dict.fromkeys(self.campaign.report.languages)) or (self.campaign.language,)

    def local(self, moment: datetime) -> datetime:
        """A moment as the campaign's time zone tells it."""
        return moment.astimezone(ZoneInfo(self.campaign.time_zone))

    @property
    def design(self) -> SampleDesign | None:
        """Design of the sample, None before one was drawn."""
        return self.row.design

    @property
    def newest_truths(self) -> TruthSummary | None:
        """Summary of the labels after the last round that has one."""
        rounds = self.truth_by_round
        return rounds[max(rounds)] if rounds else None

    @cached_property
    def item_design(self) -> Design:
        """Weight and cluster with which each item was drawn."""
        return Design(
            {item.item: item.weight for item in self.items},
            {item.item: item.draw_number for item in self.items},
        )

    @property
    def dimension_names(self) -> list[str]:
        """Keys of the dimensions in the rubric's order."""
        return [dimension.name for dimension in self.campaign.rubric.dimensions]

    def by_dimension(self, findings: Mapping[str, Finding]) -> tuple[Finding, ...]:
        """Sort findings in the order of the rubric's dimensions."""
        return tuple(findings[name] for name in self.dimension_names if name in findings)

    @cached_property
    def first_pass(self) -> pd.DataFrame:
        """Ratings of main rounds: item, rater, dimension, value."""
        rows = [r._asdict() for r in self.ratings if r.round_kind == "main"]
        columns = ["item", "rater", "dimension", "value"]
        return pd.DataFrame(rows, columns=list(RatingRow._fields))[columns]

    @cached_property
    def item_means(self) -> dict[str, float]:
        """Mean first-pass rating of every item on the headline's dimension.

        Categories have no mean.
        """
        if not self.campaign.rubric.scales[self.target_dimension].ordered:
            return {}
        of = self.first_pass[self.first_pass["dimension"] == self.target_dimension]
        return {str(k): float(v) for k, v in of.groupby("item")["value"].mean().items()}


def read_stored(store: Store, evaluation: str, *, final: bool) -> Stored:
    """Records of an evaluation that was judged, without those about its pool if not final."""
    engine, latest = store.engine, _Latest(store.engine, evaluation)
    of_pool = latest if final else _nothing
    row, assignments = read_evaluation(engine, evaluation), list_assignments(engine, evaluation)
    return Stored(
        row=row,
        campaign=_campaign(engine, row),
        people=_people(engine, row, assignments),
        items=list_items(engine, evaluation),
        rounds=list_rounds(engine, evaluation),
        assignments=assignments,
        ratings=list_ratings(engine, evaluation),
        rule_breaks=list_rule_breaks(engine, evaluation),
        verdicts=_verdicts(engine, row),
        decisions=list_decisions(engine, evaluation),
        uncounted=_uncounted(engine, evaluation),
        truths=latest_truths(engine, evaluation),
        agreement=latest(AgreementFinding, "agreement"),
        together=latest(DimensionsFinding, "dimensions").get(ALL_DIMENSIONS, DimensionsFinding()),
        estimates=of_pool(PoolEstimates, "estimate"),
        composites=of_pool(Composites, "composite").get(ALL_DIMENSIONS, Composites()),
        plans=of_pool(Plan, "plan"),
        trends=of_pool(Trend, "trend"),
        repeats=of_pool(Repeats, "repeats").get(ALL_DIMENSIONS),
        judge_biases=of_pool(JudgeBiases, "judge_bias"),
        field_errors=of_pool(FieldErrors, "field_errors").get(ALL_DIMENSIONS),
        routing=of_pool(RoutingFinding, "routing").get(ALL_DIMENSIONS),
        systems=of_pool(Systems, "systems"),
        preferences=of_pool(Preferences, "preferences").get(ALL_DIMENSIONS),
        scores=latest(PoolScores, "scores")[ALL_DIMENSIONS],
        metrics=latest(PoolMetrics, "metrics")[ALL_DIMENSIONS],
        rank_correlations=latest(RankCorrelations, "rank_correlations"),
        group_means=of_pool(GroupMeans, "groups"),
        bias=latest(BiasTests, "bias").get(ALL_DIMENSIONS),
        truth_by_round=findings_by_round(engine, evaluation, TruthSummary, kind="truth"),
        looks=findings_by_round(engine, evaluation, Looks, kind="looks"),
        reports=list_reports(engine, evaluation),
        images=changed_images(engine, evaluation),
        rubrics=rubric_history(engine, evaluation),
        rushed=rushed_raters(engine, evaluation),
    )


def _uncounted(engine: Engine, evaluation: str) -> Uncounted:
    """Ratings of an evaluation that do not count."""
    return Uncounted(list_set_aside(engine, evaluation), list_excluded_ratings(engine, evaluation))


class _Latest(NamedTuple):
    """Newest findings of an evaluation, by dimension."""

    engine: Engine
    evaluation: str

    def __call__(self, record: type[Finding], kind: str) -> dict[str, Finding]:
        return latest_findings(self.engine, self.evaluation, record, kind=kind)


def _nothing(record: type[Finding], kind: str) -> dict[str, Finding]:  # noqa: ARG001  # as latest
    """Scores of the pool in an interim report, which has none."""
    return {}


def _people(engine: Engine, row: Evaluation, assignments: list[AssignmentRow]) -> list[RaterEntry]:
    """People of the campaign, and whoever rated and has since left the registry."""
    everybody = {*row.raters, *(assignment.rater for assignment in assignments)}
    return list_raters(engine, everybody, evaluation=row.evaluation)


def _campaign(engine: Engine, row: Evaluation) -> Campaign:
    """Campaign as it was when the evaluation was opened."""
    return row.config.with_rubric(read_rubric(engine, row.rubric_hash))


def _verdicts(engine: Engine, row: Evaluation) -> list[VerdictRow]:
    verdicts = latest_verdicts(engine, row.evaluation)
    if not verdicts:
        raise StateError(
            f"{row.evaluation} is {row.state} and was not judged yet; there is nothing to report."
        )
    return verdicts
