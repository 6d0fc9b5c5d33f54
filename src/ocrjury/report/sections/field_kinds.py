"""Names of the kinds of field in the language of the report."""

from collections.abc import Sequence

from ocrjury.field_kinds import KIND_NAMES
from ocrjury.findings.field_errors import FieldErrors, KindErrors
from ocrjury.language import said, tr
from ocrjury.pages.numbers import listing, series, value_text
from ocrjury.report.sections.counts import Counts, fields_text


def kind_name(kind: str) -> str:
    """A kind as it is printed; one that only the pool knows stays as the pool writes it."""
    return said(KIND_NAMES[kind]) if kind in KIND_NAMES else kind


def kind_names(errors: FieldErrors) -> list[str]:
    """Kinds of field in which an error can be critical."""
    return [kind_name(row.kind) for row in errors.by_kind]


def critical_share(counts: Counts | None, errors: FieldErrors, most: Sequence[KindErrors]) -> str:
    """Share of fields with a critical error, and the kind that has most unless kinds tie."""
    words = {
        "share": value_text(errors.share, share=True),
        "fields": fields_text(counts, sum(row.pool for row in errors.by_kind)),
        "kinds": listing(kind_names(errors), "or"),
    }
    if len(most) > 1 or len(errors.by_kind) == 1:
        return tr("{share} of the {fields} of kind {kinds} have a critical error.", **words)
    return tr(
        "{share} of the {fields} of kind {kinds} have a critical error, most often {kind} fields.",
        **words,
        kind=kind_name(most[0].kind),
    )


def kind_shares(errors: FieldErrors) -> str:
    """Share of critical errors of every kind."""
    return series(
        f"{kind_name(row.kind)} {value_text(row.estimate, share=True)}" for row in errors.by_kind
    )
