"""Variance components of an earlier evaluation, for planning the next one."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.columns import check_columns
from ocrjury.errors import InputError
from ocrjury.estimation.greg import known_auxiliary
from ocrjury.estimation.headline import fit_rated
from ocrjury.estimation.rater_error import RatedFit, item_noise
from ocrjury.estimation.rating_data import item_ids, rating_data

# A sample without inclusion probabilities is taken to be from an infinite pool.
_ENDLESS = 1e-9


class VarianceComponents(NamedTuple):
    """Variance components that `plan_study` takes.

    ``score_sd`` is the spread of documents, ``r_squared`` what draw and auxiliaries saved against
    a simple random sample, ``rater_sd`` the spread of severities, ``noise_sd`` that of one rating,
    all in points of the scale.
    """

    score_sd: float
    r_squared: float
    rater_sd: float
    noise_sd: float
    n_raters: int


def variance_components(
    ratings: pd.DataFrame,
    *,
    items: pd.DataFrame | None = None,
    auxiliary: npt.ArrayLike | None = None,
    pool_mean: npt.ArrayLike | None = None,
) -> VarianceComponents:
    """Variance components of the ratings of an earlier evaluation.

    Parameters
    ----------
    ratings
        One row per rating on one dimension: ``item``, ``rater``, ``rating``. Some items need two
        or more raters, and raters items in common.
    items, auxiliary, pool_mean
        As in `ocrjury.estimation.rated_mean`; without items all documents count alike and
        ``r_squared`` is 0.

    Raises
    ------
    InputError
        If the design cannot tell raters, noise and documents apart.

    Notes
    -----
    The spread of documents is the weighted variance of item means less the noise in them.
    ``r_squared`` is 1 minus the variance that the draw had, without noise, over that of a simple
    random sample of the same size; it holds the price of drawing some documents more often.

    Examples
    --------
    >>> ratings = pd.DataFrame(
    ...     [(i, r, 3 + (i % 3) + (r == "y") * 0.5 + 0.1 * ((i * 7) % 5 - 2) * (r == "x"))
    ...      for i in range(30) for r in "xy"], columns=["item", "rater", "rating"])
    >>> components = variance_components(ratings)
    >>> round(components.score_sd, 1), round(components.rater_sd, 1), components.n_raters
    (0.8, 0.4, 2)
    """
    drawn = _as_drawn(ratings) if items is None else items
    # Ratings of gold items tell nothing about the pool.
    data = rating_data(ratings[ratings["item"].isin(item_ids(drawn))], drawn, None)
    if not data.sampled.any():
        raise InputError("variance_components needs ratings of the items; found none of them.")
    known = known_auxiliary(auxiliary, pool_mean, len(data.pi))
    fit = fit_rated(data, None if items is None else known, data.reliable)
    if not np.isfinite(fit.additive.residual_variance) or len(fit.rows) < 2:
        raise InputError(
            "variance_components cannot tell raters and noise apart: "
            f"{len(data.value)} ratings of {len(fit.rows)} items by {data.n_raters} raters. It "
            "needs items with two or more ratings."
        )
    noise = item_noise(fit)
    score = _score_variance(fit, noise)
    return VarianceComponents(
        score_sd=math.sqrt(score),
        r_squared=0.0 if items is None else _saved(fit, noise, score),
        rater_sd=math.sqrt(max(float(np.nan_to_num(fit.between.variance)), 0.0)),
        noise_sd=math.sqrt(fit.additive.residual_variance),
        n_raters=fit.n_raters,
    )


def _as_drawn(ratings: pd.DataFrame) -> pd.DataFrame:
    """Rated items as an equal-probability sample."""
    check_columns(ratings, ["item", "rater", "rating"], "ratings")
    return pd.DataFrame({"item": ratings["item"].unique(), "inclusion_probability": _ENDLESS})


def _score_variance(fit: RatedFit, noise: Floats) -> float:
    """Variance of scores between documents."""
    weight = 1 / fit.mean.pi / (1 / fit.mean.pi).sum()
    centred = fit.y - weight @ fit.y
    n = len(fit.y)
    seen = float(weight @ centred**2) * n / (n - 1)
    return max(seen - float(weight @ noise), 0.0)


def _saved(fit: RatedFit, noise: Floats, score: float) -> float:
    """Share of a simple random sample's variance that the draw and the auxiliaries save."""
    n, pi = len(fit.y), fit.mean.pi
    population = float((1 / pi).sum())
    plain = max(1 - n / population, 0.0) * score / n
    if plain <= 0:
        return 0.0
    drawn = fit.mean.variance() - float((fit.mean.weight**2 * (1 - pi)) @ noise)
    return min(1 - drawn / plain, 1.0) if math.isfinite(drawn) else 0.0
