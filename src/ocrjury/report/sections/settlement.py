"""Outcome of the uncertain items: labels that people settled, and those that stayed open."""

from ocrjury.language import phrase, tr, trn
from ocrjury.pages.numbers import listing
from ocrjury.report.sections.round_chart import settling
from ocrjury.report.sections.rounds import Rounds


def text(rounds: Rounds) -> str | None:
    """Rule by which an adjudicator's or a panel's decision makes a label final."""
    if not rounds.settled:
        return None
    conditions = {
        "adjudication": phrase("the adjudicator agrees with a rater"),
        "panel": phrase("the panel decides (its lower median)")
        if rounds.ordered
        else phrase("the panel decides (its most frequent vote)"),
        "expert": phrase("an expert decides, alone"),
    }
    return tr(
        "A label is final when {conditions}. It counts as certain and is not inferred, so the "
        "share of uncertain items falls there by definition, not because raters agree.",
        conditions=listing([conditions[form] for form in settling(rounds)], "or"),
    )


def unresolved_text(rounds: Rounds) -> str | None:
    """Number of items not settled."""
    if not rounds.unresolved:
        return None
    return trn(
        "{n} item stayed uncertain after the last round: its most probable label so far is kept.",
        "{n} items stayed uncertain after the last round: for each the label that is most probable "
        "so far is kept.",
        rounds.unresolved,
    )
