"""Ratings above what a field rule allows."""

from ocrjury.pages.numbers import count, listing, percent, plural
from ocrjury.report.data import ReportData
from ocrjury.report.rule_section import RuleBreak, RuleBreaks, RuleRow

_FEW_LEVELS = 5
"""Columns of levels; a continuous scale has too many values."""
KEPT = (
    "Each is kept as it was given and counts like any other: a rule that many raters break may "
    "itself be wrong. Discuss it with them, or change the rule."
)
_WHOSE = {
    "value_differs": "is wrong",
    "text_differs": "is not the same in every character",
    "only_format_differs": "is right but written another way",
    "ned": "differs too much for that",
}


def lead(rules: RuleBreaks) -> str:
    """Return how many ratings lie above what the rules allow."""
    about = f"{plural(rules.checked, 'rating')} of fields that a rule is about"
    if not rules.broken:
        return f"None of the {about} lies above what the rule allows."
    verb = "lies" if rules.broken == 1 else "lie"
    share = percent(rules.broken / rules.checked)
    return f"{count(rules.broken)} of the {about} ({share}) {verb} above what the rule allows."


def told_text(report: ReportData, rules: RuleBreaks) -> str:
    """Return of how many the raters were told while rating."""
    if report.identity.simulated:
        return "Simulated raters know no rules and are told of none."
    if not rules.told:
        return "No rater was told while rating: only the rating page shows which rule applies."
    return (
        f"Of {count(rules.told)} the rater was told while rating, and left the rating as it was; "
        "only the rating page tells."
    )


def broken(rules: RuleBreaks) -> list[RuleRow]:
    """Return the rules that were broken, the one broken most often first."""
    rows = [row for row in rules.rows if row.breaks]
    return sorted(rows, key=lambda row: -sum(one.ratings for one in row.breaks))


def unbroken_text(rules: RuleBreaks) -> str | None:
    """Return the names of the rules that nobody broke, beside those that somebody did."""
    names = [row.rule for row in rules.rows if not row.breaks]
    return f"Nobody broke {listing(names, 'or')}." if names else None


def most(row: RuleRow) -> list[RuleBreak]:
    """Return who broke a rule, the most frequent first."""
    return sorted(row.breaks, key=lambda one: (-one.ratings, one.dimension, one.rater))


def levels(row: RuleRow) -> list[float]:
    """Levels given above a rule, the highest first; none where they are too many for columns."""
    given = {level for one in row.breaks for level, _ in one.levels}
    return sorted(given, reverse=True) if len(given) <= _FEW_LEVELS else []


def given_at(one: RuleBreak, level: float) -> str:
    """Number of items to which a rater gave a level."""
    return count(dict(one.levels).get(level, 0))


def whose(row: RuleRow) -> str:
    """Condition under which a rule applies, such as "items whose amount is wrong"."""
    return f"items whose {row.kind} {_WHOSE[row.when]}"


def told_of(one: RuleBreak) -> str:
    """Return of how many ratings a rater was told."""
    return f"{count(one.told)} of {count(one.ratings)}"
