"""Exclusions of items by a lead: the states that allow them, and the decision that must follow.

Before the gate has judged, nothing was computed with the item. Afterwards an exclusion changes what
was judged, so it is taken only where the verdict can be computed again, and then it is.
"""

from typing import Literal

from ocrjury.campaign.decisions import allowed
from ocrjury.campaign.history import History
from ocrjury.errors import RefusedError
from ocrjury.language import phrase

RERUN: Literal["rerun judge"] = "rerun judge"
_BEFORE_THE_GATE = ("collecting", "rated", "held", "sampled")


def what_follows(history: History) -> Literal["rerun judge"] | None:
    """Decision that has to follow an exclusion or its undoing; None before the gate has judged.

    Raises
    ------
    RefusedError
        If nothing is drawn yet, or the verdict stands and cannot be computed again here.

    Examples
    --------
    >>> what_follows(History("reported", verdict="PASS"))
    'rerun judge'
    """
    if RERUN in allowed(history) and history.verdict is not None:
        return RERUN
    if why := why_none_now(history):
        raise RefusedError(why)
    return None


def why_none_now(history: History) -> str:
    """Sentence on why no item can be excluded as an evaluation stands; empty if one can.

    Examples
    --------
    >>> why_none_now(History("reported", verdict="PASS"))
    ''
    """
    rerun = RERUN in allowed(history) and history.verdict is not None
    unjudged = history.state in _BEFORE_THE_GATE and history.verdict is None
    if rerun or unjudged:
        return ""
    return phrase(
        "No item can be excluded now, and no exclusion taken back: the evaluation is {place}. Both "
        "can be done before the gate has judged, and where 'rerun judge' is possible.",
        place=history.place,
    )
