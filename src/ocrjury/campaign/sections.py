"""The sections of ``campaign.yaml``: their keys, defaults and what each key may hold.

Every key's description completes the sentence "it must be ...", which is what a lead reads when a
value is refused.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, model_validator

from ocrjury.adaptive.defaults import EXPLORE, TARGET_CONFIDENCE
from ocrjury.campaign.brand import Brand
from ocrjury.campaign.costs import Costs
from ocrjury.campaign.delivery_sections import Deliveries
from ocrjury.campaign.owners import Owner
from ocrjury.campaign.problems import problem, together
from ocrjury.campaign.section_values import (
    A_COUNT,
    A_POSITIVE,
    A_SHARE,
    Count,
    Cron,
    Positive,
    PositiveShare,
    Section,
    Share,
    Word,
)
from ocrjury.gate.policy import ENOUGH_ITEMS, GatePolicy, OnFail, PresetName
from ocrjury.language import Language
from ocrjury.report_choices import Examples
from ocrjury.sampling.designs import Design, Risk
from ocrjury.truth.method_names import ClassPrior, Method, Prior

if TYPE_CHECKING:
    from pydantic_core import InitErrorDetails

SHARES_TOLERANCE = 1e-6
Names = Annotated[tuple[Word, ...], Field(strict=False)]
"""Columns by name; YAML and JSON have lists, a frozen section keeps tuples."""


class Shares(Section):
    """Parts of every document's inclusion probability; a part that is not named is 0."""

    random: Share = Field(default=0.0, description=A_SHARE)
    stratified: Share = Field(default=0.0, description=A_SHARE)
    error_focused: Share = Field(default=0.0, description=A_SHARE)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        total = self.random + self.stratified + self.error_focused
        if abs(total - 1) > SHARES_TOLERANCE:
            message = (
                f"random {self.random:g}, stratified {self.stratified:g} and error_focused "
                f"{self.error_focused:g} add up to {total:g}; the shares must add up to 1."
            )
            together("Shares", [problem((), message)])
        return self


DEFAULT_SHARES = Shares(random=0.5, stratified=0.3, error_focused=0.2)


class Borderline(Section):
    """A score that decides by itself far from a threshold, and not close to it."""

    score: Word = Field(default="cer", description="a column with numbers, such as cer")
    threshold: float = Field(default=0.05, description="a number, such as 0.05")


class Sampling(Section):
    """Number of documents to draw, and the design of their inclusion probabilities."""

    n: Positive | None = Field(
        default=None, description=f"{A_POSITIVE}, or empty for +-5 % at 95 %"
    )
    design: Design = "mixture"
    risk: Risk = "auto"
    judge: Word | None = Field(
        default=None, description="a column of pool.judges or pool.auxiliaries, or empty"
    )
    borderline: Borderline | None = Field(
        default=None, description="a section with score and threshold, or empty"
    )
    shares: Shares = Field(
        default=DEFAULT_SHARES,
        description="a section with random, stratified and error_focused",
    )
    stratum: Word | None = Field(default="doc_type", description="a column of the pool, or empty")
    floor: Count = Field(default=2, description=A_COUNT)

    @model_validator(mode="after")
    def _fits_the_design(self) -> Self:
        problems: list[InitErrorDetails] = []
        if self.design != "mixture" and self.shares != DEFAULT_SHARES:
            message = (
                f"shares belong to the design mixture; the design {self.design} has its own. "
                "Leave them out, or take design: mixture."
            )
            problems.append(problem(("shares",), message))
        if self.design == "stratified" and self.risk != "auto":
            message = (
                f"the design stratified draws every document alike and has no use for a risk; "
                f"found {self.risk}. Leave risk out, or take design: mixture."
            )
            problems.append(problem(("risk",), message))
        if self.judge is not None and self.risk != "judge":
            message = f"this belongs to risk: judge; the risk is {self.risk}."
            problems.append(problem(("judge",), message))
        if self.borderline is not None and self.risk not in {"borderline", "combined"}:
            message = f"this belongs to risk: borderline or combined; the risk is {self.risk}."
            problems.append(problem(("borderline",), message))
        together("Sampling", problems)
        return self


class Gate(Section):
    """Agreement that the gate asks of the raters, and the course after a FAIL."""

    policy: PresetName = "default"
    on_fail: OnFail = "hold"
    min_items: Annotated[int, Field(ge=2)] = Field(
        default=ENOUGH_ITEMS, description="a whole number of at least 2"
    )

    @property
    def rules(self) -> GatePolicy:
        """Policy with the campaign's minimum of items."""
        return replace(GatePolicy.preset(self.policy), min_items=self.min_items)


class TruthModel(Section):
    """Inference of the truth behind the ratings."""

    method: Method = "dawid_skene"
    prior: Prior = "kinds"
    class_prior: ClassPrior = "tempered"
    target_confidence: Annotated[float, Field(gt=0, lt=1)] = Field(
        default=TARGET_CONFIDENCE, description="a number between 0 and 1"
    )


