"""Words for what makes a document likely to be drawn."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from ocrjury.findings.sampling import RiskReason
from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import listing

Favoured = Literal["bad", "telling", "both"]
"""Items that are likely to be bad, those on which a rating tells most, or both."""
_TELLING = ("near", "spread")
"""Reasons by which a rating tells most; by the others an item is likely to be bad."""


def focus(reasons: Sequence[RiskReason]) -> str:
    """Aim of the error-focused part, and what the pool tells of the documents that it prefers.

    Examples
    --------
    >>> near = RiskReason("near", "cer", 0.05)
    >>> focus([near])
    'Settle doubt: more often where cer close to 0.05'
    >>> focus([RiskReason("cer"), near, RiskReason("confidence")])[:41]
    'Find failures and settle doubt: more ofte'
    """
    if not reasons:
        return tr("Not used: neither references nor confidences are known")
    reason = listing(list(map(_said, reasons)), "or")
    aim = favoured(reasons)
    if aim == "both":
        return tr("Find failures and settle doubt: more often where {reason}", reason=reason)
    if aim == "telling":
        return tr("Settle doubt: more often where {reason}", reason=reason)
    return tr("Find failures: more often where {reason}", reason=reason)


def _said(reason: RiskReason) -> str:
    """Property of the documents that one reason makes more likely to be drawn."""
    score, threshold = reason.score or "", f"{reason.threshold:g}"
    return {
        "cer": phrase("the error rate is high"),
        "confidence": phrase("OCR confidence is low"),
        "cer and confidence": phrase(
            "the error rate is high, or confidence low without a reference"
        ),
        "judge": phrase("the score of {judge} is low", judge=score),
        "near": phrase("{metric} close to {value}", metric=score, value=threshold),
    }[reason.kind]


def favoured(reasons: Sequence[RiskReason]) -> Favoured:
    """Documents that are drawn more often."""
    telling = {reason.kind in _TELLING for reason in reasons}
    if len(telling) == 2:
        return "both"
    return "telling" if True in telling else "bad"


FAVOURED: Final[Mapping[Favoured, str]] = {
    "bad": phrase(
        "Items that are likely to be bad were drawn with a higher probability on purpose; each "
        "is weighted by the inverse of its inclusion probability, so difficult ones count less."
    ),
    "telling": phrase(
        "Items on which a rating tells most were drawn with a higher probability on purpose; "
        "each is weighted by the inverse of its inclusion probability."
    ),
    "both": phrase(
        "Items that are likely to be bad, or on which a rating tells most, were drawn with a "
        "higher probability on purpose; each is weighted by the inverse of its inclusion "
        "probability."
    ),
}
"""Weights of a sample that drew some documents more often."""
