"""Agreement weights of pairs of categories, in [0, 1], 1 on the diagonal, and distances."""

from typing import Literal, get_args

import numpy as np

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.scales import Scale

Weights = Literal["none", "linear", "quadratic"]

MANY_CATEGORIES = 100
"""With more categories, distances are computed from the values, without a table of all pairs."""
_TOO_MANY = 1000


def agreement_weights(n_categories: int, weights: Weights) -> Floats:
    """Agreement weight of every pair of K equally spaced categories, shape (K, K).

    Notes
    -----
    Linear: 1 - |i - j| / (K - 1). Quadratic: 1 minus the square of that distance. Cohen (1968),
    Psychological Bulletin 70(4), 213-220.
    """
    if weights == "none":
        return np.eye(n_categories)
    place = np.arange(n_categories)
    distance = np.abs(place[:, None] - place[None, :]) / (n_categories - 1)
    return np.asarray(1 - (distance if weights == "linear" else distance**2))


def check_categorical(table: RatingTable, weights: Weights, name: str) -> None:
    """Raise if the scale is continuous, too long, or lacks the order that the weights need."""
    if weights not in get_args(Weights):
        raise InputError(
            f'weights must be "none", "linear" or "quadratic"; found {weights!r} in {name}().'
        )
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
    if weights != "none" and not table.scale.ordered:
        raise InputError(
            f"{weights} weights need ordered categories; the scale is {table.scale}. "
            'Use weights="none", or declare Scale.likert if the categories have an order.'
        )


def is_measured(table: RatingTable) -> bool:
    """Whether values are compared directly rather than by a table of categories."""
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
