"""What another rating is expected to tell about whether an item's label is right, in bits.

For probabilities q of the categories, the label k and a rater with confusion matrix C, a rating l
has the probability (q C)_l, of which q_k C_kl belongs to a right label. The information that the
rating shares with "the label is right" is I = H(right) + H(rating) - H(right, rating). On two
categories that is the information about the category itself; on more it is the better guide,
because telling a wrong label's neighbours apart does not mend it. Several ratings by raters alike
tell as much as the number of times that each category was said, whose distribution is multinomial
given the truth.

A truth may let a rating count for less than an independent one (or a temperature for more); C then
is `weakened` by as much. Else gains would be promised that the ratings cannot keep: see "What was
expected, and what came" in benchmarks/results/adaptive.md.

Cover and Thomas (2006), Elements of Information Theory, equation 2.45; MacKay (1992), Neural
Computation 4(4), 590-604.
"""

import itertools
import math
from functools import cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_RARE = 1e-9  # no category is impossible


def information_gain(probabilities: Floats, outcomes: Floats) -> Floats:
    """Bits that an outcome tells about whether each label is right, shape (N,).

    Parameters
    ----------
    probabilities
        Of the categories, shape (N, K); the most probable one is the label.
    outcomes
        Probability of each outcome given the category, shape (K, S): a rater's confusion matrix,
        or what `repeated_outcomes` returns.

    Examples
    --------
    >>> information_gain(np.array([[0.5, 0.5], [1.0, 0.0]]), np.eye(2)).tolist()
    [1.0, 0.0]
    """
    if not len(probabilities):
        return np.zeros(0)
    label = probabilities.argmax(axis=1)
    right = probabilities[np.arange(len(probabilities)), label]
    anyway = probabilities @ outcomes
    if_right = right[:, None] * outcomes[label]
    if_wrong = np.maximum(anyway - if_right, 0.0)
    prior = entropy(np.stack([right, 1 - right], axis=1))
    gain = prior + entropy(anyway) - entropy(if_right) - entropy(if_wrong)
    return np.maximum(gain, 0.0)


def expected_confidence(probabilities: Floats, outcomes: Floats) -> Floats:
    """Expected probability of the best label once the outcome is known, shape (N,)."""
    best = np.zeros((len(probabilities), outcomes.shape[1]))
    for share, row in zip(probabilities.T, outcomes, strict=True):
        np.maximum(best, share[:, None] * row, out=best)
    return np.asarray(best.sum(axis=1))


def expected_rise(probabilities: Floats, outcomes: Floats) -> Floats:
    """By how much the probability of the best label is expected to rise, shape (N,).

    0 where no outcome could change the label.

    Examples
    --------
    >>> better = np.array([[0.6, 0.4], [0.4, 0.6]])
    >>> expected_rise(np.array([[0.5, 0.5], [0.9, 0.1]]), better).round(3).tolist()
    [0.1, 0.0]
    """
    best = probabilities.max(axis=1, initial=0.0)
    return np.asarray(np.maximum(expected_confidence(probabilities, outcomes) - best, 0.0))


def weakened(confusion: Floats, weight: float, *, class_prior: Floats) -> Floats:
    """How a rater answers whose ratings are taken to tell less (or more) than they might.

    What an answer says about the category, its probability over that whatever the category, is
    raised to the weight; how often it is given at all stays about the same.

    Parameters
    ----------
    confusion
        Shape (..., K, K), indexed true, observed.
    weight
        What the logarithm of a rating counts where labels are inferred; 1 leaves the rater alone.
    class_prior
        Probability of each category, shape (K,).

    Examples
    --------
    >>> rater = np.array([[0.8, 0.2], [0.2, 0.8]])
    >>> weakened(rater, 0.5, class_prior=np.array([0.5, 0.5])).round(3).tolist()
    [[0.667, 0.333], [0.333, 0.667]]
    """
    anyway = ((class_prior + _RARE) @ confusion)[..., None, :]
    says = np.divide(confusion, anyway, out=np.zeros_like(confusion), where=anyway > 0)
    answers = anyway * says**weight
    return np.asarray(answers / answers.sum(axis=-1, keepdims=True))


def repeated_outcomes(confusion: Floats, times: int) -> Floats:
    """Probabilities of the counts of several ratings given the category.

    Parameters
    ----------
    confusion
        Of a typical rater, shape (K, K), indexed true, observed.
    times
        Number of ratings, from 1.

    Returns
    -------
    ndarray
        Shape (K, S), one column for each way to share ``times`` ratings out over K categories.
    """
    said, orders = _ways(len(confusion), times)
    return np.asarray(orders * confusion[:, said].prod(axis=2))


@cache
def _ways(n_categories: int, times: int) -> tuple[Integers, Floats]:
    """Return what raters may say together, shape (S, times), and in how many orders, (S,)."""
    ways = list(itertools.combinations_with_replacement(range(n_categories), times))
    orders = [
        math.factorial(times) / math.prod(math.factorial(one.count(c)) for c in set(one))
        for one in ways
    ]
    return np.array(ways, dtype=np.int64).reshape(len(ways), times), np.array(orders)


def count_outcomes(n_categories: int, times: int) -> int:
    """Number of columns of `repeated_outcomes`."""
    return math.comb(n_categories + times - 1, times)


def entropy(probabilities: Floats) -> Floats:
    """Sum of -p log2(p) over the last axis: the entropy where p sums to one."""
    logs = np.log2(probabilities, out=np.zeros_like(probabilities), where=probabilities > 0)
    return np.asarray(-(probabilities * logs).sum(axis=-1))
