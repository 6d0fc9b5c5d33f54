"""Names of states, holds, decisions and dimensions at the desk."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from ocrjury.campaign.decisions import Decision
from ocrjury.findings.cover import WORDS
from ocrjury.gate.verdict import VERDICT_WORDS
from ocrjury.language import phrase

NAMES: Final[Mapping[str, str]] = {
    "opened": phrase("opened"),
    "scored": phrase("scored"),
    "sampled": phrase("sampled"),
    "collecting": phrase("collecting"),
    "rated": phrase("rated"),
    "judged": phrase("judged"),
    "held": phrase("held"),
    "estimated": phrase("estimated"),
    "reported": phrase("reported"),
    "closed": phrase("closed"),
    "aborted": phrase("aborted"),
}
"""The state of an evaluation in a word."""
HOLDS: Final[Mapping[str, str]] = {
    "pool": phrase("held: pool"),
    "plan": phrase("held: plan"),
    "no_ratings": phrase("held: no ratings"),
    "overdue": phrase("held: overdue"),
    "pilot": phrase("held: pilot"),
    "inconclusive": phrase("held: inconclusive"),
    "gate_failed": phrase("held: gate failed"),
    "error": phrase("held: error"),
}
"""A hold in a word."""
KINDS: Final[Mapping[str, str]] = {
    "pilot": phrase("Pilot"),
    "main": phrase("Main round"),
    "adaptive": phrase("Adaptive round"),
    "adjudication": phrase("Adjudication"),
    "panel": phrase("Panel"),
}
ROUNDS: Final[Mapping[str, str]] = {
    "planned": phrase("planned"),
    "open": phrase("open"),
    "closed": phrase("closed"),
    "dropped": phrase("dropped"),
}
"""The state of a round in a word."""
PACES: Final[Mapping[str, str]] = {
    "done": phrase("done"),
    "on pace": phrase("on pace"),
    "behind": phrase("behind"),
    "late": phrase("late"),
    "not started": phrase("not started"),
    "withdrawn": phrase("withdrawn"),
}
LINKS: Final[Mapping[str, str]] = {
    "works": phrase("works"),
    "expired": phrase("expired"),
    "revoked": phrase("revoked"),
    "none": phrase("none"),
}
OUTCOMES: Final[Mapping[str, str]] = {**WORDS, **VERDICT_WORDS}
"""Outcome of the target, or verdict of the gate, in a word."""
TONES: Final[Mapping[str, str]] = {
    "PASS": "pass",
    "FAIL": "fail",
    "INCONCLUSIVE": "inconclusive",
    "MET": "pass",
    "NOT MET": "fail",
    "NOT SHOWN": "inconclusive",
}
"""Colour of a verdict or an outcome; the word is always printed too."""


FLAGS: Final[Mapping[str, str]] = {
    "unreadable": phrase("Image unreadable"),
    "wrong_image": phrase("Wrong image or place"),
    "wrong_reference": phrase("Reference is wrong"),
    "privacy": phrase("Privacy concern"),
    "other": phrase("Something else"),
}
"""Reasons for which a rater reports an item."""
REMARKS: Final[Mapping[str, str]] = {
    "open": phrase("Open"),
    "answered": phrase("Answered"),
    "all": phrase("All"),
}


class DecisionWords(NamedTuple):
    """Title of a decision, what it does, and the parts of a target that its form asks for."""

    title: str
    does: str
    asks: tuple[str, ...] = ()
    grave: bool = False


DECISIONS: Final[Mapping[Decision, DecisionWords]] = {
    "proceed": DecisionWords(
        phrase("Proceed"),
        phrase(
            "Continue with the ratings you have. The report prints your reason; of a dimension "
            "that failed the gate it still prints no result."
        ),
    ),
    "retry": DecisionWords(
        phrase("Try again"), phrase("After you fixed the pool, the campaign or the raters.")
    ),
    "extend": DecisionWords(
        phrase("Extend"),
        phrase("Give raters more days, or an inconclusive gate more items."),
        ("more",),
    ),
    "reassign": DecisionWords(
        phrase("Reassign"),
        phrase("Give late items to other raters. If you choose nobody, all late raters are meant."),
        ("raters",),
    ),
    "drop": DecisionWords(
        phrase("Drop out"),
        phrase("Withdraw raters from the round and give their items to others."),
        ("raters",),
    ),
    "close": DecisionWords(phrase("Close the round"), phrase("Judge it with the ratings it has.")),
    "recalibrate": DecisionWords(
        phrase("Recalibrate"),
        phrase(
            "Raters practise in a pilot, then rate new items; their earlier ratings do not "
            "count. If you choose nobody, the raters named by the gate are meant."
        ),
        ("raters", "dimensions"),
    ),
    "rerun judge": DecisionWords(
        phrase("Judge again"), phrase("Compute the verdict from the stored ratings.")
    ),
    "rerun estimate": DecisionWords(
        phrase("Estimate again"), phrase("Compute the estimates again.")
    ),
    "rerun report": DecisionWords(
        phrase("Write the report again"), phrase("Render it from the stored results.")
    ),
    "abort": DecisionWords(
        phrase("Abort"),
        phrase("End the evaluation. Its ratings are kept; links stop working."),
        grave=True,
    ),
}
