"""Words for the rule of a sample's risk, as `ocrjury.sampling.choose_risk` names it."""

LIKELY_BAD = "that are likely to be bad"
_JUDGE = "judge "

_REASONS = {
    "cer": "the error rate is high",
    "confidence": "OCR confidence is low",
    "cer and confidence": "the error rate is high, or confidence low without a reference",
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
        return "Not used: neither references nor confidences are known"
    if rule.startswith(_JUDGE):
        return f"Find failures: more often where the score of {rule.removeprefix(_JUDGE)} is low"
    reasons = rule.split(" or ")
    if len(reasons) > 1:
        words = [_REASONS.get(reason, reason) for reason in reasons]
        where = f"{', '.join(words[:-1])} or {words[-1]}"
        return f"Find failures and settle doubt: more often where {where}"
    if " close to " in rule:
        return f"Settle doubt: more often where {rule}"
    return f"Find failures: more often where {_REASONS.get(rule, f'the {rule} is high')}"


def favoured_documents(rule: str) -> str:
    """Relative clause for the documents that the rule draws more often."""
    if rule.startswith(_JUDGE):
        return LIKELY_BAD
    if " or " in rule:
        return f"{LIKELY_BAD}, or on which a rating tells most,"
    if rule == "expected spread" or " close to " in rule:
        return "on which a rating tells most"
    return LIKELY_BAD
