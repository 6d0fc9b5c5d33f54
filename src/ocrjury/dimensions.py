"""Composite score over dimensions, and correlations between dimensions.

Symbols: one row is one rater's ratings of one item (or one item's, without a rater) on D
dimensions, w_d their weights.
"""

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError
from ocrjury.estimate import reason_words
from ocrjury.language import joined, phrase
from ocrjury.overall_rating import (
    OverallWeights,
    regression_weights,
    row_draws,
    row_items,
    row_weights,
    wide_ratings,
)
from ocrjury.ranks import weighted_ranks
from ocrjury.resampling import SummedStatistic, jackknife_error

Method = Literal["mean", "weighted", "pca", "regression"]

_FEWEST = 10  # complete rows for a principal component
_METHODS = get_args(Method)


def composite_score(
    ratings: pd.DataFrame,
    *,
    method: Method = "mean",
    weights: Mapping[str, float] | None = None,
    overall: str | None = None,
) -> pd.DataFrame:
    """One score per item and rater, on the scale of the ratings.

    Parameters
    ----------
    ratings
        Long frame ``item``, ``rater``, ``dimension``, ``rating``; without ``rater`` one rating
        per item and dimension, such as inferred labels.
    method
        ``"mean"`` of the dimensions; ``"weighted"`` by ``weights``; ``"pca"`` by the absolute
        loadings of the first principal component of the standardised dimensions;
        ``"regression"`` by `regression_weights` for ``overall``.
    weights
        Weight of each dimension, not below 0, at least one above 0; only with ``"weighted"``, where
        None means equal weights. They need not sum to 1.
    overall
        Dimension with the overall rating, which is no part of the score; with ``"regression"``.

    Returns
    -------
    DataFrame
        ``item``, ``rater`` (if given) and ``score``, sorted by id; the weight of missing dimensions
        goes to the others, and a row without any weighted dimension has the score ``nan``.
        ``.attrs["method"]`` is the method used, ``.attrs["weights"]`` sums to 1 over dimensions.
        With ``"pca"`` also ``.attrs["loadings"]`` (unit length, sum not negative) and
        ``.attrs["explained"]``, the component's share of the variance.

        With fewer than ten complete rows, or if no two dimensions vary, ``"pca"`` falls back to
        the mean; ``.attrs["note"]`` says so, and there are no loadings. So does ``"regression"``
        where there are no weights; otherwise ``.attrs["errors"]`` holds the standard errors of the
        weights, ``.attrs["explained"]`` the share of the overall rating's variance, and the note
        what `OverallWeights.cautions` says.

    Raises
    ------
    InputError
        On an unknown method, weights that do not fit, a rating that is not a number, or two
        ratings of one dimension of a row.

    Notes
    -----
    The reference text (an evaluation framework for language quality) fills missing dimensions
    with 3 before its principal component; here incomplete rows do not enter it.

    Examples
    --------
    >>> rows = [("a", "R01", "meaning", 5), ("a", "R01", "layout", 2)]
    >>> frame = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])
    >>> composite_score(frame)["score"].tolist()
    [3.5]
    >>> weights = {"meaning": 2, "layout": 1}
    >>> composite_score(frame, method="weighted", weights=weights)["score"].tolist()
    [4.0]
    """
    _check_method(method, weights, overall)
    wide = wide_ratings(ratings)
    fitted = None if overall is None else regression_weights(ratings, overall=overall)
    wide = wide.drop(columns=[overall] if overall in wide.columns else [])
    names = [str(name) for name in wide.columns]
    values = wide.to_numpy(dtype=float)
    attributes: dict[str, Any] = {"method": method}
    if fitted is not None:
        weight, attributes = _by_regression(fitted, names)
    elif method == "pca":
        weight, attributes = _principal(values, names)
    else:
        weight = _weights(weights, list(wide.columns))
    frame = wide.index.to_frame(index=False)
    frame["score"] = _averages(values, weight)
    share = weight / max(float(weight.sum()), 1e-300)
    attributes["weights"] = dict(zip(names, share.tolist(), strict=True))
    frame.attrs.update(attributes)
    return frame


