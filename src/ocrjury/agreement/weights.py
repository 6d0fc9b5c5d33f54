"""Agreement weights of pairs of categories, in [0, 1], 1 on the diagonal, and distances."""

from collections.abc import Callable
from typing import Literal, TypeGuard, get_args

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.ratings.table_checks import check_table
from ocrjury.scales import Scale

WeightName = Literal[
    "none", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"
]
Weights = WeightName | npt.NDArray[np.float64]
"""Name of weights, or the agreement weight of every pair of categories, shape (K, K)."""

MANY_CATEGORIES = 100
"""Number of categories above which distances come from the values, without a table of pairs."""
_TOO_MANY = 1000
_SAME = 1e-12  # difference of two sides of the diagonal that is rounding


def agreement_weights(categories: Floats, weights: Weights) -> Floats:
    """Agreement weight of every pair of K categories, shape (K, K).

    Parameters
    ----------
    categories
        Their numbers in order, shape (K,).

    Notes
    -----
    With x and y the numbers of two categories and d = |x - y|, the weight is 1 minus the
    disagreement as a share of the largest one:

    - linear d, quadratic d^2, radical d^(1/2);
    - ordinal d (d + 1) / 2, the pairs of categories from x to y;
    - ratio (d / (x + y))^2, for numbers from a true zero;
    - circular sin^2(pi d / (high - low + 1)), where the last category is next to the first;
    - bipolar d^2 / ((x + y - 2 low) (2 high - x - y)), which is larger near the ends.

    Cohen (1968), Psychological Bulletin 70(4), 213-220; Gwet (2014), Handbook of Inter-Rater
    Reliability, 4th edition, section 3.5.

    Examples
    --------
    >>> agreement_weights(np.arange(1, 5), "ordinal")[0].round(3).tolist()
    [1.0, 0.833, 0.5, 0.0]
    """
    if not is_name(weights):
        return np.asarray(weights, dtype=float)
    if weights == "none":
        return np.eye(len(categories))
    x, y = categories[:, None].astype(float), categories[None, :].astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.where(x == y, 0.0, _DISAGREEMENT[weights](x, y))
        return np.asarray(1 - apart / apart.max(), dtype=float)


def _circular(x: Floats, y: Floats) -> Floats:
    return np.asarray(np.sin(np.pi * (x - y) / (x.max() - x.min() + 1)) ** 2)


def _bipolar(x: Floats, y: Floats) -> Floats:
    return np.asarray((x - y) ** 2 / ((x + y - 2 * x.min()) * (2 * x.max() - x - y)))


_DISAGREEMENT: dict[str, Callable[[Floats, Floats], Floats]] = {
    "linear": lambda x, y: np.abs(x - y),
    "quadratic": lambda x, y: (x - y) ** 2,
    "radical": lambda x, y: np.sqrt(np.abs(x - y)),
    "ordinal": lambda x, y: np.abs(x - y) * (np.abs(x - y) + 1) / 2,
    "ratio": lambda x, y: ((x - y) / (x + y)) ** 2,
    "circular": _circular,
    "bipolar": _bipolar,
}


def is_name(weights: Weights) -> TypeGuard[WeightName]:
    """Return whether weights are given by name rather than as a matrix."""
    return isinstance(weights, str)


def is_weighted(weights: Weights) -> bool:
    """Return whether the weights give some pairs of categories partial agreement."""
    return not is_name(weights) or weights != "none"


def with_weights(method: str, weights: Weights) -> str:
    """Name of a coefficient with its weights.

    Examples
    --------
    >>> with_weights("Fleiss' kappa", "none"), with_weights("Fleiss' kappa", np.eye(2))
    ("Fleiss' kappa", "Fleiss' kappa, given weights")
    """
    if not is_weighted(weights):
        return method
    return f"{method}, {weights if is_name(weights) else 'given'} weights"


def check_categorical(table: RatingTable, weights: Weights, name: str) -> None:
    """Raise if the scale is continuous or too long, or does not have what the weights need."""
    check_table(table, name)
    if table.scale.kind == "interval":
        raise InputError(
            f"{name} compares categories; the scale is {table.scale}. Use krippendorff_alpha(), "
            "pairwise_agreement() or human_agreement(), or declare Scale.likert."
        )
    if len(table.scale.categories) > _TOO_MANY:
        remedy = (
            "Declare Scale.interval where values are measured"
            if table.scale.ordered
            else "Merge categories, or use krippendorff_alpha() or human_agreement()"
        )
        raise InputError(
            f"{name} compares categories, at most {_TOO_MANY:,}; the scale has "
            f"{len(table.scale.categories):,}. {remedy}."
        )
    if is_name(weights):
        _check_name(table.scale, weights, name)
    else:
        _check_matrix(table.scale, weights, name)


def _check_name(scale: Scale, weights: WeightName, name: str) -> None:
    """Raise if weights have another name, or the scale no order or no zero that they need."""
    if weights not in get_args(WeightName):
        names = ", ".join(f'"{weight}"' for weight in get_args(WeightName))
        raise InputError(
            f"weights must be one of {names}, or a matrix; found {weights!r} in {name}()."
        )
    if weights != "none" and not scale.ordered:
        raise InputError(
            f"{weights} weights need ordered categories; the scale is {scale}. "
            'Use weights="none", a matrix of your own, or declare Scale.likert if the categories '
            "have an order."
        )
    if weights == "ratio" and scale.low < 0:
        raise InputError(
            f"ratio weights need numbers from a true zero; the scale is {scale}. "
            'Use weights="quadratic".'
        )


def _check_matrix(scale: Scale, weights: Weights, name: str) -> None:
    """Raise if a matrix does not hold an agreement weight for every pair of categories."""
    n = len(scale.categories)
    try:
        matrix = np.asarray(weights, dtype=float)
    except (TypeError, ValueError):
        matrix = np.empty(0)
    if matrix.shape != (n, n):
        raise InputError(
            f"a matrix of weights for {name}() needs {n} rows and columns of numbers, one per "
            f"category ({scale}); found shape {matrix.shape}, or values that are not numbers."
        )
    wrong = ~((matrix >= 0) & (matrix <= 1) & (np.abs(matrix - matrix.T) <= _SAME))
    wrong |= np.eye(n, dtype=bool) & (matrix != 1)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InputError(
            f"weights for {name}() lie between 0 (no agreement) and 1 (the same), with 1 on the "
            f"diagonal and the same weight on both sides of it; found {matrix[row, column]:g} in "
            f"row {row}, column {column}, and {matrix[column, row]:g} in row {column}, column "
            f"{row}. Give agreement, not distance."
        )


def is_measured(table: RatingTable) -> bool:
    """Return whether values are compared directly rather than by a table of categories."""
    return table.scale.ordered and (
        table.scale.kind == "interval" or len(table.categories) > MANY_CATEGORIES
    )


def unit_distances(scale: Scale, categories: Floats) -> Floats:
    """Distances between categories as shares of the scale's length, shape (K, K).

    On a nominal scale the distance is 0 between equal categories and 1 otherwise.
    """
    if not scale.ordered:
        return np.asarray(1 - np.eye(len(categories)))
    span = scale.high - scale.low
    return np.asarray(np.abs(categories[:, None] - categories[None, :]) / span)
