"""Advice on one rater who lowers the agreement."""

from ocrjury.gate.verdict import Action
from ocrjury.language import phrase


def recalibrate_alone(dimension: str, rater: str, gain: str) -> Action:
    """Recalibration of one rater."""
    text = phrase(
        "Recalibrate {rater} on {dimension}: without this rater alpha would be "
        "{gain} higher. Then have the rater's items rated again.",
        rater=rater,
        dimension=dimension,
        gain=gain,
    )
    return Action("recalibrate", text, dimension, rater)


def recalibrate_all(dimension: str, rater: str) -> Action:
    """Recalibration of a rater who can be compared with other raters only."""
    text = phrase(
        "Recalibrate all raters on {dimension}, {rater} above all, who lowers alpha; too little "
        "gold for {rater} alone.",
        rater=rater,
        dimension=dimension,
    )
    return Action("recalibrate", text, dimension)


def refer_to_verdict(dimension: str, rater: str, gain: str) -> Action:
    """Action on an export, which does not tell who can be recalibrated."""
    text = phrase(
        "{rater} lowers alpha on {dimension}: without this rater it would be {gain} higher. The "
        "verdict of the evaluation says whether to recalibrate {rater} alone or with all raters, "
        "or to go through the anchors.",
        rater=rater,
        dimension=dimension,
        gain=gain,
    )
    return Action("discuss", text, dimension, rater)


def discuss_anchors(dimension: str, rater: str, gain: str) -> Action:
    """Action where nobody could rate new items after a recalibration."""
    text = phrase(
        "Go through the anchors of {dimension} with {rater} before the next evaluation: without "
        "this rater alpha would be {gain} higher. The pool has too few new items for a "
        "recalibration.",
        rater=rater,
        dimension=dimension,
        gain=gain,
    )
    return Action("discuss", text, dimension, rater)
