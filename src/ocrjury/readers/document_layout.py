"""Pages of Document AI's layout parser: texts in blocks, without confidences or places."""

from collections.abc import Iterator

from ocrjury.readers.json_values import Value
from ocrjury.readers.ocr_pages import Line, Page

_Numbered = tuple[int, str]


def layout_pages(layout: Value) -> list[Page]:
    """Pages of a layout, their blocks in order."""
    texts = [one for block in layout["blocks"] for one in _texts(block, 1)]
    last = max((page for page, _ in texts), default=1)
    return [
        Page([Line(row) for at, text in texts if at == page for row in text.split("\n") if row])
        for page in sorted({1, last, *(page for page, _ in texts)})
    ]


def _texts(block: Value, page: int) -> Iterator[_Numbered]:
    """Yield page and text of a block and of those within it, as they are read."""
    page = int(block["pageSpan"]["pageStart"].number) or page
    text = block["textBlock"]
    if text["text"].text:
        yield page, text["text"].text
    inner = list(text["blocks"])
    inner += [one for entry in block["listBlock"]["listEntries"] for one in entry["blocks"]]
    table = block["tableBlock"]
    rows = [*table["headerRows"], *table["bodyRows"]]
    inner += [one for row in rows for cell in row["cells"] for one in cell["blocks"]]
    for one in inner:
        yield from _texts(one, page)
