"""The shapes of the rubric's versions, and of boundary cases that leads add."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from ocrjury.campaign.texts import Language, in_every_language
from ocrjury.frontends.web.bodies import NO_NUL, Body, Reason

Words = Annotated[str, Field(max_length=10_000, pattern=NO_NUL)]
"""A text; `ocrjury.campaign.limits` says how long it may be."""


class RubricVersionBody(BaseModel):
    """A version of the rubric: what changed, and how many ratings that count know it.

    `change` is ``opening``, ``case`` or ``undo``; `level` is that of the boundary case added.
    """

    version: int
    rubric_hash: str
    change: str
    undoes: int | None
    item: str | None
    dimension: str | None
    level: str | None
    reason: str
    actor: str
    at: datetime
    ratings: int


class RubricBody(BaseModel):
    """The rubric of an evaluation.

    `in_force` is the version of the last round, `newest` the one that the next round takes, and
    `rubric` this one as a campaign holds it.
    """

    in_force: int
    newest: int
    versions: list[RubricVersionBody]
    rubric: dict[str, Any]


class CaseBody(Body):
    """A boundary case to add: what is to be decided, the level that it deserves, and why.

    Without `reference` and `hypothesis` those of the item are the example; both empty: there is
    none. `reason` says why the rubric is changed; the report prints it.
    """

    item: Annotated[str, Field(min_length=1, max_length=512, pattern=NO_NUL)]
    dimension: Annotated[str, Field(min_length=1, max_length=64)]
    level: float | Annotated[str, Field(min_length=1, max_length=200)]
    case: Annotated[dict[Language, Words], BeforeValidator(in_every_language), Field(min_length=1)]
    advice: Annotated[dict[Language, Words], BeforeValidator(in_every_language)] | None = None
    reference: Words | None = None
    hypothesis: Words | None = None
    reason: Reason


class UndoCaseBody(Body):
    """The version whose boundary case is taken back, and why."""

    version: Annotated[int, Field(ge=2, le=100_000)]
    reason: Reason


class RubricChanged(BaseModel):
    """The number of the new version."""

    version: int
