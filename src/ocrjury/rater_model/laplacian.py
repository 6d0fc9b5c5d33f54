"""Laplacian of the raters' graph: how much every pair of raters shares through common items."""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import cg

from ocrjury.arrays import Floats, Integers

DENSE = 600
"""Raters up to which the inverse is computed; of more only solutions."""
_DENSELY = 0.3  # share of rated cells from which dense products are faster than sparse ones
_ITEMS = 4096  # items in memory at once as a dense block
_SMALL = 1_000_000  # products of a dense step, which take less time than any sparse step


def raters_laplacian(
    i: Integers, r: Integers, w: Floats, *, shape: tuple[int, int]
) -> sparse.csr_array:
    """Raters' Laplacian (M, M): the weight that each pair shares through items, negative.

    A diagonal entry is the sum of the others in its row. As the rater's own weight minus what it
    shares with itself it would leave rounding where there is nothing to share.
    """
    per_item = np.bincount(i, w, shape[0])
    inverse = np.divide(1.0, per_item, out=np.zeros(shape[0]), where=per_item > 0)
    if 0 < shape[1] <= DENSE and _is_dense(len(w), shape):
        cells = np.bincount(i * shape[1] + r, w, shape[0] * shape[1]).astype(float).reshape(shape)
        return _dense_laplacian(cells.T @ (cells * inverse[:, None]))
    shared = crossed(sparse.csr_array((w, (i, r)), shape=shape), inverse)
    rows = np.repeat(np.arange(shape[1]), np.diff(shared.indptr))
    shared.data[shared.indices == rows] = 0.0
    shared.eliminate_zeros()
    return sparse.csr_array(sparse.diags_array(shared.sum(axis=1)) - shared)


def _dense_laplacian(shared: Floats) -> sparse.csr_array:
    """Laplacian from what each pair shares; of few raters, sparse steps cost most of a fit."""
    np.fill_diagonal(shared, 0.0)
    laplacian = -shared
    np.fill_diagonal(laplacian, shared.cumsum(axis=1)[:, -1])  # in the order of a sparse sum
    rows, columns = laplacian.nonzero()
    starts = np.searchsorted(rows, np.arange(len(laplacian) + 1))
    cells = laplacian[rows, columns], columns.astype(np.int32), starts.astype(np.int32)
    return sparse.csr_array(cells, shape=laplacian.shape)


def _is_dense(n_cells: int, shape: tuple[int, int]) -> bool:
    """Return whether one dense product of a table takes less time than a sparse one."""
    n_items, n_raters = shape
    densely = n_items <= _ITEMS and n_cells >= _DENSELY * n_items * n_raters
    return densely or n_items * n_raters**2 <= _SMALL


def crossed(cells: sparse.csr_array, weight: Floats) -> sparse.csr_array:
    """Sums over items of the products of every pair of raters' cells, (M, M).

    Parameters
    ----------
    cells, weight
        One row per item, shape (N, M), and the weight of each item, shape (N,).
    """
    n_items, n_raters = cells.shape
    if n_raters > DENSE or cells.nnz < _DENSELY * n_items * n_raters:
        return sparse.csr_array(cells.T @ cells.multiply(weight[:, None]))
    total = np.zeros((n_raters, n_raters))
    for start in range(0, n_items, _ITEMS):
        block = cells[start : start + _ITEMS].toarray()
        total += block.T @ (block * weight[start : start + _ITEMS, None])
    return sparse.csr_array(total)


def pseudo_inverse(laplacian: sparse.csr_array, group: Integers) -> Floats:
    """Moore-Penrose inverse of a raters' Laplacian, shape (M, M).

    Parameters
    ----------
    laplacian, group
        As of `AdditiveFit`.

    Notes
    -----
    The null space is known: one constant for each connected group. With P the projection on these
    constants, L + s P is regular and L^+ = (L + s P)^-1 - P / s for any s > 0; here s is the mean
    information of the group's raters. A tolerance that guesses the rank instead takes rounding for
    information now and then, and intervals become millions of points wide.
    """
    same = group[:, None] == group
    size = same.sum(axis=1)
    information = (same @ laplacian.diagonal()) / size
    scale = np.where(information > 0, information, 1.0)
    regular = laplacian.toarray() + same * (scale / size)[:, None]
    return np.asarray(np.linalg.inv(regular) - same / (scale * size)[:, None], dtype=float)


def solve(
    laplacian: sparse.csr_array, right: Floats, *, group: Integers, inverse: Floats | None = None
) -> Floats:
    """Minimum-norm solution of a system with the Laplacian, whose `pseudo_inverse` may be given."""
    right = right - group_means(right, group, np.ones(len(right)))
    if len(right) > DENSE:
        return np.asarray(cg(laplacian, right, rtol=1e-10)[0], dtype=float)
    return (pseudo_inverse(laplacian, group) if inverse is None else inverse) @ right


def group_means(values: Floats, group: Integers, weight: Floats) -> Floats:
    """Weighted mean of each rater's group, shape (M,); 0 without weight."""
    total = np.bincount(group, weight, len(group))
    mean = np.bincount(group, weight * values, len(group)) / np.where(total > 0, total, 1.0)
    return np.asarray(mean[group], dtype=float)
