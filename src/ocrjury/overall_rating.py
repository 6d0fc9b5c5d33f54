"""Weights of dimensions by least squares: how much each adds to an overall rating.

Symbols: n complete rows of D dimensions x and an overall rating y, b their coefficients; r the
correlation matrix of the dimensions, VIF_d = (r^-1)_dd the variance inflation of dimension d.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from ocrjury.arrays import Floats, Integers
from ocrjury.columns import check_columns
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.language import phrase
from ocrjury.ratings.export_columns import CLUSTER, ITEM_WEIGHT
from ocrjury.ratings.identity import item_clusters, item_weights
from ocrjury.resampling import SummedStatistic, jackknife_error

FEWEST_ROWS = 10
INFLATED = 10.0
"""Variance inflation from which a weight is called unsure (Marquardt 1970)."""
_SINGULAR = 1e-10  # smallest eigenvalue of the correlations, as a share of the largest


@dataclass(frozen=True, slots=True)
class OverallWeights:
    """Regression of an overall rating on the dimensions.

    Attributes
    ----------
    coefficients
        Points of the overall rating for a point on each dimension, others held fixed; ``nan`` with
        reason ``too_few_ratings``, ``no_variation`` or ``collinear``.
    weights
        The coefficients as shares of their sum; ``nan`` with the same reasons, and with
        ``negative_weight`` if a coefficient is below 0: an average has no such weight.
    inflation
        Variance inflation of each dimension by the others: 1 without correlation, endless where a
        dimension is a sum of others.
    r_squared
        Share of the overall rating's variance that the dimensions explain.
    cautions
        Whole sentences.
    """

    coefficients: Mapping[str, Estimate]
    weights: Mapping[str, Estimate]
    inflation: Mapping[str, float]
    r_squared: float
    cautions: tuple[str, ...] = ()

    @property
    def reason(self) -> str | None:
        """Reason why there are no weights, None if there are."""
        return next((weight.reason for weight in self.weights.values() if not weight.defined), None)


def regression_weights(ratings: pd.DataFrame, *, overall: str) -> OverallWeights:
    """Regress an overall rating on the dimensions, by least squares over complete rows.

    Parameters
    ----------
    ratings
        As in `ocrjury.dimensions.composite_score`; one of the dimensions is the overall rating.
        With a column ``cluster``, standard errors leave out one cluster at a time.
    overall
        Its name.

    Examples
    --------
    >>> parts = [(1, 2), (2, 5), (3, 1), (5, 4)] * 3
    >>> rows = [
    ...     (f"d{place}", name, value)
    ...     for place, (a, b) in enumerate(parts)
    ...     for name, value in (("meaning", a), ("layout", b), ("overall", (3 * a + b) / 4))
    ... ]
    >>> frame = pd.DataFrame(rows, columns=["item", "dimension", "rating"])
    >>> weights = regression_weights(frame, overall="overall").weights
    >>> {name: round(weight.value, 6) for name, weight in weights.items()}
    {'layout': 0.25, 'meaning': 0.75}
    """
    wide = wide_ratings(ratings)
    names = [name for name in wide.columns if name != overall]
    if overall not in wide.columns or not names:
        raise InputError(
            f"the overall rating {overall!r} is one of two or more dimensions; found "
            f"{', '.join(map(repr, wide.columns)) or 'none'}."
        )
    complete = wide.dropna()
    draw = row_draws(complete, ratings)
    fitted = fit_overall(
        complete[names].to_numpy(dtype=float),
        complete[overall].to_numpy(dtype=float),
        item=draw,
        names=[str(name) for name in names],
    )
    n_items, n_draws = (len(np.unique(places)) for places in (row_items(complete), draw))
    return fitted if n_items == n_draws else _counted(fitted, n_items, n_clusters=n_draws)


def _counted(fitted: OverallWeights, n_items: int, *, n_clusters: int) -> OverallWeights:
    """The same with the number of items, where clusters of them were left out."""
    coefficients, weights = (
        {
            name: replace(estimate, n_items=n_items, n_clusters=n_clusters)
            for name, estimate in estimates.items()
        }
        for estimates in (fitted.coefficients, fitted.weights)
    )
    return replace(fitted, coefficients=coefficients, weights=weights)


def fit_overall(
    values: Floats,
    overall: Floats,
    *,
    item: Integers,
    names: Sequence[str],
) -> OverallWeights:
    """Least squares of the overall rating on the dimensions, with an intercept.

    Standard errors leave out one item at a time, because ratings of one item are not independent.

    Parameters
    ----------
    values, overall
        Ratings, shapes (n, D) and (n,), without gaps.
    item
        Place of each row's item, or of its cluster, shape (n,).
    """
    n, n_dimensions = values.shape
    if n < max(FEWEST_ROWS, n_dimensions + 2):
        return _undefined("too_few_ratings", names, n=n)
    if not ((np.ptp(values, axis=0) > 0).all() and np.ptp(overall) > 0):
        return _undefined("no_variation", names, n=n)
    # Centred and in units of their spread, which changes no weight and keeps rounding small.
    spread, scale = values.std(axis=0), overall.std()
    x, y = (values - values.mean(axis=0)) / spread, (overall - overall.mean()) / scale
    eigenvalues, vectors = np.linalg.eigh(x.T @ x / n)
    if eigenvalues[0] < _SINGULAR * eigenvalues[-1]:
        return _undefined("collinear", names, n=n, inflation=math.inf)
    inflation = (vectors**2 / eigenvalues).sum(axis=1)
    sums, units = _sums(x, y, item), scale / spread
    fitted = _coefficients(sums.sum(axis=0)[None, :], units)[0]
    residual = y - x @ (fitted / units)
    estimates, weights = (
        {name: _estimate(sums, units, place, share=share) for place, name in enumerate(names)}
        for share in (False, True)
    )
    if (fitted < 0).any():
        weights = dict.fromkeys(names, Estimate(math.nan, n_ratings=n, reason="negative_weight"))
    return OverallWeights(
        estimates,
        weights,
        dict(zip(names, inflation.tolist(), strict=True)),
        1 - float((residual**2).mean()),
        _cautions(names, fitted, inflation),
    )


def _sums(x: Floats, y: Floats, item: Integers) -> Floats:
    """Sums of the products of 1, x and y by item, shape (N, (D + 2)^2)."""
    columns = np.column_stack([np.ones(len(y)), x, y])
    products = (columns[:, :, None] * columns[:, None, :]).reshape(len(y), -1)
    sums = np.stack([np.bincount(item, part) for part in products.T], axis=1)
    return np.asarray(sums[sums[:, 0] > 0], dtype=float)


def _coefficients(sums: Floats, units: Floats) -> Floats:
    """Coefficients from sums of products of 1, x and y, shape (B, D); ``nan`` where singular."""
    side = round(math.sqrt(sums.shape[1]))
    moments = sums.reshape(-1, side, side)
    centred = moments - moments[:, :, :1] * moments[:, :1, :] / moments[:, :1, :1]
    left, right = centred[:, 1:-1, 1:-1], centred[:, 1:-1, -1]
    eigenvalues = np.linalg.eigvalsh(left)
    singular = eigenvalues[:, 0] < _SINGULAR * eigenvalues[:, -1]
    left = np.where(singular[:, None, None], np.eye(side - 2), left)
    solved = np.linalg.solve(left, right[:, :, None])[:, :, 0]
    return np.where(singular[:, None], np.nan, solved) * units


def _estimate(
    sums: Floats,
    units: Floats,
    place: int,
    *,
    share: bool,
) -> Estimate:
    """A coefficient or, as a share of their sum, a weight."""

    def value(rows: Floats) -> Floats:
        coefficients = _coefficients(rows, units)
        whole = coefficients.sum(axis=1) if share else 1.0
        return np.asarray(coefficients[:, place] / whole, dtype=float)

    statistic = SummedStatistic(sums, np.ones(len(sums)), value)
    point, error = statistic.point(), jackknife_error(statistic)
    n_items = len(sums)
    reach = float(stdtrit(max(n_items - 1, 1), 0.975)) * error
    return Estimate(
        point,
        point - reach,
        point + reach,
        error,
        n_items=n_items,
        n_ratings=round(float(sums[:, 0].sum())),
        method="least squares, jackknife over items",
    )


def _undefined(
    reason: str, names: Sequence[str], *, n: int, inflation: float = math.nan
) -> OverallWeights:
    nothing = dict.fromkeys(names, Estimate(math.nan, n_ratings=n, reason=reason))
    return OverallWeights(nothing, nothing, dict.fromkeys(names, inflation), math.nan)


def _cautions(names: Sequence[str], fitted: Floats, inflation: Floats) -> tuple[str, ...]:
    """Sentences on dimensions that repeat each other, and on coefficients below 0."""
    inflated = [name for name, number in zip(names, inflation, strict=True) if number >= INFLATED]
    negative = [name for name, number in zip(names, fitted, strict=True) if number < 0]
    sentences = {
        phrase(
            "{dimensions} nearly repeat other dimensions (variance inflation of {inflation} or "
            "more): their weights cannot be told apart.",
            dimensions=", ".join(inflated),
            inflation=f"{INFLATED:g}",
        ): inflated,
        phrase(
            "The coefficient of {dimensions} is below 0, so there is no average with these "
            "weights. Leave the dimension out, or give weights yourself.",
            dimensions=", ".join(negative),
        ): negative,
    }
    return tuple(sentence for sentence, caution in sentences.items() if caution)


def wide_ratings(ratings: pd.DataFrame) -> pd.DataFrame:
    """Ratings with one row per item and rater and one column per dimension, both sorted."""
    keys = ["item", *(["rater"] if "rater" in ratings.columns else [])]
    check_columns(ratings, ["item", "dimension", "rating"], "ratings")
    rated = ratings[ratings["rating"].notna()]
    if rated[[*keys, "dimension"]].isna().any(axis=None):
        raise InputError("every rating needs an item, a dimension and, if any has one, a rater.")
    repeated = rated.duplicated([*keys, "dimension"])
    if repeated.any():
        first = rated.loc[repeated, [*keys, "dimension"]].iloc[0].to_dict()
        raise InputError(
            f"{int(repeated.sum())} rating(s) occur twice; the first is of {first!r}. "
            "Keep one of each."
        )
    try:
        numbers = rated.assign(rating=pd.to_numeric(rated["rating"]).astype(float))
    except (TypeError, ValueError) as error:
        raise InputError(f"ratings must be numbers to be averaged; {error}.") from error
    return numbers.pivot_table(index=keys, columns="dimension", values="rating", aggfunc="first")


def row_items(wide: pd.DataFrame) -> Integers:
    """Place of the item of each row of `wide_ratings`."""
    return np.asarray(pd.factorize(wide.index.get_level_values("item"))[0], dtype=np.int64)


def row_draws(wide: pd.DataFrame, ratings: pd.DataFrame) -> Integers:
    """Place of what each row's item was drawn with: its cluster, or without clusters itself."""
    if CLUSTER not in ratings.columns:
        return row_items(wide)
    items = tuple(dict.fromkeys(wide.index.get_level_values("item")))
    clusters = item_clusters(ratings, items, item="item", cluster=CLUSTER)
    return row_items(wide) if clusters is None else clusters[row_items(wide)]


def row_weights(wide: pd.DataFrame, ratings: pd.DataFrame) -> Floats:
    """Weight of each row's item, 1 without weights."""
    if ITEM_WEIGHT not in ratings.columns:
        return np.ones(len(wide))
    items = tuple(dict.fromkeys(wide.index.get_level_values("item")))
    weights = item_weights(ratings, items, item="item", item_weight=ITEM_WEIGHT)
    return np.ones(len(wide)) if weights is None else weights[row_items(wide)]
