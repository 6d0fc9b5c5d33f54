"""Masks: boxes of a page that must not be shown, from a pool's column or a file, by page."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from posixpath import normpath
from typing import Any

import pandas as pd

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_SHEET, MAX_SHEET_ROWS
from ocrjury.problem_lists import first_named
from ocrjury.ratings.csv_rows import each_row
from ocrjury.readers.cells import as_number
from ocrjury.text_files import read_text

COLUMN = "masks"
Box = tuple[float, float, float, float]
_SIDES = ("x0", "y0", "x1", "y1")
_NAMES = ("page_id", "doc_id")
_SHOWN = 5


def read_masks(path: str | Path) -> dict[str, tuple[Box, ...]]:
    """Boxes in a CSV file, by page or document.

    Parameters
    ----------
    path
        UTF-8 or CP949; columns ``page_id`` or ``doc_id``, and ``x0``, ``y0``, ``x1``, ``y1``: left,
        top, right and bottom as shares of the page's width and height, 0 to 1.

    Raises
    ------
    InputError
        If it cannot be read or a row is not a box; skipping a mask would reveal part of a page.
    """
    remedy = "A file of masks is CSV with page_id or doc_id, x0, y0, x1 and y1."
    text = read_text(Path(path), most=MAX_SHEET, remedy=remedy)
    rows = each_row(text, ",", source=path, most=MAX_SHEET_ROWS)
    _, first = next(rows, (1, []))
    header = [name.strip() for name in first]
    if not set(_SIDES) <= set(header) or not set(_NAMES) & set(header):
        raise InputError(
            f"{path} needs the columns page_id or doc_id, x0, y0, x1 and y1; found "
            f"{first_named(header) or 'none'}."
        )
    boxes: dict[str, list[Box]] = {}
    for number, (_, cells) in enumerate(rows, start=2):
        if not cells:
            continue
        row = dict(zip(header, cells, strict=False))
        name = next((str(row[column]).strip() for column in _NAMES if row.get(column)), "")
        box = _box([row.get(side) for side in _SIDES])
        if not name or box is None:
            raise InputError(
                f"{path}, row {number}: a mask needs a page_id or doc_id, and x0 < x1 and y0 < y1 "
                "from 0 to 1."
            )
        boxes.setdefault(name, []).append(box)
    return {name: tuple(listed) for name, listed in boxes.items()}


def parse_masks(value: object) -> tuple[Box, ...] | None:
    """Boxes in a cell, given as lists or their JSON; None if the cell holds anything else.

    >>> parse_masks("[[0, 0.1, 0.5, 0.2]]"), parse_masks(None), parse_masks("[1]")
    (((0.0, 0.1, 0.5, 0.2),), (), None)
    """
    if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
        return ()
    try:
        lists = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return None
    if lists is None:
        return ()
    if not isinstance(lists, list | tuple):
        return None
    boxes = [_box(sides) for sides in lists]
    return None if None in boxes else tuple(box for box in boxes if box is not None)


def masked_pages(
    pool: pd.DataFrame, named: Mapping[str, Sequence[Box]] | None = None
) -> list[list[list[float]] | None]:
    """Boxes on the page of every row, None where there are none.

    A box given for one document applies to all documents of its page and its image.

    Parameters
    ----------
    pool
        Frame with the columns ``doc_id``, ``page_id``, ``image`` and optionally ``masks``.
    named
        Result of `read_masks`.

    Raises
    ------
    InputError
        If a cell of ``masks`` is not a list of boxes.
    """
    cells = pool[COLUMN].tolist() if COLUMN in pool else [None] * len(pool)
    own = [parse_masks(cell) for cell in cells]
    wrong = [name for name, boxes in zip(pool["doc_id"], own, strict=True) if boxes is None]
    if wrong:
        more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        raise InputError(
            f"the pool's column {COLUMN!r} must hold lists of [left, top, right, bottom], each "
            f"from 0 to 1; it does not for {', '.join(map(repr, wrong[:_SHOWN]))}{more}."
        )
    keys = [
        [f"page {page}", *([] if pd.isna(image) else [f"image {normpath(image)}"])]
        for page, image in zip(pool["page_id"], pool["image"], strict=True)
    ]
    names = zip(pool["doc_id"], pool["page_id"], strict=True)
    on: dict[str, dict[Box, None]] = {}
    for (document, page), boxes, places in zip(names, own, keys, strict=True):
        listed = named or {}
        both = (*(boxes or ()), *listed.get(document, ()), *listed.get(page, ()))
        for place in places:
            on.setdefault(place, {}).update(dict.fromkeys(both))
    return [_joined(on, places) for places in keys]


def unknown_names(named: Mapping[str, Any], *pools: pd.DataFrame) -> list[str]:
    """Names in a file of masks that match no page and no document."""
    known: set[str] = set()
    for pool in pools:
        known |= {*pool["doc_id"], *pool["page_id"]}
    return [name for name in named if name not in known]


def _joined(
    on: Mapping[str, Mapping[Box, None]], places: Sequence[str]
) -> list[list[float]] | None:
    """Distinct boxes on a page and its image."""
    boxes = dict.fromkeys(box for place in places for box in on[place])
    return [list(box) for box in boxes] or None


def _box(value: Any) -> Box | None:
    """Box of four sides, None if they do not form one."""
    sides = [as_number(side) for side in value] if isinstance(value, list | tuple) else []
    if len(sides) != 4:
        return None
    x0, y0, x1, y1 = (-1.0 if side is None else side for side in sides)
    return (x0, y0, x1, y1) if 0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1 else None
