"""Kinds of fields, which texts are compared and rules are written by, and their names."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from ocrjury.language import Phrase, phrase

FieldKind = Literal["amount", "code", "date", "text"]
FIELD_KINDS: Final[tuple[FieldKind, ...]] = get_args(FieldKind)
KIND_NAMES: Final[Mapping[str, Phrase]] = {
    "amount": phrase("amount"),
    "code": phrase("code"),
    "date": phrase("date"),
    "text": phrase("text"),
}
