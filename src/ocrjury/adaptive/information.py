"""Expected information of a further rating about whether an item's label is right, in bits.

For probabilities q of the categories, the label k and a rater with confusion matrix C, a rating l
has the probability (q C)_l, of which q_k C_kl belongs to a right label. The information that the
rating shares with "the label is right" is I = H(right) + H(rating) - H(right, rating). With two
categories that is the information about the category itself; with more it is the better criterion,
because distinguishing between wrong categories does not correct a label. Several ratings by equal
raters are as informative as the number of ratings in each category, which is multinomial given the
truth.

A truth may give a rating less weight than an independent one (or a temperature more); C is then
`weakened` accordingly. Otherwise the expected gains would be too high: see "What was expected, and
what came" in benchmarks/results/adaptive.md.

Cover and Thomas (2006), Elements of Information Theory, equation 2.45; MacKay (1992), Neural
Computation 4(4), 590-604.
"""

import itertools
import math
from functools import cache

import numpy as np

from ocrjury.arrays import Floats, Integers

_RARE = 1e-9  # no category is impossible


def information_gain(probabilities: Floats, outcomes: Floats) -> Floats:
    """Information of an outcome about whether each label is right, in bits, shape (N,).

    Parameters
    ----------
    probabilities
        Probabilities of the categories, shape (N, K); the most probable one is the label.
    outcomes
        Probability of each outcome given the category, shape (K, S): a rater's confusion matrix,
        or the result of `repeated_outcomes`.

    Examples
    --------
    >>> information_gain(np.array([[0.5, 0.5], [1.0, 0.0]]), np.eye(2)).tolist()
    [1.0, 0.0]
    """
    if not len(probabilities):
        return np.zeros(0)
    label = probabilities.argmax(axis=1)
    right = probabilities[np.arange(len(probabilities)), label]
    marginal = probabilities @ outcomes
    if_right = right[:, None] * outcomes[label]
    if_wrong = np.maximum(marginal - if_right, 0.0)
    prior = entropy(np.stack([right, 1 - right], axis=1))
    gain = prior + entropy(marginal) - entropy(if_right) - entropy(if_wrong)
    return np.maximum(gain, 0.0)


def expected_confidence(probabilities: Floats, outcomes: Floats) -> Floats:
    """Expected probability of the best label after the outcome, shape (N,)."""
    best = np.zeros((len(probabilities), outcomes.shape[1]))
    for share, row in zip(probabilities.T, outcomes, strict=True):
        np.maximum(best, share[:, None] * row, out=best)
    return np.asarray(best.sum(axis=1))


def expected_rise(probabilities: Floats, outcomes: Floats) -> Floats:
    """Expected rise of the probability of the best label, shape (N,).

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
    """Answer probabilities of a rater whose ratings carry less (or more) information.

    The likelihood ratio of an answer, its probability given the category over its overall
    probability, is raised to the weight; the overall probability stays about the same.

    Parameters
    ----------
    confusion
        Shape (..., K, K), indexed true, observed.
    weight
        Factor on the log-likelihood of a rating in the inference; 1 leaves the rater unchanged.
    class_prior
        Probability of each category, shape (K,).

    Examples
    --------
    >>> rater = np.array([[0.8, 0.2], [0.2, 0.8]])
    >>> weakened(rater, 0.5, class_prior=np.array([0.5, 0.5])).round(3).tolist()
    [[0.667, 0.333], [0.333, 0.667]]
    """
    overall = ((class_prior + _RARE) @ confusion)[..., None, :]
    ratio = np.divide(confusion, overall, out=np.zeros_like(confusion), where=overall > 0)
    answers = overall * ratio**weight
    return np.asarray(answers / answers.sum(axis=-1, keepdims=True))


def repeated_outcomes(confusion: Floats, times: int) -> Floats:
    """Probabilities of the counts of several ratings given the category.

    Parameters
    ----------
    confusion
        Confusion matrix of a typical rater, shape (K, K), indexed true, observed.
    times
        Number of ratings, from 1.

    Returns
    -------
    ndarray
        Shape (K, S), one column for each way to distribute ``times`` ratings over K categories.
    """
    categories, orders = _ways(len(confusion), times)
    return np.asarray(orders * confusion[:, categories].prod(axis=2))


@cache
def _ways(n_categories: int, times: int) -> tuple[Integers, Floats]:
    """Combinations of categories in several ratings, shape (S, times), and their orders, (S,)."""
    ways = list(itertools.combinations_with_replacement(range(n_categories), times))
    orders = [
        math.factorial(times)
        / math.prod(math.factorial(combination.count(c)) for c in set(combination))
        for combination in ways
    ]
    return np.array(ways, dtype=np.int64).reshape(len(ways), times), np.array(orders)


def count_outcomes(n_categories: int, times: int) -> int:
    """Number of columns of `repeated_outcomes`."""
    return math.comb(n_categories + times - 1, times)


def entropy(probabilities: Floats) -> Floats:
    """Sum of -p log2(p) over the last axis: the entropy where p sums to one."""
    logs = np.log2(probabilities, out=np.zeros_like(probabilities), where=probabilities > 0)
    return np.asarray(-(probabilities * logs).sum(axis=-1))
