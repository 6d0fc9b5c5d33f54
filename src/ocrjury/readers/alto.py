"""ALTO, versions 1 to 4 in any namespace: pages, lines, strings and confidences.

White space is where ``SP`` is; in a file without any, between all strings. A word hyphenated at the
end of a line stays as printed, in two parts with the ``HYP`` between them: ``SUBS_CONTENT``, which
repeats the whole word in both parts, is not used.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ocrjury.readers.boxes import Frame
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.markup import (
    Element,
    child,
    children,
    local_name,
    naming_element,
    parse_xml,
    position,
    text_of,
)
from ocrjury.readers.measures import number, share, size
from ocrjury.readers.ocr_pages import Box, Line, Page, Word, line_of_words

CONFIDENCE = "String WC, 0 to 1; of a page without any its PC, 0 to 1, or ACCURACY, 0 to 100"
_SIDES = ("HPOS", "VPOS", "WIDTH", "HEIGHT")


class _Layout(NamedTuple):
    """Properties shared by all pages of a file."""

    image: str | None
    order: list[str]
    spaced: bool  # between strings without SP


def read_alto(data: bytes, encoding: str | None = None) -> list[Page]:
    """Pages of an ALTO file."""
    root = parse_xml(data, encoding)
    if local_name(root) != "alto":
        raise BadContentError("not ALTO: it needs an alto element", position(root))
    layout = child(root, "Layout")
    if layout is None:
        raise BadContentError("not ALTO: it needs a Layout", position(root))
    spaced = next(root.iter("{*}SP"), None) is None
    shared = _Layout(_image(root), _order(root), spaced)
    return [_page(page, shared) for page in children(layout, "Page")]


def _image(root: Element) -> str | None:
    """Name of the source image."""
    named = next(root.iterfind("{*}Description/{*}sourceImageInformation/{*}fileName"), None)
    return None if named is None else text_of(named).strip() or None


def _page(page: Element, layout: "_Layout") -> Page:
    where = position(page)
    frame = Frame(size(page.get("WIDTH"), where), size(page.get("HEIGHT"), where))
    lines = [
        _line(line, frame, spaced=layout.spaced) for line in _in_reading_order(page, layout.order)
    ]
    own = share(page.get("PC"), where)
    if own is None:
        own = share(page.get("ACCURACY"), where, top=100)
    return Page(lines, confidence=own, image=layout.image, aspect=frame.aspect)


def _in_reading_order(page: Element, order: list[str]) -> Iterator[Element]:
    """Yield each line once: first those in the reading order, then the rest.

    ``ReadingOrder`` came with 4.3 and names blocks, lines or strings; without it ``IDNEXT`` may
    link blocks of text.
    """
    named = {element.get("ID"): element for element in page.iter() if element.get("ID")}
    lines = [line for name in order if name in named for line in _lines(named[name])]
    lines += [line for block in _linked(page) for line in children(block, "TextLine")]
    return iter(dict.fromkeys(lines))


def _lines(element: Element) -> Iterator[Element]:
    """Lines of a block, or the line that contains an element."""
    line = next(element.iterancestors("{*}TextLine"), None)
    return iter([line]) if line is not None else element.iter("{*}TextLine")


def _linked(page: Element) -> Iterator[Element]:
    """Yield the text blocks in the order of the file, but each before the block it links to."""
    blocks = list(page.iter("{*}TextBlock"))
    by_name = {block.get("ID"): block for block in blocks}
    targets = {block.get("IDNEXT") for block in blocks}
    heads = [block for block in blocks if block.get("ID") not in targets]
    done: set[Element] = set()
    for start in [*heads, *blocks]:
        block = start
        while block is not None and block not in done:
            done.add(block)
            yield block
            block = by_name.get(block.get("IDNEXT"))


def _order(root: Element) -> list[str]:
    """Ids in the reading order, group by group."""
    order = child(root, "ReadingOrder")
    references = () if order is None else order.iter("{*}ElementRef")
    return [name for reference in references for name in reference.get("REF", "").split()]


def _line(line: Element, frame: Frame, *, spaced: bool) -> Line:
    """Line of strings; a hyphen is added to the string before it."""
    words: list[Word] = []
    for element in line:
        kind = local_name(element)
        if kind == "String":
            words.append(_word(element, frame, spaced=spaced))
        elif kind == "SP" and words:
            words[-1] = words[-1]._replace(spaced=True)
        elif kind == "HYP":
            hyphen = element.get("CONTENT") or ""
            last = words.pop() if words else Word("")
            words.append(last._replace(text=last.text + hyphen))
    return line_of_words(
        [word for word in words if word.text],
        box=_box(line, frame),
        name=line.get("ID", ""),
    )


@naming_element
def _word(element: Element, frame: Frame, *, spaced: bool) -> Word:
    text = element.get("CONTENT")
    if text is None:
        raise BadContentError("a String without CONTENT", position(element))
    confidence = share(element.get("WC"), position(element))
    return Word(text, confidence, _box(element, frame), spaced, element.get("ID", ""))


@naming_element
def _box(element: Element, frame: Frame) -> Box | None:
    """Box of an element, None if a side is missing."""
    written = [element.get(side) for side in _SIDES]
    if None in written:
        return None
    where = position(element)
    left, top, width, height = (number(side, where) for side in written)
    return frame.box((left, top, left + width, top + height), where)
