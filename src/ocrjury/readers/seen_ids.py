"""Which ids came before, in eight bytes each, so that millions fit."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.int64]


class SeenIds:
    """Ids of all batches so far, as sorted arrays of hashes, each at least twice the next.

    Two different ids share a hash once in thousands of pools of a million documents.
    """

    def __init__(self) -> None:
        self._levels: list[Hashes] = []

    def add(self, ids: Sequence[str]) -> NDArray[np.bool_]:
        """Return which ids came in an earlier batch, and remember all."""
        hashes = np.fromiter(map(hash, ids), dtype=np.int64, count=len(ids))
        known = np.zeros(len(hashes), dtype=bool)
        for level in self._levels:
            place = np.searchsorted(level, hashes)
            place[place == len(level)] = 0
            known |= level[place] == hashes
        self._keep(np.unique(hashes[~known]))
        return known

    def _keep(self, fresh: Hashes) -> None:
        """Add hashes, joining arrays of like size so that there are few."""
        if not len(fresh):
            return
        while self._levels and len(self._levels[-1]) < 2 * len(fresh):
            fresh = np.sort(np.concatenate([self._levels.pop(), fresh]))
        self._levels.append(fresh)
