"""Prior probability of each category, before an item's ratings are seen."""

import math
from typing import Literal

import numpy as np

from ocrjury.arrays import Floats
from ocrjury.ratings import RatingTable

ClassPrior = Literal["tempered", "estimated", "uniform", "votes"]
CLASS_PRIORS: tuple[ClassPrior, ...] = ("tempered", "estimated", "uniform", "votes")

_TEMPERED = math.sqrt(3) / 2
"""Exponent of the shares; multiplied by 1 / sqrt(3), as for three ratings, it is one half."""


def prior_of_raters(table: RatingTable, kind: ClassPrior) -> Floats | None:
    """Class prior for estimating raters, shape (K,), None if it is to be estimated.

    Raters are always estimated with shares that fit the ratings; otherwise their confusion matrices
    would compensate for the difference.
    """
    powers = {"votes": 1.0, "tempered": 1.0, "uniform": 0.0}
    return None if kind == "estimated" else shares_of_ratings(table, power=powers[kind])


def prior_of_labels(table: RatingTable, kind: ClassPrior) -> Floats | None:
    """Class prior for inferring labels, shape (K,), None to use that of the raters.

    ``"tempered"`` shrinks the shares of ratings towards uniform: with few ratings per item an
    estimated prior drifts to the common categories, and a uniform one ignores that they are common.
    """
    return shares_of_ratings(table, power=_TEMPERED) if kind == "tempered" else None


def shares_of_ratings(table: RatingTable, *, power: float = 1.0) -> Floats:
    """Shares of ratings raised to a power, shape (K,), with one pseudo-rating per category.

    Items have equal weight, however many ratings they have: adaptive rounds collect more ratings on
    difficult items, which does not make their categories more common.
    """
    number = np.maximum(np.bincount(table.item, minlength=table.n_items), 1)
    votes = np.bincount(
        table.codes, weights=1 / number[table.item], minlength=len(table.categories)
    )
    ratings_per_item = len(table.codes) / max(votes.sum(), 1)
    weights = (votes * ratings_per_item + 1.0) ** power
    return np.asarray(weights / weights.sum())
