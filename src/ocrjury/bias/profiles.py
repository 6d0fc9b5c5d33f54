"""Descriptive statistics of each rater's ratings."""

from collections.abc import Hashable, Mapping

import numpy as np
import pandas as pd

from ocrjury.bias.findings import Level
from ocrjury.estimate import Estimate
from ocrjury.rater_model import rater_severities
from ocrjury.ratings import RatingTable, rating_tables
from ocrjury.scales import Scale

_MOMENTS = ("mean", "sd", "median", "skew", "kurtosis", "min", "max")
_COLUMNS = ["dimension", "rater", "count", *_MOMENTS, "severity", "severity_rank"]
_LOW, _MEDIUM = 0.5, 1.0  # points of a five-point scale


def rater_profiles(ratings: pd.DataFrame, *, scale: Scale) -> pd.DataFrame:
    """Descriptive statistics per dimension and rater, strictest first within a dimension.

    Parameters
    ----------
    ratings
        Long frame ``item``, ``rater``, ``dimension``, ``rating``.

    Returns
    -------
    DataFrame
        ``dimension``, ``rater``, ``count``, ``mean``, ``sd``, ``median``, ``skew``, ``kurtosis``
        (excess), ``min``, ``max``, ``severity`` (shift against colleagues on the same items),
        ``severity_rank`` (1 is the strictest) and, except on an interval scale, one column of
        counts per category named ``"n_<category>"``. The rank follows the severity, or the mean
        where some rater of the dimension has no severity. On a nominal scale all numbers but the
        counts are ``nan``; so are the sd of one rating and the skew and kurtosis of equal
        ratings.

        ``.attrs["differences"]`` gives for every dimension ``mean_difference`` and
        ``sd_difference``, the largest minus the smallest over raters, and ``level``: ``"low"``
        where the mean of the two is below half a point of a five-point scale, ``"high"`` from one
        point on, else ``"medium"`` (the bands of the reference text; None without two raters).
        This is descriptive only, because raters saw different items; `measure_bias` tests.

    Notes
    -----
    Standard deviations divide by n - 1; skew and kurtosis are the plain moment ratios.

    Examples
    --------
    >>> rows = [("a", "R01", 4), ("a", "R02", 5), ("b", "R01", 2), ("b", "R02", 3)]
    >>> frame = pd.DataFrame(rows, columns=["item", "rater", "rating"]).assign(dimension="meaning")
    >>> profiles = rater_profiles(frame, scale=Scale.likert(1, 5))
    >>> profiles[["rater", "mean", "severity", "severity_rank"]].round(3).values.tolist()
    [['R01', 3.0, -0.5, 1], ['R02', 4.0, 0.5, 2]]
    >>> profiles.attrs["differences"]["meaning"]["mean_difference"]
    1.0
    """
    tables = rating_tables(ratings, scale=scale)
    parts = {
        name: profiles_of_table(tables[name], rater_severities(tables[name]))
        for name in sorted(tables, key=str)
        if tables[name].n_ratings
    }
    profiles = pd.DataFrame(columns=_COLUMNS)
    if parts:
        profiles = pd.concat(parts, names=["dimension"]).reset_index(0).reset_index(drop=True)
    profiles.attrs["differences"] = {
        name: {
            "mean_difference": _extent(part["mean"]),
            "sd_difference": _extent(part["sd"]),
            "level": _level(part, point=(scale.high - scale.low) / 4),
        }
        for name, part in parts.items()
    }
    return profiles


def _level(part: pd.DataFrame, *, point: float) -> Level | None:
    """Size of the differences between the raters of a dimension, in words."""
    if part["mean"].notna().sum() < 2:
        return None
    size = (_extent(part["mean"]) + np.nan_to_num(_extent(part["sd"]))) / 2 / point
    return "low" if size < _LOW else "medium" if size < _MEDIUM else "high"


def profiles_of_table(table: RatingTable, severities: Mapping[Hashable, Estimate]) -> pd.DataFrame:
    """Profiles on one dimension, as `rater_profiles` gives them, from severities by rater."""
    size = np.bincount(table.rater, minlength=table.n_raters)
    by_rater = np.split(np.argsort(table.rater, kind="stable"), np.cumsum(size)[:-1])
    rows = []
    for rater, mine in zip(table.raters, by_rater, strict=True):
        if not len(mine):
            continue
        row: dict[str, object] = {"rater": rater}
        row |= _moments(table.values[mine], ordered=table.scale.ordered)  # noqa: PD011  # no frame
        row["severity"] = severities[rater].value
        row["severity_rank"] = 0
        rows.append(row | _distribution(table, table.codes[mine]))
    frame = pd.DataFrame(rows)
    complete = frame["severity"].notna().all()
    strictness = frame["severity"] if complete else frame["mean"]
    ranks = strictness.round(9).rank(method="min")
    frame["severity_rank"] = ranks.astype("Int64") if ranks.notna().all() else ranks
    # Ties are broken by the id as text, so the order of rows does not matter.
    by_id = frame.iloc[np.argsort([str(rater) for rater in frame["rater"]], kind="stable")]
    return by_id.sort_values("severity_rank", kind="stable")


def _moments(values: np.ndarray, *, ordered: bool) -> dict[str, object]:
    """Count, centre, spread and shape."""
    if not ordered:
        return {"count": len(values)} | dict.fromkeys(_MOMENTS, np.nan)
    spread = values.std()
    # Below, a spread is what rounding leaves of equal numbers.
    varies = bool(spread > np.finfo(float).resolution * abs(values.mean()))
    z = (values - values.mean()) / (spread if varies else 1.0)
    return {
        "count": len(values),
        "mean": float(values.mean()),
        "sd": float(values.std(ddof=1)) if len(values) > 1 else np.nan,
        "median": float(np.median(values)),
        "skew": float((z**3).mean()) if varies else np.nan,
        "kurtosis": float((z**4).mean()) - 3 if varies else np.nan,
        "min": float(values.min()),
        "max": float(values.max()),
    }


def _distribution(table: RatingTable, codes: np.ndarray) -> dict[str, object]:
    """Number of ratings in every category; empty on an interval scale."""
    if table.scale.kind == "interval":
        return {}
    counts = np.bincount(codes, minlength=len(table.scale.categories))
    names = [f"n_{category}" for category in table.scale.categories]
    return dict(zip(names, counts.tolist(), strict=True))


def _extent(column: pd.Series) -> float:
    """Largest minus smallest value, ``nan`` without any."""
    return float(column.max() - column.min())
