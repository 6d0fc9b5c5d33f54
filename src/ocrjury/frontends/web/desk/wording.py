"""Names of states, holds and decisions at the desk."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from ocrjury.campaign.decisions import Decision
from ocrjury.campaign.history import History
from ocrjury.pages.numbers import plural

HELD: Final[Mapping[str, str]] = {
    "pool": "The pool cannot be used",
    "plan": "The plan cannot be carried out",
    "no_ratings": "Nobody has rated anything",
    "overdue": "The round is overdue",
    "pilot": "A rater did not meet the criterion of the pilot",
    "inconclusive": "The gate is inconclusive",
    "gate_failed": "Agreement is too low",
    "error": "A step was refused",
}
STATES: Final[Mapping[str, str]] = {
    "opened": "The pool is about to be scored",
    "scored": "The sample is about to be drawn",
    "sampled": "The first round is about to open",
    "rated": "The round is about to be judged",
    "judged": "The next round or the estimate is about to begin",
    "estimated": "The report is about to be written",
    "reported": "The report is being delivered",
    "closed": "Finished",
    "aborted": "Ended by a decision",
}
KINDS: Final[Mapping[str, str]] = {
    "pilot": "Pilot",
    "main": "Main round",
    "adaptive": "Adaptive round",
    "adjudication": "Adjudication",
    "panel": "Panel",
}


TONES: Final[Mapping[str, str]] = {
    "PASS": "pass",
    "FAIL": "fail",
    "INCONCLUSIVE": "inconclusive",
    "MET": "pass",
    "NOT MET": "fail",
    "NOT SHOWN": "inconclusive",
}
"""Colour of a verdict or an outcome; the word is always printed too."""


class DecisionWords(NamedTuple):
    """Title of a decision, what it does, and the parts of a target that its form asks for."""

    title: str
    does: str
    asks: tuple[str, ...] = ()
    grave: bool = False


DECISIONS: Final[Mapping[Decision, DecisionWords]] = {
    "proceed": DecisionWords(
        "Proceed", "Continue with the ratings you have. The report prints your reason."
    ),
    "retry": DecisionWords("Try again", "After you fixed the pool, the campaign or the raters."),
    "extend": DecisionWords(
        "Extend", "Give raters more days, or an inconclusive gate more items.", ("more",)
    ),
    "reassign": DecisionWords(
        "Reassign",
        "Give late items to other raters. If you choose nobody, all late raters are meant.",
        ("raters",),
    ),
    "drop": DecisionWords(
        "Drop out", "Withdraw raters from the round and give their items to others.", ("raters",)
    ),
    "close": DecisionWords("Close the round", "Judge it with the ratings it has."),
    "recalibrate": DecisionWords(
        "Recalibrate",
        "Raters practise in a pilot, then rate fresh items; their earlier ratings do not count. "
        "If you choose nobody, the raters named by the gate are meant.",
        ("raters", "dimensions"),
    ),
    "rerun judge": DecisionWords("Judge again", "Compute the verdict from the stored ratings."),
    "rerun estimate": DecisionWords("Estimate again", "Compute the estimates again."),
    "rerun report": DecisionWords("Write the report again", "Render it from the stored results."),
    "abort": DecisionWords(
        "Abort", "End the evaluation. Its ratings are kept; links stop working.", grave=True
    ),
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
        return f"{HELD.get(str(history.held_reason), 'It is held')}: a decision is needed"
    if history.state != "collecting":
        return STATES[history.state]
    if history.last.complete:
        return "All ratings are in; the next step follows"
    left = plural(history.last.open, "rating")
    return f"Overdue: {left} missing" if history.last.overdue else f"Waits for {left}"
