"""Rows of what was measured about the raters: agreement and bias."""

from collections.abc import Iterator, Mapping

from ocrjury.estimate import Estimate
from ocrjury.export.cells import Row, estimate_cells
from ocrjury.export.tables import HUNDREDTHS
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.raters import BiasTests
from ocrjury.statistics import STATISTICS, grade

LABELS: Mapping[str, str] = {
    "pair_kappa": "kappa of two raters",
    "disagreement_share": "share of items whose ratings lie far apart, weighted",
    "judge_ceiling": "agreement of the raters on the judge's items, its ceiling",
    "alpha_gain": "gain of Krippendorff's alpha without the rater",
}
"""Names of what the table of statistics does not hold."""
_SHARES = ("disagreement_share",)


def agreement_rows(findings: tuple[AgreementFinding, ...]) -> Iterator[Row]:
    """Every coefficient of every dimension."""
    for finding in findings:
        for statistic, estimate in finding.estimates.items():
            yield _row(finding, statistic, estimate)
        yield _row(finding, "disagreement_share", finding.disagreements.share)
        for pair in finding.pairs.rows if finding.pairs else ():
            raters = {"rater": pair.rater_a, "other_rater": pair.rater_b}
            weights = None if finding.pairs is None else finding.pairs.weights
            yield _row(finding, "pair_kappa", pair.estimate, weights=weights, **raters)
        for judge in finding.judges:
            yield _row(finding, "judge_alignment", judge.alignment, judge=judge.judge)
            yield _row(finding, "judge_ceiling", judge.ceiling, judge=judge.judge)


def gain_rows(bias: BiasTests | None) -> Iterator[Row]:
    """What alpha would gain without each rater."""
    for dimension, gains in (bias.gains if bias else {}).items():
        for rater, estimate in gains.items():
            yield _cells(dimension, "alpha_gain", estimate, rater=rater)


def bias_rows(bias: BiasTests | None, *, stretched: bool) -> Iterator[Row]:
    """Every test for bias; ``stretched`` tells that scales are unlike, and ran from 0 to 100."""
    for finding in bias.findings if bias else ():
        body = finding.to_json()
        if stretched:
            body["unit"] = finding.unit.replace("points", HUNDREDTHS, 1)
        unbounded = body["effect"] is not None and body["low"] is None
        reason = finding.reason or ("no_interval" if unbounded else None)
        yield {**body, "flagged_overall": finding.flagged_overall, "reason": reason}


def _row(
    finding: AgreementFinding, statistic: str, estimate: Estimate, **others: str | None
) -> Row:
    return _cells(finding.dimension, statistic, estimate, **others)


def _cells(dimension: str, statistic: str, estimate: Estimate, **others: str | None) -> Row:
    known, graded = STATISTICS.get(statistic), None
    if known:
        graded = grade(statistic, estimate.value)
    share = known.is_share if known else statistic in _SHARES
    return {
        "dimension": dimension,
        "statistic": statistic,
        "label": known.label if known else LABELS.get(statistic, statistic),
        "unit": "share" if share else "coefficient",
        **others,
        **estimate_cells(estimate),
        "grade": graded.common if graded else None,
    }
