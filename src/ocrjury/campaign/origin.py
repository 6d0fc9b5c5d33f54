"""Origin of a pool, in the lead's words: no file of OCR results tells all of it."""

from collections.abc import Mapping
from typing import Final

from pydantic import Field

from ocrjury.campaign.section_values import Section, Word
from ocrjury.language import Phrase, phrase

A_TEXT = "a text, in quotes, or empty"


class Origin(Section):
    """Documents, engine and days, printed as they are given; days in words of the report."""

    documents: Word | None = Field(default=None, description=A_TEXT)
    engine: Word | None = Field(default=None, description=A_TEXT)
    version: Word | None = Field(default=None, description=A_TEXT)
    dates: Word | None = Field(
        default=None,
        description='a day such as "2026-11-20", two with a slash between them, or a text',
    )

    @property
    def told(self) -> list[tuple[Phrase, str]]:
        """Label and text of each fact that was given."""
        texts = ((label, getattr(self, name)) for name, label in _LABELS.items())
        return [(label, text) for label, text in texts if text is not None]


_LABELS: Final[Mapping[str, Phrase]] = {
    "documents": phrase("Documents come from"),
    "engine": phrase("OCR engine"),
    "version": phrase("Engine version"),
    "dates": phrase("Read on"),
}
