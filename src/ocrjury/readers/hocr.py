"""hOCR 1.2: pages, lines, words and confidences in classes and titles of HTML.

White space between words is that of the file. Lines are the elements with a class of lines, but of
headers, captions and the like around other lines those within; a paragraph or area without any is
one line, and so is a page without all of these.
"""

import re
from collections.abc import Container, Iterator
from functools import lru_cache

from ocrjury.readers.boxes import Frame
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.markup import Element, local_name, naming_element, parse_html, position
from ocrjury.readers.measures import number, share
from ocrjury.readers.ocr_pages import Box, Line, Page, Word, joined, mean

CONFIDENCE = "x_wconf, else the mean of x_confs or x_conf, 0 to 100"
_LINES = {"ocr_line", "ocrx_line"}
_LINES_OR_AROUND = {"ocr_header", "ocr_footer", "ocr_caption", "ocr_textfloat"}
_PARAGRAPHS = {"ocr_par", "ocrx_block", "ocr_carea"}
_MARKS = _LINES | _LINES_OR_AROUND | {"ocrx_word"}
# Possessive, so that a title takes one pass; a quote that is never closed is a character.
_PROPERTY = re.compile(r"""(?:"[^"]*+"|'[^']*+'|[^;])++""")
_NAME = re.compile(r"\s*+([\w-]++)")


def read_hocr(data: bytes, encoding: str | None = None) -> list[Page]:
    """Pages of an hOCR file."""
    root = parse_html(data, encoding)
    for end in root.iter("br"):
        end.text = "\n"
    pages = [element for element in root.iter() if "ocr_page" in _classes(element)]
    if not pages and not any(_classes(e) & _MARKS for e in root.iter()):
        raise BadContentError("not hOCR: no element has one of its classes, such as ocr_page")
    return [_page(page) for page in pages or [root]]


def _page(page: Element) -> Page:
    title = _title(page)
    image = title.get("image", "").strip("\"'")
    sides = _numbers(title.get("bbox", ""), page)
    left, top, right, bottom = sides if len(sides) == 4 else (0.0, 0.0, 0.0, 0.0)
    frame = Frame(max(right, 0.0), max(bottom, 0.0)) if left == top == 0 else Frame(0.0, 0.0)
    lines = [line for element in _line_elements(page) if (line := _line(element, frame)).text]
    return Page(lines, image=image or None, aspect=frame.aspect)


def _line_elements(page: Element) -> list[Element]:
    """Elements that are lines, the page if none is."""
    around: set[Element] = set()
    for element in page.iter():
        if _classes(element) & (_LINES | _LINES_OR_AROUND):
            outer = element.getparent()
            while outer is not None and outer not in around:
                around.add(outer)
                outer = outer.getparent()
    return list(_outermost(page, around)) or [page]


def _outermost(parent: Element, around: Container[Element]) -> Iterator[Element]:
    """Yield the outermost lines, and paragraphs and the like with no line within."""
    for element in parent:
        classes = _classes(element)
        if classes & _LINES or (
            classes & (_LINES_OR_AROUND | _PARAGRAPHS) and element not in around
        ):
            yield element
        else:
            yield from _outermost(element, around)


def _line(element: Element, frame: Frame) -> Line:
    """Line with its words, if it has any."""
    words = [word for word in _words(element, frame) if word.text]
    text = " ".join("".join(element.itertext()).split())
    if text.replace(" ", "") == "".join(word.text for word in words).replace(" ", ""):
        text = joined(words)  # else the line has text outside its words
    confidence = None if words else _confidence(element)
    return Line(text, tuple(words), confidence, _box(element, frame), element.get("id", ""))


def _words(line: Element, frame: Frame) -> list[Word]:
    """Words of a line, each marked if white space follows it."""
    words: list[Word] = []

    def walk(element: Element) -> None:
        if "ocrx_word" in _classes(element):
            words.append(_word(element, frame))
        else:
            note(element.text)
            for inner in element:
                walk(inner)
                note(inner.tail)

    def note(between: str | None) -> None:
        if words and between and between.strip() != between:
            words[-1] = words[-1]._replace(spaced=True)

    walk(line)
    return words


@naming_element
def _word(element: Element, frame: Frame) -> Word:
    """Word; it is spaced if its own element ends in white space, as some engines write it."""
    written = "".join(element.itertext())
    text = " ".join(written.split())
    spaced = bool(text) and written[-1].isspace()
    name = element.get("id", "")
    return Word(text, _confidence(element), _box(element, frame), spaced, name)


@naming_element
def _confidence(element: Element) -> float | None:
    """Confidence of a word or line, from the first property present."""
    title, where = _title(element), position(element)
    if "x_wconf" in title:
        return share(title["x_wconf"].strip(), where, top=100)
    of_characters = title.get("x_confs", "").split()
    if not of_characters:
        inner = (_title(part).get("x_conf") for part in element.iter() if part is not element)
        of_characters = [confidence.strip() for confidence in inner if confidence]
    return mean(share(confidence, where, top=100) for confidence in of_characters)


@naming_element
def _box(element: Element, frame: Frame) -> Box | None:
    """Box of an element, None if it has none."""
    sides = _numbers(_title(element).get("bbox", ""), element)
    if not sides:
        return None
    if len(sides) != 4:
        raise BadContentError("a bbox that is not four numbers", position(element))
    return frame.box(sides, position(element))


def _numbers(written: str, element: Element) -> list[float]:
    return [number(part, position(element)) for part in written.split()]


def _title(element: Element) -> dict[str, str]:
    return _properties(element.get("title") or "")


@lru_cache(maxsize=256)
def _class_names(written: str) -> frozenset[str]:
    return frozenset(written.split())


def _classes(element: Element) -> frozenset[str]:
    """Classes of an element."""
    local_name(element)  # rejects entities
    return _class_names(element.get("class") or "")


def _properties(title: str) -> dict[str, str]:
    """Properties of a title.

    >>> _properties('image "/scans/a;b.png"; bbox 0 0 10 20; x_wconf 96')
    {'image': '"/scans/a;b.png"', 'bbox': '0 0 10 20', 'x_wconf': '96'}
    """
    written = _PROPERTY.findall(title)
    named = ((text, name) for text in written if (name := _NAME.match(text)))
    return {name[1]: text[name.end() :].strip() for text, name in named}
