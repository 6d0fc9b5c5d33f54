"""The parameters that make the ratings most probable, found by expectation-maximisation.

Every second step may be a SQUAREM jump along the last two steps (Varadhan and Roland 2008,
Scandinavian Journal of Statistics 35(2), 335-353); it is kept only where the objective does not
fall, so the objective never does.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ocrjury.errors import InputError
from ocrjury.truth.labels import Floats, Parameters
from ocrjury.truth.likelihood import Expectation, RatingBlocks, expect

_TINY = 1e-300


class Fit(NamedTuple):
    """Parameters, the objective at each iteration up to them, and whether it settled."""

    parameters: Parameters
    objective: tuple[float, ...]
    converged: bool


@dataclass(frozen=True, slots=True)
class Search:
    """When the search ends, and how it goes.

    Attributes
    ----------
    max_iter
        Most iterations that raise the objective.
    tol
        A step that raises the objective by less than this is the last one (nats per thousand
        items, at least nats).
    accelerate
        Whether to try SQUAREM jumps.
    """

    max_iter: int
    tol: float
    accelerate: bool

    def __post_init__(self) -> None:
        """Check the numbers."""
        if self.max_iter < 1:
            raise InputError(f"max_iter must be at least 1; found {self.max_iter!r}.")
        if not self.tol >= 0:
            raise InputError(f"tol must not be below 0; found {self.tol!r}.")


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A penalised likelihood.

    Attributes
    ----------
    blocks
        The ratings.
    pseudo
        Ratings added to raters' counts, shape (M, K, K), indexed rater, true, observed, or
        (K, K) if the same are added to all.
    class_prior
        Fixed class prior, shape (K,), or None to estimate it.
    confusion_of
        Gives the best confusion, shape (M, K, K), for counts of that shape.
    """

    blocks: RatingBlocks
    pseudo: Floats
    class_prior: Floats | None
    confusion_of: Callable[[Floats], Floats]

    def maximize(self, expectation: Expectation) -> Parameters:
        """Return the parameters that fit expected counts best."""
        confusion = self.confusion_of(expectation.counts + self.pseudo)
        if self.class_prior is not None:
            return Parameters(confusion, self.class_prior)
        total = expectation.mass.sum()
        n_categories = len(expectation.mass)
        shares = expectation.mass / total if total else np.full(n_categories, 1 / n_categories)
        return Parameters(confusion, shares)

    def step(self, parameters: Parameters) -> tuple[float, Parameters]:
        """Return the objective at the parameters, and the parameters after one step."""
        expectation = expect(self.blocks, parameters)
        penalty = (self.pseudo * np.log(np.maximum(parameters.confusion, _TINY))).sum()
        return expectation.log_likelihood + float(penalty), self.maximize(expectation)


def free_confusion(counts: Floats) -> Floats:
    """Return the confusion matrices of counts, shape (M, K, K); rows without counts are even."""
    total = counts.sum(axis=2, keepdims=True)
    even = np.full_like(counts, 1 / max(counts.shape[2], 1))
    return np.asarray(np.divide(counts, total, out=even, where=total > 0))


def fit_model(model: Model, start: Parameters, search: Search) -> Fit:
    """Return the parameters at which the objective no longer rises."""
    least = search.tol * max(1.0, model.blocks.n_items / 1000)
    origin, (value, current) = start, model.step(start)
    objective = [value]
    while len(objective) < search.max_iter:
        value, following = model.step(current)
        objective.append(value)
        if objective[-1] - objective[-2] < least:
            return Fit(current, tuple(objective), converged=True)
        jump = _jump(origin, current, following) if search.accelerate else None
        if jump is not None and len(objective) < search.max_iter:
            value, after = model.step(jump)
            if value >= objective[-1]:
                objective.append(value)
                origin, current = jump, after
                continue
        origin, current = current, following
    return Fit(origin, tuple(objective), converged=False)


def _jump(first: Parameters, second: Parameters, third: Parameters) -> Parameters | None:
    """Return where the path of three points leads, None if no further than the third."""
    moves = [(b - a, c - 2 * b + a) for a, b, c in zip(first, second, third, strict=True)]
    step = np.sqrt(sum(float((move**2).sum()) for move, _ in moves))
    bend = np.sqrt(sum(float((turn**2).sum()) for _, turn in moves))
    if not step > bend > 0:
        return None
    length = step / bend
    ahead = [
        a + 2 * length * move + length**2 * turn
        for a, (move, turn) in zip(first, moves, strict=True)
    ]
    confusion, class_prior = (
        np.where(point > 0, point, near) for point, near in zip(ahead, third, strict=True)
    )
    return Parameters(
        confusion / confusion.sum(axis=2, keepdims=True), class_prior / class_prior.sum()
    )
