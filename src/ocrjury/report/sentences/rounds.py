"""Rounds of rating."""

from itertools import takewhile

from ocrjury.pages.numbers import count, decimal, listing, percent, plural
from ocrjury.report.round_section import Round, Rounds


def measured(rounds: Rounds) -> list[Round]:
    """Return the rounds after which truth was inferred."""
    return [row for row in rounds.rows if row.uncertain is not None]


def lead(rounds: Rounds) -> str:
    """Return the section in a sentence or two."""
    kinds = [row.kind for row in rounds.rows]
    asked = [
        plural(kinds.count(kind), f"{kind} round")
        for kind in ("pilot", "main", "adaptive", "adjudication", "panel")
        if kind in kinds
    ]
    level = decimal(rounds.target_confidence)
    return (
        f"{_counted(rounds)} {listing(asked)}. An item is uncertain while the "
        f"{rounds.confidence} in its inferred label, on any dimension, is below {level}."
    )


def _counted(rounds: Rounds) -> str:
    """Return how much was asked and given, as far as it was counted."""
    assignments = [row.assignments for row in rounds.rows if row.assignments is not None]
    if len(assignments) < len(rounds.rows):
        return "There were"
    done = plural(sum(assignments), "assignment")
    ratings = [row.ratings for row in rounds.rows if row.ratings is not None]
    if len(ratings) < len(rounds.rows):
        return f"{done} were done in"
    return f"{done}, with {plural(sum(ratings), 'rating')} in all, were done in"


def chart_title(rounds: Rounds) -> str:
    """Return the finding of the chart: what further ratings brought, apart from who settled."""
    rows = measured(rounds)
    if not rows:
        return "No round inferred labels yet"
    asked = list(takewhile(lambda row: not row.settles, rows)) or rows[:1]
    first, last = asked[0].uncertain, asked[-1].uncertain
    words = _change(len(asked) - 1, first, last)
    if len(asked) == len(rows):
        return words
    who = listing(_settling(rounds))
    return f"{words}; {who}, certain by definition, left {percent(rows[-1].uncertain)}"


def _change(n_later: int, first: float | None, last: float | None) -> str:
    """Return what further rounds did to the share of uncertain items."""
    if not n_later:
        return f"After the main round {percent(first)} of the items are uncertain"
    later = plural(n_later, "further round")
    if last is not None and first is not None and last < first:
        return f"{later} brought uncertain items from {percent(first)} to {percent(last)}"
    return (
        f"{later} did not lower the share of uncertain items: {percent(first)}, now {percent(last)}"
    )


def chart_subtitle(rounds: Rounds) -> str:
    """Return what the marks are, and why agreement is not among them."""
    square = (
        " A square: labels settled by a person, which count as certain by definition."
        if rounds.settled
        else ""
    )
    return (
        f"Share of items whose label is uncertain after each round.{square} Agreement is not "
        "drawn: later rounds hold the items that divide raters, so it must fall there."
    )


def settled_text(rounds: Rounds) -> str | None:
    """Return what a label is worth that an adjudicator or a panel gave."""
    if not rounds.settled:
        return None
    words = listing([_SETTLED[kind] for kind in _settling(rounds)], "or")
    return (
        f"A label is final when {words}. It counts as certain and is not inferred, so the share of "
        "uncertain items falls there by definition, not because raters agree."
    )


_SETTLED = {
    "adjudication": "the adjudicator agrees with a rater",
    "panel": "the panel decides (its lower median)",
}


def _settling(rounds: Rounds) -> list[str]:
    """Return the kinds of rounds that settled labels, in order."""
    return list(dict.fromkeys(row.kind for row in rounds.rows if row.settles and row.items))


def chart_alternative(rounds: Rounds) -> str:
    """Return the chart in words."""
    steps = [
        f"round {row.number} ({row.kind}) {percent(row.uncertain)}" for row in measured(rounds)
    ]
    return f"{chart_title(rounds)}. Uncertain items after {', '.join(steps)}."


def top_up_text(rounds: Rounds) -> str | None:
    """Return which rounds topped up the sample, and what they count for."""
    rows = [row for row in rounds.rows if row.top_up]
    if not rows:
        return None
    said = [f"round {row.number} added {plural(row.items, 'item')}" for row in rows]
    return (
        f"After the first main round the gate could not decide, so {listing(said)}: the next "
        "documents in draw order, whose inclusion probabilities stay known. Their first-pass "
        "ratings count for the gate and for every estimate."
    )


def unresolved_text(rounds: Rounds) -> str | None:
    """Return how many items were not settled."""
    if not rounds.unresolved:
        return None
    return (
        f"{plural(rounds.unresolved, 'item')} stayed uncertain after the last round: for each the "
        "label that is most probable so far is kept."
    )


def cost_text(rounds: Rounds) -> str:
    """Return what all rounds cost; of those alone whose cost is known."""
    costs = [row.cost for row in rounds.rows if row.cost is not None]
    if not costs:
        return ""
    amount = f"{count(sum(costs))} {rounds.cost_unit}".rstrip()
    if len(costs) < len(rounds.rows):
        return f"The {plural(len(costs), 'round')} of known cost took {amount} together."
    return f"All rounds together cost {amount}."
