"""One item as its page shows it: never the system, a score, a stratum, gold, or other raters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ocrjury.campaign.rating_sections import Page
from ocrjury.campaign.rubric import Dimension, Rubric
from ocrjury.campaign.texts import in_language
from ocrjury.frontends.web.marked_texts import MarkedTexts, mark_texts
from ocrjury.scales import Scale
from ocrjury.store.queue import RatingTask

CONFIDENCES = (0.0, 0.5, 1.0)
"""What is stored for a confidence of 1, 2 and 3."""


class LevelView(NamedTuple):
    """A level to choose: its number in the store, its name, its key, and what it means."""

    value: float
    name: str
    key: str
    anchor: str


@dataclass(frozen=True, slots=True)
class DimensionView:
    """A dimension in the rater's language; `value` and `flag` are what was chosen so far."""

    name: str
    title: str
    description: str
    criteria: Sequence[str]
    levels: Sequence[LevelView]
    low: float
    high: float
    value: float | None
    flag: str | None


class CaseView(NamedTuple):
    """A boundary case, decided once for everybody."""

    case: str
    level: str
    advice: str
    reference: str | None
    hypothesis: str | None


@dataclass(frozen=True, slots=True)
class ItemView:
    """What the template of an item prints."""

    visit: str
    rev: int
    rubric_hash: str
    text_language: str | None
    texts: MarkedTexts
    has_image: bool
    has_box: bool
    continuous: bool
    ordered: bool
    dimensions: Sequence[DimensionView]
    rules: Sequence[str]
    cases: Sequence[CaseView]
    purpose: str
    comment: str
    flag: str | None
    confidence: float | None
    page: Page

    @property
    def one_line(self) -> bool:
        """Return whether both texts are short enough to stand above each other."""
        pieces = (*(self.texts.reference or ()), *self.texts.hypothesis)
        return sum(len(one.text) for one in pieces) <= 160 and not any(
            "\n" in one.text for one in pieces
        )


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a rater chose so far."""

    rev: int = 0
    values: Mapping[str, float] | None = None
    flags: Mapping[str, str] | None = None
    comment: str = ""
    flag: str | None = None
    confidence: float | None = None

    @classmethod
    def of_draft(cls, rev: int, body: Mapping[str, Any]) -> "Chosen":
        """Return what a draft holds."""
        names = ("values", "flags", "comment", "flag", "confidence")
        return cls(rev, **{name: body[name] for name in names if body.get(name) is not None})


def view_item(
    task: RatingTask, visit: str, chosen: Chosen, *, rubric: Rubric, page: Page, language: str
) -> ItemView:
    """Return one item for its page."""
    values, flags = chosen.values or {}, chosen.flags or {}
    reference = task.reference if page.reference == "shown" else None
    return ItemView(
        visit=visit,
        rev=chosen.rev,
        rubric_hash=rubric.rubric_hash,
        text_language=task.language,
        texts=mark_texts(reference, task.hypothesis),
        has_image=bool(task.image_uri),
        has_box=task.box is not None,
        continuous=rubric.scale.kind == "interval",
        ordered=rubric.scale.ordered,
        dimensions=[
            _dimension(
                rubric.dimension(name), rubric.scale, values=values, flags=flags, language=language
            )
            for name in task.dimensions
        ],
        rules=_rules(rubric, task, language),
        cases=_cases(rubric, task, language),
        purpose=in_language(rubric.purpose, language) or "",
        comment=chosen.comment,
        flag=chosen.flag,
        confidence=chosen.confidence,
        page=page,
    )


def _dimension(
    one: Dimension,
    scale: Scale,
    *,
    values: Mapping[str, float],
    flags: Mapping[str, str],
    language: str,
) -> DimensionView:
    """Return a dimension with what was chosen on it."""
    anchors = {key: in_language(texts, language) or "" for key, texts in one.anchors.items()}
    return DimensionView(
        name=one.name,
        title=in_language(one.title, language) or one.name,
        description=in_language(one.description, language) or "",
        criteria=in_language(one.criteria, language) or (),
        levels=_levels(scale, anchors),
        low=scale.low,
        high=scale.high,
        value=values.get(one.name),
        flag=flags.get(one.name),
    )


def _levels(scale: Scale, anchors: Mapping[str, str]) -> list[LevelView]:
    """Return the levels of a scale; a digit chooses one, of names their place from 1."""
    found = []
    for place, (name, value) in enumerate(zip(scale.categories, scale.numbers, strict=True)):
        digit = place + 1 if not scale.ordered else int(value)
        key = str(digit) if 0 <= digit <= 9 else ""
        found.append(LevelView(value, str(name), key, anchors.get(str(name), "")))
    return found


def _rules(rubric: Rubric, task: RatingTask, language: str) -> list[str]:
    """Return the field rules for a field of this kind, in words."""
    wanted = {None, *task.dimensions}
    return [
        in_language(rule.sentence, language) or ""
        for rule in rubric.field_rules
        if rule.kind == task.kind and rule.dimension in wanted
    ]


def _cases(rubric: Rubric, task: RatingTask, language: str) -> list[CaseView]:
    """Return the boundary cases of what is rated."""
    wanted = {None, *task.dimensions}
    return [
        CaseView(
            case=in_language(one.case, language) or "",
            level=f"{one.level:g}" if isinstance(one.level, float) else str(one.level),
            advice=(in_language(one.advice, language) or "") if one.advice else "",
            reference=one.example.reference if one.example else None,
            hypothesis=one.example.hypothesis if one.example else None,
        )
        for one in rubric.boundary_cases
        if one.dimension in wanted
    ]
