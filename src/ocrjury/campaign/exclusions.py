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
    if history.state in {"collecting", "rated", "held", "sampled"} and history.verdict is None:
        return None
    raise RefusedError(
        phrase(
            "No item can be excluded or taken back while an evaluation is {place}: before the gate "
            "has judged, or where 'rerun judge' is possible.",
            place=history.place,
        )
    )
