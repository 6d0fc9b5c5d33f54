"""Google Cloud Vision: one ``AnnotateImageResponse`` or a file with a list of ``responses``.

Lines follow from the breaks after symbols. A hyphen that Vision reports as a break is printed on
the page although it is not among the symbols.
"""

from collections.abc import Iterator

from ocrjury.readers.boxes import Frame, google_box
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.json_values import Value, parse_json
from ocrjury.readers.ocr_pages import Line, Page, Word, line_of_words

CONFIDENCE = "confidence of words, 0 to 1"
_SPACES = {"SPACE", "SURE_SPACE", "1", "2"}
_ENDS = {"EOL_SURE_SPACE", "LINE_BREAK", "HYPHEN", "3", "4", "5"}
_HYPHENS = {"HYPHEN", "4"}
_PARTS = ("responses", "fullTextAnnotation", "textAnnotations")


def read_google_vision(data: bytes, encoding: str | None = None) -> list[Page]:
    """Pages of an answer of Google Vision."""
    root = parse_json(data, encoding)
    if not any(root[name].exists for name in _PARTS):
        raise BadContentError(f"not an answer of Google Vision: it needs {', '.join(_PARTS)}")
    answers = list(root["responses"]) if root["responses"].exists else [root]
    return [page for answer in answers for page in _pages(answer)] or [Page([])]


def _pages(answer: Value) -> Iterator[Page]:
    """Yield the pages of one answer; an answer without text is a page without text."""
    error = answer["error"]
    if error["message"].exists or error["code"].exists:
        raise BadContentError(
            "an answer without a result: the service reported an error", error.place
        )
    pages = list(answer["fullTextAnnotation"]["pages"])
    if not pages:
        first = next(iter(answer["textAnnotations"]), Value(None))["description"].text
        whole = first or answer["fullTextAnnotation"]["text"].text
        lines = [Line(row) for row in whole.rstrip("\n").split("\n") if row]
        yield Page(lines)
    for page in pages:
        frame = Frame(page["width"].number, page["height"].number)
        lines = [
            line
            for block in page["blocks"]
            for paragraph in block["paragraphs"]
            for line in _lines(paragraph, frame)
        ]
        yield Page(lines, confidence=page["confidence"].share(), aspect=frame.aspect)


def _lines(paragraph: Value, frame: Frame) -> Iterator[Line]:
    words: list[Word] = []
    for value in paragraph["words"]:
        word, ends = _word(value, frame)
        words.append(word)
        if ends:
            yield line_of_words(words)
            words = []
    if words:
        yield line_of_words(words)


def _word(value: Value, frame: Frame) -> tuple[Word, bool]:
    """Word, and whether it is the last of its line."""
    symbols = list(value["symbols"])
    text = "".join(symbol["text"].text for symbol in symbols)
    break_ = symbols[-1]["property"]["detectedBreak"] if symbols else Value(None)
    kind = "" if break_["isPrefix"] else str(break_["type"].value or "")
    if kind in _HYPHENS:
        text += "-"
    box = google_box(value["boundingBox"], frame)
    return Word(text, value["confidence"].share(), box, kind in _SPACES), kind in _ENDS
