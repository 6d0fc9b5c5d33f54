"""Targets of a lead's decision: days, items, raters, dimensions."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ocrjury.campaign.limits import MOST_DAYS, MOST_ITEMS

Name = Annotated[str, Field(min_length=1, max_length=64)]


class DecisionTarget(BaseModel):
    """Target of a decision; most decisions need none of its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    days: int | None = Field(
        default=None,
        ge=1,
        le=MOST_DAYS,
        title="Days",
        description=f"extend: how many more days, 1 to {MOST_DAYS}",
    )
    items: int | None = Field(
        default=None,
        ge=1,
        le=MOST_ITEMS,
        title="Items",
        description=f"extend after an inconclusive gate: how many more, 1 to {MOST_ITEMS:,}",
    )
    raters: tuple[Name, ...] = Field(
        default=(),
        max_length=200,
        title="Raters",
        description="drop, reassign: whose assignments go to others; recalibrate: who practises",
    )
    dimensions: tuple[Name, ...] = Field(
        default=(),
        max_length=64,
        title="Dimensions",
        description="recalibrate: on which dimensions, empty for all",
    )


class VerdictName(BaseModel):
    """Verdict of the gate: the round that it judged, and which judgement of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    round: int
    version: int


class TakenTarget(DecisionTarget):
    """Target of a decision that was taken.

    `verdict` is the newest at that moment, None where an overdue round goes on without the rest.
    """

    verdict: VerdictName | None = None
