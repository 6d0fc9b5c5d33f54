"""The shapes of remarks: what raters report about items, and what leads do about it."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from ocrjury.campaign.flags import ItemProblem
from ocrjury.campaign.limits import LONGEST_COMMENT
from ocrjury.frontends.web.bodies import NO_NUL, Body, Reason

RemarkState = Literal["open", "answered", "all"]
Text = Annotated[str, Field(max_length=LONGEST_COMMENT, pattern=NO_NUL)]
AssignmentName = Annotated[str, Field(min_length=1, max_length=600, pattern=NO_NUL)]


class AnswerBody(BaseModel):
    """Answer of a lead to a remark; `text` is what the rater reads."""

    kind: str
    text: str
    actor: str
    at: datetime


class ExclusionBody(BaseModel):
    """Exclusion of an item by a lead, with the reason; `category` is as of the raters' flags."""

    item: str
    category: str
    reason: str
    after_verdict: bool
    actor: str
    at: datetime


class RemarkBody(BaseModel):
    """Remark of a rater on an item in one assignment: flags and a comment.

    `flags` are reasons by dimension that is not rated; `flag` is the reason where every dimension
    is rated all the same, empty without one. `letter` is that under which the rater saw the output
    on which the comment is, empty for an output alone.
    `known` says that the item has a known rating, which no answer may tell. `image` is the address
    of the place on the page, null where there is none to show.
    """

    assignment: str
    item: str
    doc_type: str | None
    kind: str | None
    field: str | None
    round: int
    round_kind: str
    rater: str
    known: bool
    flags: dict[str, str]
    flag: str
    comment: str
    letter: str
    at: datetime
    open: bool
    answers: list[AnswerBody]
    exclusion: ExclusionBody | None
    image: str | None


class RemarksBody(BaseModel):
    """One page of the remarks of an evaluation, the newest first."""

    open: int
    total: int
    page: int
    pages: int
    remarks: list[RemarkBody]


class ExcludeBody(Body):
    """An item to exclude, or with ``excluded: false`` to take back, and why."""

    item: Annotated[str, Field(min_length=1, max_length=512, pattern=NO_NUL)]
    excluded: bool = True
    category: ItemProblem = "other"
    reason: Reason


class ExclusionStored(BaseModel):
    """Outcome of an exclusion; `rerun`: the gate had judged with the item, and judges again."""

    rerun: bool


class RemarkAnswerBody(Body):
    """An answer to a remark, which its rater reads; ``read`` says nothing to anybody."""

    assignment: AssignmentName
    kind: Literal["answer", "read"] = "answer"
    text: Text = ""


class RemarkAnswered(BaseModel):
    """Number of remarks that are still open."""

    open: int
