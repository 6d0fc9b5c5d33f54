"""A posted form as a body, or the sentence on what is wrong in it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from ocrjury.campaign.boundary_cases import TEXT_TOO_LONG
from ocrjury.campaign.limits import LONGEST_COMMENT, LONGEST_REASON, SHORTEST_REASON
from ocrjury.campaign.reasons import LEAST
from ocrjury.frontends.web.answers import Trouble
from ocrjury.language import Phrase, phrase, said, tr
from ocrjury.pages.numbers import series

_NO_RATING: Final = phrase("Choose the rating that the item deserves.")
FAULTS: Final[Mapping[tuple[str, str], str]] = {
    ("reason", "value_error"): phrase(
        "Say why, in {n} letters or more ({few} in Korean, Chinese or Japanese); the report prints "
        "it.",
        n=LEAST,
        few=SHORTEST_REASON,
    ),
    ("reason", "string_too_long"): phrase(
        "A reason has at most {n} characters.", n=f"{LONGEST_REASON:,}"
    ),
    ("text", "string_too_long"): phrase(
        "An answer has at most {n} characters.", n=f"{LONGEST_COMMENT:,}"
    ),
    ("dimension", "string_too_short"): _NO_RATING,
    ("level", "string_too_short"): _NO_RATING,
    ("case", "too_short"): phrase("Say what the boundary case is."),
    ("case", "string_too_long"): TEXT_TOO_LONG,
    ("advice", "string_too_long"): TEXT_TOO_LONG,
    ("reference", "string_too_long"): TEXT_TOO_LONG,
    ("hypothesis", "string_too_long"): TEXT_TOO_LONG,
}
"""Sentence on a field and what Pydantic calls its fault; other faults name the field alone."""
NAMES: Final[Mapping[str, Phrase]] = {
    "reason": phrase("Reason"),
    "days": phrase("More days"),
    "items": phrase("More items"),
    "raters": phrase("Raters"),
    "dimensions": phrase("Dimensions"),
    "category": phrase("Why"),
    "dimension": phrase("Rating it deserves"),
    "level": phrase("Rating it deserves"),
    "case": phrase("What the case is"),
    "advice": phrase("Why it deserves this rating"),
    "reference": phrase("Example: reference"),
    "hypothesis": phrase("Example: OCR output"),
}
"""Names of the fields that a lead fills in; the page itself fills in all others."""
_PAGE_IS_OLD: Final = phrase(
    "This page did not send what the desk needs. Load it again, then send once more."
)
T = TypeVar("T", bound=BaseModel)


def read_form(kind: type[T], sent: Mapping[str, object]) -> T:
    """Read a body from the fields of a form; `Trouble` says what is wrong with the first of them.

    Examples
    --------
    >>> from ocrjury.frontends.web.desk.bodies import LinkBody
    >>> read_form(LinkBody, {"rater": "R01", "change": "extend", "days": "400"})
    Traceback (most recent call last):
    ocrjury.frontends.web.answers.Trouble: Please look at: More days.
    """
    try:
        return kind.model_validate(sent)
    except ValidationError as error:
        faults = [(_field(fault["loc"]), fault["type"]) for fault in error.errors()]
        raise Trouble(422, "shape", _sentence(faults)) from error


def _sentence(faults: Sequence[tuple[str, str]]) -> str:
    """Sentence on a form, by its fields and what Pydantic calls their faults."""
    sentences = [FAULTS[fault] for fault in faults if fault in FAULTS]
    if sentences:
        return sentences[0]
    named = dict.fromkeys(said(NAMES[field]) for field, _ in faults if field in NAMES)
    return tr("Please look at: {names}.", names=series(named)) if named else _PAGE_IS_OLD


def _field(place: tuple[Any, ...]) -> str:
    """Field of the form; what a decision is about stands beside its other fields there."""
    return next((str(part) for part in place if part != "target"), "")
