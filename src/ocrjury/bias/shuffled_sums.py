"""Sums over cells of columns that are shuffled within groups.

Where one shuffle of all places fills the memory for blocks, it is drawn and added up in parts that
stay in the processor's cache, each of groups of one size. The draws are those of
`ocrjury.bias.permutation.shuffles`. Symbols: n places, C cells, b draws; a part has p places.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from scipy import sparse

from ocrjury.arrays import Floats, Integers
from ocrjury.bias.blocks import Blocks
from ocrjury.bias.permutation import (
    LISTED,
    draws_and_step,
    groups_of_one_size,
    listed_orders,
    rearrangements,
    shuffles,
)

_IN_CACHE = 1 << 15  # places of a part


@dataclass(frozen=True, eq=False)
class Summands:
    """Terms that are added up over cells.

    Attributes
    ----------
    columns
        Values that are shuffled, all alike, shape (n,) each.
    constants
        Columns that are equal within every group, so that no shuffle changes them, shape (n,) each.
    terms
        Function from columns and constants to summands of the values' shape.
    cell, n_cells
        Cell of each place, shape (n,), and C.
    """

    columns: tuple[Floats, ...]
    constants: tuple[Floats, ...]
    terms: Callable[..., Sequence[Floats]]
    cell: Integers
    n_cells: int

    @cached_property
    def indicator(self) -> sparse.csr_array:
        """1 where a place is in a cell, shape (C, n)."""
        n = len(self.cell)
        places = (np.ones(n), (self.cell, np.arange(n)))
        return sparse.csr_array(places, shape=(self.n_cells, n))

    def sums(self, rows: Integers | None = None) -> list[Floats]:
        """Sums of each term, shape (C, b), after shuffles of shape (n, b), or of none."""
        columns = (
            column[:, None] if rows is None else column.take(rows) for column in self.columns
        )
        terms = self.terms(*columns, *(constant[:, None] for constant in self.constants))
        return [np.asarray(self.indicator @ term) for term in terms]

    def by_block(self, blocks: Blocks) -> Self:
        """The same sums of what each block holds, whose places are all of one cell."""
        if blocks.are_single:
            return self
        columns = tuple(
            np.bincount(blocks.block, term).astype(float)
            for term in self.terms(*self.columns, *self.constants)
        )
        return type(self)(columns, (), _as_they_are, self.cell[blocks.lead], self.n_cells)

    def shuffled(self, groups: Integers, *, rng: np.random.Generator) -> Iterator[list[Floats]]:
        """Yield blocks of sums of each term, shape (C, b), after shuffles within groups."""
        draws, step = draws_and_step(len(groups))
        if step > 1:
            yield from (self.sums(rows) for rows in shuffles(groups, rng=rng))
            return
        parts = list(_parts(self, groups))
        for _ in range(draws):
            sums: list[Floats] = []
            for part in parts:
                terms = part.drawn(self.terms, rng)
                sums = sums or [np.zeros((self.n_cells, 1)) for _ in terms]
                for total, term in zip(sums, terms, strict=True):
                    total[part.cells, 0] += np.add.reduceat(term, part.first)
            yield sums


def _as_they_are(*columns: Floats) -> Sequence[Floats]:
    return columns


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Some groups of one size.

    Attributes
    ----------
    shape
        Number of groups and their size.
    columns
        Values, one group after the other, or with few orders one place of all groups after the
        other, shape (p,) each.
    constants
        Constants by cell, shape (p,) each.
    by_cell
        Places in the order of cells, shape (p,).
    cells, first
        Cells that occur, and where each begins.
    orders
        Where each place of the first group comes from in each order, shape (size, orders); None
        with too many orders to list.
    """

    shape: tuple[int, int]
    columns: list[Floats]
    constants: list[Floats]
    by_cell: Integers
    cells: Integers
    first: Integers
    orders: Integers | None

    def drawn(
        self, terms: Callable[..., Sequence[Floats]], rng: np.random.Generator
    ) -> Sequence[Floats]:
        """Summands after one shuffle, by cell, shape (p,) each."""
        n_groups, size = self.shape
        if self.orders is None:
            rows = rearrangements(size, (n_groups,), rng=rng)
            rows += size * np.arange(n_groups)[:, None]
        else:
            rows = self.orders.take(rng.integers(self.orders.shape[1], size=n_groups), axis=1)
            rows += np.arange(n_groups)
        sources = rows.ravel().take(self.by_cell)
        return terms(*(column.take(sources) for column in self.columns), *self.constants)


def _parts(summands: Summands, groups: Integers) -> Iterator[_Part]:
    """Yield the parts in the order in which `shuffles` draws them."""
    for same in groups_of_one_size(groups):
        size = same.shape[1]
        step = max(1, _IN_CACHE // size)
        for start in range(0, len(same), step):
            n_groups = len(same[start : start + step])
            part = same[start : start + step]
            places = (part.T if size <= LISTED else part).ravel()
            cell = summands.cell[places]
            by_cell = np.argsort(cell, kind="stable")
            cells, first = np.unique(cell[by_cell], return_index=True)
            yield _Part(
                (n_groups, size),
                [column[places] for column in summands.columns],
                [constant[places[by_cell]] for constant in summands.constants],
                by_cell,
                cells,
                first,
                listed_orders(size).T * n_groups if size <= LISTED else None,
            )
