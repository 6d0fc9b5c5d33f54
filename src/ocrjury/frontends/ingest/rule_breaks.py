"""Field rules that ratings break: noted beside them, which stay as they are."""

from collections.abc import Collection, Mapping
from typing import NamedTuple, Protocol, cast, get_args

from ocrjury.campaign.field_rules import FieldKind
from ocrjury.campaign.rubric import Rubric, max_level
from ocrjury.store.remarks import RuleFlag
from ocrjury.text.fields import compare_field


class Field(Protocol):
    """What was read, beside what should have been read."""

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

    def flag(self, *, told: Collection[str]) -> RuleFlag:
        """Flag as the store keeps it; `told` are the dimensions that the rater was told of."""
        shown = self.dimension in told
        return RuleFlag(self.dimension, self.rule, self.level, self.max_level, shown)


def broken_rules(
    field: Field, values: Mapping[str, float], rubric: Rubric, *, language: str = "en"
) -> list[BrokenRule]:
    """Rules that ratings break; none without a reference or a kind.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> rule = {"rule": "amount-differs", "kind": "amount", "when": "value_differs", "at_most": 4}
    >>> rubric = Rubric.model_validate({
    ...     "purpose": "x",
    ...     "dimensions": [{"name": "meaning", "title": "x", "description": "x"}],
    ...     "field_rules": [{**rule, "sentence": "Another amount: at most 4."}],
    ... })
    >>> field = SimpleNamespace(reference="120", hypothesis="1200", kind="amount")
    >>> [rule.sentence for rule in broken_rules(field, {"meaning": 5.0}, rubric)]
    ['Another amount: at most 4.']
    >>> broken_rules(field, {"meaning": 4.0}, rubric)
    []
    """
    if not rubric.field_rules or field.reference is None or field.kind not in get_args(FieldKind):
        return []
    facts = compare_field(field.reference, field.hypothesis, kind=cast("FieldKind", field.kind))
    known = {dimension.name for dimension in rubric.dimensions}
    broken = []
    for name, level in values.items():
        rule = max_level(rubric, name, facts, language=language) if name in known else None
        if rule is not None and level > rule.max_level:
            broken.append(BrokenRule(name, rule.rule, level, rule.max_level, rule.sentence))
    return broken
