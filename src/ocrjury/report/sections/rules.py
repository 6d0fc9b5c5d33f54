"""Ratings above what a field rule of the rubric allows."""

from collections.abc import Sequence

from ocrjury.language import phrase, tr, trn
from ocrjury.pages.numbers import count, listing, percent
from ocrjury.report.data import ReportData
from ocrjury.report.rule_breaks import RuleBreak, RuleBreaks, RuleRow, rules_of
from ocrjury.report.sections import Section
from ocrjury.report.sections.field_kinds import kind_name

_FEW_LEVELS, _NARROW = 5, 2
"""Columns of levels on a page and on half a page; a continuous scale has too many values."""
_LONGEST = 12
"""Rows of a table that stands beside another."""
_AROUND = 4
"""Lines about the rows of a table."""
_OTHER_KINDS = (
    phrase("pilot"),
    phrase("gold"),
    phrase("repeat"),
    phrase("adaptive"),
    phrase("adjudication"),
    phrase("panel"),
)
"""Kinds of rating besides a first-pass one."""
KEPT = phrase(
    "Each is kept as it was given and counts like any other: a rule that many raters break may "
    "itself be wrong. Discuss it with them, or change the rule."
)


def lead(rules: RuleBreaks) -> str:
    """Number of ratings above what the rules allow."""
    if not rules.broken:
        return trn(
            "None of the {n} rating of fields that a rule is about lies above what the rule "
            "allows.",
            "None of the {n} ratings of fields that a rule is about lies above what the rule "
            "allows.",
            rules.checked,
        )
    share = percent(rules.broken / rules.checked)
    if rules.broken == 1:
        return trn(
            "1 of the {n} rating of fields that a rule is about ({share}) lies above what the rule "
            "allows.",
            "1 of the {n} ratings of fields that a rule is about ({share}) lies above what the "
            "rule allows.",
            rules.checked,
            share=share,
        )
    return tr(
        "{broken} of the {checked} ratings of fields that a rule is about ({share}) lie above what "
        "the rule allows.",
        broken=count(rules.broken),
        checked=count(rules.checked),
        share=share,
    )


def base_text(rules: RuleBreaks) -> str:
    """Ratings that are counted here; other pages count first-pass ratings only."""
    others = [
        tr("{n} {kind}", n=count(rules.checked_by_kind[kind]), kind=tr(kind))
        for kind in _OTHER_KINDS
        if rules.checked_by_kind.get(kind)
    ]
    if not others:
        return tr("All of these are first-pass ratings of the main rounds.")
    return tr(
        "Every rating given counts here: {first} first-pass in main rounds; others: {others}.",
        first=count(rules.checked_by_kind.get("main", 0)),
        others=listing(others),
    )


def told_text(report: ReportData, rules: RuleBreaks) -> str:
    """Number of breaks whose rater was told while rating."""
    if report.identity.simulated:
        return tr("Simulated raters are shown no rules.")
    if not rules.told:
        return tr("No rater was told while rating: only the rating page shows which rule applies.")
    return tr(
        "Of {n} the rater was told while rating, and left the rating as it was; only the rating "
        "page tells.",
        n=count(rules.told),
    )


def broken(rules: RuleBreaks) -> list[RuleRow]:
    """Rules that were broken, the one broken most often first."""
    rows = [row for row in rules.rows if row.breaks]
    return sorted(rows, key=lambda row: -sum(rule_break.ratings for rule_break in row.breaks))


def wide(rules: RuleBreaks) -> list[RuleRow]:
    """Rules whose table needs the whole width, or would stand alone in half of it."""
    rows = broken(rules)
    alone = sum(map(_narrow, rows)) == 1
    return [row for row in rows if alone or not _narrow(row)]


def columns(rules: RuleBreaks) -> tuple[list[RuleRow], list[RuleRow]]:
    """Rules with narrow tables in two columns of about the same height."""
    left: list[RuleRow] = []
    right: list[RuleRow] = []
    whole = wide(rules)
    for row in broken(rules):
        if row not in whole:
            min(left, right, key=_height).append(row)
    return left, right


def _narrow(row: RuleRow) -> bool:
    """Return whether the table of a rule leaves room for another beside it."""
    return len(levels(row)) <= _NARROW and len(row.breaks) <= _LONGEST


def _height(rows: Sequence[RuleRow]) -> int:
    """Lines of tables with their captions, heads and notes."""
    return sum(len(row.breaks) + _AROUND for row in rows)


def unbroken_text(rules: RuleBreaks) -> str | None:
    """Names of the rules that nobody broke, beside those that somebody did."""
    names = [row.rule for row in rules.rows if not row.breaks]
    return tr("Nobody broke {rules}.", rules=listing(names, "or")) if names else None


def most(row: RuleRow) -> list[RuleBreak]:
    """Raters who broke a rule, the most frequent first."""
    return sorted(row.breaks, key=lambda who: (-who.ratings, who.dimension, who.rater))


def levels(row: RuleRow) -> list[float]:
    """Levels given above a rule, the highest first; none where they are too many for columns."""
    given = {level for rule_break in row.breaks for level, _ in rule_break.levels}
    return sorted(given, reverse=True) if len(given) <= _FEW_LEVELS else []


def given_at(rule_break: RuleBreak, level: float) -> str:
    """Number of items to which a rater gave a level."""
    return count(dict(rule_break.levels).get(level, 0))


def counts_text(row: RuleRow) -> str:
    """Items that a table counts, by the condition under which its rule applies."""
    kind = kind_name(row.kind)
    return {
        "value_differs": tr(
            "Counts are items whose {kind} is wrong, rated above the rule.",
            kind=kind,
        ),
        "text_differs": tr(
            "Counts are items whose {kind} is not the same in every character, rated above the "
            "rule.",
            kind=kind,
        ),
        "only_format_differs": tr(
            "Counts are items whose {kind} is right but written another way, rated above the rule.",
            kind=kind,
        ),
        "ned": tr(
            "Counts are items whose {kind} differs too much for that, rated above the rule.",
            kind=kind,
        ),
    }[row.when]


def told_of(rule_break: RuleBreak) -> str:
    """Share of the ratings whose rater was told."""
    return tr("{n} of {total}", n=count(rule_break.told), total=count(rule_break.ratings))


SECTION = Section(
    "rules",
    phrase("Ratings against the field rules"),
    "report/rules.html.j2",
    lambda report: report.get(RuleBreaks),
    {"rules": rules_of},
)
