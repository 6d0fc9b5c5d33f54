"""What another rating is expected to tell about whether an item's label is right, in bits.

For probabilities q of the categories, the label k and a rater with confusion matrix C, a rating l
has the probability (q C)_l, of which q_k C_kl belongs to a right label. The information that the
rating shares with "the label is right" is I = H(right) + H(rating) - H(right, rating). On two
categories that is the information about the category itself; on more it is the better guide,
because telling a wrong label's neighbours apart does not mend it. Several ratings by raters alike
tell as much as the number of times that each category was said, whose distribution is multinomial
given the truth.

Cover and Thomas (2006), Elements of Information Theory, equation 2.45; MacKay (1992), Neural
Computation 4(4), 590-604.
"""

import itertools
import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def information_gain(probabilities: Floats, outcomes: Floats) -> Floats:
    """Return the bits that an outcome tells about whether each label is right, shape (N,).

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
    """Return the expected probability of the best label once the outcome is known, shape (N,)."""
    best = np.zeros((len(probabilities), outcomes.shape[1]))
    for share, row in zip(probabilities.T, outcomes, strict=True):
        np.maximum(best, share[:, None] * row, out=best)
    return np.asarray(best.sum(axis=1))


def expected_rise(probabilities: Floats, outcomes: Floats) -> Floats:
    """Return by how much the probability of the best label is expected to rise, shape (N,).

    0 where no outcome could change the label.

    Examples
    --------
    >>> better = np.array([[0.6, 0.4], [0.4, 0.6]])
    >>> expected_rise(np.array([[0.5, 0.5], [0.9, 0.1]]), better).round(3).tolist()
    [0.1, 0.0]
    """
    best = probabilities.max(axis=1, initial=0.0)
    return np.asarray(np.maximum(expected_confidence(probabilities, outcomes) - best, 0.0))


def repeated_outcomes(confusion: Floats, times: int) -> Floats:
    """Return the probabilities of the counts of several ratings given the category.

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
    n_categories = len(confusion)
    columns = []
    for said in itertools.combinations_with_replacement(range(n_categories), times):
        orders = math.factorial(times)
        for category in set(said):
            orders //= math.factorial(said.count(category))
        columns.append(orders * confusion[:, said].prod(axis=1))
    return np.stack(columns, axis=1)


def count_outcomes(n_categories: int, times: int) -> int:
    """Return the number of columns of `repeated_outcomes`."""
    return math.comb(n_categories + times - 1, times)


def entropy(probabilities: Floats) -> Floats:
    """Return the sum of -p log2(p) over the last axis: the entropy where p sums to one."""
    logs = np.log2(probabilities, out=np.zeros_like(probabilities), where=probabilities > 0)
    return np.asarray(-(probabilities * logs).sum(axis=-1))
