"""How common each category is before an item's ratings are seen."""

import math
from typing import Literal

import numpy as np

from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Floats

ClassPrior = Literal["tempered", "estimated", "uniform", "votes"]
CLASS_PRIORS: tuple[ClassPrior, ...] = ("tempered", "estimated", "uniform", "votes")

_TEMPERED = math.sqrt(3) / 2
"""Power of the shares; where three ratings weigh like the square root of three, it is a half."""


def prior_of_raters(table: RatingTable, kind: ClassPrior) -> Floats | None:
    """Class prior to learn raters with, shape (K,), None if it is to be estimated.

    Raters always are learnt with shares that fit the ratings, else their confusion matrices would
    make up for the difference.
    """
    powers = {"votes": 1.0, "tempered": 1.0, "uniform": 0.0}
    return None if kind == "estimated" else shares_of_ratings(table, power=powers[kind])


def prior_of_labels(table: RatingTable, kind: ClassPrior) -> Floats | None:
    """Class prior to infer labels with, shape (K,), None for that of the raters.

    ``"tempered"`` makes less of the shares of ratings than they say: with few ratings per item an
    estimated prior drifts to the categories that are common already, and a uniform one forgets
    that they are.
    """
    return shares_of_ratings(table, power=_TEMPERED) if kind == "tempered" else None


def shares_of_ratings(table: RatingTable, *, power: float = 1.0) -> Floats:
    """Shares of ratings raised to a power, shape (K,); each category has one more.

    Items weigh alike, however many ratings they have: adaptive rounds ask more often about
    difficult items, and that makes their categories no more common.
    """
    number = np.maximum(np.bincount(table.item, minlength=table.n_items), 1)
    votes = np.bincount(
        table.codes, weights=1 / number[table.item], minlength=len(table.categories)
    )
    ratings_per_item = len(table.codes) / max(votes.sum(), 1)
    weights = (votes * ratings_per_item + 1.0) ** power
    return np.asarray(weights / weights.sum())
