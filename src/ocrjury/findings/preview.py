"""The next round of an evaluation before it is opened: what it asks for, and what it costs."""

from dataclasses import dataclass
from typing import Literal

from ocrjury.findings.record import Number, Record, Sentence

Lack = Literal["", "no price", "no currency"]
Cause = Literal[
    "estimated",
    "not drawn",
    "elsewhere",
    "no ratings",
    "nothing pays",
    "other step",
    "refused",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Share(Record):
    """Share of a round that one rater gets; `cost` is in the unit of the registry."""

    rater: str
    assignments: int
    minutes: Number
    sessions: int
    cost: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRound(Record):
    """Size, cost and expected gain (in bits) of a round that is not open yet.

    Attributes
    ----------
    assignments
        All of them, with those of `gold` and those for the `second` time.
    cost
        In `currency`. Where `lacks` says why there is no amount, prices only weigh raters against
        each other.
    expected_gain
        nan where ratings are not chosen by gain.
    """

    kind: str
    rule: Sentence
    dimensions: tuple[str, ...]
    items: int
    assignments: int
    gold: int
    second: int
    raters: int
    hours: Number
    cost: Number
    currency: str
    lacks: Lack
    expected_gain: Number
    allocation: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class RatedItem(Record):
    """An item and how many ratings it has."""

    item: str
    ratings: int


@dataclass(frozen=True, slots=True)
class UnderAnnotated(Record):
    """Items with fewer ratings than the campaign asks for, those with fewest first."""

    wanted: int
    count: int
    items: tuple[RatedItem, ...]


@dataclass(frozen=True, slots=True)
class UncertainItem(Record):
    """An item, and the dimension on which its label is least certain."""

    item: str
    dimension: str
    confidence: Number
    ratings: int


@dataclass(frozen=True, slots=True)
class MostUncertain(Record):
    """Items below the target confidence, the least certain first."""

    target: Number
    calibrated: bool
    count: int
    items: tuple[UncertainItem, ...]


@dataclass(frozen=True, slots=True)
class GoldCheck(Record):
    """Check on gold items whether choosing items pays, with its reason."""

    decision: str
    reason: Sentence
    n_items: int


@dataclass(frozen=True, slots=True)
class ForExpert(Record):
    """An item on which a decision is worth its price, and why."""

    item: str
    reason: Sentence


@dataclass(frozen=True, slots=True)
class Experts(Record):
    """Items that are worth an adjudicator's decision, at what price."""

    decision_cost: Number
    count: int
    items: tuple[ForExpert, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption(Record):
    """Event that comes before the next round: a lead proceeds, or a round closes and passes.

    ``number`` and ``kind`` are those of the round that closes; 0 and empty where a lead proceeds.
    """

    event: Literal["proceed", "close"]
    number: int = 0
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRound(Record):
    """Reason why no round follows.

    Attributes
    ----------
    number
        The round that nobody rated in.
    state
        Where the evaluation is, or where it goes instead; a hold has its reason in brackets.
    problem
        Why the round cannot be planned.
    """

    cause: Cause
    number: int = 0
    state: str = ""
    problem: Sentence = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview(Record):
    """The next round of an evaluation, or the cause why none follows.

    Attributes
    ----------
    state, number
        Where the evaluation stood, and its newest round (None before the first): elsewhere, the
        preview no longer holds.
    under_annotated, most_uncertain, gold_check, experts
        None before anybody has rated, the last two also where items are not chosen by gain or have
        no labels.
    """

    evaluation: str
    state: str
    number: int | None = None
    assuming: Assumption | None = None
    because: NoRound | None = None
    round: PlannedRound | None = None
    under_annotated: UnderAnnotated | None = None
    most_uncertain: MostUncertain | None = None
    gold_check: GoldCheck | None = None
    experts: Experts | None = None
