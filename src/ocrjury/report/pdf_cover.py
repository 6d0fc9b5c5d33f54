"""The cover of a PDF, set smaller where it would need a second page."""

from collections.abc import Callable
from typing import Any

SIZES = ("close", "dense", "denser")
"""Classes of a smaller cover (``print.css.j2``); the last is taken if none is small enough."""
_COVER, _END = '<section class="cover"', "</section>"


def one_page_cover(html: str, layout: Callable[[str], Any]) -> Any:
    """A document as WeasyPrint lays it out, with a cover of one page.

    Parameters
    ----------
    layout
        What lays a page out; the cover alone costs a small part of the time.
    """
    document = layout(html)
    if not _spills(document):
        return document
    alone = _cover_alone(html)
    size = next((size for size in SIZES if not _spills(layout(_sized(alone, size)))), SIZES[-1])
    return layout(_sized(html, size))


def _spills(document: Any) -> bool:
    """Return whether the cover takes more than one page."""
    kinds = [page._page_box.page_type.name for page in document.pages]  # noqa: SLF001  # no public name
    return kinds.count("cover") > 1


def _sized(html: str, size: str) -> str:
    return html.replace(_COVER, f'{_COVER[:-1]} {size}"', 1)


def _cover_alone(html: str) -> str:
    """Page with nothing but its cover."""
    start = html.index(_COVER)
    end = html.index(_END, start) + len(_END)
    return f"{html[: html.index('<body')]}<body>{html[start:end]}</body></html>"
