"""Rows of what was measured about raters, and about metrics beside them: agreement and bias."""

from collections.abc import Iterator, Mapping
from typing import Final

from ocrjury.bias.findings import DISTANCE_PER_SESSION, POINTS, POINTS_PER_SESSION
from ocrjury.estimate import Estimate
from ocrjury.export.cells import Row, estimate_cells
from ocrjury.export.tables import HUNDREDTHS
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.pool_scores import RankCorrelations
from ocrjury.findings.raters import BiasTests
from ocrjury.findings.truth import TruthSummary
from ocrjury.statistics import grade, statistic

STRETCHED: Final[Mapping[str, str]] = {
    POINTS: HUNDREDTHS,
    POINTS_PER_SESSION: f"{HUNDREDTHS} per session",
    DISTANCE_PER_SESSION: f"{HUNDREDTHS} of distance per session",
}
"""Units of biases where unlike scales were stretched; points per point stay what they are."""


def agreement_rows(findings: tuple[AgreementFinding, ...]) -> Iterator[Row]:
    """Every coefficient of every dimension, and the mean of each rater."""
    for finding in findings:
        for key, estimate in finding.estimates.items():
            yield _row(finding, key, estimate)
        yield _row(finding, "disagreement_share", finding.disagreements.share)
        if (pairs := finding.pairs) is not None:
            for pair in pairs.rows:
                raters = {"rater": pair.rater_a, "other_rater": pair.rater_b}
                yield _row(finding, pairs.statistic, pair.estimate, weights=pairs.weights, **raters)
        for profile in finding.profiles:
            yield _row(finding, "rater_mean", profile.mean, rater=profile.rater)
        for judge in finding.judges:
            yield _row(finding, "judge_alignment", judge.alignment, judge=judge.judge)
            yield _row(finding, "judge_ceiling", judge.ceiling, judge=judge.judge)


def label_share_rows(truths: TruthSummary | None) -> Iterator[Row]:
    """Share of each rater's ratings that equal the label."""
    for dimension, truth in (truths.dimensions if truths else {}).items():
        for rater, share in truth.equal_to_label.items():
            yield _cells(dimension, "equal_to_label", share, rater=rater)


def rank_rows(findings: tuple[RankCorrelations, ...]) -> Iterator[Row]:
    """Rank correlation of every metric with the ratings of every dimension."""
    for finding in findings:
        for metric, rho in finding.by_metric.items():
            yield _cells(finding.dimension, "spearman_rho", rho, metric=metric)


def gain_rows(bias: BiasTests | None) -> Iterator[Row]:
    """Rows of the gain in alpha without each rater."""
    for dimension, gains in (bias.gains if bias else {}).items():
        for rater, estimate in gains.items():
            yield _cells(dimension, "alpha_gain", estimate, rater=rater)


def bias_rows(bias: BiasTests | None, *, stretched: bool) -> Iterator[Row]:
    """Every test for bias; ``stretched`` tells that scales are unlike, and ran from 0 to 100."""
    for finding in bias.findings if bias else ():
        body = finding.to_json()
        if stretched:
            body["unit"] = STRETCHED.get(finding.unit, finding.unit)
        unbounded = body["effect"] is not None and body["low"] is None
        reason = finding.reason or ("no_interval" if unbounded else None)
        yield {**body, "flagged_overall": finding.flagged_overall, "reason": reason}


def _row(finding: AgreementFinding, key: str, estimate: Estimate, **others: str | None) -> Row:
    return _cells(finding.dimension, key, estimate, **others)


def _cells(dimension: str, key: str, estimate: Estimate, **others: str | None) -> Row:
    row, graded = statistic(key), grade(key, estimate.value)
    return {
        "dimension": dimension,
        "statistic": key,
        "label": row.label,
        "unit": row.unit,
        **others,
        **estimate_cells(estimate),
        "grade": graded.common if graded else None,
    }
