"""Words for the rule of a sample's risk, as `ocrjury.sampling.choose_risk` names it."""

from collections.abc import Mapping
from typing import Final, Literal

from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import listing

Favoured = Literal["bad", "telling", "both"]
"""Items that are likely to be bad, those on which a rating tells most, or both."""
_JUDGE = "judge "
_CLOSE = " close to "

_REASONS = {
    "cer": phrase("the error rate is high"),
    "confidence": phrase("OCR confidence is low"),
    "cer and confidence": phrase("the error rate is high, or confidence low without a reference"),
}


def focus(rule: str) -> str:
    """Aim of the error-focused part, and what made a document likely to be drawn by it.

    Examples
    --------
    >>> focus("cer close to 0.05")
    'Settle doubt: more often where cer close to 0.05'
    >>> focus("cer or cer close to 0.05 or confidence")[:41]
    'Find failures and settle doubt: more ofte'
    """
    if rule == "none":
        return tr("Not used: neither references nor confidences are known")
    reasons = [rule] if rule.startswith(_JUDGE) else rule.split(" or ")
    reason = listing([_reason(part) for part in reasons], "or")
    if len(reasons) > 1:
        return tr("Find failures and settle doubt: more often where {reason}", reason=reason)
    if _CLOSE in rule and not rule.startswith(_JUDGE):
        return tr("Settle doubt: more often where {reason}", reason=reason)
    return tr("Find failures: more often where {reason}", reason=reason)


def _reason(rule: str) -> str:
    """What is true of the documents that one part of a rule prefers."""
    if rule.startswith(_JUDGE):
        return phrase("the score of {judge} is low", judge=rule.removeprefix(_JUDGE))
    if _CLOSE in rule:
        metric, _, value = rule.partition(_CLOSE)
        return phrase("{metric} close to {value}", metric=metric, value=value)
    return _REASONS.get(rule, phrase("the {metric} is high", metric=rule))


def favoured(rule: str) -> Favoured:
    """Documents that the rule draws more often."""
    if rule.startswith(_JUDGE):
        return "bad"
    if " or " in rule:
        return "both"
    return "telling" if rule == "expected spread" or _CLOSE in rule else "bad"


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
