"""State of an evaluation, in the words of the desk and of the Prefect UI."""

from collections.abc import Mapping
from typing import Final

from ocrjury.campaign.history import History
from ocrjury.language import phrase, said, tr, trn

_HELD: Final[Mapping[str, str]] = {
    "pool": phrase("The pool cannot be used"),
    "plan": phrase("The plan cannot be carried out"),
    "no_ratings": phrase("Nobody has rated anything"),
    "overdue": phrase("The round is overdue"),
    "pilot": phrase("A rater did not meet the criterion of the pilot"),
    "inconclusive": phrase("The gate is inconclusive"),
    "gate_failed": phrase("Agreement is too low"),
    "error": phrase("A step was refused"),
}
_STATES: Final[Mapping[str, str]] = {
    "opened": phrase("The pool is about to be scored"),
    "scored": phrase("The sample is about to be drawn"),
    "sampled": phrase("The first round is about to open"),
    "rated": phrase("The round is about to be judged"),
    "judged": phrase("The next round or the estimate is about to begin"),
    "estimated": phrase("The report is about to be written"),
    "reported": phrase("The report is being delivered"),
    "closed": phrase("Finished"),
    "aborted": phrase("Ended by a decision"),
}


def awaits(history: History) -> str:
    """One sentence on what an evaluation waits for.

    Examples
    --------
    >>> awaits(History("held", "gate_failed", "judged"))
    'Agreement is too low: a decision is needed'
    >>> awaits(History("closed"))
    'Finished'
    """
    if history.state == "held":
        why = said(_HELD[str(history.held_reason)])
        return tr("{why}: a decision is needed", why=why)
    if history.state != "collecting":
        return str(said(_STATES[history.state]))
    if history.last.complete:
        return tr("All assignments are done; the next step follows")
    left = history.last.open
    if history.last.overdue:
        return trn("Overdue: {n} assignment missing", "Overdue: {n} assignments missing", left)
    return trn("Waits for {n} assignment", "Waits for {n} assignments", left)
