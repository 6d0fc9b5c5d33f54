"""Blocks: ratings that a shuffle moves as a whole, because they are not independent.

Outputs that were drawn together, such as those of one page, share what a rater makes of that page.
Shuffled one by one, they would make chance look smaller than it is; whole blocks may change places:
Winkler, Webster, Vidaurre, Nichols and Smith (2015), NeuroImage 123, 253-268.
Symbols: n places in U blocks, B draws.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.bias.permutation import groups_of_one_size, shuffles


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Places in blocks. Those of one group have equally many places, and change places.

    Attributes
    ----------
    block, rank
        Block of each place, and which one it is in that block, shape (n,).
    places, start
        All places block after block, shape (n,), and where each block begins, shape (U,).
    group
        Group of each block, shape (U,).
    """

    block: Integers
    rank: Integers
    places: Integers
    start: Integers
    group: Integers

    @classmethod
    def of_items(cls, item: Integers, rater: Integers, draw: Integers) -> Self:
        """A rater's ratings of the items of one draw that the same raters rated.

        They change places with those of the other raters of these items. Items in draws of their
        own are blocks of one place.

        Parameters
        ----------
        item, rater, draw
            Of each rating, sorted by item and rater, shape (n,).

        Examples
        --------
        >>> item, rater = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1])
        >>> Blocks.of_items(item, rater, np.array([0, 0, 0, 0, 1, 1])).block.tolist()
        [0, 1, 0, 1, 2, 3]
        """
        head = np.arange(len(item))
        for places in groups_of_one_size(item) if is_clustered(item, draw) else ():
            raters = np.column_stack([draw[places[:, 0]], rater[places]])
            _, first, of = np.unique(raters, axis=0, return_index=True, return_inverse=True)
            head[places] = places[first[of.reshape(-1)]]
        return cls._of_heads(head, np.arange(len(item)), lambda lead, _: item[lead])

    @classmethod
    def of_neighbours(cls, session: Integers, draw: Integers, place: Integers) -> Self:
        """Submissions of one draw that follow each other; as many of one session change places.

        Parameters
        ----------
        session, draw, place
            Session of each submission, draw of its item, and place in the session, -1 where that is
            unknown, shape (n,).
        """
        n = len(place)
        order = np.lexsort((place, session))
        begins = (np.diff(session[order], prepend=-2) != 0) | (place[order] < 0)
        begins |= np.diff(draw[order], prepend=-1) != 0
        head = np.empty(n, dtype=np.int64)
        head[order] = order[begins][np.cumsum(begins) - 1]
        return cls._of_heads(head, order, lambda lead, size: session[lead] * (n + 1) + size)

    @classmethod
    def _of_heads(
        cls, head: Integers, order: Integers, group: Callable[[Integers, Integers], Integers]
    ) -> Self:
        """Blocks from the first place of each place's block, and the order of places in blocks.

        The group of a block follows from its first place and its number of places.
        """
        lead, block, size = np.unique(head, return_inverse=True, return_counts=True)
        places = order[np.argsort(block[order], kind="stable")]
        start = np.cumsum(size) - size
        rank = np.empty(len(head), dtype=np.int64)
        rank[places] = np.arange(len(head)) - np.repeat(start, size)
        return cls(block, rank, places, start, group(lead, size))

    @property
    def are_single(self) -> bool:
        """Whether every block has one place."""
        return len(self.group) == len(self.block)

    @property
    def lead(self) -> Integers:
        """First place of each block, shape (U,)."""
        return self.places[self.start]

    def shuffles(self, *, rng: np.random.Generator) -> Iterator[Integers]:
        """Yield rearrangements of 0 to n - 1, each of shape (n, b)."""
        for moved in shuffles(self.group, rng=rng, n_places=len(self.block)):
            if self.are_single:
                yield moved
            else:
                yield self.places[self.start[moved][self.block] + self.rank[:, None]]

    def null_draws(
        self, statistic: Callable[[Integers], Floats], *, rng: np.random.Generator
    ) -> Floats:
        """T statistics of B shuffles, shape (T, B).

        ``statistic`` takes rearrangements of shape (n, b) and returns values of shape (T, b).
        """
        return np.concatenate([statistic(rows) for rows in self.shuffles(rng=rng)], axis=1)


def is_clustered(item: Integers, draw: Integers) -> bool:
    """Return whether several items came in one draw."""
    n_draws, n_items = (np.count_nonzero(np.bincount(each)) for each in (draw, item))
    return bool(n_draws < n_items)
