"""The section ``pool`` of a campaign: where the documents are, and who else scored them."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from ocrjury.campaign.origin import Origin
from ocrjury.campaign.section_values import Columns, Encoding, JudgeName, Section, Word
from ocrjury.readers.format_names import Format
from ocrjury.text.options import Preset

Numbers = Annotated[tuple[Word, ...], Field(strict=False)]
"""Columns with numbers; YAML and JSON have lists, a frozen section keeps tuples."""


class Pool(Section):
    """Location and format of the OCR results."""

    path: Word = Field(description="a path relative to the campaign's folder, or a URL")
    reference: Word | None = Field(
        default=None,
        description="the folder of what is right, beside the folder of what was read, or empty",
    )
    format: Format | None = Field(default=None)
    encoding: Encoding | None = Field(
        default=None, description="an encoding such as utf-8 or cp949, or empty"
    )
    images: Word | None = Field(
        default=None, description="the folder that the image column is relative to, or empty"
    )
    options: Preset = "default"
    judges: dict[JudgeName, Columns] = Field(
        default={}, description="columns by judge and dimension, {LLM: {meaning: llm_meaning}}"
    )
    auxiliaries: Numbers = Field(
        default=(), description="a list of columns with a number for each document, [fluency]"
    )

    origin: Origin = Field(
        default=Origin(), description="a section with documents, engine, version and dates"
    )

    def judges_of(self, dimension: str) -> Mapping[str, str]:
        """Column of every judge of a dimension, by the judge's name."""
        return {
            judge: columns[dimension]
            for judge, columns in self.judges.items()
            if dimension in columns
        }

    @property
    def judged_columns(self) -> tuple[str, ...]:
        """Columns of all judges, on the raters' scale."""
        return tuple(sorted({column for by in self.judges.values() for column in by.values()}))