def _by_regression(fitted: OverallWeights, names: list[str]) -> tuple[Floats, dict[str, Any]]:
    """Weights for an overall rating, and the attributes that describe them."""
    if fitted.reason is not None:
        note = phrase(
            "mean instead of regression weights: {reason}", reason=reason_words(fitted.reason)
        )
        return _weights(None, names), {"method": "mean", "note": note}
    attributes: dict[str, Any] = {
        "method": "regression",
        "errors": {name: weight.se for name, weight in fitted.weights.items()},
        "explained": fitted.r_squared,
    }
    if fitted.cautions:
        attributes["note"] = joined(fitted.cautions)
    return np.array([fitted.weights[name].value for name in names]), attributes


def dimension_correlation(
    ratings: pd.DataFrame,
    *,
    method: Literal["pearson", "spearman"] = "pearson",
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Correlation of every pair of dimensions over all ratings.

    Parameters
    ----------
    ratings
        As in `composite_score`.
    method
        ``"spearman"`` correlates ranks.

    Returns
    -------
    DataFrame
        ``dimension_a``, ``dimension_b``, ``n`` rows with both, ``n_items``, ``value``, ``low``,
        ``high``. ``nan`` with fewer than two rows or where a dimension does not vary. The
        interval leaves out one item at a time, on Fisher's z scale, because ratings of one item
        are not independent; with a column ``cluster`` one cluster at a time. With a column
        ``item_weight`` each row counts as much as its item weighs.

    Notes
    -----
    A high correlation does not prove halo: items that are good in one respect often are in others.
    `ocrjury.bias` tests for correlation beyond that of the items.

    Examples
    --------
    >>> rows = [("a", "m", 1), ("a", "l", 1), ("b", "m", 2), ("b", "l", 2), ("c", "m", 4),
    ...         ("c", "l", 3)]
    >>> frame = pd.DataFrame(rows, columns=["item", "dimension", "rating"])
    >>> dimension_correlation(frame).round(3)[["n", "value"]].values.tolist()
    [[3.0, 0.982]]
    """
    if method not in {"pearson", "spearman"}:
        raise InputError(f'method must be "pearson" or "spearman"; found {method!r}.')
    if not 0 < confidence < 1:
        raise InputError(f"confidence must lie between 0 and 1; found {confidence!r}.")
    wide = wide_ratings(ratings)
    items, draws, weights = row_items(wide), row_draws(wide, ratings), row_weights(wide, ratings)
    names, rows = list(wide.columns), []
    for a, first in enumerate(names):
        for second in names[a + 1 :]:
            pair = wide[[first, second]].to_numpy(dtype=float)
            complete = np.isfinite(pair).all(axis=1)
            values, weight = pair[complete], weights[complete]
            if method == "spearman":
                values = np.apply_along_axis(weighted_ranks, 0, values, weight)
            correlation = _correlation(
                values, draws[complete], weight=weight, confidence=confidence
            )
            n_items = len(np.unique(items[complete]))
            rows.append((first, second, int(complete.sum()), n_items, *correlation))
    columns = ["dimension_a", "dimension_b", "n", "n_items", "value", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def _correlation(
    pair: Floats, draw: Integers, *, weight: Floats, confidence: float
) -> tuple[float, float, float]:
    """Correlation and its interval."""
    if len(pair) < 2 or not (np.ptp(pair, axis=0) > 0).all():
        return np.nan, np.nan, np.nan
    w = weight / weight.sum()
    centred = pair - w @ pair
    a, b = (centred / np.sqrt(w @ centred**2)).T
    columns = (np.ones(len(a)), a, b, a * a, b * b, a * b)
    by_draw = np.stack([np.bincount(draw, w * column) for column in columns], axis=1)
    present = by_draw[by_draw[:, 0] > 0]
    statistic = SummedStatistic(present, np.ones(len(present)), _fisher_z)
    value = float(np.clip(w @ (a * b), -1.0, 1.0))
    error, n = jackknife_error(statistic), len(present)
    if not np.isfinite(error):
        return value, np.nan, np.nan
    reach = float(stdtrit(max(n - 1, 1), (1 + confidence) / 2)) * error
    centre = statistic.point()
    return value, float(np.tanh(centre - reach)), float(np.tanh(centre + reach))


def _fisher_z(sums: Floats) -> Floats:
    """Fisher's z of correlations, from sums of 1, a, b, a^2, b^2, ab, shape (B,)."""
    n, a, b, aa, bb, ab = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt((aa - a * a / n) * (bb - b * b / n))
        z = np.arctanh((ab - a * b / n) / spread)
    return np.where(np.isfinite(z), z, np.nan)


def _check_method(method: object, weights: Mapping[str, float] | None, overall: str | None) -> None:
    """Raise on an unknown method, or on weights that it does not use."""
    if method not in _METHODS:
        known = '", "'.join(_METHODS[:-1])
        raise InputError(f'method must be "{known}" or "{_METHODS[-1]}"; found {method!r}.')
    if (method == "regression") != (overall is not None):
        raise InputError(
            'method="regression" and overall, the dimension with the overall rating, belong '
            f"together; found {method!r} and {overall!r}."
        )
    if weights is not None and method != "weighted":
        raise InputError(f'weights are used with method="weighted" only; found {method!r}.')


def _weights(weights: Mapping[str, float] | None, dimensions: list[str]) -> Floats:
    """Weights in the order of the dimensions, all 1 if none are given."""
    if weights is None:
        return np.ones(len(dimensions))
    unweighted = [name for name in dimensions if name not in weights]
    if unweighted:
        raise InputError(
            f"no weight for {', '.join(map(repr, unweighted))}; weights name "
            f"{', '.join(map(repr, weights))}. Give 0 to leave a dimension out."
        )
    try:
        weight = np.array([float(weights[name]) for name in dimensions])
    except (TypeError, ValueError) as error:
        raise InputError(f"weights must be numbers; found {dict(weights)!r}.") from error
    usable = (np.isfinite(weight) & (weight >= 0)).all()
    if not usable or (len(weight) and not weight.sum() > 0):
        raise InputError(
            f"weights must be finite, not below 0, at least one above 0; found {dict(weights)!r}."
        )
    return weight


def _averages(values: Floats, weight: Floats) -> Floats:
    """Weighted means over the dimensions that are present, shape (n,)."""
    present = np.isfinite(values)
    total = np.where(present, weight, 0.0).sum(axis=1)
    score = np.where(present, values * weight, 0.0).sum(axis=1)
    score[total > 0] /= total[total > 0]
    return np.where(total > 0, score, np.nan)


def _principal(values: Floats, names: list[str]) -> tuple[Floats, dict[str, Any]]:
    """Weights from the first principal component, and the attributes that describe it."""
    complete = values[np.isfinite(values).all(axis=1)]
    varying = np.ptp(complete, axis=0) > 0 if len(complete) else np.zeros(len(names), dtype=bool)
    if len(complete) < _FEWEST or varying.sum() < 2:
        note = phrase(
            "mean instead of the first principal component: fewer than two dimensions vary"
        )
        if len(complete) < _FEWEST:
            note = phrase(
                "mean instead of the first principal component: only {n} complete rows, fewer than "
                "{least}",
                n=len(complete),
                least=_FEWEST,
            )
        return _weights(None, names), {"method": "mean", "note": note}
    correlation = np.zeros((len(names), len(names)))
    correlation[np.ix_(varying, varying)] = np.corrcoef(complete[:, varying].T)
    variance, vectors = np.linalg.eigh(correlation)
    loadings = vectors[:, -1] * (1.0 if vectors[:, -1].sum() >= 0 else -1.0)
    attributes = {
        "method": "pca",
        "loadings": dict(zip(names, loadings.tolist(), strict=True)),
        "explained": float(variance[-1] / varying.sum()),
    }
    return np.abs(loadings), attributes
