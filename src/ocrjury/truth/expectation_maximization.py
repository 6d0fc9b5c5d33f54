"""Maximum-likelihood parameters, by expectation-maximisation.

Every second step may be a SQUAREM jump along the last two steps (Varadhan and Roland 2008,
Scandinavian Journal of Statistics 35(2), 335-353); it is kept only where the objective does not
fall, so the objective never does. Their bound on the length of jumps, which grows after successful
jumps and shrinks after failed ones, saves evaluations and keeps numbers finite.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.truth.labels import Parameters
from ocrjury.truth.likelihood import Expectation, expect, log_of
from ocrjury.truth.rating_blocks import RatingBlocks

_MAX_JUMP = 4.0  # first bound on the length of jumps, and the factor by which the bound changes


class Fit(NamedTuple):
    """Parameters, the objective at each iteration up to them, and whether the fit converged."""

    parameters: Parameters
    objective: tuple[float, ...]
    converged: bool


@dataclass(frozen=True, slots=True)
class Search:
    """Stopping rule and acceleration of the search.

    Attributes
    ----------
    max_iter
        Largest number of iterations that raise the objective.
    tol
        The search stops when a step raises the objective by less than this, times
        max(1, N / 1000), in nats.
    accelerate
        Whether to try SQUAREM jumps.
    """

    max_iter: int
    tol: float
    accelerate: bool

    def __post_init__(self) -> None:
        """Raise on an invalid number."""
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
        Pseudo-ratings added to raters' counts, shape (M, K, K), indexed rater, true, observed, or
        (K, K) if all raters get the same.
    class_prior
        Fixed class prior, shape (K,), or None to estimate it.
    confusion_of
        Most likely confusion, shape (M, K, K), as a function of counts of that shape.
    """

    blocks: RatingBlocks
    pseudo: Floats
    class_prior: Floats | None
    confusion_of: Callable[[Floats], Floats]

    def maximize(self, expectation: Expectation) -> Parameters:
        """Parameters that fit expected counts best."""
        confusion = self.confusion_of(expectation.counts + self.pseudo)
        if self.class_prior is not None:
            return Parameters(confusion, self.class_prior)
        total = expectation.mass.sum()
        n_categories = len(expectation.mass)
        shares = expectation.mass / total if total else np.full(n_categories, 1 / n_categories)
        return Parameters(confusion, shares)

    def allowed(self, parameters: Parameters) -> Parameters:
        """Parameters projected back onto the model.

        Jumps multiply rounding errors, so a series of jumps would leave the model.
        """
        fixed = self.class_prior
        shares = parameters.class_prior if fixed is None else fixed
        return Parameters(self.confusion_of(parameters.confusion), shares)

    def step(self, parameters: Parameters) -> tuple[float, Parameters]:
        """Objective at the parameters, and the parameters after one step."""
        logs = log_of(parameters.confusion)
        expectation = expect(
            self.blocks, parameters, log_confusion=logs, count_items=self.class_prior is None
        )
        penalty = _inner_product(self.pseudo, logs) if self.pseudo.any() else 0.0
        return expectation.log_likelihood + penalty, self.maximize(expectation)


def free_confusion(counts: Floats) -> Floats:
    """Confusion matrices from counts, shape (M, K, K); rows without counts are uniform."""
    total = np.zeros(counts.shape[:2])
    for observed in range(counts.shape[2]):  # quicker than a sum over the last axis
        total += counts[:, :, observed]
    empty = total <= 0
    total[empty] = 1.0
    confusion = counts / total[:, :, None]
    if empty.any():
        confusion[empty] = 1 / max(counts.shape[2], 1)
    return np.asarray(confusion)


def _inner_product(pseudo: Floats, logs: Floats) -> float:
    """Sum of pseudo-ratings times logarithms, over raters and cells."""
    if pseudo.ndim == 2:
        return float((pseudo * logs.sum(axis=0)).sum())
    return float(np.einsum("rto,rto->", pseudo, logs))


def fit_model(model: Model, start: Parameters, search: Search) -> Fit:
    """Parameters at which the objective stops rising."""
    least = search.tol * max(1.0, model.blocks.n_items / 1000)
    origin, (value, current) = start, model.step(start)
    objective = [value]
    reach = _MAX_JUMP if search.accelerate else 1.0
    while len(objective) < search.max_iter:
        value, following = model.step(current)
        objective.append(value)
        if objective[-1] - objective[-2] < least:
            return Fit(current, tuple(objective), converged=True)
        jump, length = None, 0.0
        if search.accelerate and len(objective) < search.max_iter:
            length = min(_length(origin, current, following), reach)
            jump = _jump(origin, current, following, length=length)
            reach = _MAX_JUMP if reach == 1.0 else reach
        if jump is not None:
            jump = model.allowed(jump)
            value, after = model.step(jump)
            if value >= objective[-1]:
                objective.append(value)
                reach *= _MAX_JUMP if length == reach else 1.0
                origin, current = jump, after
                continue
            reach = max(1.0, length / _MAX_JUMP)
        origin, current = current, following
    return Fit(origin, tuple(objective), converged=False)


def _length(first: Parameters, second: Parameters, third: Parameters) -> float:
    """Length of the jump along the path of three points, 0 if the path is straight."""
    moved = bent = 0.0
    for a, b, c in zip(first, second, third, strict=True):
        move = b - a
        moved += float((move**2).sum())
        bent += float((((c - b) - move) ** 2).sum())
    return math.sqrt(moved / bent) if bent > 0 else 0.0


def _jump(
    first: Parameters, second: Parameters, third: Parameters, *, length: float
) -> Parameters | None:
    """Parameters to which a jump along three points leads, None if no further than the third.

    A probability that would become negative is set to a tenth of its last value.
    """
    if not length > 1:
        return None
    points = []
    for a, b, c in zip(first, second, third, strict=True):
        ahead = length**2 * c  # a + 2 length (b - a) + length**2 (c - 2 b + a), in few passes
        ahead += 2 * length * (1 - length) * b
        ahead += (1 - length) ** 2 * a
        points.append(np.where(ahead > 0, ahead, c / 10))
    confusion, class_prior = points
    return Parameters(free_confusion(confusion), class_prior / class_prior.sum())
