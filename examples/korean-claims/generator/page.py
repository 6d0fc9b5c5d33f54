"""A sheet of paper that remembers what is written where."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1240, 1754  # A4 at 150 dpi
MARGIN = 90
INK, RULE, GRID = 15, 90, 110

_NANUM = "/usr/share/fonts/truetype/nanum/"
_NOTO = "/usr/share/fonts/opentype/noto/"
_KOREAN_FACE = 1  # in the Noto collections
FONTS = {
    "gothic": (_NANUM + "NanumGothic.ttf", 0),
    "myeongjo": (_NANUM + "NanumMyeongjo.ttf", 0),
    "noto-sans": (_NOTO + "NotoSansCJK-Regular.ttc", _KOREAN_FACE),
    "noto-serif": (_NOTO + "NotoSerifCJK-Regular.ttc", _KOREAN_FACE),
    "pen": (_NANUM + "NanumPen.ttf", 0),
}

Frame = tuple[int, int, int, int]  # left, top, right, bottom in pixels of the sheet


class Entry(NamedTuple):
    """One cell of a form: the field's name and kind, its printed label, what is filled in."""

    field: str
    kind: str
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Field:
    """A filled-in field and the frame around it."""

    name: str
    kind: str
    value: str
    frame: Frame
    handwritten: bool = False


@functools.cache
def font(face: str, size: int) -> ImageFont.FreeTypeFont:
    """Return a font of the Debian packages fonts-nanum, fonts-nanum-extra and fonts-noto-cjk."""
    path, index = FONTS[face]
    return ImageFont.truetype(path, size, index=index)


class Page:
    """A sheet on which a form is written from top to bottom.

    Attributes
    ----------
    image
        The sheet, grey.
    lines
        The text, line by line, in reading order.
    fields
        What was filled in.
    handwritten
        Whether rows are filled in with a pen.
    y
        Where the next line goes.
    """

    def __init__(self, face: str, size: int, *, handwritten: bool) -> None:
        self.image = Image.new("L", (WIDTH, HEIGHT), 255)
        self.draw = ImageDraw.Draw(self.image)
        self.face, self.size, self.handwritten = face, size, handwritten
        self.y: float = MARGIN
        self.lines: list[str] = []
        self.fields: list[Field] = []

    def title(self, text: str) -> None:
        """Write the name of the form, spaced out and centred."""
        spaced, large = " ".join(text), 46
        width = self.draw.textlength(spaced, font=font(self.face, large))
        self._write((WIDTH - width) / 2, self.y, spaced, size=large)
        self.lines.append(text)
        self.y += 110

    def row(self, entries: Sequence[Entry]) -> None:
        """Write a row of labelled cells of equal width."""
        width = (WIDTH - 2 * MARGIN) / len(entries)
        height = int(self.size * 2.1)
        for place, entry in enumerate(entries):
            self._cell(entry, MARGIN + place * width, width, height=height)
        self.lines.append(
            " ".join(text for entry in entries for text in (entry.label, entry.value))
        )
        self.y += height

    def paragraph(self, field: str, label: str | None, text: str) -> None:
        """Write a text over the full width, under a label if there is one."""
        if label is not None:
            self._write(MARGIN, self.y, label)
            self.lines.append(label)
            self.y += int(self.size * 1.7)
        top, lines = self.y, self._wrapped(text)
        for line in lines:
            self._write(MARGIN + 20, self.y, line)
            self.lines.append(line)
            self.y += int(self.size * 1.65)
        frame = (MARGIN, int(top - 4), WIDTH - MARGIN, int(self.y))
        self.fields.append(Field(field, "text", " ".join(lines), frame))
        self.y += 14

    def table(
        self,
        field: str,
        rows: Sequence[Sequence[str]],
        *,
        widths: Sequence[int],
        kinds: Sequence[str],
    ) -> None:
        """Write a grid whose first row is its head; amounts stand at the right edge."""
        edges = [float(MARGIN)]
        for width in widths:
            edges.append(edges[-1] + (WIDTH - 2 * MARGIN) * width / sum(widths))
        height = int(self.size * 1.9)
        for number, row in enumerate(rows):
            for column, text in enumerate(row):
                right = bool(number) and kinds[column] == "amount"
                self._grid_cell(text, edges[column], edges[column + 1], height=height, right=right)
                if number:
                    sides = (edges[column] + 2, self.y + 2, edges[column + 1] - 2)
                    frame = (*map(int, sides), int(self.y + height - 2))
                    name = f"{field}.{number}.{column}"
                    self.fields.append(Field(name, kinds[column], text, frame))
            self.lines.append(" ".join(row))
            self.y += height
        self.y += 16

    def foot(self, date: str, issuer: str, signer: str) -> None:
        """Write date, issuer and signer, centred."""
        self.y = max(self.y + 30, min(self.y + 80, HEIGHT - 260))
        entries = (
            ("issue_date", "date", date),
            ("issuer", "text", issuer),
            ("doctor", "text", signer),
        )
        for name, kind, text in entries:
            width = self.draw.textlength(text, font=font(self.face, self.size))
            left = (WIDTH - width) / 2
            self._write(left, self.y, text)
            self.lines.append(text)
            sides = (left - 10, self.y - 4, left + width + 10, self.y + self.size * 1.5)
            left_, top, right, bottom = map(int, sides)
            self.fields.append(Field(name, kind, text, (left_, top, right, bottom)))
            self.y += int(self.size * 1.8)

    def _write(
        self, x: float, y: float, text: str, *, size: int | None = None, face: str | None = None
    ) -> None:
        """Write a line of text."""
        self.draw.text((x, y), text, font=font(face or self.face, size or self.size), fill=INK)

    def _cell(self, entry: Entry, left: float, width: float, *, height: int) -> None:
        """Write a labelled cell with its rules and note its field."""
        label_width = int(self.size * 6.4)
        middle, bottom = left + label_width, self.y + height
        self.draw.rectangle([left, self.y, left + width, bottom], outline=RULE, width=2)
        self.draw.line([middle, self.y, middle, bottom], fill=RULE, width=2)
        base = self.y + height * 0.25
        self._write(left + 12, base, entry.label)
        pen = self.handwritten
        face, size = ("pen", int(self.size * 1.35)) if pen else (self.face, self.size)
        room = width - label_width - 20
        while size > 16 and self.draw.textlength(entry.value, font=font(face, size)) > room:
            size -= 1
        self._write(middle + 12, base - (4 if pen else 0), entry.value, size=size, face=face)
        sides = (middle + 4, self.y + 3, left + width - 3, bottom - 3)
        frame = (int(sides[0]), int(sides[1]), int(sides[2]), int(sides[3]))
        self.fields.append(Field(entry.field, entry.kind, entry.value, frame, handwritten=pen))

    def _grid_cell(
        self, text: str, left: float, right_edge: float, *, height: int, right: bool
    ) -> None:
        """Write a cell of a table with its rules."""
        self.draw.rectangle([left, self.y, right_edge, self.y + height], outline=GRID, width=1)
        width = self.draw.textlength(text, font=font(self.face, self.size))
        x = right_edge - width - 12 if right else left + 12
        self._write(x, self.y + height * 0.2, text)

    def _wrapped(self, text: str) -> list[str]:
        """Return the lines of a text that fit between the margins."""
        lines, line = [], ""
        for word in text.split(" "):
            longer = f"{line} {word}".strip()
            if self.draw.textlength(longer, font=font(self.face, self.size)) > WIDTH - 220:
                lines.append(line)
                line = word
            else:
                line = longer
        return [*lines, line]
