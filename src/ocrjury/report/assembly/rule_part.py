"""Ratings above what a field rule allows, from what was flagged when they came in."""

from collections.abc import Sequence
from itertools import groupby

from ocrjury.campaign.field_rules import FieldRule
from ocrjury.campaign.texts import in_language
from ocrjury.report.assembly.stored import Stored
from ocrjury.report.rule_section import RuleBreak, RuleBreaks, RuleRow
from ocrjury.store.remarks import RuleBreakRow


def rule_part(stored: Stored) -> RuleBreaks | None:
    """Return who broke which rule; None where no rating could break any."""
    rules = stored.campaign.rubric.field_rules
    checked = _checked(stored, rules)
    if not checked:
        return None
    return RuleBreaks(rows=tuple(_row(stored, rule) for rule in rules), checked=checked)


def _checked(stored: Stored, rules: Sequence[FieldRule]) -> int:
    """Return how many ratings are of a field, and on a dimension, that a rule is about."""
    kinds = {
        item.item: item.kind
        for item in stored.items
        if item.reference is not None and item.kind is not None
    }
    about = {(rule.kind, rule.dimension) for rule in rules}
    return sum(
        not about.isdisjoint({(kinds.get(one.item), one.dimension), (kinds.get(one.item), None)})
        for one in stored.ratings
    )


def _row(stored: Stored, rule: FieldRule) -> RuleRow:
    """Return one rule."""
    found = [
        one
        for one in stored.rule_breaks
        if one.rule == rule.rule and rule.dimension in {None, one.dimension}
    ]
    by_rater = groupby(found, key=lambda one: (one.dimension, one.rater))
    return RuleRow(
        rule=rule.rule,
        kind=rule.kind,
        when=rule.when,
        sentence=in_language(rule.sentence, stored.campaign.language) or "",
        at_most=rule.at_most,
        breaks=tuple(_break(list(of)) for _, of in by_rater),
    )


def _break(of: list[RuleBreakRow]) -> RuleBreak:
    """Return what one rater did against one rule."""
    return RuleBreak(
        dimension=of[0].dimension,
        rater=of[0].rater,
        ratings=sum(one.ratings for one in of),
        items=sum(one.items for one in of),
        told=sum(one.told for one in of),
        levels=tuple((one.level, one.items) for one in of),
    )
