"""Units of a page that become rows of a pool: the page, its lines, words or typed fields."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, starmap
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, Literal, NamedTuple, get_args

from ocrjury.errors import InputError
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.limits import MAX_ROWS
from ocrjury.readers.ocr_pages import Box, Page, mean, one_page

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


class Paired(NamedTuple):
    """A page and its reference, with the reason if there should be one but is not."""

    page: Page
    reference: Page | None
    problem: str | None = None


def checked_unit(name: str) -> Unit:
    """Unit of a name; an unknown name is an error."""
    for known in UNITS:
        if name == known:
            return known
    raise InputError(f"unit must be one of {', '.join(map(repr, UNITS))}; found {name!r}.")


def paired(pages: Sequence[Page], references: Sequence[Page] | None) -> list[Paired]:
    """Pages with their references, in order.

    If one side has a single page, the other is joined into one; other unequal numbers do not match.
    """
    if references is None:
        return [Paired(page, None) for page in pages]
    if len(pages) != len(references) and 1 in (len(pages), len(references)):
        return [Paired(one_page(pages), one_page(references))]
    if len(pages) != len(references):
        problem = f"{len(pages)} pages against {len(references)} of the reference"
        return [Paired(page, None, problem) for page in pages]
    return list(starmap(Paired, zip(pages, references, strict=True)))


def page_names(doc_id: str, number: int) -> list[str]:
    """Ids of a document's pages.

    >>> page_names("p1", 1), page_names("book", 2)
    (['p1'], ['book/1', 'book/2'])
    """
    if number == 1:
        return [doc_id]
    return [f"{doc_id}/{place}" for place in range(1, number + 1)]


def rows_of_page(
    pair: Paired, page_id: str, unit: Unit, *, image: str | None
) -> tuple[list[dict[str, Any]], str | None]:
    """Rows of a page, with the reason if its units cannot be paired with references."""
    image = image or _image_name(pair.page.image)
    parts = _parts(pair.page, unit)
    references, problem = _references(pair, parts, unit)
    rows = []
    for part, reference in zip(parts, references, strict=True):
        row = {
            "doc_id": page_id if unit == "page" else f"{page_id}/{part.name}",
            "page_id": page_id,
            "kind": part.kind,
            "reference": reference,
            "hypothesis": part.text,
            "confidence": part.confidence,
            "image": image,
            "box": None if part.box is None else list(part.box),
        }
        if unit == "field":
            row["field"] = part.label
        if unit == "page" and pair.page.least_confidence is not None:
            row["min_word_confidence"] = pair.page.least_confidence
        rows.append(row)
    return rows, problem or pair.problem


def _parts(page: Page, unit: Unit) -> list[Part]:
    """Units of a page, with unique names."""
    if unit == "page":
        return [Part("", page.text, page.mean_confidence)]
    split = {"line": _lines, "word": _words, "field": _fields}[unit]
    parts = list(islice(_uniquely_named(split(page)), MAX_ROWS + 1))
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


def _uniquely_named(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield parts with a number appended to repeated names."""
    seen: dict[str, int] = {}
    for part in parts:
        count = seen[part.name] = seen.get(part.name, 0) + 1
        name = part.name if count == 1 else f"{part.name}~{count}"
        yield part._replace(name=name)


def _references(
    pair: Paired, parts: Sequence[Part], unit: Unit
) -> tuple[Sequence[str | None], str | None]:
    """Reference of each unit, with the reason if they cannot be paired."""
    nothing: list[str | None] = [None] * len(parts)
    if pair.reference is None:
        return nothing, None
    right = _parts(pair.reference, unit)
    if unit == "field":
        by_label = {_key(part): part.text for part in reversed(right)}
        return [by_label.get(_key(part)) for part in parts], None
    names = {part.name: part.text for part in right}
    named = _named(pair.page, unit) and _named(pair.reference, unit)
    if named and all(part.name in names for part in parts):
        return [names[part.name] for part in parts], None
    if len(right) == len(parts):
        return [part.text for part in right], None
    return nothing, f"{len(parts)} {unit}s against {len(right)} of the reference"


def _key(part: Part) -> str:
    """Label by which fields are paired: without white space, final colons and case."""
    return "".join(part.label.split()).rstrip(":：").casefold()


def _named(page: Page, unit: Unit) -> bool:
    """Whether the file names all lines or words of a page."""
    if unit == "line":
        return all(line.name for line in page.lines)
    return all(line.words and all(word.name for word in line.words) for line in page.lines)


def _image_name(written: str | None) -> str | None:
    r"""Image path in a file, reduced to its name if it leads out of the pool.

    >>> _image_name("img/p1.png"), _image_name("C:\\scans\\p1.png"), _image_name("../p1.png")
    ('img/p1.png', 'p1.png', 'p1.png')
    """
    if not written:
        return None
    if "\\" in written:
        return PureWindowsPath(written).name or None
    path = PurePosixPath(written)
    return path.name if path.is_absolute() or ".." in path.parts else str(path)
