"""Ratings that break the field rules of the rubric, counted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ocrjury.campaign.field_rules import FieldRule
from ocrjury.campaign.texts import in_language
from ocrjury.language import language
from ocrjury.report.stored_evaluation import Stored
from ocrjury.store.remarks import RuleBreakRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBreak:
    """Number of times that one rater broke one rule on one dimension.

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
    """All field rules.

    ``checked_by_kind`` counts the ratings of fields that some rule is about, by what they count
    as, see `ocrjury.store.current_ratings`; raters break rules in every round.
    """

    rows: tuple[RuleRow, ...]
    checked_by_kind: Mapping[str, int]

    @property
    def checked(self) -> int:
        """Number of ratings of fields that some rule is about."""
        return sum(self.checked_by_kind.values())

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
    return RuleBreaks(rows=tuple(_row(stored, rule) for rule in rules), checked_by_kind=checked)


def _checked(stored: Stored, rules: Sequence[FieldRule]) -> Mapping[str, int]:
    """Number of ratings of a field, and on a dimension, that a rule is about, by their kind."""
    kinds = {
        item.item: item.kind
        for item in stored.items
        if item.reference is not None and item.kind is not None
    }
    about = {(rule.kind, rule.dimension) for rule in rules}
    return Counter(
        rating.round_kind
        for rating in stored.ratings
        if not about.isdisjoint(
            {(kinds.get(rating.item), rating.dimension), (kinds.get(rating.item), None)}
        )
    )


def _row(stored: Stored, rule: FieldRule) -> RuleRow:
    breaks = [
        rule_break
        for rule_break in stored.rule_breaks
        if rule_break.rule == rule.rule and rule.dimension in {None, rule_break.dimension}
    ]
    by_rater = groupby(breaks, key=lambda rule_break: (rule_break.dimension, rule_break.rater))
    return RuleRow(
        rule=rule.rule,
        kind=rule.kind,
        when=rule.when,
        sentence=in_language(rule.sentence, language()) or "",
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
