"""``ocrjury ratings export --history``: every revision, with its time and conditions."""

import argparse
import sys
from collections.abc import Iterator
from typing import IO

from ocrjury.cli.printing import remark
from ocrjury.cli.stored import open_existing
from ocrjury.evaluation.case import Work
from ocrjury.pages.numbers import plural
from ocrjury.ratings.csv_tables import write_table
from ocrjury.scales import Scale
from ocrjury.store.rating_history import RatingEvent, list_history

CONDITIONS = {
    "diff_state": "diff",
    "reference_state": "reference",
    "image_view": "view",
    **{name: name for name in ("diff_used", "zoom_used", "page_used", "guide_used")},
    **{name: name for name in ("changes", "breaks", "script", "hasty")},
}
"""Columns about how an item was shown and used, and what the store calls them."""
BEFORE = RatingEvent._fields[: RatingEvent._fields.index("conditions")]
AFTER = RatingEvent._fields[RatingEvent._fields.index("conditions") + 1 :]
COLUMNS = (*BEFORE, *CONDITIONS, *AFTER)


def export_history(options: argparse.Namespace) -> int:
    """Write every revision to standard output or to a file."""
    with open_existing() as work:
        if options.out is None:
            _write(sys.stdout, work, options.evaluation)
            return 0
        with options.out.open("w", encoding="utf-8", newline="") as file:
            count = _write(file, work, options.evaluation)
    remark(f"{plural(count, 'revision')} written to {options.out}.")
    return 0


def _write(file: IO[str], work: Work, name: str) -> int:
    """Write one row for each revision; return how many."""
    scale = work.case(name).campaign.rubric.scale
    return write_table(
        file,
        COLUMNS,
        (_cells(event, scale) for event in list_history(work.engine, name)),
    )


def _cells(event: RatingEvent, scale: Scale) -> Iterator[object]:
    """Yield the cells of a row; what nobody recorded is empty."""
    shown = event._asdict()
    if event.value is not None and not scale.ordered:
        shown["value"] = scale.categories[int(event.value)]
    shown |= {column: event.conditions.get(name) for column, name in CONDITIONS.items()}
    for column in COLUMNS:
        cell = shown[column]
        if isinstance(cell, bool) or (isinstance(cell, float) and cell.is_integer()):
            yield int(cell)
        else:
            yield cell.isoformat() if hasattr(cell, "isoformat") else cell
