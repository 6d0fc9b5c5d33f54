"""Error of a gate that looks more than once: how confident the bound of each look has to be.

Raters at the floor who are judged again after every top-up pass more often than once in twenty. So
the error is spent over the looks (Lan and DeMets 1983, Biometrika 70(3), 659-663), by the function
of Hwang, Shih and De Cani (1990, Statistics in Medicine 9(12), 1439-1445) with gamma = 4, which
spends most of it early: the first look, which most evaluations never go beyond, loses least.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from statistics import NormalDist

import numpy as np
from scipy.special import ndtr

from ocrjury.arrays import Floats
from ocrjury.errors import InputError

GAMMA = 4.0
AIM = 200  # items at which a bound for any time loses least
_NORMAL = NormalDist()
_FAR = 9.0  # standard errors beyond which nothing is left to integrate


def spent(share: float, error: float) -> float:
    """Error that may be spent by the time that a share of the looks is done.

    Examples
    --------
    >>> round(spent(0.5, 0.05), 4), spent(1.0, 0.05)
    (0.044, 0.05)
    """
    return error * math.expm1(-GAMMA * share) / math.expm1(-GAMMA)


def anytime_confidence(confidence: float, n: int) -> float:
    """Confidence of the bound on n items, if the gate may look at any time and however often.

    The bound is an asymptotic confidence sequence with one side (Waudby-Smith, Arbour, Sinha,
    Kennedy and Ramdas 2024, Annals of Statistics 52(6), 2613-2640, appendix B), shaped to lose
    least at 200 items.

    Examples
    --------
    >>> round(anytime_confidence(0.95, 200), 4), round(anytime_confidence(0.95, 1000), 4)
    (0.9973, 0.9981)
    """
    error = 1 - confidence
    least = -2 * math.log(2 * error)
    grown = 1 + n * (least + math.log1p(least)) / AIM
    inside = math.log1p(math.sqrt(grown) / (2 * error))
    return _NORMAL.cdf(math.sqrt(2 * grown / (grown - 1) * inside))


@dataclass(frozen=True, slots=True)
class Looks:
    """Looks of a gate at one dimension, the present one last.

    Attributes
    ----------
    confidence
        Of the whole gate.
    planned
        Number of looks that were planned, None: as many as anybody likes.
    look
        Which one the present look is, from 1.
    items
        Number of items at the present look.
    before
        Number of items at every earlier look; None: nothing is assumed of them.
    """

    confidence: float
    planned: int | None
    look: int
    items: int
    before: tuple[int, ...] | None

    @property
    def bound_confidence(self) -> float:
        """Confidence of the present look's bound."""
        return self._confidence_of(self.look, self.items, self.before)

    def next_confidence(self, items: int) -> float:
        """Confidence that the next look's bound will have on that many items.

        After the last planned look it stays what it is, as a number to plan with.
        """
        if self.planned is not None and self.look >= self.planned:
            return self.bound_confidence
        before = None if self.before is None else (*self.before, self.items)
        return self._confidence_of(self.look + 1, items, before)

    def _confidence_of(self, look: int, items: int, before: tuple[int, ...] | None) -> float:
        if self.planned is None:
            return anytime_confidence(self.confidence, max(items, 1))
        known = None if before is None else (*before, items)
        return look_confidence(self.confidence, looks=self.planned, look=look, items=known)


def total_error(confidence: float, looks: Sequence[tuple[int, int]]) -> float:
    """Chance at most that raters at the floor passed at one of several looks.

    Parameters
    ----------
    looks
        Which look each was, and how many were planned by then. As long as no look was added, that
        is what the policy allows or less.

    Examples
    --------
    >>> round(total_error(0.95, [(1, 2), (2, 2)]), 4), round(total_error(0.95, [(1, 1), (2, 2)]), 4)
    (0.05, 0.056)
    """
    error = 1 - confidence
    return sum(
        spent(look / planned, error) - spent((look - 1) / planned, error) for look, planned in looks
    )


def look_confidence(
    confidence: float, *, looks: int, look: int, items: Sequence[int] | None = None
) -> float:
    """Confidence of the one-sided bound at a look, so that all looks together err as promised.

    Parameters
    ----------
    confidence
        Of the whole gate: one minus the chance that raters at the floor pass at any look.
    looks
        Number of looks that were planned.
    look
        Which of them it is, from 1.
    items
        Number of items at every look up to this one, shape (look,). Later looks hold the items of
        earlier ones, so that their errors go together and less confidence is needed. None: nothing
        is assumed about how they go together.

    Notes
    -----
    Scores are summed over items, so the statistics at two looks correlate with the root of the
    ratio of their items (Jennison and Turnbull 2000, Group Sequential Methods, chapters 7 and 19).
    A look without a new item needs what the look before it needed.

    Raises
    ------
    InputError
        If the look was not planned, or the numbers of items do not fit it or fall.

    Examples
    --------
    >>> round(look_confidence(0.95, looks=1, look=1), 4)
    0.95
    >>> round(look_confidence(0.95, looks=2, look=2, items=[200, 277]), 4)
    0.9793
    """
    if not 1 <= look <= looks:
        raise InputError(
            f"look {look} is not one of the {looks} that were planned; every look counts, so set "
            "looks of the policy before the first."
        )
    if looks == 1:
        return confidence
    error = 1 - confidence
    by_look = [spent(k / looks, error) for k in range(look + 1)]
    if items is None:
        return 1 - (by_look[look] - by_look[look - 1])
    _check_items(items, look)
    path, interval = _Path.begin(), confidence
    for k, n in enumerate(items, start=1):
        if n > path.n:
            interval, path = path.next_look(n, error=by_look[k] - path.used)
    return interval


def _check_items(items: Sequence[int], look: int) -> None:
    """Raise unless there is a number of items for every look, and none is below the one before."""
    falls = any(later < earlier for earlier, later in pairwise(items))
    if len(items) != look or falls or min(items) < 1:
        raise InputError(
            f"look {look} needs the number of items at {look} looks, each at least 1 and at least "
            f"that before it; found {list(items)}."
        )


@cache
def _quadrature() -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss and Legendre, from -1 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    return nodes, weights


@dataclass(frozen=True, slots=True)
class _Path:
    """Sums of scores that have not passed yet, after n items.

    Attributes
    ----------
    n, used
        Items so far, and the error that was spent on them.
    place, density
        Nodes of the sum in units of one item's error, shape (J,), and the density at each times
        its width.
    """

    n: int
    used: float
    place: Floats
    density: Floats

    @classmethod
    def begin(cls) -> "_Path":
        """Before the first item every sum is 0."""
        return cls(0, 0.0, np.zeros(1), np.ones(1))

    def next_look(self, n: int, *, error: float) -> tuple[float, "_Path"]:
        """Confidence of the bound after n items, and the sums that do not pass."""
        from scipy.optimize import brentq  # noqa: PLC0415  # takes .2 s, and reports need none

        step, reach = math.sqrt(n - self.n), _FAR * math.sqrt(n)

        def passing(bound: float) -> float:
            return float(self.density @ ndtr((self.place - bound) / step)) - error

        bound = float(brentq(passing, -reach, reach, xtol=1e-12))
        half = (bound + reach) / 2
        nodes, weights = _quadrature()
        place = half * nodes + (bound - reach) / 2
        kernel = np.exp(-(((place[:, None] - self.place) / step) ** 2) / 2)
        density = half * weights * (kernel @ self.density) / (step * math.sqrt(2 * math.pi))
        confidence = _NORMAL.cdf(bound / math.sqrt(n))
        return confidence, _Path(n, self.used + error, place, density)
