"""The guideline that a rater reads before the first item: the rubric in one language."""

from collections.abc import Mapping, Sequence
from typing import Any

from ocrjury.campaign.rubric import Dimension, Rubric
from ocrjury.campaign.texts import in_language
from ocrjury.frontends.labelstudio.words import FOLDER
from ocrjury.pages.catalogues import speaker
from ocrjury.pages.environment import render


def instruction(rubric: Rubric, dimensions: Sequence[str], *, language: str) -> str:
    """Guideline as HTML, every text of the rubric escaped."""
    wanted = {None, *dimensions}
    return render(
        "labelstudio/instruction.html.j2",
        say=speaker(FOLDER, language),
        purpose=in_language(rubric.purpose, language),
        dimensions=[_dimension(rubric.dimension(name), language) for name in dimensions],
        rules=[
            in_language(rule.sentence, language)
            for rule in rubric.field_rules
            if rule.dimension in wanted
        ],
        cases=[
            {
                "text": in_language(case.case, language),
                "level": _level(case.level),
                "advice": in_language(case.advice or {}, language),
            }
            for case in rubric.boundary_cases
            if case.dimension in wanted
        ],
    )


def _dimension(dimension: Dimension, language: str) -> Mapping[str, Any]:
    """Instruction for one dimension."""
    return {
        "title": in_language(dimension.title, language),
        "description": in_language(dimension.description, language),
        "criteria": in_language(dimension.criteria, language) or (),
        "anchors": [
            (level, in_language(texts, language)) for level, texts in dimension.anchors.items()
        ],
    }


def _level(level: float | str) -> str:
    """Level as people write it."""
    return f"{level:g}" if isinstance(level, float) else level
