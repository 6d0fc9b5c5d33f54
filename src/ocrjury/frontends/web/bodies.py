"""Bodies that a page sends, by its script or as a form: their shape, before any other check."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Final, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)
from pydantic_core import PydanticCustomError

from ocrjury.campaign.flags import CANNOT_JUDGE, CannotJudge, ItemProblem
from ocrjury.campaign.limits import (
    LONGEST_COMMENT,
    LONGEST_DISCUSSION,
    LONGEST_REASON,
    SHORTEST_REASON,
)
from ocrjury.campaign.reasons import check_reason
from ocrjury.store.draft_content import Draft, Judgement
from ocrjury.surrogates import HALF, has_surrogate

Category = Literal["ambiguous_item", "guideline_gap", "rater_error", "data_error"]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
"""Reasons why ratings of an item differ."""


def storable(text: object) -> object:
    r"""Text without the character that PostgreSQL keeps in no text.

    Examples
    --------
    >>> storable("a\x00b")
    'ab'
    """
    return text.replace("\x00", "") if isinstance(text, str) else text


Storable = BeforeValidator(storable)
Id = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[\w-]+$")]
Name = Annotated[str, Storable, Field(max_length=64)]
Times = Annotated[int, Field(ge=0, le=10_000)]
Milliseconds = Annotated[int, Field(ge=0, le=1_000_000_000_000)]
Values = Annotated[dict[Name, float], Field(max_length=8)]
NO_NUL = r"^[^\x00]*$"
"""PostgreSQL keeps no such character."""
Reason = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=LONGEST_REASON, pattern=NO_NUL),
    AfterValidator(check_reason),
    Field(json_schema_extra={"minLength": SHORTEST_REASON}),
]
"""Reason for a lead's action, which the report prints."""
MOST_ANSWERS = 8 * 8 + 1
"""Eight dimensions of eight outputs side by side, and which output is better."""
TEN_MINUTES = 600_000
HALVES = "halves"
"""Type of the problem that a body has half a character somewhere."""


