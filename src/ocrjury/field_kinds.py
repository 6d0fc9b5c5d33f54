"""Kinds of fields, which texts are compared and rules are written by."""

from typing import Final, Literal, get_args

FieldKind = Literal["amount", "code", "date", "text"]
FIELD_KINDS: Final[tuple[FieldKind, ...]] = get_args(FieldKind)
