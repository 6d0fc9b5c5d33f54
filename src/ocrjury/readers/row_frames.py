"""Frames of rows from many files, without unusable and repeated rows."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ocrjury.readers.pool_frame import REPEATED_ID, REPEATED_ID_REMEDY, pool_frame
from ocrjury.readers.quarantine import Quarantine, RowProblems
from ocrjury.readers.reading import Row

_REPEATED = f"{REPEATED_ID}. {REPEATED_ID_REMEDY}".rstrip(".")
Hashes = NDArray[np.int64]


def frame_of_rows(
    rows: Iterator[Row], *, name: str, quarantine: Quarantine, seen: "SeenIds | None" = None
) -> pd.DataFrame:
    """Pool frame of the usable rows; the others go to the quarantine.

    Parameters
    ----------
    rows
        At least one row.
    name
        Name of the pool.
    seen
        Ids of earlier batches.
    """
    places: list[tuple[str, str | None]] = []
    problems = RowProblems(name, "row", quarantine=quarantine, places=places)
    frame = pool_frame(_noted(rows, places), problems)
    keep = np.ones(len(frame), dtype=bool)
    keep[list(problems.rows)] = False
    if seen is not None:
        known = np.flatnonzero(keep)[seen.add(frame.loc[keep, "doc_id"].tolist())]
        for row in known.tolist():
            quarantine.add(places[row][0], _REPEATED, places[row][1])
        keep[known] = False
    return frame if keep.all() else frame[keep].reset_index(drop=True)


def _noted(
    rows: Iterator[Row], places: list[tuple[str, str | None]]
) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield number and values of rows, and note the position of each."""
    for number, row in enumerate(rows):
        places.append((row.path, row.position))
        yield number, row.record


class SeenIds:
    """Ids of all batches so far, stored in eight bytes each.

    Sorted arrays of hashes, each at least twice as long as the next. In a pool of a million
    documents, two different ids share a 64-bit hash with a probability below one in ten million.
    """

    def __init__(self) -> None:
        self._levels: list[Hashes] = []

    def add(self, ids: Sequence[str]) -> NDArray[np.bool_]:
        """Mark ids of earlier batches, shape (n,), and add the new ones."""
        hashes = np.fromiter(map(hash, ids), dtype=np.int64, count=len(ids))
        known = np.zeros(len(hashes), dtype=bool)
        for level in self._levels:
            place = np.searchsorted(level, hashes)
            place[place == len(level)] = 0
            known |= level[place] == hashes
        self._keep(np.unique(hashes[~known]))
        return known

    def _keep(self, fresh: Hashes) -> None:
        """Add hashes, merging arrays of similar size so that there are few."""
        if not len(fresh):
            return
        while self._levels and len(self._levels[-1]) < 2 * len(fresh):
            fresh = np.sort(np.concatenate([self._levels.pop(), fresh]))
        self._levels.append(fresh)
