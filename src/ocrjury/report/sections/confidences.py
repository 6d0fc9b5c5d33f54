"""Sentences about the OCR's own confidence."""

from ocrjury.estimate import Estimate
from ocrjury.findings.pool_metrics import ConfidenceCheck, Coverage, PoolMetrics
from ocrjury.pages.numbers import (
    count,
    decimal,
    estimate_text,
    has_interval,
    percent,
    plural,
    value_text,
)

_WELL, _GAP = 0.05, 0.05
_HALF = 0.5


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
    """Why nothing is said of confidence; empty where something is."""
    if not metrics.n_reference:
        return "No document has a reference, so the OCR’s confidence cannot be checked."
    if not checked(metrics):
        return "The pool has no confidences, so none can be checked."
    return ""


def reliability_title(check: ConfidenceCheck) -> str:
    """Finding of the reliability diagram."""
    if check.constant:
        return f"Every output has the confidence {decimal(check.stated)}: it separates nothing"
    of = "of characters are right" if check.right == "characters" else "are right"
    gap = check.stated - check.correct
    numbers = f"{percent(check.stated, 0)} stated, {percent(check.correct, 0)} {of}"
    if gap >= _GAP:
        return f"The OCR is overconfident: {numbers}"
    if gap <= -_GAP:
        return f"The OCR is underconfident: {numbers}"
    if check.calibration_error.value <= _WELL:
        return f"Confidence reads as a probability: {numbers}"
    return f"Confidence is right on average, not at every level: {numbers}"


def bins_title(check: ConfidenceCheck) -> str:
    """Finding of the table of bins: how right the most confident documents are."""
    if not check.bins:
        return "No confidences"
    top = check.bins[-1]
    return (
        f"From {decimal(top.low, 1)} up: {percent(top.n / check.n, 0)} of the outputs, "
        f"{percent(top.right.value, 0)} right"
    )


def coverage_title(check: ConfidenceCheck) -> str:
    """Finding of the risk-coverage curve."""
    if check.constant:
        return "Routing by confidence is not possible"
    half, whole = wrong_at(check, _HALF), check.coverage[-1]
    return (
        f"The most confident half: {percent(half.wrong)} wrong; all: {percent(whole.wrong)}"
        if half.wrong < whole.wrong
        else "High confidence does not mean fewer errors"
    )


def wrong_at(check: ConfidenceCheck, share: float) -> Coverage:
    """Point of the curve at a share of the documents."""
    return min(check.coverage, key=lambda point: abs(point.share - share))


def numbers_text(metrics: PoolMetrics, check: ConfidenceCheck) -> str:
    """Summary numbers of one check, with intervals where the pool is not fully known."""
    parts = [
        f"expected calibration error {_number(check.calibration_error)}",
        f"Brier score {_number(check.brier)}",
        f"area under the ROC curve {_number(check.auroc)}"
        if check.auroc.defined
        else "no area under the ROC curve, because all or none of the texts are exactly right",
    ]
    about = {
        "exact": "Right: the output equals its reference",
        "characters": "Long texts: confidence is compared with the share of right characters",
        "critical": "Right: no critical error by the field rules",
    }[check.right]
    return f"{about}, n = {count(check.n)}: {', '.join(parts)}.{_left_out(check)}{_known(metrics)}"


def _number(estimate: Estimate) -> str:
    return estimate_text(estimate) if has_interval(estimate) else value_text(estimate)


def _known(metrics: PoolMetrics) -> str:
    if metrics.known:
        return ""
    return " Ranges (95%) are over pages, because some documents have no reference."


def _left_out(check: ConfidenceCheck) -> str:
    """Numbers of documents without a usable confidence; percentages are named."""
    parts = []
    if check.n_missing:
        parts.append(f"{plural(check.n_missing, 'document')} without confidence")
    if check.n_outside:
        end = 100 if check.percentages else 1
        parts.append(f"{count(check.n_outside)} outside 0 to {end}")
    left = f" Left out: {' and '.join(parts)}." if parts else ""
    scale = " Confidences were given from 0 to 100." if check.percentages else ""
    return f"{left}{scale}"


def reliability_alternative(check: ConfidenceCheck) -> str:
    """Reliability diagram in words."""
    rows = (
        f"{decimal(row.low, 1)} to {decimal(row.high, 1)}: {percent(row.right.value, 0)} of "
        f"{count(row.n)}"
        for row in check.bins
    )
    return f"Share right by confidence. {'; '.join(rows)}."


def coverage_alternative(check: ConfidenceCheck) -> str:
    """Risk-coverage curve in words."""
    rows = (
        f"{percent(point.share, 0)}: {percent(point.wrong)}"
        for point in check.coverage
        if round(20 * point.share) % 5 == 0
    )
    return f"Share wrong among the most confident documents. {'; '.join(rows)}."
