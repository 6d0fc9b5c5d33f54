"""Sentences about the next round before it is opened."""

from collections.abc import Mapping
from typing import Final

from ocrjury.findings.preview import Assumption, Cause, Lack, NoRound
from ocrjury.language import phrase, said, tr

LACKS: Final[Mapping[Lack, str]] = {
    "": "",
    "no price": phrase("raters.csv has no price for some of these raters"),
    "no currency": phrase("the campaign names no currency (raters.currency)"),
}
"""Reasons why there is no cost."""
_CAUSES: Final[Mapping[Cause, str]] = {
    "estimated": phrase("The pool is estimated; no round opens after that."),
    "not drawn": phrase("The sample is not drawn yet."),
    "nothing pays": phrase("No further rating is worth its cost: the pool is estimated next."),
}


def assumption_text(assuming: Assumption | None) -> str:
    """Sentence on what comes before the next round; empty where nothing does."""
    if assuming is None:
        return ""
    if assuming.event == "proceed":
        return tr("This assumes that a lead proceeds.")
    if assuming.kind == "main":
        return tr(
            "This assumes that round {number} closes as it is, and that the gate passes.",
            number=assuming.number,
        )
    if assuming.kind == "pilot":
        return tr(
            "This assumes that round {number} closes as it is, and that every rater meets the "
            "criterion of the pilot.",
            number=assuming.number,
        )
    return tr("This assumes that round {number} closes as it is.", number=assuming.number)


def no_round_text(because: NoRound) -> str:
    """Sentence on why no round follows."""
    if because.cause in _CAUSES:
        return str(said(_CAUSES[because.cause]))
    if because.cause == "no ratings":
        return tr("Nobody has rated anything in round {number}.", number=because.number)
    if because.cause == "refused":
        return tr("The round cannot be planned: {problem}", problem=said(because.problem))
    if because.cause == "elsewhere":
        return tr("The evaluation is {state}.", state=because.state)
    return tr("The evaluation is {state} next.", state=because.state)
