"""PAGE-XML: regions in reading order, their lines, words and confidences.

Format: http://schema.primaresearch.org/PAGE/gts/pagecontent, versions 2009 to 2024 in any
namespace. Of several ``TextEquiv`` the one with the lowest ``index`` is the text; if none has an
index, the one with the highest ``conf``, else the first.
"""

import re
from collections.abc import Iterable, Iterator

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
from ocrjury.readers.ocr_pages import Box, Line, Page, Word, joined

CONFIDENCE = "TextEquiv conf, 0 to 1"
_GROUPS = re.compile(r"(Ordered|Unordered)Group(Indexed)?|RegionRef(Indexed)?")


def read_page_xml(data: bytes, encoding: str | None = None) -> list[Page]:
    """Page of a PAGE-XML file."""
    root = parse_xml(data, encoding)
    page = child(root, "Page")
    if local_name(root) != "PcGts" or page is None:
        raise BadContentError("not PAGE-XML: it needs a PcGts with a Page", position(root))
    where = position(page)
    frame = Frame(size(page.get("imageWidth"), where), size(page.get("imageHeight"), where))
    lines = [line for region in _in_reading_order(page) for line in _lines_of_region(region, frame)]
    return [
        Page(
            lines,
            confidence=share(page.get("conf"), where),
            image=page.get("imageFilename"),
            aspect=frame.aspect,
        )
    ]


def _in_reading_order(page: Element) -> Iterator[Element]:
    """Yield every region once: first those in the reading order, then the rest as in the file.

    A region within another follows it, unless the reading order gives it a place of its own.
    """
    order = child(page, "ReadingOrder")
    named = [] if order is None else list(_references(order))
    regions = {region.get("id"): region for region in _regions(page)}
    own_place = set(named) & set(regions)
    done: set[Element] = set()
    for start in [*(regions[name] for name in named if name in regions), *_top_regions(page)]:
        for region in _with_inner(start, own_place):
            if region not in done:
                done.add(region)
                yield region


def _with_inner(region: Element, own_place: set[str]) -> Iterator[Element]:
    """Yield a region and its inner regions without a place of their own."""
    yield region
    for inner in _top_regions(region):
        if inner.get("id") not in own_place:
            yield from _with_inner(inner, own_place)


def _references(group: Element) -> Iterator[str]:
    """Yield the ids of regions in a group; a group may itself refer to a region."""
    members = [member for member in group if _GROUPS.fullmatch(local_name(member))]
    if local_name(group) != "UnorderedGroup" and local_name(group) != "UnorderedGroupIndexed":
        members.sort(key=_index)
    for member in members:
        if member.get("regionRef"):
            yield member.get("regionRef")
        yield from _references(member)


def _index(element: Element) -> float:
    """Index of an element, 0 if it has none."""
    return number(element.get("index") or 0, position(element))


def _top_regions(parent: Element) -> Iterator[Element]:
    """Yield the regions directly within an element; Transkribus has cells in its tables."""
    return (inner for inner in parent if local_name(inner).endswith(("Region", "TableCell")))


def _regions(parent: Element) -> Iterator[Element]:
    """Yield all regions within an element, at any depth."""
    for region in _top_regions(parent):
        yield region
        yield from _regions(region)


def _lines_of_region(region: Element, frame: Frame) -> Iterator[Line]:
    """Yield the lines of a region; if no line has text, the lines of the region's own text."""
    elements = list(children(region, "TextLine"))
    if elements and all(element.get("index") for element in elements):
        elements.sort(key=_index)
    lines = [_line(element, frame) for element in elements]
    text, confidence = _text(region)
    if any(line.text for line in lines) or not text:
        yield from lines
        return
    for row in text.split("\n"):
        yield Line(row, confidence=confidence)


def _line(element: Element, frame: Frame) -> Line:
    """Line: its own text, else that of its words."""
    words = tuple(_words(element, frame))
    text, confidence = _text(element)
    if text is None:
        text = joined(words)
    return Line(text, words, confidence, _box(element, frame), element.get("id", ""))


def _words(line: Element, frame: Frame) -> Iterator[Word]:
    """Yield the words of a line with a text, their own or that of their glyphs."""
    for element in children(line, "Word"):
        text, confidence = _text(element)
        if text is None:
            text = "".join(_text(glyph)[0] or "" for glyph in children(element, "Glyph"))
        if text:
            box = _box(element, frame)
            yield Word(text, confidence, box, name=element.get("id", ""))


@naming_element
def _text(element: Element) -> tuple[str | None, float | None]:
    """Main text of a region, line, word or glyph, and its confidence."""
    variants = list(children(element, "TextEquiv"))
    if not variants:
        return None, None
    chosen = _main_variant(variants)
    written = child(chosen, "Unicode")
    if written is None:
        written = child(chosen, "PlainText")
    confidence = share(chosen.get("conf"), position(chosen))
    return ("" if written is None else text_of(written)), confidence


def _main_variant(variants: list[Element]) -> Element:
    """Variant of a text that is read."""
    indexed = [variant for variant in variants if variant.get("index")]
    if indexed:
        return min(indexed, key=_index)
    confident = [variant for variant in variants if variant.get("conf")]
    if not confident:
        return variants[0]
    return max(confident, key=lambda text: share(text.get("conf"), position(text)) or 0.0)


@naming_element
def _box(element: Element, frame: Frame) -> Box | None:
    """Box around an element's polygon, in either notation."""
    coords = child(element, "Coords")
    if coords is None:
        return None
    written = coords.get("points")
    where = position(coords)
    pairs: Iterable[tuple[str, str]]
    if written is None:  # before 2013
        pairs = [(point.get("x"), point.get("y")) for point in children(coords, "Point")]
    else:
        pairs = [_pair(point, where) for point in written.split()]
    return frame.around(((number(x, where), number(y, where)) for x, y in pairs), where)


def _pair(point: str, where: str) -> tuple[str, str]:
    across, comma, down = point.partition(",")
    if not comma:
        raise BadContentError("a point without comma", where)
    return across, down
