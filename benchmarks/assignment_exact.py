"""The least ranges of loads and of meetings, by integer programs (HiGHS through SciPy).

One variable says whether a rater rates an item, one whether two raters both do. First the largest
load is minimised and the smallest one maximised, then, with these loads, the range of meetings.
"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp
from scipy.sparse import lil_matrix


class Small(NamedTuple):
    """Small assignment problem.

    Attributes
    ----------
    need
        Ratings wanted of each item, shape (N,).
    allowed
        Who may rate it, shape (N, R).
    capacity
        Most ratings of each rater, shape (R,).
    before
        Who rated it before, shape (N, R).
    """

    need: np.ndarray
    allowed: np.ndarray
    capacity: np.ndarray
    before: np.ndarray


class Ranges(NamedTuple):
    """Largest and smallest load, and the range of the numbers of meetings."""

    most: int
    least: int
    meetings: int


class Program:
    """Rows and bounds of an integer program over raters of items, meetings, and two limits."""

    def __init__(self, of: Small) -> None:
        self.of = of
        self.n, self.m = of.allowed.shape
        self.couples = list(itertools.combinations(range(self.m), 2))
        self.size = self.n * (self.m + len(self.couples)) + 2
        self.high, self.low = self.size - 2, self.size - 1
        self.rows: list[tuple[dict[int, float], float, float]] = []
        for item in range(self.n):
            self.row({self.x(item, r): 1 for r in range(self.m)}, of.need[item], of.need[item])

    def x(self, item: int, rater: int) -> int:
        """Variable of a rating."""
        return int(item * self.m + rater)

    def y(self, item: int, couple: int) -> int:
        """Variable of a meeting."""
        return int(self.n * self.m + item * len(self.couples) + couple)

    def row(self, terms: dict[int, float], low: float, high: float = np.inf) -> None:
        """Add a condition on a sum."""
        self.rows.append((terms, low, high))

    def solve(self, cost: dict[int, float]) -> OptimizeResult:
        """Solution of the least cost."""
        matrix = lil_matrix((len(self.rows), self.size))
        for place, (terms, _, _) in enumerate(self.rows):
            for variable, factor in terms.items():
                matrix[place, variable] = factor
        upper = np.ones(self.size)
        upper[: self.n * self.m] = (self.of.allowed & ~self.of.before).ravel()
        upper[-2:] = np.inf
        weights = np.zeros(self.size)
        weights[list(cost)] = list(cost.values())
        limits = [np.array(bound, dtype=float) for bound in zip(*(r[1:] for r in self.rows))]  # noqa: B905  # pairs
        return milp(
            weights,
            constraints=LinearConstraint(matrix.tocsr(), *limits),
            integrality=np.ones(self.size),
            bounds=Bounds(0, upper),
        )

    def add_loads(self, least: Sequence[float], most: Sequence[float] | np.ndarray) -> None:
        """Keep the loads within limits."""
        for rater in range(self.m):
            own = {self.x(item, rater): 1.0 for item in range(self.n)}
            self.row(own, least[rater], most[rater])

    def add_limits_of_loads(self) -> None:
        """Let the two limits enclose the loads."""
        for rater in range(self.m):
            own = {self.x(item, rater): 1.0 for item in range(self.n)}
            self.row({**own, self.high: -1.0}, -np.inf, 0)
            self.row({**own, self.low: -1.0}, 0)

    def add_meetings(self) -> None:
        """Let the two limits enclose the numbers of meetings, earlier ones included."""
        of = self.of
        for place, (a, b) in enumerate(self.couples):
            met: dict[int, float] = {}
            for item in range(self.n):
                y, xa, xb = self.y(item, place), self.x(item, a), self.x(item, b)
                self.row({y: 1, xa: -1}, -np.inf, 0)
                self.row({y: 1, xb: -1}, -np.inf, 0)
                self.row({y: 1, xa: -1, xb: -1}, -1)
                met[y] = 1
                if of.before[item, a]:
                    met[xb] = 1
                if of.before[item, b]:
                    met[xa] = 1
            earlier = float((of.before[:, a] & of.before[:, b]).sum())
            self.row({**met, self.high: -1}, -np.inf, -earlier)
            self.row({**met, self.low: -1}, -earlier)


def exact_ranges(of: Small) -> Ranges:
    """Least largest load, greatest smallest load, and least range of meetings."""
    loads = Program(of)
    loads.add_loads([0] * loads.m, of.capacity)
    loads.add_limits_of_loads()
    most = round(loads.solve({loads.high: 1}).fun)
    least = round(-loads.solve({loads.low: -1}).fun)
    meetings = Program(of)
    meetings.add_loads([least] * meetings.m, np.minimum(of.capacity, most))
    meetings.add_meetings()
    return Ranges(most, least, round(meetings.solve({meetings.high: 1, meetings.low: -1}).fun))
