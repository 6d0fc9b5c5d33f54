"""Costs of an error that nobody finds, and of a check by a person."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from ocrjury.campaign.problems import problem, together
from ocrjury.campaign.section_values import Section

Amount = Annotated[float, Field(gt=0, strict=False)]
AN_AMOUNT = "an amount above 0"


class Costs(Section):
    """Costs of one document, in one currency."""

    error: Amount = Field(description=AN_AMOUNT)
    check: Amount = Field(description=AN_AMOUNT)
    currency: str = Field(default="", description="a currency such as EUR, or empty")

    @model_validator(mode="after")
    def _checks_pay(self) -> Self:
        if self.check >= self.error:
            message = (
                f"check {self.check:g} is not below error {self.error:g}: it would pay to check "
                "nothing. Give what an error costs that nobody finds."
            )
            together("Costs", [problem((), message)])
        return self

    @property
    def risk(self) -> float:
        """Share of errors above which it pays to check."""
        return self.check / self.error
