"""The sections of ``campaign.yaml`` about raters and rounds; see `ocrjury.campaign.sections`."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import InitErrorDetails

from ocrjury.campaign.capabilities import Frontend
from ocrjury.campaign.labelstudio_section import LabelStudio
from ocrjury.campaign.problems import problem, together
from ocrjury.campaign.section_values import (
    A_COUNT,
    A_POSITIVE,
    A_SHARE,
    Count,
    Positive,
    PositiveShare,
    Section,
    Share,
    Word,
)
from ocrjury.rater_statistics import PilotMeasure, is_error
from ocrjury.scales import Scale

Minutes = Annotated[float, Field(gt=0)]
A_TIME = "a number of minutes above 0"


class Raters(Section):
    """Raters, their workload, and the gold items and repeats that check their care."""

    file: Word = Field(default="raters.csv", description="a path relative to the campaign's folder")
    per_item: Positive = Field(default=2, description=A_POSITIVE)
    double_rated: Share = Field(default=1.0, description=A_SHARE)
    minutes_per_item: Minutes = Field(default=1.0, description=A_TIME)
    session_minutes: Minutes = Field(default=60.0, description=A_TIME)
    gold: Word | None = Field(
        default=None,
        description="a path relative to the campaign's folder of ratings that are known, or empty",
    )
    gold_pool: Word | None = Field(
        default=None,
        description="a path or URL of documents of their own for the gold file, or empty where "
        "it names documents of the pool",
    )
    gold_every: Annotated[int, Field(ge=2)] = Field(
        default=10, description="a whole number of at least 2 (about every how many-th item is one)"
    )
    repeats: Annotated[float, Field(ge=0)] = Field(
        default=0.0,
        description="a share of each rater's items below 1, or a whole number of them (0 = none)",
    )

    currency: Annotated[str, Field(max_length=12)] = Field(
        default="",
        description="the currency of the prices in raters.csv, such as EUR, or empty where they "
        "only weigh raters against each other",
    )

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        problems = []
        if self.repeats >= 1 and not self.repeats.is_integer():
            message = (
                f"{self.repeats:g} is neither a share below 1 nor a whole number of items per "
                "rater."
            )
            problems.append(problem(("repeats",), message, self.repeats))
        if self.gold_pool is not None and self.gold is None:
            message = "its documents have no known ratings; name the file that holds them in gold."
            problems.append(problem(("gold_pool",), message, self.gold_pool))
        together("Raters", problems)
        return self

    @property
    def share_rated_twice(self) -> float:
        """Share of items that two or more raters see."""
        return self.double_rated if self.per_item > 1 else 0.0


class Criterion(Section):
    """Criterion that every rater has to reach in a pilot, on each of its dimensions.

    Ratings are compared with gold where an item has it, else with what the other raters say.
    """

    measure: PilotMeasure = "share_within"
    tolerance: Annotated[float, Field(ge=0)] | None = Field(
        default=None,
        description="a number of at least 0 (how far off still is right), or empty",
    )
    limit: float | None = Field(
        default=None,
        description="a number (the least share or kappa, the largest error), or empty",
    )
    min_ratings: Positive = Field(default=10, description=A_POSITIVE)

    def tolerance_on(self, scale: Scale) -> float:
        """Largest deviation that counts as right; by default one level if there are four or more.

        Examples
        --------
        >>> criterion = Criterion()
        >>> criterion.tolerance_on(Scale.likert(1, 5)), criterion.tolerance_on(Scale.binary())
        (1.0, 0.0)
        """
        if self.tolerance is not None:
            return self.tolerance
        if scale.kind == "interval":
            return (scale.high - scale.low) / 10
        return 1.0 if scale.kind == "likert" and len(scale.categories) > 3 else 0.0

    def limit_on(self, scale: Scale) -> float:
        """Value to reach; for an error by default an eighth of the scale, half a level of five."""
        if self.limit is not None:
            return self.limit
        if is_error(self.measure):
            return (scale.high - scale.low) / 8
        return 0.8 if self.measure == "share_within" else 0.6


LEAST_PRACTICE = 20
"""Items on which raters practise anew where the campaign has no pilot."""


class Pilot(Section):
    """Practice on a few items before the main round."""

    items: Count = Field(default=0, description=f"{A_COUNT} (0 = no pilot round)")
    criterion: Criterion = Field(
        default=Criterion(), description="a section with measure, tolerance, limit and min_ratings"
    )

    @property
    def practice_items(self) -> int:
        """Items on which raters practise who recalibrate."""
        return self.items or LEAST_PRACTICE

    @model_validator(mode="after")
    def _can_be_met(self) -> Self:
        needed = self.criterion.min_ratings
        if 0 < self.items < needed:
            message = (
                f"a pilot of {self.items} items cannot bring the {needed} ratings that its "
                "criterion needs of every rater; raise items or lower criterion.min_ratings."
            )
            together("Pilot", [problem(("items",), message, self.items)])
        return self


class RatingPage(Section):
    """Display of the rating page, and breaks of those who work on it."""

    reference: Literal["shown", "hidden"] = "shown"
    diff: Literal["shown", "on_demand", "hidden"] = "shown"
    confidence: bool = Field(default=False, description="true or false")
    break_minutes: Annotated[float, Field(gt=0, le=60)] = Field(
        default=50.0, description="a number of minutes above 0, at most 60"
    )
    stop_minutes: Annotated[float, Field(ge=0, le=240)] = Field(
        default=0.0,
        description="a number of minutes after which ten minutes of rest are due (0 = never)",
    )
    change_items: Count | None = Field(
        default=None,
        description=f"{A_COUNT} (of the last items that may be changed), or empty for all of the "
        "open round",
    )
    change_minutes: Annotated[float, Field(ge=0)] | None = Field(
        default=None,
        description="a number of minutes in which they may be changed, or empty for as long as "
        "the round is open",
    )
    single_use: bool = Field(default=False, description="true or false (a link works once)")
    systems: Literal["apart", "side_by_side"] = Field(
        default="apart",
        description="apart or side_by_side (the outputs of several OCR systems for one page)",
    )
    preference: bool = Field(
        default=False, description="true or false (with side_by_side: which output is better)"
    )

    idle_seconds: Annotated[float, Field(ge=5, le=3600)] = Field(
        default=60.0,
        description="a number of seconds from 5 to 3600 without touching anything, after which "
        "time no longer counts as work",
    )
    hasty_seconds: Annotated[float, Field(ge=0, le=600)] = Field(
        default=3.0,
        description="a number of seconds; an item submitted sooner is noted as hasty (0 = never)",
    )
    gold_feedback: bool = Field(
        default=False,
        description="true or false (raters see, once a round is over, how near gold they came)",
    )

    @property
    def countable(self) -> bool:
        """Whether raters see the characters that differ, so that they may be counted for them."""
        return self.reference == "shown" and self.diff != "hidden"

    @model_validator(mode="after")
    def _has_what_to_compare(self) -> Self:
        if self.preference and self.systems != "side_by_side":
            message = (
                "which output is better is asked where both are seen; take systems: side_by_side, "
                "or leave preference out."
            )
            together("RatingPage", [problem(("preference",), message)])
        return self


class Rounds(Section):
    """Frontend in which raters work, and the end of a round."""

    frontend: Frontend = "simulated"
    labelstudio: LabelStudio | None = Field(
        default=None, description="a section with url and allow_degraded, or empty"
    )
    page: RatingPage = Field(default=RatingPage(), description="a section about the rating page")
    pilot: Pilot = Field(default=Pilot(), description="a section with items and criterion")
    deadline_days: Annotated[float, Field(gt=0, le=365)] = Field(
        default=7.0, description="a number of days above 0, at most 365"
    )
    remind_days: Annotated[float, Field(ge=0, le=90)] = Field(
        default=2.0,
        description="a number of days before the deadline at which raters are reminded by email "
        "(0 = never)",
    )
    close_at: PositiveShare = Field(default=0.95, description="a number above 0, at most 1")
    top_ups: Count = Field(default=1, description=A_COUNT)

    @model_validator(mode="after")
    def _has_its_server(self) -> Self:
        if self.frontend == "labelstudio" and self.labelstudio is None:
            message = (
                "frontend: labelstudio needs to know its server, such as "
                "{url: http://127.0.0.1:8080, allow_degraded: true}."
            )
            together("Rounds", [problem(("labelstudio",), message)])
        return self


def criterion_problems(criterion: Criterion, scale: Scale) -> list[InitErrorDetails]:
    """Problems of a criterion that does not fit the rubric's scale."""
    measure, where = criterion.measure, ("rounds", "pilot", "criterion", "measure")
    if measure == "share_within":
        return []
    if not scale.ordered:
        message = f"{measure} needs levels in order; the rubric's scale ({scale}) has none. Take "
        return [problem(where, f"{message}share_within.", measure)]
    if measure == "weighted_kappa" and scale.kind == "interval":
        message = (
            f"weighted_kappa compares categories; the rubric's scale ({scale}) has none. Take "
            "share_within or mean_absolute_error."
        )
        return [problem(where, message, measure)]
    return []
