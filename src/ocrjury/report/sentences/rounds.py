"""Rounds of rating."""

from ocrjury.pages.numbers import count, decimal, listing, percent, plural
from ocrjury.report.sections import Round, Rounds


def measured(rounds: Rounds) -> list[Round]:
    """Return the rounds after which truth was inferred."""
    return [row for row in rounds.rows if row.uncertain is not None]


def lead(rounds: Rounds) -> str:
    """Return the section in a sentence."""
    ratings = sum(row.ratings for row in rounds.rows)
    kinds = [row.kind for row in rounds.rows]
    asked = [
        plural(kinds.count(kind), f"{kind} round")
        for kind in ("pilot", "main", "adaptive", "adjudication", "panel")
        if kind in kinds
    ]
    level = decimal(rounds.target_confidence)
    return (
        f"{plural(ratings, 'rating')} were collected in {listing(asked)}. An item is uncertain "
        f"while the probability of its inferred label, on any dimension, is below {level}."
    )


def chart_title(rounds: Rounds) -> str:
    """Return the finding of the chart."""
    rows = measured(rounds)
    if not rows:
        return "No round inferred labels yet"
    first, last = rows[0].uncertain, rows[-1].uncertain
    if len(rows) == 1:
        return f"After the main round {percent(first)} of the items are uncertain"
    later = plural(len(rows) - 1, "further round")
    if last is not None and first is not None and last < first:
        return f"{later} brought uncertain items from {percent(first)} to {percent(last)}"
    return (
        f"{later} did not lower the share of uncertain items: {percent(first)}, now {percent(last)}"
    )


def chart_alternative(rounds: Rounds) -> str:
    """Return the chart in words."""
    steps = [
        f"round {row.number} ({row.kind}) {percent(row.uncertain)}" for row in measured(rounds)
    ]
    return f"{chart_title(rounds)}. Uncertain items after {', '.join(steps)}."


def unresolved_text(rounds: Rounds) -> str | None:
    """Return how many items were not settled."""
    if not rounds.unresolved:
        return None
    return (
        f"{plural(rounds.unresolved, 'item')} stayed below that after the last round and keep the "
        "label that is most probable so far."
    )


def cost_text(rounds: Rounds) -> str:
    """Return what all rounds cost; nothing where a cost is unknown."""
    costs = [row.cost for row in rounds.rows if row.cost is not None]
    if len(costs) < len(rounds.rows):
        return ""
    return f"All rounds together cost {count(sum(costs))} {rounds.cost_unit}".rstrip() + "."
