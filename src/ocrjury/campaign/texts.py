"""Texts in several languages."""

from collections.abc import Mapping
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, Field

T = TypeVar("T")
ANY_LANGUAGE = "und"  # BCP 47: undetermined


def in_every_language(value: object) -> object:
    """Take a bare text for all languages."""
    return {ANY_LANGUAGE: value} if isinstance(value, str) else value


Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")]
Text = Annotated[str, Field(min_length=1)]
Texts = Annotated[dict[Language, Text], Field(min_length=1), BeforeValidator(in_every_language)]


def in_language(texts: Mapping[str, T], language: str) -> T | None:
    """Text in a language, else in the nearest one there is.

    >>> in_language({"en": "date", "ko": "날짜"}, "ko-KR")
    '날짜'
    >>> in_language({"en": "date", "ko": "날짜"}, "zh")
    'date'
    """
    wanted = (language, language.partition("-")[0], ANY_LANGUAGE, "en", *texts)
    return next((texts[name] for name in wanted if name in texts), None)
