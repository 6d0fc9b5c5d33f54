"""Ratings that a choice needs for the accuracy of asking evenly with five per page."""

import numpy as np

from benchmarks.rating_replay import BATCH, MOST, N_ITEMS, START, UNIFORM, Floats, Integers

GRID = np.arange(START, MOST + 1e-9, BATCH / N_ITEMS)
"""Ratings per page at which curves are read."""


def mean_accuracy(curves: list[Floats], grid: Floats) -> Floats:
    """Mean share of right labels at each number of ratings per page."""
    return np.asarray(
        np.mean([np.interp(grid, curve[:, 0], curve[:, 1]) for curve in curves], axis=0)
    )


def needed(accuracy: Floats, wanted: float) -> float:
    """Ratings per page at which a mean curve reaches an accuracy; nan if never."""
    reached = np.flatnonzero(accuracy >= wanted - 1e-12)
    if not len(reached):
        return float("nan")
    first = int(reached[0])
    if first == 0:
        return float(GRID[0])
    pair = slice(first - 1, first + 1)
    return float(np.interp(wanted, accuracy[pair], GRID[pair]))


def ratio(uniform: list[Floats], curves: list[Floats], seeds: Integers) -> float:
    """Ratings needed for the accuracy of uniform with five, as a share of five."""
    wanted = mean_accuracy([uniform[place] for place in seeds], GRID)[-1]
    return needed(mean_accuracy([curves[place] for place in seeds], GRID), wanted) / UNIFORM


def ratios(curves: dict[tuple[str, str], list[Floats]], choice: str, seeds: Integers) -> Floats:
    """Ratio of each world, in order."""
    names = dict.fromkeys(world for world, _ in curves)
    return np.array([ratio(curves[w, "uniform"], curves[w, choice], seeds) for w in names])


def geometric(values: Floats) -> float:
    """Geometric mean; nan if a world never got there."""
    return float(np.exp(np.log(values).mean()))
