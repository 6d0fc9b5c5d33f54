"""Expected standard deviation of an outcome at each document, from documents rated earlier."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats, Integers
from ocrjury.columns import check_columns, numeric_column
from ocrjury.errors import InputError

_MOST_BANDS, _ITEMS_PER_BAND = 8, 25
# Weight of the overall variance in the variance of a band, in documents.
_PRIOR_ITEMS = 10.0


@dataclass(frozen=True, slots=True)
class SpreadBands:
    """Spread of an outcome in bands of a variable known for every document.

    Attributes
    ----------
    by
        Name of the variable, such as ``cer``.
    edges
        Limits between bands, ascending; a band includes its upper limit.
    spread
        Standard deviation in each band, last that of documents without a value.
    """

    by: str
    edges: tuple[float, ...]
    spread: tuple[float, ...]

    def of(self, pool: pd.DataFrame) -> "pd.Series[float]":
        """Expected spread at each document, as in `expected_spread`."""
        check_columns(pool, [self.by])
        band = _bands(numeric_column(pool, self.by), np.array(self.edges))
        return pd.Series(np.array(self.spread)[band], index=pool.index, name="risk")

    def to_json(self) -> dict[str, object]:
        """Plain values."""
        return {"by": self.by, "edges": list(self.edges), "spread": list(self.spread)}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Bands that `to_json` wrote."""
        return cls(str(body["by"]), tuple(body["edges"]), tuple(body["spread"]))


def spread_bands(rated: pd.DataFrame, *, by: str = "cer", outcome: str = "outcome") -> SpreadBands:
    """Spread of an outcome in bands, to be stored and applied to a pool later.

    Parameters
    ----------
    rated, by, outcome
        As in `expected_spread`.
    """
    check_columns(rated, [by, outcome])
    y, weight = _outcomes(rated, outcome), _weights(rated)
    known = numeric_column(rated, by)
    edges = _edges(known)
    variance = _variances(y, weight, _bands(known, edges), n_bands=len(edges) + 2)
    return SpreadBands(by, tuple(edges.tolist()), tuple(np.sqrt(variance).tolist()))


def expected_spread(
    pool: pd.DataFrame, *, rated: pd.DataFrame, by: str = "cer", outcome: str = "outcome"
) -> "pd.Series[float]":
    """Expected standard deviation of an outcome at each document of a pool.

    It is the risk column for the design ``"target"``.

    Parameters
    ----------
    pool
        Frame with the column ``by``; missing values allowed.
    rated
        Documents with a known outcome, such as the sample of an earlier evaluation: ``by``, the
        outcome (a score, or 0 and 1 such as "unusable"), and ``inclusion_probability`` if the
        probabilities were unequal.
    by
        Variable known for every document and related to the outcome.
    outcome
        Name of the outcome's column.

    Returns
    -------
    Series
        Named ``risk``, indexed like the pool, above 0 unless the outcome never varied.

    Notes
    -----
    The rated documents are divided into at most 8 bands of ``by`` of about 25 documents; documents
    without it form one more. The variance within a band is shrunk towards the overall variance,
    which counts as 10 documents, so that a band without any variation so far is still sampled.

    Examples
    --------
    >>> rated = pd.DataFrame({"cer": [0.0] * 50 + [0.4] * 50, "outcome": [0] * 75 + [1] * 25})
    >>> pool = pd.DataFrame({"cer": [0.0, 0.5, None]})
    >>> expected_spread(pool, rated=rated).round(2).tolist()
    [0.18, 0.49, 0.43]
    """
    check_columns(pool, [by])
    return spread_bands(rated, by=by, outcome=outcome).of(pool)


def _edges(known: Floats) -> Floats:
    """Limits between bands."""
    values = known[np.isfinite(known)]
    n_bands = int(np.clip(len(values) // _ITEMS_PER_BAND, 1, _MOST_BANDS))
    if not len(values):
        return np.empty(0)
    inner = np.quantile(values, np.arange(1, n_bands) / n_bands, method="inverted_cdf")
    return np.unique(inner[inner < values.max()])


def _bands(values: Floats, edges: Floats) -> Integers:
    """Band of each value, the last one for missing values."""
    bands = np.searchsorted(edges, values, side="left")
    return np.where(np.isfinite(values), bands, len(edges) + 1).astype(np.int64)


def _variances(y: Floats, weight: Floats, bands: Integers, *, n_bands: int) -> Floats:
    """Shrunk variance of each band."""
    overall = float(weight @ (y - weight @ y / weight.sum()) ** 2 / weight.sum())
    total = np.bincount(bands, weight, n_bands)
    safe = np.where(total > 0, total, 1.0)
    mean = np.bincount(bands, weight * y, n_bands) / safe
    own = np.bincount(bands, weight * (y - mean[bands]) ** 2, n_bands) / safe
    count = np.bincount(bands, minlength=n_bands)
    return np.asarray((count * own + _PRIOR_ITEMS * overall) / (count + _PRIOR_ITEMS), dtype=float)


def _outcomes(rated: pd.DataFrame, outcome: str) -> Floats:
    """Outcomes of the rated documents; fewer than two, or a missing one, is an error."""
    y = numeric_column(rated, outcome)
    bad = np.flatnonzero(~np.isfinite(y))
    if len(bad) or len(y) < 2:
        raise InputError(
            f"expected_spread needs at least 2 rated documents with a finite {outcome!r}; "
            f"{len(y) - len(bad)} of {len(y)} have one. Leave unrated documents out."
        )
    return y


def _weights(rated: pd.DataFrame) -> Floats:
    """Design weights: 1 over the inclusion probability, 1 without probabilities."""
    if "inclusion_probability" not in rated.columns:
        return np.ones(len(rated))
    pi = numeric_column(rated, "inclusion_probability")
    if not ((pi > 0) & (pi <= 1)).all():
        raise InputError(
            "inclusion probabilities must be above 0 and at most 1; the column of rated has "
            f"{int((~((pi > 0) & (pi <= 1))).sum())} that do not."
        )
    return np.asarray(1 / pi, dtype=float)
