"""Fields with a critical error."""

from ocrjury.findings.field_errors import FieldErrors
from ocrjury.pages.numbers import estimate_text, listing, plural
from ocrjury.report.data import ReportData


def text(report: ReportData, errors: FieldErrors) -> str:
    """Definition of a critical error, and the basis of the numbers."""
    kinds = listing([row.kind for row in errors.by_kind])
    said = (
        "Critical error: a field rule of the rubric takes the best rating on "
        f"{report.name(errors.dimension)} from a field of kind {kinds}, because it does not say "
        "what its reference says. Estimated for the whole pool from the drawn fields; over all "
        f"these kinds {estimate_text(errors.share, share=True)}."
    )
    if not errors.unknown:
        return said
    fields = plural(errors.unknown, "drawn field")
    return f"{said} {fields} without a reference: others of the stratum stand for them."