class Body(BaseModel):
    """A body without unknown keys and without halves of characters."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _is_whole(cls, body: object) -> object:
        """Refuse what no page could show again, with the names of the fields."""
        fields = body.items() if isinstance(body, Mapping) else [("body", body)]
        halved = {name: value for name, value in fields if has_surrogate([name, value])}
        if halved:
            # Not the place of the problem: a place is a name, and a name may be what is wrong.
            names = ["body" if has_surrogate(name) else name for name in halved]
            raise PydanticCustomError(HALVES, HALF, {"names": names})
        return body


class DraftBody(Body):
    """Choices so far; `base` is the number of the draft that the rating page knows.

    `outputs` is how many outputs it shows. Side by side, the name of a dimension begins with the
    output's letter (``A:meaning``), and ``preference`` is the number of the choice which is better.
    `comment_lost`: the browser was closed before it could send the comment, which it keeps nowhere.
    `told`: where the page told of a field rule that the values break.
    """

    event_id: Id
    base: Annotated[int, Field(ge=0, le=1_000_000)]
    outputs: Annotated[int, Field(ge=1, le=8)] = 1
    values: Annotated[dict[Name, float], Field(max_length=MOST_ANSWERS)] = {}
    flags: Annotated[dict[Name, CannotJudge], Field(max_length=MOST_ANSWERS)] = {}
    flag: ItemProblem | None = None
    comment: Annotated[str, Storable, Field(max_length=LONGEST_COMMENT)] = ""
    comment_lost: bool = False
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    told: Annotated[tuple[Name, ...], Field(max_length=MOST_ANSWERS, strict=False)] = ()

    @model_validator(mode="after")
    def _fits_outputs(self) -> Self:
        """Refuse more answers than a rating page with so many outputs asks for."""
        if self.outputs == 1 and len(self.named) > 8:
            raise ValueError(self.outputs)
        return self

    @property
    def named(self) -> set[str]:
        """Names of all that is answered."""
        return {*self.values, *self.flags}

    def with_comment_of(self, draft: Judgement | None) -> Self:
        """The same with the comment that is saved already, if the browser lost it."""
        if not self.comment_lost or draft is None:
            return self
        return self.model_copy(update={"comment": draft.comment})

    def draft(self, *, told_rules: Iterable[str] = (), first: Judgement | None = None) -> Draft:
        """Draft that is kept until it is handed in; see `Draft`."""
        return Draft(
            values=self.values,
            flags=self.flags,
            flag=self.flag,
            comment=self.comment,
            confidence=self.confidence,
            told=tuple(dict.fromkeys(told_rules)),
            first=first,
        )


class Conditions(Body):
    """Conditions of a rating: what was shown, and how often each tool was used."""

    diff: Literal["shown", "hidden"] = "hidden"
    reference: Literal["shown", "hidden"] = "shown"
    view: Literal["crop", "page", "none"] = "none"
    diff_used: Times = 0
    zoom_used: Times = 0
    page_used: Times = 0
    guide_used: Times = 0
    changes: Times = 0
    breaks: Times = 0
    script: bool = True


class RatingBody(DraftBody):
    """A rating that is handed in; `held_ms`: for how long the browser kept it before it sent it."""

    rubric_hash: Name
    active_ms: Annotated[int, Field(ge=0, le=TEN_MINUTES)] = 0
    held_ms: Milliseconds = 0
    conditions: Conditions = Conditions()
    category: Category | None = None


def judgement_of(fields: Mapping[str, str]) -> Judgement:
    """Answers in a posted form; ValueError if a number in it is none."""
    flags = {
        name.removeprefix("value-"): CANNOT_JUDGE
        for name, text in fields.items()
        if name.startswith("value-") and text == CANNOT_JUDGE
    }
    return Judgement(
        values=values_of(fields),
        flags=flags,
        flag=fields.get("flag") or None,
        comment=fields.get("comment", ""),
        confidence=float(fields["confidence"]) if fields.get("confidence") else None,
    )


def body_of(fields: Mapping[str, str]) -> dict[str, object]:
    """Posted form as the body that a script would send."""
    return {
        "event_id": fields.get("event_id", ""),
        "base": int(fields.get("base", "0")),
        "outputs": int(fields.get("outputs", "1")),
        "rubric_hash": fields.get("rubric_hash", ""),
        **judgement_of(fields).model_dump(exclude={"told"}),
        "category": fields.get("category") or None,
        "told": [name.removeprefix("told-") for name in fields if name.startswith("told-")],
        "conditions": Conditions(script=False).model_dump(),
    }


def values_of(fields: Mapping[str, str]) -> dict[str, float]:
    """Levels in a posted form, by dimension."""
    return {
        name.removeprefix("value-"): float(text)
        for name, text in fields.items()
        if name.startswith("value-") and text not in {"", CANNOT_JUDGE}
    }


class ConsensusBody(Body):
    """Agreement of a panel: who was there, what was said, and a value on every dimension."""

    event_id: Id
    rubric_hash: Name
    values: Values
    discussion: Annotated[str, Storable, Field(min_length=1, max_length=LONGEST_DISCUSSION)]
    attendance: Annotated[list[Name], Field(min_length=1, max_length=50)]


class DraftSaved(BaseModel):
    """The number of the saved draft, and field rules that the chosen values break."""

    rev: int
    notes: dict[str, str]


class Bar(BaseModel):
    """Text in the bar of a page on a rater's progress, in their language."""

    done: int
    total: int
    progress: str
    left: str
    goal: str


class RatingStored(BaseModel):
    """Address of the next page; `left` is the number of the rater's open items."""

    next: str
    left: int
    bar: Bar


class Refusal(BaseModel):
    """Reason why nothing was done: a word for programs, a sentence for people.

    `notes`: field rules that the values break and that nobody was told of, by dimension (``rule``).
    """

    code: str
    message: str
    notes: dict[str, str] = {}


class RefusalBody(BaseModel):
    """The one shape of every refusal."""

    error: Refusal
