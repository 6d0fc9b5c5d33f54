"""Error rates of a typical rater and class prior: which of two assumptions fits the ratings better.

Ratings can only be compared with other ratings, and pairs of them do not tell error rates from the
shares of the true categories: with two categories they give two numbers for three unknowns. Either
errors keep the shares of the categories, so that the shares of ratings are the class prior
(`pair_confusion`), or all errors are equally likely, so that rare categories are rarer than their
ratings. On a nominal scale or one of two categories, three or more ratings of an item tell which of
the two holds: each rating is predicted from the others of its item under both. With three or more
categories pairs tell it too. Where nothing tells, the simpler assumption is the likelier one.
"""

import math
from typing import NamedTuple

import numpy as np

from ocrjury.arrays import Floats
from ocrjury.truth.confusion_prior import pair_confusion
from ocrjury.truth.rater_departures import truths_by_others
from ocrjury.truth.rating_blocks import RatingBlocks, unsettled_pairs

_LEAST_RIGHT, _MOST_RIGHT = 0.02, 0.995  # share of right answers, the first beyond chance
_LEAST_SHARE = 0.02  # of a category among K, times K
_SIMPLER = 2.0  # prior log-odds for equally likely errors


class Typical(NamedTuple):
    """Confusion matrix of a typical rater, shape (K, K), and class prior, shape (K,).

    ``even`` is the probability that errors are equally likely.
    """

    confusion: Floats
    shares: Floats
    even: float = 0.0

    @property
    def reliability(self) -> float:
        """Share of right answers beyond chance: 1 if all are right, 0 if they are random."""
        n_categories = len(self.confusion)
        chance = 1 / max(n_categories, 2)
        return (float(np.trace(self.confusion)) / n_categories - chance) / (1 - chance)

    @property
    def chance(self) -> float:
        """Share of agreement of two answers drawn at random, by the class prior."""
        return float((self.shares**2).sum())


def typical_errors(blocks: RatingBlocks, base: Floats, shares: Floats, *, ordered: bool) -> Typical:
    """Typical error rates and class prior, weighted by the probability of the two assumptions.

    Parameters
    ----------
    base
        Confusion matrix assumed before any rating, shape (K, K).
    shares
        Shares of ratings, shape (K,).
    ordered
        Whether the categories are ordered. With more than two of them, errors to neighbours are
        likelier than others, and only `pair_confusion` is considered.
    """
    kept = Typical(pair_confusion(blocks, base), shares)
    if len(base) < 2 or (ordered and len(base) > 2):
        return kept
    even = equal_errors(blocks, base, shares)
    kept_fit, n_ratings = _log_likelihood(blocks, kept)
    even_fit, _ = _log_likelihood(blocks, even)
    # A rating is predicted from the others and they from it, so that evidence counts repeatedly.
    evidence = (even_fit - kept_fit) * blocks.n_items / max(n_ratings, 1)
    weight = 1 / (1 + math.exp(min(-evidence - _SIMPLER, 700.0)))
    return Typical(
        (1 - weight) * kept.confusion + weight * even.confusion,
        (1 - weight) * kept.shares + weight * even.shares,
        weight,
    )


def equal_errors(blocks: RatingBlocks, base: Floats, shares: Floats) -> Typical:
    """Typical rater whose errors are equally likely, and the class prior that gives these shares.

    Two raters who are right with probability a agree with probability a**2 + (1 - a)**2 / (K - 1).
    """
    n_wrong = len(base) - 1
    pairs = unsettled_pairs(blocks)
    number = pairs.sum() + len(base)
    agreement = float((np.trace(pairs) + (base**2).sum()) / number)
    spread = max(1 / n_wrong**2 - (1 + 1 / n_wrong) * (1 / n_wrong - agreement), 0.0)
    right = (1 / n_wrong + math.sqrt(spread)) / (1 + 1 / n_wrong)
    right = min(max(right, 1 / len(base) + _LEAST_RIGHT), _MOST_RIGHT)
    wrong = (1 - right) / n_wrong
    confusion = np.full_like(base, wrong)
    np.fill_diagonal(confusion, right)
    prior = np.maximum((shares - wrong) / (right - wrong), _LEAST_SHARE / len(base))
    return Typical(confusion, prior / prior.sum())


def _log_likelihood(blocks: RatingBlocks, typical: Typical) -> tuple[float, int]:
    """Log-likelihood of the ratings given the others of their items, and their number."""
    total, n_ratings = 0.0, 0
    by_answer = typical.confusion.T
    for column, truth in truths_by_others(blocks, typical.confusion, shares=typical.shares):
        likelihood = np.einsum("nk,nk->n", truth, by_answer[column % blocks.n_categories])
        likelihood = likelihood[likelihood > 0]
        total += float(np.log(likelihood).sum())
        n_ratings += len(likelihood)
    return total, n_ratings
