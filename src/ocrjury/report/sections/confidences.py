"""Sentences about the OCR's own confidence."""

import math

from ocrjury.findings.pool_metrics import ConfidenceCheck, Coverage, PoolMetrics
from ocrjury.language import phrase, tr, trn
from ocrjury.pages.document_text import cut, visible
from ocrjury.pages.numbers import (
    clauses,
    count,
    decimal,
    estimate_text,
    has_interval,
    listing,
    paragraph,
    percent,
    range_text,
    series,
    value_text,
)

_WELL, _GAP = 0.05, 0.05
_HALF = 0.5
_ABOUT = {
    "exact": phrase("Right: the output equals its reference"),
    "characters": phrase("Long texts: confidence is compared with the share of right characters"),
    "critical": phrase("Right: no critical error by the field rules"),
}
"""Target of a confidence."""


def texts(metrics: PoolMetrics) -> list[ConfidenceCheck]:
    """Checks against the references, one for each system."""
    return [check for check in metrics.confidences if check.right != "critical"]


def checked(metrics: PoolMetrics) -> list[ConfidenceCheck]:
    """Checks against the references of systems that have confidences."""
    return [check for check in texts(metrics) if check.n]


def errors(metrics: PoolMetrics, check: ConfidenceCheck) -> ConfidenceCheck | None:
    """Check of the same system against critical errors, None without field rules."""
    return next(
        (
            row
            for row in metrics.confidences
            if row.right == "critical" and row.system == check.system and row.n
        ),
        None,
    )


def absent_text(metrics: PoolMetrics) -> str:
    """Reason for which there is nothing on confidence; empty where there is."""
    if not metrics.n_reference:
        return tr("No output has a reference, so the OCR’s confidence cannot be checked.")
    if not checked(metrics):
        return tr("The pool has no confidences, so none can be checked.")
    return ""


def reliability_title(check: ConfidenceCheck) -> str:
    """Finding of the reliability diagram."""
    if check.constant:
        return tr(
            "Every output has the confidence {stated}: it separates nothing",
            stated=decimal(check.stated),
        )
    gap, numbers = check.stated - check.correct, _stated_and_right(check)
    if gap >= _GAP:
        return tr("The OCR is overconfident: {numbers}", numbers=numbers)
    if gap <= -_GAP:
        return tr("The OCR is underconfident: {numbers}", numbers=numbers)
    if check.calibration_error.value <= _WELL:
        return tr("Confidence reads as a probability: {numbers}", numbers=numbers)
    if check.calibration_error.low <= _WELL:
        return tr("Confidence is right on average: {numbers}", numbers=numbers)
    return tr("Confidence is right on average, not at every level: {numbers}", numbers=numbers)


def _stated_and_right(check: ConfidenceCheck) -> str:
    """Mean confidence beside the share that is right."""
    stated, right = percent(check.stated, 0), percent(check.correct, 0)
    if check.right == "characters":
        return tr("{stated} stated, {right} of characters are right", stated=stated, right=right)
    return tr("{stated} stated, {right} are right", stated=stated, right=right)


def reliability_text(check: ConfidenceCheck, *, system: bool) -> str:
    """Caption of the reliability diagram, with the system where there are several."""
    name = tr("{system}.", system=cut(visible(check.system), 30)) if system else ""
    about = (
        tr("Share right with 95% ranges, n = {n}; dashed: as stated.", n=count(check.n))
        if any(has_interval(row.right) for row in check.bins)
        else tr("Share right of all {n}, no sampling error; dashed: as stated.", n=count(check.n))
    )
    return paragraph([name, about])


def bins_title(check: ConfidenceCheck) -> str:
    """Finding of the table of bins: how right the most confident documents are."""
    if not check.bins:
        return tr("No confidences")
    top = check.bins[-1]
    return tr(
        "From {low} up: {share} of the outputs, {right} right",
        low=decimal(top.low, 1),
        share=percent(top.n / (check.n + check.n_missing + check.n_outside), 0),
        right=percent(top.right.value, 0),
    )


