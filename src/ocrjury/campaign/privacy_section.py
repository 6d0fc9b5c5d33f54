"""The section of ``campaign.yaml`` about what nobody should see, or should not be kept."""

from pydantic import Field

from ocrjury.campaign.section_values import A_POSITIVE, Positive, Section, Word


class Privacy(Section):
    """How long texts are kept after the end, and which regions of pages nobody sees."""

    retention_days: Positive | None = Field(
        default=None, description=f"{A_POSITIVE} (days after the end), or empty to keep texts"
    )
    masks: Word | None = Field(
        default=None,
        description="a path relative to the campaign's folder of a CSV with page_id or doc_id, x0, "
        "y0, x1 and y1, or empty",
    )
