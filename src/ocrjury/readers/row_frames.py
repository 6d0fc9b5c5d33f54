"""Rows from many files as frames, without those that cannot be used."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ocrjury.readers.pool_frame import pool_frame
from ocrjury.readers.quarantine import Quarantine, RowProblems
from ocrjury.readers.reading import Row
from ocrjury.readers.seen_ids import SeenIds

_DUPLICATE = (
    "a doc_id that an earlier row has. Give each row its own; the fields of a page share page_id, "
    "not doc_id"
)


def frame_of_rows(
    rows: Iterator[Row], *, name: str, quarantine: Quarantine, seen: SeenIds | None = None
) -> pd.DataFrame:
    """Rows that can be used as a pool frame; the others go to the quarantine.

    Parameters
    ----------
    rows
        At least one.
    name
        Of the pool.
    seen
        Ids of the batches before this one.
    """
    places: list[tuple[str, str | None]] = []
    problems = RowProblems(name, "row", quarantine=quarantine, places=places)
    frame = pool_frame(_noted(rows, places), problems)
    keep = np.ones(len(frame), dtype=bool)
    keep[list(problems.rows)] = False
    if seen is not None:
        known = np.flatnonzero(keep)[seen.add(frame.loc[keep, "doc_id"].tolist())]
        for row in known.tolist():
            quarantine.add(places[row][0], _DUPLICATE, places[row][1])
        keep[known] = False
    return frame if keep.all() else frame[keep].reset_index(drop=True)


def _noted(
    rows: Iterator[Row], places: list[tuple[str, str | None]]
) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield number and values of rows, and note where each is."""
    for number, row in enumerate(rows):
        places.append((row.path, row.position))
        yield number, row.record
