"""Weight of each rating of an item in the inferred label, now and with further ratings.

Difficult items mislead several raters at once, so n ratings carry less information than n
independent ones. On ordered scales difficult items lie between two levels, and many raters together
still find where; n ratings then weigh like the square root of n, as they do on two categories. On
three or more categories raters are drawn to the same wrong one however many they are, and what n
ratings tell is bounded: they weigh like n / (1 + (n - 1) r) independent ones, the effective size of
a cluster whose members correlate by r (Kish 1965, Survey Sampling, chapter 5). Predictions of the
value of a further rating must weight it as the inference does.
"""

import math

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats

_CORRELATION = (math.sqrt(3) - 1) / 2
"""Correlation of bounded ratings: three of them weigh like the square root of three, as others do,
and any number less than 2.74."""


def rating_weights(number: npt.ArrayLike, *, dependence: float, bounded: bool) -> Floats:
    """Factor on the log-probability of each of an item's ratings.

    Parameters
    ----------
    number
        Number of the item's ratings, any shape; 0 counts as 1.
    dependence
        0: each weighs 1; 1: as little as dependent ones; between: that to a power.
    bounded
        Whether dependent ratings together weigh less than 2.74, rather than like the square root of
        their number.

    Examples
    --------
    >>> rating_weights([1, 4], dependence=1.0, bounded=False).tolist()
    [1.0, 0.5]
    >>> (1000 * rating_weights([1, 3, 1000], dependence=1.0, bounded=True)).round(2).tolist()
    [1000.0, 577.35, 2.73]
    """
    some = np.maximum(number, 1)
    design_effect = 1 + (some - 1) * _CORRELATION if bounded else np.sqrt(some)
    return np.asarray(design_effect**-dependence)


def rooted_posterior(
    probabilities: Floats,
    number: npt.ArrayLike,
    *,
    dependence: float = 1.0,
    bounded: bool = False,
    out: Floats | None = None,
) -> Floats:
    """Posteriors of items in which n ratings weigh less than n independent ones, shape (N, K).

    The class prior loses weight in proportion, so the number of ratings does not change the most
    probable category.

    Parameters
    ----------
    probabilities
        Probabilities of the categories if ratings were independent, shape (N, K).
    number
        Number of each item's ratings, shape (N,).
    dependence, bounded
        As in `rating_weights`.
    out
        Array for the result, which may be ``probabilities``; None for a new array.

    Examples
    --------
    >>> rooted_posterior(np.array([[0.9, 0.1]]), [4]).tolist()
    [[0.75, 0.25]]
    """
    weights = rating_weights(number, dependence=dependence, bounded=bounded)
    roots: Floats = np.power(probabilities, weights[:, None], out=out)
    roots /= roots.sum(axis=1, keepdims=True)
    return roots


def rooted_logs(
    logs: Floats, number: npt.ArrayLike, *, dependence: float = 1.0, bounded: bool = False
) -> Floats:
    """Rooted posteriors, `rooted_posterior`, from log-probabilities, shape (N, K).

    They may lack a constant per item, and may differ by as much as thousands of ratings cause.

    Examples
    --------
    >>> rooted_logs(np.array([[0.0, -2000.0]]), [1_000_000]).round(3).tolist()
    [[0.881, 0.119]]
    """
    weights = rating_weights(number, dependence=dependence, bounded=bounded)
    roots = np.exp((logs - logs.max(axis=1, keepdims=True)) * weights[:, None])
    return np.asarray(roots / roots.sum(axis=1, keepdims=True))


def softmax(logs: Floats) -> Floats:
    """Probabilities from log-probabilities, row by row."""
    weights = np.exp(logs - logs.max(axis=1, initial=-np.inf, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