class Adaptive(Section):
    """Further ratings of uncertain items."""

    max_rounds: Count = Field(default=2, description=f"{A_COUNT} (0 = no adaptive round)")
    cap: Positive = Field(default=4, description=f"{A_POSITIVE} (raters per item)")
    budget: Count = Field(
        default=120, description=f"{A_COUNT} (assignments over all adaptive rounds)"
    )
    decisions: Count = Field(
        default=60, description=f"{A_COUNT} (items over all adjudication rounds)"
    )
    explore: Share = Field(default=EXPLORE, description=A_SHARE)
    policy: Literal["gain", "disagreement", "under_annotated", "three_step"] = "gain"
    adjudicate_explored: bool = Field(default=False, description="true or false")


class Target(Section):
    """Target for the pool: a mean, or a share of items at or above a level."""

    dimension: Word = Field(description="the name of a dimension of the rubric")
    mean: float | None = Field(default=None, description="a number on the scale, or empty")
    share_at_least: float | None = Field(default=None, description="a level of the scale, or empty")
    share: PositiveShare | None = Field(
        default=None, description="a number above 0, at most 1, or empty"
    )

    @model_validator(mode="after")
    def _one_aim(self) -> Self:
        pair = (self.share_at_least is not None, self.share is not None)
        if pair not in {(True, True), (False, False)} or (self.mean is None) != all(pair):
            message = (
                "a target is either `mean` (such as 4.0) or both `share_at_least` and `share` "
                "(such as 4 and 0.8)."
            )
            together("Target", [problem((), message)])
        return self


class Report(Deliveries):
    """Target, content, owners and recipients of the report."""

    target: Target | None = Field(
        default=None, description="a section with dimension and mean, or empty for no target"
    )
    owner: Owner = Field(
        default=Owner(),
        description="the name of who decides, or a section with decision, ocr, rubric and raters",
    )
    costs: Costs | None = Field(
        default=None, description="a section with error, check and currency, or empty"
    )
    decide_in_days: Positive = Field(default=14, description=f"{A_POSITIVE} (days after the end)")
    languages: Annotated[tuple[Language, ...], Field(strict=False)] = Field(
        default=(), description="a list such as [ko, en], the main one first, or empty"
    )
    examples: Examples = "masked"
    archive: bool = Field(default=False, description="true or false")
    brand: Brand | None = Field(
        default=None, description="a section with name, logo, colour and footer, or empty"
    )
    templates: dict[str, str] | None = Field(
        default=None, description="a folder of templates that replace blocks of ours, or empty"
    )
    """Texts of the templates by name of file, which are kept with the evaluation."""
    worst_items: Count = Field(default=8, description=A_COUNT)
    covariates: Names | None = Field(
        default=None,
        description="a list of columns of the pool, [scan_quality], or empty to let them be found",
    )


class Schedule(Section):
    """Schedule by which new evaluations open."""

    cron: Cron | None = Field(
        default=None, description="a cron schedule in quotes such as '0 6 * * 1', or empty"
    )


class SimulatedRater(Section):
    """Errors of a simulated rater, in steps of the scale."""

    severity: float = Field(default=0.0, description="a number of scale steps; below 0 is severe")
    noise: Annotated[float, Field(ge=0)] = Field(default=0.35, description="a number of at least 0")
    halo: Annotated[float, Field(ge=0)] = Field(default=0.2, description="a number of at least 0")
    careless: Share = Field(default=0.0, description=A_SHARE)


class SimulatedExcept(Section):
    """Deviations of one simulated rater from the default."""

    severity: float | None = Field(
        default=None, description="a number of scale steps; below 0 is severe"
    )
    noise: Annotated[float, Field(ge=0)] | None = Field(
        default=None, description="a number of at least 0"
    )
    halo: Annotated[float, Field(ge=0)] | None = Field(
        default=None, description="a number of at least 0"
    )
    careless: Share | None = Field(default=None, description=A_SHARE)


class Simulation(Section):
    """Behaviour of the simulated raters in a rehearsal."""

    default: SimulatedRater = Field(
        default=SimulatedRater(), description="a section with severity, noise, halo and careless"
    )
    raters: dict[str, SimulatedExcept] = Field(
        default={}, description="a section with pseudonyms, each with what differs from default"
    )

    def rater(self, pseudonym: str) -> SimulatedRater:
        """Behaviour of one rater: its own values, completed by the defaults."""
        own = self.raters.get(pseudonym, SimulatedExcept()).model_dump(exclude_none=True)
        return self.default.model_copy(update=own)


class Privacy(Section):
    """Retention of texts after the end, and regions of pages that nobody sees."""

    retention_days: Positive | None = Field(
        default=None, description=f"{A_POSITIVE} (days after the end), or empty to keep texts"
    )
    masks: Word | None = Field(
        default=None,
        description="a path relative to the campaign's folder of a CSV with page_id or doc_id, x0, "
        "y0, x1 and y1, or empty",
    )
