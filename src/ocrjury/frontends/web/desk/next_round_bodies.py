"""The next round before it is opened, as the desk answers with it."""

from datetime import datetime

from pydantic import BaseModel


class ShareBody(BaseModel):
    """Share of one rater in the next round; `cost` is null where the round has none."""

    rater: str
    assignments: int
    sessions: int
    hours: float
    cost: float | None


class PlannedRoundBody(BaseModel):
    """A round that is not open yet, with those of `gold` and for the `second` time in it.

    `cost` is in `currency`; `why_no_cost` says why it is null.
    """

    kind: str
    rule: str
    dimensions: list[str]
    items: int
    assignments: int
    gold: int
    second: int
    hours: float
    cost: float | None
    currency: str | None
    why_no_cost: str | None
    raters: list[ShareBody]


class NextRoundBody(BaseModel):
    """The round that would follow, as planned `at` a moment from the ratings so far.

    `assuming` is what has to come before it; `why_none` is why none follows. `few_ratings` is how
    many items have fewer ratings than the campaign asks for, `uncertain` how many have a label
    below the target confidence (null before anybody rated), `for_adjudicator` how many are worth
    an adjudicator's decision.
    """

    at: datetime
    assuming: str
    why_none: str | None
    round: PlannedRoundBody | None
    few_ratings: int
    uncertain: int | None
    for_adjudicator: int
