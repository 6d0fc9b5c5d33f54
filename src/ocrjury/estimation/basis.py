"""Columns that are no combination of earlier ones, found one at a time."""

import numpy as np

from ocrjury.arrays import Floats

_LEAST_REST = 1e-8
"""Part of a column's length that earlier columns leave unexplained, at least."""


class Basis:
    """An orthonormal basis of weighted columns, which grows with every column that adds to it.

    Parameters
    ----------
    weight
        Weight of each row, shape (n,).

    Examples
    --------
    >>> basis = Basis(np.ones(3))
    >>> [basis.add(np.array(column)) for column in ([1.0, 1, 1], [1.0, 2, 3], [0.0, 1, 2])]
    [True, True, False]
    """

    def __init__(self, weight: Floats) -> None:
        self._root = np.sqrt(weight)
        self._directions: list[Floats] = []

    def add(self, column: Floats) -> bool:
        """Add a column, shape (n,); return whether it is no combination of earlier ones."""
        rest = column * self._root
        whole = float(np.linalg.norm(rest))
        for _ in range(2):  # twice is enough (Kahan): one pass of Gram-Schmidt loses digits
            for direction in self._directions:
                rest -= (direction @ rest) * direction
        size = float(np.linalg.norm(rest))
        new = size > _LEAST_REST * whole
        if new:
            rest /= size
            self._directions.append(rest)
        return new
