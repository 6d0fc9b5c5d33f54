"""One run of Tesseract: the text of a page, its words, and what it read in a field.

The table of words splits Korean into syllables; the text, with ``preserve_interword_spaces``,
has the spaces where they belong. The words take their spaces from the text.
"""

import csv
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

LANGUAGES = "kor+eng"
PAGE_MODE = "4"  # a single column of text of variable sizes

_WORD_LEVEL = "5"


@dataclass(slots=True)
class Word:
    """A word as read, its confidence (0 to 100), its centre in pixels, whether a space follows."""

    text: str
    confidence: float
    centre: tuple[float, float]
    spaced: bool = True


def read_page(image: Image.Image, *, dpi: int) -> tuple[str, list[Word]]:
    """Return the text of a page and its words; without the program: FileNotFoundError."""
    with TemporaryDirectory() as folder:
        source, result = Path(folder, "page.png"), Path(folder, "page")
        image.save(source)
        command = ["tesseract", str(source), str(result), "-l", LANGUAGES, "--psm", PAGE_MODE]
        command += ["--dpi", str(dpi), "-c", "preserve_interword_spaces=1", "txt", "tsv"]
        one_thread = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        subprocess.run(command, check=True, capture_output=True, env=one_thread, timeout=600)  # noqa: S603  # ours
        raw = result.with_suffix(".txt").read_text(encoding="utf-8").replace("\f", "")
        rows = result.with_suffix(".tsv").read_text(encoding="utf-8")
    text = "\n".join(" ".join(line.split()) for line in raw.splitlines() if line.strip())
    words = _words(rows)
    _space(words, text)
    return text, words


def joined(words: Sequence[Word]) -> str:
    """Return the text of some words."""
    return "".join(word.text + (" " if word.spaced else "") for word in words).strip()


def mean_confidence(words: Sequence[Word]) -> float | None:
    """Return the mean over characters, 0 to 1, None without words."""
    n = sum(len(word.text) for word in words)
    if not n:
        return None
    return round(sum(len(word.text) * word.confidence for word in words) / n / 100, 4)


def words_within(
    words: Sequence[Word],
    frame: tuple[int, int, int, int],
    place: Callable[[float, float], tuple[float, float]],
) -> list[Word]:
    """Return the words whose centre, put through ``place``, lies in a frame."""
    left, top, right, bottom = frame
    inside = []
    for word in words:
        x, y = place(*word.centre)
        if left <= x <= right and top <= y <= bottom:
            inside.append(word)
    return inside


def _words(rows: str) -> list[Word]:
    """Return the words of Tesseract's table."""
    table = csv.DictReader(rows.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    words = []
    for row in table:
        if row["level"] == _WORD_LEVEL and row["text"].strip():
            left, top = int(row["left"]), int(row["top"])
            centre = (left + int(row["width"]) / 2, top + int(row["height"]) / 2)
            words.append(Word(row["text"], float(row["conf"]), centre))
    return words


def _space(words: Sequence[Word], text: str) -> None:
    """Note after which words the text has white space; after all if text and words differ."""
    place, follows = 0, []
    for word in words:
        while place < len(text) and text[place].isspace():
            place += 1
        if not text.startswith(word.text, place):
            return
        place += len(word.text)
        follows.append(place >= len(text) or text[place].isspace())
    for word, spaced in zip(words, follows, strict=True):
        word.spaced = spaced
