"""The shapes that the desk answers with and takes."""

from datetime import datetime
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.decisions import Decision
from ocrjury.campaign.limits import MOST_DAYS
from ocrjury.frontends.web.bodies import Body, Reason
from ocrjury.frontends.web.desk.next_round_bodies import NextRoundBody
from ocrjury.store.paces import RUSHED

Pace = Literal["done", "on pace", "behind", "late", "not started", "withdrawn"]
LinkState = Literal["works", "expired", "revoked", "none"]
Pseudonym = Annotated[str, Field(min_length=1, max_length=64)]


class RoundBody(BaseModel):
    """A wave of rating, and how far it is."""

    number: int
    kind: str
    attempt: int
    state: str
    done: int
    asked: int
    opened_at: datetime
    deadline: datetime
    overdue: bool
    closed_by: str | None


class EvaluationBody(BaseModel):
    """An evaluation in the list: where it stands, and what it waits for.

    `remarks` is how many flags and comments nobody answered; of finished ones the list counts none.
    """

    evaluation: str
    campaign: str
    title: str
    state: str
    held_reason: str | None
    held_detail: str | None
    version: int
    simulated: bool
    opened_at: datetime
    time_zone: str
    verdict: str | None
    awaits: str
    remarks: int
    round: RoundBody | None

    @property
    def zone(self) -> ZoneInfo:
        """Time zone of its campaign, in which its page tells the time."""
        return ZoneInfo(self.time_zone)


class VerdictBody(BaseModel):
    """Verdict of the gate, for all dimensions (``*``) or for one."""

    dimension: str
    decision: str
    grade: str | None
    reasons: list[str]
    actions: list[str]


class RaterBody(BaseModel):
    """A rater in the last round: how much is done, and whether it is late."""

    rater: str
    done: int
    asked: int
    withdrawn: int
    pace: Pace
    hours_late: float
    last_rating: datetime | None
    link: LinkState
    link_ends: datetime | None
    last_seen: datetime | None


class RequestBody(BaseModel):
    """A decision that was asked for, at the desk or with a command."""

    request: str
    decision: str
    reason: str
    actor: str
    at: datetime
    outcome: str | None
    detail: str | None


class ReportBody(BaseModel):
    """A report, and where it is downloaded; null where there is no file, or none any more.

    Files go with the texts in them; `removed_at` is when, null if nobody knows.
    """

    kind: str
    language: str
    version: int
    at: datetime
    html: str | None
    pdf: str | None
    removed: bool
    removed_at: datetime | None


class EvaluationDetail(EvaluationBody):
    """Everything about one evaluation but its agreement.

    `unread` says how much of the pool could not be read, empty where all of it was;
    `images` says which page images raters saw otherwise than they were drawn, or did not see, and
    `left_aside` which files with ratings of the open round are not stored. `undelivered` says whom
    the newest report has not reached, why, and what follows.
    `next_round` is null unless the evaluation waits for people and a round was planned since.
    """

    next_round: NextRoundBody | None
    unread: str
    images: list[str]
    left_aside: list[str]
    undelivered: list[str]
    rounds: list[RoundBody]
    raters: list[RaterBody]
    verdicts: list[VerdictBody]
    decisions: list[Decision]
    requests: list[RequestBody]
    reports: list[ReportBody]

    @property
    def held_note(self) -> str | None:
        """Why it is held, unless that is what the newest verdict says: it stands below."""
        if self.held_detail is None:
            return None
        judged = "".join(self.verdicts[0].reasons) if self.verdicts else ""
        same = judged.replace(" ", "") == self.held_detail.replace(" ", "")
        return None if same else self.held_detail


class LevelsBody(BaseModel):
    """Use of the scale by a rater on a dimension: shares of the levels, lowest first.

    `outside`: the severity is shown to be beyond the tolerance, by the rule of the report;
    `within`: its whole interval is inside.
    """

    dimension: str
    num_ratings: int
    mean: float | None
    mean_low: float | None
    mean_high: float | None
    severity: float | None
    severity_low: float | None
    severity_high: float | None
    outside: bool
    within: bool
    shares: list[float]


class TimesBody(BaseModel):
    """Items with a time: median seconds at work, and how many were hasty (`hasty_seconds`)."""

    items: int
    median_seconds: float
    hasty: int
    hasty_seconds: float

    @property
    def share(self) -> float:
        """Share of hasty items."""
        return self.hasty / self.items

    @property
    def rushed(self) -> bool:
        """Whether the share of hasty items is large enough to be pointed out."""
        return self.share >= RUSHED


class MailingBody(BaseModel):
    """An email with a new link that a lead asked for, and the last attempt to send it."""

    state: Literal["asked", "sent", "failed", "given_up"]
    actor: str
    at: datetime
    detail: str | None


class RaterProfileBody(BaseModel):
    """A rater: progress and link, levels used, and what was found in words.

    `times` is null where no item has a time, as in workbooks.
    """

    rater: str
    progress: RaterBody | None
    levels: list[LevelsBody]
    findings: list[str]
    on_gold: list[str]
    on_repeats: list[str]
    times: TimesBody | None
    mailing: MailingBody | None = None


class DecisionBody(Body):
    """A lead's decision; `version` is that of the evaluation on which it is taken."""

    decision: Decision
    version: Annotated[int, Field(ge=1, le=2**31)]
    reason: Reason
    target: DecisionTarget = DecisionTarget()


class RequestStored(BaseModel):
    """The name of a request that waits to be taken."""

    request: str


class LinkBody(Body):
    """Change of a rater's links or sessions; `days` is how long links work from now on."""

    rater: Pseudonym
    change: Literal["new", "revoke", "extend", "sign_out", "mail"]
    days: Annotated[int, Field(ge=1, le=MOST_DAYS)] | None = None


class LinkChanged(BaseModel):
    """Number of links that were changed, and the address of a new one, which is shown here only."""

    changed: int
    address: str | None
