"""Brand of a report: a name, a logo, a colour and a line at the foot of every page."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from ocrjury.campaign.section_values import Section

CONTRAST = 4.5
"""Least contrast of text to its paper (WCAG 2, level AA)."""
_NAME, _FOOTER = 40, 70


def _one_line(text: str, columns: int) -> str:
    """Text that stays on one line at the foot of a page."""
    width = sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
    if not text.isprintable() or not text.strip() or width > columns:
        raise PydanticCustomError("line", "not one short line")
    return text.strip()


def contrast_to_white(colour: str) -> float:
    """Contrast of a colour to white, from 1 to 21, as WCAG 2 measures it.

    Examples
    --------
    >>> contrast_to_white("#000000"), round(contrast_to_white("#767676"), 2)
    (21.0, 4.54)
    """
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    light = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
    return 1.05 / (luminance + 0.05)


def _legible(colour: str) -> str:
    """Colour in which text on white can be read."""
    contrast = contrast_to_white(colour)
    if contrast < CONTRAST:
        message = (
            f"{colour} has a contrast of {int(contrast * 100) / 100:.2f}:1 to white; text needs at "
            f"least {CONTRAST}:1. Take a darker colour."
        )
        raise PydanticCustomError("rule", "{message}", {"message": message})
    return colour


def _line_of(columns: int) -> AfterValidator:
    return AfterValidator(lambda text: _one_line(text, columns))


Colour = Annotated[str, Field(pattern=r"^#[0-9A-Fa-f]{6}$"), AfterValidator(_legible)]
Logo = Annotated[str, Field(pattern=r"^data:image/(png|jpeg|svg\+xml);base64,[A-Za-z0-9+/]+=*$")]
"""Content of the file as a ``data:`` address, which is kept with the evaluation."""


class Brand(Section):
    """Brand of a report."""

    name: Annotated[str, _line_of(_NAME)] = Field(
        description=f"one line of at most {_NAME} characters, {_NAME // 2} if Korean or Chinese"
    )
    logo: Logo | None = Field(default=None, description="a PNG, JPEG or SVG file, or empty")
    colour: Colour | None = Field(
        default=None, description="a colour in quotes such as '#0b5d8a', or empty"
    )
    footer: Annotated[str, _line_of(_FOOTER)] | None = Field(
        default=None,
        description=f"one line of at most {_FOOTER} characters, {_FOOTER // 2} if Korean or "
        "Chinese, or empty",
    )

    @property
    def line(self) -> str:
        """Text at the foot of every page."""
        return " · ".join(filter(None, [self.name, self.footer]))
