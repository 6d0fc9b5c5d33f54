"""How much each rating of an item weighs where its label is inferred, now and with more of them.

Difficult items mislead several raters at once, so that n ratings tell less than n independent ones
would. Whatever foresees what a further rating will tell has to weigh it like the inference will.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def rating_weights(number: npt.ArrayLike, *, rooted: bool) -> Floats:
    """Return what the logarithms of each of an item's ratings count.

    Parameters
    ----------
    number
        Of the item's ratings, in any shape; none counts as one.
    rooted
        Whether they weigh together like the square root of their number; else each weighs 1.

    Examples
    --------
    >>> rating_weights([1, 4], rooted=True).tolist()
    [1.0, 0.5]
    """
    weights = 1 / np.sqrt(np.maximum(number, 1))
    return np.asarray(weights if rooted else np.ones_like(weights))


def rooted_posterior(
    probabilities: Floats, number: npt.ArrayLike, *, out: Floats | None = None
) -> Floats:
    """Posteriors of items in which n ratings weigh like the square root of n, shape (N, K).

    The class prior loses weight as the ratings do, so that how many an item has leaves its most
    probable category alone.

    Parameters
    ----------
    probabilities
        Of the categories as if ratings were independent, shape (N, K).
    number
        Of each item's ratings, shape (N,).
    out
        Where to put the result, which may be ``probabilities``; None for a new array.

    Examples
    --------
    >>> rooted_posterior(np.array([[0.9, 0.1]]), [4]).tolist()
    [[0.75, 0.25]]
    """
    weights = rating_weights(number, rooted=True)
    roots: Floats = np.power(probabilities, weights[:, None], out=out)
    roots /= roots.sum(axis=1, keepdims=True)
    return roots


def rooted_logs(logs: Floats, number: npt.ArrayLike) -> Floats:
    """Return `rooted_posterior` of items from log-probabilities, shape (N, K).

    They may lack a constant per item, and be as far apart as thousands of ratings make them.

    Examples
    --------
    >>> rooted_logs(np.array([[0.0, -2000.0]]), [1_000_000]).round(3).tolist()
    [[0.881, 0.119]]
    """
    weights = rating_weights(number, rooted=True)
    roots = np.exp((logs - logs.max(axis=1, keepdims=True)) * weights[:, None])
    return np.asarray(roots / roots.sum(axis=1, keepdims=True))
