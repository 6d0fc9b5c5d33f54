"""Names of the kinds of field in the language of the report."""

from collections.abc import Mapping
from typing import Final

from ocrjury.findings.field_errors import FieldErrors
from ocrjury.language import Phrase, phrase
from ocrjury.pages.numbers import series, value_text

_NAMES: Final[Mapping[str, Phrase]] = {
    "amount": phrase("amount"),
    "code": phrase("code"),
    "date": phrase("date"),
    "text": phrase("text"),
}


def kind_name(kind: str) -> str:
    """A kind as it is printed; one that only the pool knows stays as the pool writes it."""
    return _NAMES[kind].said() if kind in _NAMES else kind


def kind_names(errors: FieldErrors) -> list[str]:
    """Kinds of field in which an error can be critical."""
    return [kind_name(row.kind) for row in errors.by_kind]


def kind_shares(errors: FieldErrors) -> str:
    """Share of critical errors of every kind."""
    return series(
        f"{kind_name(row.kind)} {value_text(row.estimate, share=True)}" for row in errors.by_kind
    )
