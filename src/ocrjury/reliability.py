"""Calibration of stated confidence: its agreement with the share of correct answers.

Confidences are grouped in bins of equal width; in each bin the mean confidence is compared with the
share correct. Expected calibration error: Naeini, Cooper and Hauskrecht (2015), AAAI.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Booleans, Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate


def reliability_curve(
    confidence: Sequence[float] | npt.NDArray[np.floating],
    correct: Sequence[bool] | Booleans | Floats,
    *,
    bins: int = 10,
) -> pd.DataFrame:
    """Mean confidence and share correct, for each bin with cases.

    Parameters
    ----------
    confidence
        Stated probability of being correct, 0 to 1, shape (n,).
    correct
        Whether each case was correct, or which share of it was, 0 to 1, shape (n,).
    bins
        Number of bins of equal width over 0 to 1; the last includes 1.

    Returns
    -------
    DataFrame
        Columns low, high (bounds of the bin), n, confidence (mean), accuracy (share correct).

    Examples
    --------
    >>> curve = reliability_curve([0.9, 0.95, 0.6], [True, False, True])
    >>> curve[["n", "accuracy"]].to_numpy().tolist()
    [[1.0, 1.0], [2.0, 0.5]]
    """
    stated, right = _checked(confidence, correct, bins)
    # The tiny addition keeps .3 = .1 + .1 + .1 in the bin that begins there.
    place = np.minimum((stated * bins + 1e-9).astype(int), bins - 1)
    n = np.bincount(place, minlength=bins)
    filled = np.flatnonzero(n)
    return pd.DataFrame(
        {
            "low": filled / bins,
            "high": (filled + 1) / bins,
            "n": n[filled],
            "confidence": np.bincount(place, weights=stated, minlength=bins)[filled] / n[filled],
            "accuracy": np.bincount(place, weights=right, minlength=bins)[filled] / n[filled],
        }
    )


def expected_calibration_error(
    confidence: Sequence[float] | npt.NDArray[np.floating],
    correct: Sequence[bool] | Booleans | Floats,
    *,
    bins: int = 10,
) -> Estimate:
    """Mean distance between confidence and share correct over the cases, 0 to 1.

    Parameters are those of `reliability_curve`; bins are weighted by their number of cases. ``nan``
    with reason ``no_items`` without cases.

    Examples
    --------
    >>> round(float(expected_calibration_error([0.9, 0.9], [True, False])), 3)
    0.4
    """
    curve = reliability_curve(confidence, correct, bins=bins)
    total = int(curve["n"].sum())
    method = f"expected calibration error, {bins} bins"
    if not total:
        return Estimate(np.nan, method=method, reason="no_items")
    distance = (curve["confidence"] - curve["accuracy"]).abs()
    return Estimate(float((distance * curve["n"]).sum() / total), n_items=total, method=method)


def _checked(confidence: object, correct: object, bins: int) -> tuple[Floats, Floats]:
    """Both columns as numbers; raise if they cannot be compared."""
    stated = np.asarray(confidence, dtype=float)
    right = np.asarray(correct, dtype=float)
    if stated.ndim != 1 or stated.shape != right.shape:
        raise InputError(
            f"confidence and correct must be two lists of equal length; found the shapes "
            f"{stated.shape} and {right.shape}."
        )
    if not ((stated >= 0) & (stated <= 1)).all():
        outside = np.flatnonzero(~((stated >= 0) & (stated <= 1)))
        raise InputError(
            f"confidence must be between 0 and 1; found {stated[outside[0]]:g} at place "
            f"{outside[0] + 1}. Divide percentages by 100."
        )
    if not ((right >= 0) & (right <= 1)).all():
        raise InputError(
            "correct must be true or false (1 or 0) for each case, or the share of it that is."
        )
    if bins < 1:
        raise InputError(f"bins must be at least 1; found {bins!r}.")
    return stated, right
