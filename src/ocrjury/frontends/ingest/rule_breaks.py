"""Field rules that ratings break: noted beside them, which stay as they are.

To compare two long texts takes time, and nobody can store anything while somebody else writes. So
the facts about fields are found first, and a transaction that writes only looks them up.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from ocrjury.campaign.field_rules import FieldFacts, RuleResult
from ocrjury.campaign.rubric import Rubric, max_level
from ocrjury.field_kinds import FieldKind
from ocrjury.store.database import Engine, reading
from ocrjury.store.item_ratings import list_texts
from ocrjury.store.queue import read_asked
from ocrjury.store.remarks import RuleFlag
from ocrjury.text.fields import compare_field


class Field(Protocol):
    """Text that was read, beside its reference."""

    @property
    def item(self) -> str:
        """Name of the item."""

    @property
    def reference(self) -> str | None:
        """Reference text; None if nobody knows it."""

    @property
    def hypothesis(self) -> str:
        """OCR output."""

    @property
    def kind(self) -> str | None:
        """Amount, code, date or text; None for whole documents."""


class BrokenRule(NamedTuple):
    """A rating above what a rule allows, with the rule's own sentence."""

    dimension: str
    rule: str
    level: float
    max_level: float
    sentence: str

    def flag(self, *, warned: Collection[str]) -> RuleFlag:
        """Flag as the store keeps it; `warned` are the dimensions on which the rater was told."""
        shown = self.dimension in warned
        return RuleFlag(self.dimension, self.rule, self.level, self.max_level, shown)


Facts = Mapping[str, FieldFacts]
"""Facts about fields by item; items without a reference or a kind have none."""


def find_facts(
    engine: Engine, evaluation: str, assignments: Sequence[str], *, rubric: Rubric
) -> Facts:
    """Facts about the fields of some assignments, as far as the rubric has rules for them."""
    if not rubric.field_rules:
        return {}
    with reading(engine) as connection:
        rows = read_asked(connection, evaluation, assignments)
        fields = list_texts(connection, evaluation, sorted({row.item for row in rows.values()}))
    return facts_about(fields, rubric)


def facts_about(fields: Iterable[Field], rubric: Rubric) -> Facts:
    """Facts about fields, as far as the rubric has rules for them."""
    kinds = {rule.kind for rule in rubric.field_rules}
    return {
        field.item: _facts(field.reference, field.hypothesis, field.kind)
        for field in fields
        if field.reference is not None and field.kind in kinds
    }


def _facts(reference: str, hypothesis: str, kind: FieldKind) -> FieldFacts:
    """Facts about a field, without its texts."""
    comparison = compare_field(reference, hypothesis, kind=kind)
    return FieldFacts(
        kind=kind,
        same_value=comparison.same_value,
        exact=comparison.exact,
        same_format=comparison.same_format,
        ned=comparison.ned,
        distance=comparison.distance,
        longer=comparison.longer,
    )


def rule_limits(
    facts: FieldFacts | None, dimensions: Iterable[str], rubric: Rubric, *, language: str = "en"
) -> dict[str, RuleResult]:
    """Rule that allows least on each dimension where one applies; none without facts."""
    if facts is None:
        return {}
    known = {dimension.name for dimension in rubric.dimensions}
    limits = {
        name: max_level(rubric, name, facts, language=language)
        for name in dimensions
        if name in known
    }
    return {name: rule for name, rule in limits.items() if rule is not None}


def broken_rules(
    facts: FieldFacts | None, values: Mapping[str, float], rubric: Rubric, *, language: str = "en"
) -> list[BrokenRule]:
    """Rules that ratings break, given the facts about a field; none without facts.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> rule = {"rule": "amount-differs", "kind": "amount", "when": "value_differs", "at_most": 4}
    >>> rubric = Rubric.model_validate({
    ...     "purpose": "x",
    ...     "dimensions": [{"name": "meaning", "title": "x", "description": "x"}],
    ...     "field_rules": [{**rule, "sentence": "Another amount: at most 4."}],
    ... })
    >>> field = SimpleNamespace(item="d1", reference="120", hypothesis="1200", kind="amount")
    >>> facts = facts_about([field], rubric)["d1"]
    >>> [rule.sentence for rule in broken_rules(facts, {"meaning": 5.0}, rubric)]
    ['Another amount: at most 4.']
    >>> broken_rules(facts, {"meaning": 4.0}, rubric)
    []
    """
    return [
        BrokenRule(name, rule.rule, values[name], rule.max_level, rule.sentence)
        for name, rule in rule_limits(facts, values, rubric, language=language).items()
        if values[name] > rule.max_level
    ]
