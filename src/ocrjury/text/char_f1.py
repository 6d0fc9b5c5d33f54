"""Characters common to both texts, in any order (multiset intersection)."""

from collections.abc import Sequence

import numpy as np

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.text.edit_counts import lengths
from ocrjury.text.graphemes import CodePoints, code_points

# Cells of a dense table (documents, distinct characters); the two held at once take 32 MB.
_CELLS = 2_000_000


def common_characters(references: Sequence[str], hypotheses: Sequence[str]) -> Integers:
    """Size of the multiset intersection of each pair, shape (n,)."""
    n = len(references)
    sides = [_Side(texts) for texts in (references, hypotheses)]
    place, n_distinct = _places([side.points for side in sides])
    step = max(1, _CELLS // max(n_distinct, 1))
    common = np.zeros(n, dtype=np.int64)
    for start in range(0, n, step):
        stop = min(n, start + step)
        tables = [side.table(place, n_distinct, documents=slice(start, stop)) for side in sides]
        common[start:stop] = np.minimum(*tables).sum(axis=1)
    return common


def ratio_or(numerator: Integers, denominator: Integers, *, empty: Booleans | float) -> Floats:
    """Quotient, ``empty`` where the denominator is 0."""
    return np.where(denominator > 0, numerator / np.maximum(denominator, 1), empty)


def _places(sides: Sequence[CodePoints]) -> tuple[Integers, int]:
    """Rank of each code point among those present, and the number of distinct ones."""
    present = np.zeros(1 + max(int(points.max(initial=0)) for points in sides), dtype=np.int64)
    for points in sides:
        present[points] = 1
    return np.cumsum(present) - 1, int(present.sum())


class _Side:
    """The code points of n texts, one after the other, and where each text begins."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.points = code_points(texts)
        self.begin = np.concatenate([[0], np.cumsum(lengths(texts))])

    def table(self, place: Integers, n_distinct: int, *, documents: slice) -> Integers:
        """Counts per document and distinct character."""
        begin = self.begin[documents.start : documents.stop + 1]
        n = len(begin) - 1
        row = np.repeat(np.arange(n) * n_distinct, np.diff(begin))
        cells = row + place[self.points[begin[0] : begin[-1]]]
        return np.bincount(cells, minlength=n * n_distinct).reshape(n, n_distinct)
