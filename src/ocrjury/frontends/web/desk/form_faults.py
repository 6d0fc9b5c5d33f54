"""A posted form as a body, or the sentence on what is wrong in it."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from ocrjury.campaign.boundary_cases import TEXT_TOO_LONG
from ocrjury.frontends.web.answers import Trouble
from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import series

_NO_RATING: Final = phrase("Choose the rating that the item deserves.")
FAULTS: Final[Mapping[tuple[str, str], str]] = {
    ("reason", "string_too_short"): phrase(
        "Say why, in five characters or more; the report prints it."
    ),
    ("reason", "string_too_long"): phrase("A reason has at most 2,000 characters."),
    ("text", "string_too_long"): phrase("An answer has at most 2,000 characters."),
    ("dimension", "string_too_short"): _NO_RATING,
    ("level", "string_too_short"): _NO_RATING,
    ("case", "too_short"): phrase("Say what the boundary case is."),
    ("case", "string_too_long"): TEXT_TOO_LONG,
    ("advice", "string_too_long"): TEXT_TOO_LONG,
    ("reference", "string_too_long"): TEXT_TOO_LONG,
    ("hypothesis", "string_too_long"): TEXT_TOO_LONG,
}
"""Sentence on a field and what Pydantic calls its fault; other faults name the field alone."""
T = TypeVar("T", bound=BaseModel)


def read_form(kind: type[T], sent: Mapping[str, object]) -> T:
    """Read a body from the fields of a form; `Trouble` says what is wrong with the first of them.

    Examples
    --------
    >>> from ocrjury.frontends.web.desk.rubric_bodies import UndoCaseBody
    >>> read_form(UndoCaseBody, {"version": "1", "reason": "It was wrong."})
    Traceback (most recent call last):
    ocrjury.frontends.web.answers.Trouble: Please look at: version.
    """
    try:
        return kind.model_validate(sent)
    except ValidationError as error:
        faults = [(_field(fault["loc"]), fault["type"]) for fault in error.errors()]
        names = series(dict.fromkeys(field for field, _ in faults))
        sentences = [FAULTS[fault] for fault in faults if fault in FAULTS]
        sentence = sentences[0] if sentences else tr("Please look at: {names}.", names=names)
        raise Trouble(422, "shape", sentence) from error


def _field(place: tuple[Any, ...]) -> str:
    """Field of the form; what a decision is about stands beside its other fields there."""
    return next((str(part) for part in place if part != "target"), "")
