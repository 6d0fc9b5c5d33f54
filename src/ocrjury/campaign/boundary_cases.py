"""Boundary cases that are added to a rubric, or taken out of it."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import yaml

from ocrjury.campaign.limits import LONGEST_CASE
from ocrjury.campaign.problems import listed
from ocrjury.campaign.rubric import BoundaryCase, Example, Level, Rubric, on_scale
from ocrjury.campaign.texts import ANY_LANGUAGE
from ocrjury.errors import StateError
from ocrjury.language import phrase
from ocrjury.scales import Scale

TEXT_TOO_LONG = phrase(
    "Each text of a boundary case has at most {n} characters.", n=f"{LONGEST_CASE:,}"
)


class CaseText(NamedTuple):
    """Text of a boundary case by language, and its example, None without one."""

    case: Mapping[str, str]
    advice: Mapping[str, str]
    example: tuple[str, str] | None = None


def languages_of(rubric: Rubric) -> list[str]:
    """Languages in which a rubric says what it is for; none where one text is for all."""
    return [language for language in rubric.purpose if language != ANY_LANGUAGE]


def boundary_case(rubric: Rubric, dimension: str, *, level: Level, text: CaseText) -> BoundaryCase:
    """Boundary case that fits a rubric.

    Raises
    ------
    StateError
        If the rubric has no such dimension, its scale no such level, or a text is too long.
    """
    scale = rubric.scales.get(dimension)
    if scale is None:
        raise StateError(
            phrase(
                "There is no dimension {names}; there are {known}.",
                names=dimension,
                known=listed(list(rubric.scales)),
            )
        )
    if not on_scale(scale, level):
        raise StateError(
            phrase(
                "The scale of {dimension} ({scale}) has no level {level}.",
                dimension=dimension,
                scale=str(scale),
                level=str(level),
            )
        )
    if any(len(part) > LONGEST_CASE for part in _parts(text)):
        raise StateError(TEXT_TOO_LONG)
    return BoundaryCase(
        case=dict(text.case),
        level=str(level) if scale.kind == "nominal" else float(level),
        advice=dict(text.advice) or None,
        dimension=dimension,
        example=None
        if text.example is None
        else Example(reference=text.example[0], hypothesis=text.example[1]),
    )


def with_case(rubric: Rubric, case: BoundaryCase) -> Rubric:
    """Rubric with one boundary case more; `StateError` if it has this one already."""
    if case in rubric.boundary_cases:
        raise StateError(phrase("The rubric has this boundary case already."))
    return _with(rubric, (*rubric.boundary_cases, case))


def without_case(rubric: Rubric, case: BoundaryCase) -> Rubric:
    """Rubric without a boundary case; `StateError` if it has none such."""
    if case not in rubric.boundary_cases:
        raise StateError(phrase("The rubric no longer has this boundary case."))
    return _with(rubric, [each for each in rubric.boundary_cases if each != case])


def offered_levels(scale: Scale) -> list[Level]:
    """Levels to choose from; of a continuous scale eleven at equal distances."""
    if scale.kind == "nominal":
        return [str(category) for category in scale.categories]
    if scale.kind == "interval":
        return [scale.low + (scale.high - scale.low) * tenth / 10 for tenth in range(11)]
    return [float(number) for number in scale.numbers]


def rubric_yaml(rubric: Rubric, *, title: str) -> str:
    """Rubric as a file for a campaign, under a line of comment."""
    body = yaml.safe_dump(
        _without_blanks(rubric.to_json()), allow_unicode=True, sort_keys=False, width=100
    )
    return f"# {title}\n{body}"


def _parts(text: CaseText) -> Iterable[str]:
    return (*text.case.values(), *text.advice.values(), *(text.example or ()))


def _with(rubric: Rubric, cases: Iterable[BoundaryCase]) -> Rubric:
    bodies = [case.model_dump(mode="json", by_alias=True) for case in cases]
    return Rubric.model_validate({**rubric.to_json(), "boundary_cases": bodies})


def _without_blanks(value: Any) -> Any:
    """Plain values without keys that hold nothing, which mean the same."""
    if isinstance(value, Mapping):
        full = {key: _without_blanks(text) for key, text in value.items()}
        return {key: text for key, text in full.items() if text not in (None, [], {})}
    if isinstance(value, list | tuple):
        return [_without_blanks(text) for text in value]
    return value
