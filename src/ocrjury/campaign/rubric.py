"""The rubric: what is judged, on which scale, by which rules."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Annotated, Self

from pydantic import (
    BeforeValidator,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)
from pydantic_core import InitErrorDetails

from ocrjury.campaign.content_hashes import content_hash
from ocrjury.campaign.field_rules import Comparison, FieldRule, RuleResult, strictest
from ocrjury.campaign.problems import listed, nearest, problem, refuse, together
from ocrjury.campaign.scale_text import ScaleText
from ocrjury.campaign.section_values import Section
from ocrjury.campaign.texts import Language, Text, Texts, in_language
from ocrjury.campaign.yaml_source import Place, read_yaml
from ocrjury.errors import InputError
from ocrjury.ratings.sheets import RESERVED
from ocrjury.scales import Scale, one_scale


def _text_keys(value: object) -> object:
    """Mapping with its keys as text: YAML reads the level 5 as a number."""
    return {str(key): text for key, text in value.items()} if isinstance(value, dict) else value


Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Anchors = Annotated[dict[str, Texts], BeforeValidator(_text_keys)]
Lines = Annotated[tuple[Text, ...], Field(strict=False, min_length=1)]
Level = float | str
_NO_OVERALL = ("overall", None)
_BY_LANGUAGE = "a text, or texts by language such as {en: ..., ko: ...}"


class Dimension(Section):
    """One thing that is judged."""

    name: Name = Field(description="lower-case letters, digits and underscores, such as meaning")
    title: Texts = Field(description=_BY_LANGUAGE)
    description: Texts = Field(description=_BY_LANGUAGE)
    criteria: dict[Language, Lines] = Field(
        default={}, description="lists of sentences by language"
    )
    weight: Annotated[float, Field(gt=0)] = Field(default=1.0, description="a number above 0")
    anchors: Anchors = Field(default={}, description="what each level means, such as 5: {en: ...}")
    scale_text: ScaleText | None = Field(
        default=None,
        alias="scale",
        description="a section such as {kind: binary}, or empty for the rubric's scale",
    )

    @model_serializer(mode="wrap")
    def _without_the_rubrics(self, plain: SerializerFunctionWrapHandler) -> dict[str, object]:
        """Plain values, in which a dimension on the rubric's scale names none.

        Rubrics from before dimensions had scales of their own keep their hash.
        """
        return {key: v for key, v in plain(self).items() if v is not None or "scale" not in key}


class Example(Section):
    """A field as it is and as it was read."""

    reference: str = Field(description="text in quotes")
    hypothesis: str = Field(description="text in quotes")


class BoundaryCase(Section):
    """A case that raters would decide differently, decided once."""

    case: Texts = Field(description=_BY_LANGUAGE)
    level: Level = Field(description="a level of the scale")
    advice: Texts | None = Field(default=None, description=_BY_LANGUAGE)
    dimension: str | None = Field(default=None, description="the name of a dimension, or empty")
    example: Example | None = Field(
        default=None, description="a section with reference and hypothesis"
    )


class Rubric(Section):
    """Purpose of the ratings, the meaning of each level, and the rules that bind raters."""

    purpose: Texts = Field(description=_BY_LANGUAGE)
    scale_text: ScaleText = Field(
        default=ScaleText(kind="likert", low=1, high=5),
        alias="scale",
        description="a section such as {kind: likert, low: 1, high: 5}",
    )
    dimensions: Annotated[
        tuple[Dimension, ...], Field(strict=False, min_length=1, max_length=8)
    ] = Field(description="a list of one to eight dimensions")
    overall: Name | None = Field(
        default=None, description="the name of a dimension that holds an overall rating, or empty"
    )
    field_rules: Annotated[tuple[FieldRule, ...], Field(strict=False)] = Field(
        default=(), description="a list of rules"
    )
    boundary_cases: Annotated[tuple[BoundaryCase, ...], Field(strict=False)] = Field(
        default=(), description="a list of cases"
    )

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        together("Rubric", [*_name_problems(self), *_level_problems(self)])
        return self

    @model_serializer(mode="wrap")
    def _with_what_it_names(self, plain: SerializerFunctionWrapHandler) -> dict[str, object]:
        """Plain values; without an overall rating those of rubrics that knew none."""
        return {key: value for key, value in plain(self).items() if (key, value) != _NO_OVERALL}

    @cached_property
    def scale(self) -> Scale:
        """Scale of every dimension that has none of its own."""
        return self.scale_text.scale()

    @cached_property
    def scales(self) -> Mapping[str, Scale]:
        """Scale of every dimension by its name."""
        own = ((dimension.name, dimension.scale_text) for dimension in self.dimensions)
        return {name: self.scale if text is None else text.scale() for name, text in own}

    @property
    def scale_words(self) -> str:
        """Scale in words, or that of each dimension where they differ."""
        whole = one_scale(self.scales)
        if whole is not None:
            return str(whole)
        return "; ".join(f"{name}: {scale}" for name, scale in self.scales.items())

    @cached_property
    def rubric_hash(self) -> str:
        """Hash that is stored with every rating."""
        return content_hash(self.to_json())

    def titles(self, language: str) -> dict[str, str]:
        """Title of every dimension in a language, else in the nearest one there is."""
        return {
            dimension.name: in_language(dimension.title, language) or dimension.name
            for dimension in self.dimensions
        }

    def dimension(self, name: str) -> Dimension:
        """Dimension by its name."""
        for dimension in self.dimensions:
            if dimension.name == name:
                return dimension
        names = [dimension.name for dimension in self.dimensions]
        raise InputError(f"The rubric has no dimension {name!r}; it has {listed(names)}.")

    def to_json(self) -> dict[str, object]:
        """Plain values; `Rubric.model_validate` makes the rubric again."""
        return self.model_dump(mode="json", by_alias=True)


def read_rubric(path: str | Path) -> Rubric:
    """Rubric in a YAML file.

    Raises
    ------
    InputError
        Lists every problem: file, line, key path, what was found, what is allowed.
    """
    source = read_yaml(Path(path).absolute())
    data = {key: value for key, value in source.data.items() if value is not None}
    try:
        return Rubric.model_validate(data)
    except ValidationError as error:
        raise refuse(source, Rubric, error) from error


def max_level(
    rubric: Rubric, dimension: str, comparison: Comparison, *, language: str = "en"
) -> RuleResult | None:
    """Field rule that binds a rating, None if no rule says anything.

    Parameters
    ----------
    comparison
        Facts about the field.

    Returns
    -------
    RuleResult
        The rule that allows least. A rating above its ``max_level`` breaks the rule.

    Raises
    ------
    InputError
        If the rubric has no such dimension.
    """
    rubric.dimension(dimension)
    return strictest(rubric.field_rules, dimension, comparison, language=language)


def _name_problems(rubric: Rubric) -> Iterator[InitErrorDetails]:
    """Yield names that stand twice or stand for nothing."""
    names = [dimension.name for dimension in rubric.dimensions]
    for number, name in enumerate(names):
        if name in names[:number]:
            message = f"there are two dimensions {name!r}; rename or remove one."
            yield problem(("dimensions", number, "name"), message)
        if name in RESERVED:
            message = f"{name!r} is a column of the files that raters fill in; take another name."
            yield problem(("dimensions", number, "name"), message)
    if rubric.overall is not None and (rubric.overall not in names or len(names) < 3):
        message = (
            f"{rubric.overall!r} must be one of three or more dimensions, so that the others "
            f"explain it; there are {listed(names)}."
        )
        yield problem(("overall",), message)
    for key in ("field_rules", "boundary_cases"):
        for number, entry in enumerate(getattr(rubric, key)):
            if entry.dimension not in {None, *names}:
                message = (
                    f"the rubric has no dimension {entry.dimension!r}; it has {listed(names)}."
                    f"{nearest(entry.dimension, names)}"
                )
                yield problem((key, number, "dimension"), message)


def _level_problems(rubric: Rubric) -> Iterator[InitErrorDetails]:
    unordered = any(not rubric.scales[name].ordered for name in _ruled(rubric))
    if unordered:
        message = "a nominal scale has no highest level; remove the rules or order the scale."
        yield problem(("field_rules",), message)
    for place, level, scale in dict.fromkeys(_levels(rubric)):
        if not on_scale(scale, level) and not (unordered and place[0] == "field_rules"):
            shown = f"{level:g}" if isinstance(level, float) else level
            yield problem(place, f"the scale ({scale}) has no level {shown}.")


def _ruled(rubric: Rubric) -> set[str]:
    """Dimensions that a field rule binds."""
    return {name for rule in rubric.field_rules for name in _about(rubric, rule.dimension)}


def _about(rubric: Rubric, dimension: str | None) -> list[str]:
    """Dimensions that an entry speaks of: one, or all where it names none."""
    return [name for name in rubric.scales if dimension in {None, name}]


def _levels(rubric: Rubric) -> Iterator[tuple[Place, Level, Scale]]:
    """Yield every level that the rubric names, with the scale that must have it."""
    for number, dimension in enumerate(rubric.dimensions):
        for anchor in dimension.anchors:
            place: Place = ("dimensions", number, "anchors", anchor)
            yield place, anchor, rubric.scales[dimension.name]
    for number, rule in enumerate(rubric.field_rules):
        for level, name in product(rule.levels, _about(rubric, rule.dimension)):
            yield ("field_rules", number), level, rubric.scales[name]
    for number, case in enumerate(rubric.boundary_cases):
        for name in _about(rubric, case.dimension):
            yield ("boundary_cases", number, "level"), case.level, rubric.scales[name]


def on_scale(scale: Scale, level: Level) -> bool:
    """Return whether a level of a rubric is on a scale, given as a number or as its text.

    Examples
    --------
    >>> on_scale(Scale.likert(1, 5), "3"), on_scale(Scale.likert(1, 5), 3.5)
    (True, False)
    """
    if scale.kind == "nominal":
        return str(level) in {str(category) for category in scale.categories}
    try:
        number = float(level)
    except ValueError:
        return False
    return scale.low <= number <= scale.high if scale.kind == "interval" else number in scale.codes
