"""Straight-lining: a rater gives the same answers to one item after the other."""

import numpy as np

from ocrjury.bias.deviations import Interval
from ocrjury.bias.findings import RUN, BiasFinding, Reason
from ocrjury.bias.permutation import null_draws, pooled_p_values
from ocrjury.bias.previous import follows_another
from ocrjury.bias.rater_findings import rater_findings
from ocrjury.bias.submissions import Booleans, Floats, Integers, Submissions

_LEAST = 20  # submissions whose order is known


def find_straight_lining(submissions: Submissions, rng: np.random.Generator) -> list[BiasFinding]:
    """Return a finding on the longest run of identical answers of every rater.

    Answers are identical when they are so on all dimensions. Nothing is returned where no order
    is known.

    Notes
    -----
    Null: the order of submissions shuffled within sessions. Upper tail.
    """
    if not submissions.ordered:
        return []
    sequence = submissions.sequence()
    answers = np.where(np.isfinite(submissions.value), submissions.value, -np.inf)
    answer = np.unique(answers, axis=0, return_inverse=True)[1].reshape(-1)[sequence]
    rater = submissions.rater[sequence]
    follows = follows_another(submissions, sequence)

    def runs(rows: Integers) -> Floats:
        return longest_runs(answer[rows], follows, rater=rater, n_raters=submissions.n_raters)

    null = null_draws(runs, submissions.session[sequence], rng=rng)
    observed = runs(np.arange(len(sequence))[:, None])[:, 0]
    count = np.bincount(rater, minlength=submissions.n_raters)
    reasons: list[Reason | None] = [None if n >= _LEAST else "too_few_ratings" for n in count]
    told = count >= _LEAST
    p = pooled_p_values(np.where(told, observed, np.nan), null, tail="upper")
    nothing = np.full(len(observed), np.nan)
    return rater_findings(
        submissions,
        "range_restriction",
        RUN,
        dimension=None,
        found=Interval(observed, nothing, nothing),
        p=p,
        size=np.maximum(observed / np.maximum(null.mean(axis=1), 1.0) - 1, 0.0),
        reasons=reasons,
    )


def longest_runs(answer: Integers, follows: Booleans, *, rater: Integers, n_raters: int) -> Floats:
    """Return each rater's longest run of equal answers, shape (M, b).

    Parameters
    ----------
    answer
        Answers in the order they were given, rater after rater, shape (n, b).
    follows
        Whether one follows another of its session, shape (n,).
    rater
        Shape (n,).

    Examples
    --------
    >>> answer = np.array([[4], [4], [4], [5], [5]])
    >>> follows = np.array([False, True, True, True, True])
    >>> longest_runs(answer, follows, rater=np.zeros(5, dtype=int), n_raters=1).tolist()
    [[3.0]]
    """
    n = len(answer)
    starts = np.ones(answer.shape, dtype=bool)
    starts[1:] = (answer[1:] != answer[:-1]) | ~follows[1:, None]
    places = np.arange(n)[:, None]
    length = places - np.maximum.accumulate(np.where(starts, places, 0), axis=0) + 1
    longest = np.zeros((n_raters, answer.shape[1]))
    first = np.flatnonzero(np.diff(rater, prepend=-1))
    longest[rater[first]] = np.maximum.reduceat(length, first, axis=0)
    return longest
