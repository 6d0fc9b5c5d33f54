"""Ratings above what a field rule of the rubric allows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ocrjury.campaign.field_rules import FieldRule
from ocrjury.campaign.texts import in_language
from ocrjury.pages.numbers import count, listing, percent, plural
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section
from ocrjury.report.stored import Stored
from ocrjury.store.remarks import RuleBreakRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBreak:
    """How often one rater broke one rule on one dimension.

    ``levels`` are the ratings given and to how many items, the highest first; ``told`` counts the
    ratings whose rater was told of the rule while rating.
    """

    dimension: str
    rater: str
    ratings: int
    items: int
    told: int
    levels: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRow:
    """One field rule with who broke it.

    ``kind`` and ``when`` are those of `ocrjury.campaign.field_rules.FieldRule`; ``at_most`` is
    the level that it allows, None where that depends on the distance. ``sentence`` is the rule as
    raters read it.
    """

    rule: str
    kind: str
    when: str
    sentence: str
    at_most: float | None = None
    breaks: tuple[RuleBreak, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBreaks:
    """All field rules. ``checked`` counts the ratings of fields that some rule is about."""

    rows: tuple[RuleRow, ...]
    checked: int

    @property
    def broken(self) -> int:
        """Number of ratings above what a rule allows."""
        return sum(rule_break.ratings for row in self.rows for rule_break in row.breaks)

    @property
    def told(self) -> int:
        """Number of breaks whose rater was told."""
        return sum(rule_break.told for row in self.rows for rule_break in row.breaks)


def rules_of(stored: Stored) -> RuleBreaks | None:
    """Breaks of each rule; None where no rating could break any."""
    rules = stored.campaign.rubric.field_rules
    checked = _checked(stored, rules)
    if not checked:
        return None
    return RuleBreaks(rows=tuple(_row(stored, rule) for rule in rules), checked=checked)


def _checked(stored: Stored, rules: Sequence[FieldRule]) -> int:
    """Number of ratings of a field, and on a dimension, that a rule is about."""
    kinds = {
        item.item: item.kind
        for item in stored.items
        if item.reference is not None and item.kind is not None
    }
    about = {(rule.kind, rule.dimension) for rule in rules}
    return sum(
        not about.isdisjoint(
            {(kinds.get(rating.item), rating.dimension), (kinds.get(rating.item), None)}
        )
        for rating in stored.ratings
    )


def _row(stored: Stored, rule: FieldRule) -> RuleRow:
    found = [
        rule_break
        for rule_break in stored.rule_breaks
        if rule_break.rule == rule.rule and rule.dimension in {None, rule_break.dimension}
    ]
    by_rater = groupby(found, key=lambda rule_break: (rule_break.dimension, rule_break.rater))
    return RuleRow(
        rule=rule.rule,
        kind=rule.kind,
        when=rule.when,
        sentence=in_language(rule.sentence, stored.campaign.language) or "",
        at_most=rule.at_most,
        breaks=tuple(_break(list(of)) for _, of in by_rater),
    )


def _break(of: list[RuleBreakRow]) -> RuleBreak:
    return RuleBreak(
        dimension=of[0].dimension,
        rater=of[0].rater,
        ratings=sum(rule_break.ratings for rule_break in of),
        items=sum(rule_break.items for rule_break in of),
        told=sum(rule_break.told for rule_break in of),
        levels=tuple((rule_break.level, rule_break.items) for rule_break in of),
    )


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
    """Number of ratings above what the rules allow."""
    about = f"{plural(rules.checked, 'rating')} of fields that a rule is about"
    if not rules.broken:
        return f"None of the {about} lies above what the rule allows."
    verb = "lies" if rules.broken == 1 else "lie"
    share = percent(rules.broken / rules.checked)
    return f"{count(rules.broken)} of the {about} ({share}) {verb} above what the rule allows."


def told_text(report: ReportData, rules: RuleBreaks) -> str:
    """Number of breaks whose rater was told while rating."""
    if report.identity.simulated:
        return "Simulated raters know no rules and are told of none."
    if not rules.told:
        return "No rater was told while rating: only the rating page shows which rule applies."
    return (
        f"Of {count(rules.told)} the rater was told while rating, and left the rating as it was; "
        "only the rating page tells."
    )


def broken(rules: RuleBreaks) -> list[RuleRow]:
    """Rules that were broken, the one broken most often first."""
    rows = [row for row in rules.rows if row.breaks]
    return sorted(rows, key=lambda row: -sum(rule_break.ratings for rule_break in row.breaks))


def unbroken_text(rules: RuleBreaks) -> str | None:
    """Names of the rules that nobody broke, beside those that somebody did."""
    names = [row.rule for row in rules.rows if not row.breaks]
    return f"Nobody broke {listing(names, 'or')}." if names else None


def most(row: RuleRow) -> list[RuleBreak]:
    """Raters who broke a rule, the most frequent first."""
    return sorted(row.breaks, key=lambda one: (-one.ratings, one.dimension, one.rater))


def levels(row: RuleRow) -> list[float]:
    """Levels given above a rule, the highest first; none where they are too many for columns."""
    given = {level for rule_break in row.breaks for level, _ in rule_break.levels}
    return sorted(given, reverse=True) if len(given) <= _FEW_LEVELS else []


def given_at(one: RuleBreak, level: float) -> str:
    """Number of items to which a rater gave a level."""
    return count(dict(one.levels).get(level, 0))


def whose(row: RuleRow) -> str:
    """Condition under which a rule applies, such as "items whose amount is wrong"."""
    return f"items whose {row.kind} {_WHOSE[row.when]}"


def told_of(one: RuleBreak) -> str:
    """Share of the ratings whose rater was told."""
    return f"{count(one.told)} of {count(one.ratings)}"


SECTION = Section(
    "rules",
    "Ratings against the field rules",
    "report/rules.html.j2",
    lambda report: report.sections.get("rules"),
    {"rules": rules_of},
)
