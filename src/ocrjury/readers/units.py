"""Rows of a pool: the pages of a document beside its reference, in the unit that is asked for."""

from collections import Counter
from collections.abc import Sequence
from itertools import starmap
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple

from ocrjury.columns import LEAST_CONFIDENCE
from ocrjury.language import phrase
from ocrjury.readers.matching import matched
from ocrjury.readers.ocr_pages import Page, one_page
from ocrjury.readers.parts import Unit


class Paired(NamedTuple):
    """A page and its reference, with the reason if there should be one but is not."""

    page: Page
    reference: Page | None
    problem: str | None = None


class PageRows(NamedTuple):
    """Rows of a page, the kinds of its pairs, and why it is scored as a page if it is."""

    records: list[dict[str, Any]]
    kinds: Counter[str]
    as_page: str | None = None


def paired(pages: Sequence[Page], references: Sequence[Page] | None) -> list[Paired]:
    """Pages with their references, in order.

    If one side has a single page, the other is joined into one; other unequal numbers do not match.
    """
    if references is None:
        return [Paired(page, None) for page in pages]
    if len(pages) != len(references) and 1 in (len(pages), len(references)):
        return [Paired(one_page(pages), one_page(references))]
    if len(pages) != len(references):
        problem = phrase("{n} pages against {m} of the reference", n=len(pages), m=len(references))
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


def rows_of_page(pair: Paired, page_id: str, unit: Unit, *, image: str | None) -> PageRows:
    """Rows of a page; a single one for the whole page if its parts cannot be paired."""
    image = image or _image_name(pair.page.image)
    matches, kinds, problem = matched(pair.page, pair.reference, unit)
    if problem is not None:
        whole = rows_of_page(pair, page_id, "page", image=image)
        return whole._replace(as_page=problem)
    rows = []
    for part, reference in matches:
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
            row[LEAST_CONFIDENCE] = pair.page.least_confidence
        rows.append(row)
    return PageRows(rows, kinds)


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
