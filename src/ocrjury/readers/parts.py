"""Parts of a page that become rows of a pool: the page itself, its lines, words or typed fields."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal, NamedTuple, get_args

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_ROWS
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.ocr_pages import Box, Page, mean

Unit = Literal["page", "line", "word", "field"]
UNITS: tuple[Unit, ...] = get_args(Unit)


class Part(NamedTuple):
    """One unit of a page."""

    name: str
    text: str
    confidence: float | None = None
    box: Box | None = None
    kind: str | None = None
    label: str = ""


def checked_unit(name: str) -> Unit:
    """Unit of a name; an unknown name is an error."""
    for known in UNITS:
        if name == known:
            return known
    raise InputError(f"unit must be one of {', '.join(map(repr, UNITS))}; found {name!r}.")


def parts_of(page: Page, unit: Unit) -> list[Part]:
    """Units of a page, with unique names."""
    if unit == "page":
        return [Part("", page.text, page.mean_confidence)]
    split = {"line": _lines, "word": _words, "field": _fields}[unit]
    parts = list(islice(uniquely_named(split(page)), MAX_ROWS + 1))
    if len(parts) > MAX_ROWS:
        raise BadContentError(f"more than {MAX_ROWS:,} {unit}s; split the file")
    return parts


def _lines(page: Page) -> Iterator[Part]:
    """Yield the lines of a page; unnamed lines are numbered."""
    for place, line in enumerate(page.lines, start=1):
        confidence = mean(word.confidence for word in line.words)
        own = line.confidence if confidence is None else confidence
        yield Part(line.name or f"line-{place}", line.text, own, line.box)


def _words(page: Page) -> Iterator[Part]:
    """Yield the words of a page; a line without words is split at white space."""
    place = 0
    for line in page.lines:
        for word in line.words:
            place += 1
            yield Part(word.name or f"word-{place}", word.text, word.confidence, word.box)
        for text in () if line.words else line.text.split():
            place += 1
            yield Part(f"word-{place}", text)


def _fields(page: Page) -> Iterator[Part]:
    """Yield the typed fields of a page; fields without a name of their own are numbered."""
    for place, field in enumerate(page.fields, start=1):
        name = f"{field.name}-{place}" if field.name in ("pair", "query", "field") else field.name
        label = field.label or field.name
        yield Part(name, field.text, field.confidence, field.box, field.kind, label)


def uniquely_named(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield parts with a number appended to names that are taken, in the file or by such a number.

    >>> [part.name for part in uniquely_named([Part(name, "") for name in ("a", "a", "a~2")])]
    ['a', 'a~2', 'a~2~2']
    """
    seen: dict[str, int] = {}
    for part in parts:
        name = part.name
        while name in seen:
            seen[part.name] += 1
            name = f"{part.name}~{seen[part.name]}"
        seen[name] = 1
        yield part if name == part.name else part._replace(name=name)
