"""Weight of each rating of an item in the inferred label, now and with further ratings.

Difficult items mislead several raters at once, so n ratings carry less information than n
independent ones. Predictions of the value of a further rating must weight it as the inference does.
"""

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats


def rating_weights(number: npt.ArrayLike, *, dependence: float) -> Floats:
    """Factor on the log-probability of each of an item's ratings.

    Parameters
    ----------
    number
        Number of the item's ratings, any shape; 0 counts as 1.
    dependence
        0: each weighs 1; 1: together they weigh like the square root of their number; between:
        like a power between 1 and one half.

    Examples
    --------
    >>> rating_weights([1, 4], dependence=1.0).tolist()
    [1.0, 0.5]
    """
    return np.asarray(np.maximum(number, 1) ** (-dependence / 2))


def rooted_posterior(
    probabilities: Floats,
    number: npt.ArrayLike,
    *,
    dependence: float = 1.0,
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
    dependence
        As in `rating_weights`.
    out
        Array for the result, which may be ``probabilities``; None for a new array.

    Examples
    --------
    >>> rooted_posterior(np.array([[0.9, 0.1]]), [4]).tolist()
    [[0.75, 0.25]]
    """
    weights = rating_weights(number, dependence=dependence)
    roots: Floats = np.power(probabilities, weights[:, None], out=out)
    roots /= roots.sum(axis=1, keepdims=True)
    return roots


def rooted_logs(logs: Floats, number: npt.ArrayLike, *, dependence: float = 1.0) -> Floats:
    """Rooted posteriors, `rooted_posterior`, from log-probabilities, shape (N, K).

    They may lack a constant per item, and may differ by as much as thousands of ratings cause.

    Examples
    --------
    >>> rooted_logs(np.array([[0.0, -2000.0]]), [1_000_000]).round(3).tolist()
    [[0.881, 0.119]]
    """
    weights = rating_weights(number, dependence=dependence)
    roots = np.exp((logs - logs.max(axis=1, keepdims=True)) * weights[:, None])
    return np.asarray(roots / roots.sum(axis=1, keepdims=True))


def softmax(logs: Floats) -> Floats:
    """Probabilities from log-probabilities, row by row."""
    weights = np.exp(logs - logs.max(axis=1, initial=-np.inf, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
