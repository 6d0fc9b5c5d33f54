"""Weight of each rating of an item in the inferred label, now and with further ratings.

Difficult items mislead several raters at once, so n ratings carry less information than n
independent ones. Predictions of the value of a further rating must weight it as the inference does.
"""

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats


def rating_weights(number: npt.ArrayLike, *, rooted: bool, root_weight: float = 1.0) -> Floats:
    """Factor on the log-probability of each of an item's ratings.

    Parameters
    ----------
    number
        Number of the item's ratings, any shape; 0 counts as 1.
    rooted
        Whether the ratings together weigh like the square root of their number; else each weighs 1.
    root_weight
        Factor on the weights of several ratings, none of which exceeds 1.

    Examples
    --------
    >>> rating_weights([1, 4], rooted=True).tolist()
    [1.0, 0.5]
    """
    weights = np.minimum(root_weight / np.sqrt(np.maximum(number, 1)), 1.0)
    return np.asarray(weights if rooted else np.ones_like(weights))


def rooted_posterior(
    probabilities: Floats,
    number: npt.ArrayLike,
    *,
    root_weight: float = 1.0,
    out: Floats | None = None,
) -> Floats:
    """Posteriors of items in which n ratings weigh like the square root of n, shape (N, K).

    The class prior loses weight in proportion, so the number of ratings does not change the most
    probable category.

    Parameters
    ----------
    probabilities
        Probabilities of the categories if ratings were independent, shape (N, K).
    number
        Number of each item's ratings, shape (N,).
    root_weight
        As in `rating_weights`.
    out
        Array for the result, which may be ``probabilities``; None for a new array.

    Examples
    --------
    >>> rooted_posterior(np.array([[0.9, 0.1]]), [4]).tolist()
    [[0.75, 0.25]]
    """
    weights = rating_weights(number, rooted=True, root_weight=root_weight)
    roots: Floats = np.power(probabilities, weights[:, None], out=out)
    roots /= roots.sum(axis=1, keepdims=True)
    return roots


def rooted_logs(logs: Floats, number: npt.ArrayLike, *, root_weight: float = 1.0) -> Floats:
    """Rooted posteriors, `rooted_posterior`, from log-probabilities, shape (N, K).

    They may lack a constant per item, and may differ by as much as thousands of ratings cause.

    Examples
    --------
    >>> rooted_logs(np.array([[0.0, -2000.0]]), [1_000_000]).round(3).tolist()
    [[0.881, 0.119]]
    """
    weights = rating_weights(number, rooted=True, root_weight=root_weight)
    roots = np.exp((logs - logs.max(axis=1, keepdims=True)) * weights[:, None])
    return np.asarray(roots / roots.sum(axis=1, keepdims=True))


def softmax(logs: Floats) -> Floats:
    """Probabilities from log-probabilities, row by row."""
    weights = np.exp(logs - logs.max(axis=1, initial=-np.inf, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