def coverage_title(check: ConfidenceCheck) -> str:
    """Finding of the risk-coverage curve."""
    if check.constant:
        return tr("Routing by confidence is not possible")
    half, whole = wrong_at(check, _HALF), check.coverage[-1]
    if half.wrong >= whole.wrong:
        return tr("High confidence does not mean fewer errors")
    return tr(
        "The most confident half: {half} wrong; all: {whole}",
        half=percent(half.wrong),
        whole=percent(whole.wrong),
    )


def coverage_text(check: ConfidenceCheck, errors: ConfidenceCheck | None) -> str:
    """Caption of the risk-coverage curve."""
    what = (
        tr("Share wrong with 95% range, n = {n}.", n=count(check.n))
        if band(check)
        else tr("Share wrong of all {n}, no sampling error.", n=count(check.n))
    )
    if errors is None:
        return what
    return paragraph([what, tr("Dashed: critical errors of fields, n = {n}.", n=count(errors.n))])


def band(check: ConfidenceCheck) -> list[Coverage]:
    """Points of the curve with an interval, none where the pool is fully known."""
    return [point for point in check.coverage if math.isfinite(point.high)]


def wrong_at(check: ConfidenceCheck, share: float) -> Coverage:
    """Point of the curve at a share of the documents."""
    return min(check.coverage, key=lambda point: abs(point.share - share))


def numbers_text(metrics: PoolMetrics, check: ConfidenceCheck) -> str:
    """Summary numbers of one check, with intervals where the pool is not fully known."""
    numbers = tr(
        "{about}, n = {n}: {numbers}.",
        about=_ABOUT[check.right],
        n=count(check.n),
        numbers=series(_numbers(check)),
    )
    return paragraph([numbers, *_left_out(check), _known(metrics, check)])


def _numbers(check: ConfidenceCheck) -> list[str]:
    """Calibration error, Brier score and area under the curve, or why there is no area."""
    text = estimate_text if _is_sampled(check) else value_text
    area = (
        tr("area under the ROC curve {number}", number=text(check.auroc))
        if check.auroc.defined
        else tr("no area under the ROC curve, because all or none of the texts are exactly right")
    )
    return [
        tr("expected calibration error {number}", number=text(check.calibration_error)),
        tr("Brier score {number}", number=text(check.brier)),
        area,
    ]


def _is_sampled(check: ConfidenceCheck) -> bool:
    """Return whether the documents of a check stand for others, so that its numbers have ranges."""
    return any(
        has_interval(number) or number.reason is not None
        for number in (check.brier, check.calibration_error)
    )


def _known(metrics: PoolMetrics, check: ConfidenceCheck) -> str:
    if metrics.known:
        return ""
    if not _is_sampled(check):
        return tr("No ranges: these numbers speak of the compared outputs only.")
    return tr("Ranges (95%) are over pages, because some outputs have no reference.")


def _left_out(check: ConfidenceCheck) -> list[str]:
    """Sentences on documents without a usable confidence, and on percentages."""
    missing, end = check.n_missing, 100 if check.percentages else 1
    parts = []
    if missing:
        parts.append(
            trn("{n} output without confidence", "{n} outputs without confidence", missing)
        )
    if check.n_outside:
        parts.append(tr("{n} outside 0 to {end}", n=count(check.n_outside), end=end))
    return [
        tr("Left out: {documents}.", documents=listing(parts)) if parts else "",
        tr("Confidences were given from 0 to 100.") if check.percentages else "",
    ]


def reliability_alternative(check: ConfidenceCheck) -> str:
    """Reliability diagram in words."""
    rows = clauses(
        tr(
            "{range}: {share} of {n}",
            range=range_text(decimal(row.low, 1), decimal(row.high, 1)),
            share=percent(row.right.value, 0),
            n=count(row.n),
        )
        for row in check.bins
    )
    return tr("Share right by confidence. {rows}.", rows=rows)


def coverage_alternative(check: ConfidenceCheck) -> str:
    """Risk-coverage curve in words."""
    rows = clauses(
        tr("{share}: {wrong}", share=percent(point.share, 0), wrong=percent(point.wrong))
        for point in check.coverage
        if round(20 * point.share) % 5 == 0
    )
    return tr("Share wrong among the most confident outputs. {rows}.", rows=rows)
