"""Field rules: how high a rating may be, given plain facts about a field."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from ocrjury.campaign.problems import problem, together
from ocrjury.campaign.section_values import Section
from ocrjury.campaign.texts import Texts, in_language
from ocrjury.field_kinds import FieldKind

if TYPE_CHECKING:
    from ocrjury.text import FieldResult

Comparison: TypeAlias = "FieldFacts | FieldResult"
When = Literal["value_differs", "text_differs", "only_format_differs", "ned"]


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """Facts about a field that rules need; `ocrjury.text.compare_field` finds them.

    ``same_value`` compares what the field means (digits of an amount, the day of a date),
    ``exact`` every character, ``same_format`` the way it is written; ``ned`` is the normalised
    edit distance, 0 to 1: ``distance`` edits over the ``longer`` of both texts. None where a value
    or format cannot be read.
    """

    kind: FieldKind
    same_value: bool | None
    exact: bool
    same_format: bool | None
    ned: float
    distance: int = 0
    longer: int = 1


@dataclass(frozen=True, slots=True)
class RuleResult:
    """The rule that applies, what it asks, the highest rating it allows, and its own sentence."""

    rule: str
    when: When
    max_level: float
    sentence: str


class Band(Section):
    """A stretch of normalised edit distance, up to and with ``up_to``."""

    up_to: Annotated[float, Field(ge=0, le=1)] = Field(description="a number from 0 to 1")
    at_most: float = Field(description="a level of the scale")


class FieldRule(Section):
    """One rule: if this holds for a field of this kind, the rating is at most so much."""

    rule: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")] = Field(
        description="a short name such as amount-differs"
    )
    kind: FieldKind
    when: When
    dimension: str | None = Field(
        default=None, description="the name of a dimension, or empty for every dimension"
    )
    at_most: float | None = Field(default=None, description="a level of the scale")
    bands: Annotated[tuple[Band, ...], Field(strict=False)] = Field(
        default=(), description="a list of {up_to: 0.05, at_most: 4}, ascending, the last up_to 1"
    )
    sentence: Texts = Field(description="the rule in one sentence, by language")

    @model_validator(mode="after")
    def _levels(self) -> Self:
        ends = [band.up_to for band in self.bands]
        if self.when == "ned" and not (ends and ends == sorted(set(ends)) and ends[-1] == 1):
            message = "a rule on ned needs `bands`, their up_to ascending and the last one 1."
            together("FieldRule", [problem((), message)])
        if (self.at_most is None) == (self.when != "ned") or (self.bands and self.when != "ned"):
            message = f"a rule on {self.when} has " + (
                "`bands` and no `at_most`." if self.when == "ned" else "`at_most` and no `bands`."
            )
            together("FieldRule", [problem((), message)])
        return self

    @property
    def levels(self) -> tuple[float, ...]:
        """Every level that the rule names."""
        caps = () if self.at_most is None else (self.at_most,)
        return (*caps, *(band.at_most for band in self.bands))

    def level(self, facts: Comparison) -> float | None:
        """Highest rating the rule allows, None where it does not apply."""
        if facts.kind != self.kind:
            return None
        if self.when == "ned":
            # A distance that is not a number says nothing.
            return next((band.at_most for band in self.bands if facts.ned <= band.up_to), None)
        holds = {
            "value_differs": not facts.same_value,
            "text_differs": not facts.exact,
            "only_format_differs": facts.same_value and not facts.same_format,
        }
        return self.at_most if holds[self.when] else None


def strictest(
    rules: Iterable[FieldRule], dimension: str, facts: Comparison, *, language: str
) -> RuleResult | None:
    """Rule that allows least; of equal ones the first."""
    results = [
        RuleResult(rule.rule, rule.when, level, in_language(rule.sentence, language) or "")
        for rule in rules
        if rule.dimension in {None, dimension} and (level := rule.level(facts)) is not None
    ]
    return min(results, key=lambda result: result.max_level, default=None)
