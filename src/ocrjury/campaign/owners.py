"""Owners of what a report asks for: the decision, the OCR, the rubric, the raters."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import Field, model_validator

from ocrjury.campaign.section_values import Section, Word
from ocrjury.language import Phrase, phrase

About = Literal["decision", "ocr", "rubric", "raters"]
A_NAME = "a name or a role, or empty"
_USUAL: Final[Mapping[About, Phrase]] = {
    "ocr": phrase("OCR team"),
    "rubric": phrase("author of the rubric"),
    "raters": phrase("lead of the raters"),
}


class Owner(Section):
    """Owner of the decision, and of what there is to do; one name stands for the decision."""

    decision: Word | None = Field(default=None, description=A_NAME)
    ocr: Word = Field(default=str(_USUAL["ocr"]), description=A_NAME)
    rubric: Word = Field(default=str(_USUAL["rubric"]), description=A_NAME)
    raters: Word = Field(default=str(_USUAL["raters"]), description=A_NAME)

    @model_validator(mode="before")
    @classmethod
    def _one_name(cls, given: Any) -> Any:
        return {"decision": given} if isinstance(given, str) else given

    def of(self, about: About) -> str | None:
        """Owner of one kind of work; None where nobody is named for the decision."""
        name: str | None = getattr(self, about)
        usual = _USUAL.get(about)
        return usual if name == usual else name  # a stored campaign holds plain text
