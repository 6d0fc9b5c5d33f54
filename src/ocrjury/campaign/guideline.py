"""The rubric as one rater reads it: the dimensions of a round, in one language."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ocrjury.campaign.field_rules import FieldRule
from ocrjury.campaign.rubric import Dimension, Example, Rubric
from ocrjury.campaign.texts import in_language


class DimensionGuide(NamedTuple):
    """A dimension; `anchors` are the meanings of levels that have one, by level."""

    name: str
    title: str
    description: str
    criteria: Sequence[str]
    anchors: Mapping[str, str]


class RuleGuide(NamedTuple):
    """A field rule and its sentence."""

    rule: FieldRule
    sentence: str


class CaseGuide(NamedTuple):
    """A boundary case, decided once for everybody; without a dimension it is about all."""

    dimension: str | None
    case: str
    level: str
    advice: str
    example: Example | None


class Guideline(NamedTuple):
    """Guideline for the dimensions that a rater rates."""

    purpose: str
    dimensions: Sequence[DimensionGuide]
    rules: Sequence[RuleGuide]
    cases: Sequence[CaseGuide]


def guideline(rubric: Rubric, dimensions: Sequence[str], *, language: str) -> Guideline:
    """Guideline in a language; texts without it are in the nearest one they have."""

    def said(texts: Mapping[str, str] | None) -> str:
        return in_language(texts or {}, language) or ""

    def dimension_guide(dimension: Dimension) -> DimensionGuide:
        return DimensionGuide(
            dimension.name,
            said(dimension.title) or dimension.name,
            said(dimension.description),
            in_language(dimension.criteria, language) or (),
            {level: said(texts) for level, texts in dimension.anchors.items()},
        )

    wanted = {None, *dimensions}
    return Guideline(
        said(rubric.purpose),
        [dimension_guide(rubric.dimension(name)) for name in dimensions],
        [
            RuleGuide(rule, said(rule.sentence))
            for rule in rubric.field_rules
            if rule.dimension in wanted
        ],
        [
            CaseGuide(
                case.dimension,
                said(case.case),
                level_text(case.level),
                said(case.advice),
                case.example,
            )
            for case in rubric.boundary_cases
            if case.dimension in wanted
        ],
    )


def level_text(level: float | str) -> str:
    """Level as people write it."""
    return f"{level:g}" if isinstance(level, float) else level
