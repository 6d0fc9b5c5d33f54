"""The HTML file of a report, small enough to be mailed."""

import logging
from collections.abc import Collection
from dataclasses import replace
from itertools import accumulate, takewhile

from ocrjury.report.data import ReportData
from ocrjury.report.html import render_html

BYTES = 4_500_000
"""Most that a file takes, as long as it has pictures to leave out; 5 MB are promised."""

logger = logging.getLogger(__name__)


def mailed_html(data: ReportData, page: str, *, only: Collection[str] = ()) -> str:
    """A report's page as its HTML file has it: with as many of its pictures as there is room for.

    Pictures of the worst items are kept from the first item on, and the page says how many it has.
    Texts are never cut: a page whose texts alone take more room has no picture, and a warning in
    the log says how large it is.

    Parameters
    ----------
    page
        What `render_html` made of the same data and sections. It has all pictures, and so has the
        PDF that is made of it.
    """
    size = len(page.encode())
    if size <= BYTES:
        return page
    pictures = [row.image for row in data.items.rows if row.image is not None]
    room = BYTES - (size - sum(map(len, pictures)))
    kept = sum(1 for _ in takewhile(lambda used: used <= room, accumulate(map(len, pictures))))
    smaller = render_html(_with_pictures(data, kept), only=only)
    if len(smaller.encode()) > BYTES:
        logger.warning(
            "the HTML of %s has %.1f MB: its texts alone take more than %.1f MB.",
            data.identity.evaluation,
            len(smaller.encode()) / 1e6,
            BYTES / 1e6,
        )
    return smaller


def _with_pictures(data: ReportData, kept: int) -> ReportData:
    """A report with its first pictures only, which counts the others."""
    rows, left_out = [], 0
    for row in data.items.rows:
        shown = row.image is not None and kept > 0
        kept -= shown
        left_out += row.image is not None and not shown
        rows.append(row if shown else replace(row, image=None))
    items = replace(data.items, rows=tuple(rows), pictures_left_out=left_out)
    return replace(data, items=items)
