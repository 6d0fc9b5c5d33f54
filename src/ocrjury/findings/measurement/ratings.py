"""Measure ratings that somebody already has."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pandas as pd

from ocrjury.agreement.measurement import measure_agreement, measure_counts
from ocrjury.dimensions import Method
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate, Resampling
from ocrjury.estimation.interval import within_scale
from ocrjury.estimation.plain_average import plain_mean
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.measurement.agreement import (
    DIVIDED_KEPT,
    measure_dimension,
    measure_variants,
)
from ocrjury.findings.measurement.dimensions import measure_composites, measure_dimensions
from ocrjury.findings.measurement.judges import Scores
from ocrjury.findings.measurement.looks import glance_of, seen
from ocrjury.findings.measurement.raters import diagnose, measure_raters
from ocrjury.findings.raters import BiasTests
from ocrjury.findings.ratings import RatingsFinding
from ocrjury.gate.judgement import judge
from ocrjury.gate.policy import GatePolicy, PresetName
from ocrjury.ratings import RatingTable
from ocrjury.ratings.export_columns import CLUSTER, LOOK
from ocrjury.ratings.files import SINGLE
from ocrjury.scales import Scale, Scales
from ocrjury.statistics import statistic

ORDER = ("session", "position", "submitted_at")
"""Columns that tell the order in which raters worked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Question to ratings: policy, intervals, scores, judges.

    Attributes
    ----------
    look, looks
        Which look of the gate it is, and of how many; None: as the ratings say, else the only one.
    methods
        How dimensions are made one score; ``weighted`` needs ``dimension_weights``,
        ``regression`` the dimension ``overall``.
    variants
        Whether coefficients are wanted in every form that the scale bears.
    divided_kept
        How many of the items that divide raters are listed, None for all.
    """

    ci: Resampling | None = "jackknife"
    seed: int = 0
    policy: PresetName = "default"
    look: int | None = None
    looks: int | None = None
    threshold: float | None = None
    methods: tuple[Method, ...] = ("mean", "pca")
    dimension_weights: Mapping[str, float] | None = None
    overall: str | None = None
    variants: bool = False
    divided_kept: int | None = DIVIDED_KEPT
    judges: Mapping[str, Mapping[str, Scores]] = field(default_factory=dict)
    """Scores by item, for each judge and dimension."""


def measure_ratings(
    frame: pd.DataFrame, tables: Mapping[str, RatingTable], *, scale: Scales, question: Question
) -> RatingsFinding:
    """Everything about ratings.

    Parameters
    ----------
    frame
        Long frame item, rater, dimension, rating; optionally the columns of `ORDER`, `CLUSTER`
        where items were drawn together, and `LOOK` and `LOOKS` of an export.
    tables
        The same by dimension.
    scale
        Of all dimensions, or by dimension.
    """
    findings = tuple(_dimension(name, table, question) for name, table in tables.items())
    tests, refused = _tests(frame, tables, scale=scale, seed=question.seed)
    estimates = _judged(findings, tables, question)
    glance = glance_of(
        frame,
        estimates,
        GatePolicy.preset(question.policy),
        look=question.look,
        looks=question.looks,
    )
    verdict = judge(
        estimates,
        glance.policy,
        diagnosis=replace(
            diagnose(findings, tests, scale=scale), supplies_known=LOOK not in frame.columns
        ),
        look=glance.look,
        items_before=glance.items_before,
    )
    return RatingsFinding(
        policy=question.policy,
        verdict=verdict,
        looks=seen(verdict, glance, estimates),
        dimensions=findings,
        together=measure_dimensions(frame, findings, scale=scale),
        composites=measure_composites(
            frame,
            scale=scale,
            weights=question.dimension_weights,
            estimate=_plain,
            methods=question.methods,
            overall=question.overall,
        ),
        bias=tests,
        order_refused=refused,
    )


def measure_count_table(table: RatingTable, *, question: Question) -> RatingsFinding:
    """Findings of a table of counts: agreement without raters, and the verdict.

    Raises
    ------
    InputError
        If the policy of the gate compares raters.
    """
    policy = GatePolicy.preset(question.policy)
    compared = [
        statistic(name).label
        for condition in policy.conditions
        for name in condition.estimates
        if statistic(name).compares_raters
    ]
    if compared:
        raise InputError(
            f"the policy {question.policy} judges by {compared[0]}, and counts do not say who "
            "rated. Choose a policy based on alpha, such as default."
        )
    finding = _dimension(SINGLE, table, question)
    estimates = _judged((finding,), {SINGLE: table}, question)
    glance = glance_of(pd.DataFrame(), estimates, policy, look=question.look, looks=question.looks)
    verdict = judge(estimates, glance.policy, look=glance.look)
    return RatingsFinding(
        policy=question.policy,
        verdict=verdict,
        looks=seen(verdict, glance, estimates),
        dimensions=(finding,),
        bias=BiasTests((), {SINGLE: {}}),
    )


def _dimension(name: str, table: RatingTable, question: Question) -> AgreementFinding:
    finding = measure_dimension(
        name,
        table,
        ci=question.ci,
        seed=question.seed,
        judges={judge: scores.get(name, {}) for judge, scores in question.judges.items()},
        threshold=question.threshold,
        kept=question.divided_kept,
    )
    if not question.variants:
        return finding
    return replace(finding, variants=measure_variants(table, ci=question.ci, seed=question.seed))


def _judged(
    findings: tuple[AgreementFinding, ...], tables: Mapping[str, RatingTable], question: Question
) -> dict[str, Mapping[str, Estimate]]:
    """Estimates for the gate, which needs standard errors even where none are printed."""
    if question.ci is not None:
        return {finding.dimension: finding.estimates for finding in findings}
    return {
        name: (measure_counts if table.anonymous else measure_agreement)(table, seed=question.seed)
        for name, table in tables.items()
    }


def _tests(
    frame: pd.DataFrame, tables: Mapping[str, RatingTable], *, scale: Scales, seed: int
) -> tuple[BiasTests, str | None]:
    """Tests for bias; where the order of the ratings is nonsense, those without it, and why."""
    try:
        return measure_raters(frame, tables, scale=scale, seed=seed), None
    except InputError as error:
        ordered = [name for name in ORDER if name in frame.columns]
        if not ordered:
            raise
        unordered = frame.drop(columns=ordered)
        return measure_raters(unordered, tables, scale=scale, seed=seed), error.args[0]


def _plain(ratings: pd.DataFrame, *, scale: Scale) -> dict[str, Estimate]:
    """Plain mean of item means, of these items only; its interval ends with the scale."""
    by_item = ratings.groupby("item", sort=False)
    clusters = by_item[CLUSTER].first().tolist() if CLUSTER in ratings.columns else None
    mean = plain_mean(by_item["rating"].mean().tolist(), cluster=clusters)
    mean = within_scale(mean, low=scale.low, high=scale.high)
    return {"these": mean, "others": mean}
