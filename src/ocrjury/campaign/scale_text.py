"""A scale as a rubric writes it down."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from ocrjury.campaign.problems import listed, problem, together
from ocrjury.campaign.section_values import Section
from ocrjury.errors import InputError
from ocrjury.scales import Kind, Scale


class ScaleText(Section):
    """A scale as a rubric writes it down."""

    kind: Kind
    low: float | None = Field(default=None, description="a number, or empty")
    high: float | None = Field(default=None, description="a number above low, or empty")
    categories: Annotated[tuple[str | int, ...], Field(strict=False)] = Field(
        default=(), description="a list of names"
    )

    @model_validator(mode="after")
    def _complete(self) -> Self:
        given = [
            key for key in ("low", "high", "categories") if getattr(self, key) not in {None, ()}
        ]
        needed = {"binary": [], "nominal": ["categories"]}.get(self.kind, ["low", "high"])
        if given != needed:
            message = (
                f"a {self.kind} scale takes {listed(needed) or 'no further key'}; "
                f"found {listed(given) or 'no further key'}."
            )
            together("ScaleText", [problem((), message)])
        try:
            self.scale()
        except InputError as error:
            together("ScaleText", [problem((), str(error))])
        return self

    def scale(self) -> Scale:
        """Scale for the statistics."""
        low, high = self.low or 0.0, self.high or 0.0
        match self.kind:
            case "likert":
                return Scale.likert(low, high)  # type: ignore[arg-type]  # it refuses fractions
            case "binary":
                return Scale.binary()
            case "nominal":
                return Scale.nominal(self.categories)
            case "interval":
                return Scale.interval(low, high)
