"""Straight-lining: a rater gives the same answers to many items in a row."""

import numpy as np

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.bias.deviations import Interval
from ocrjury.bias.findings import RUN, BiasFinding, Reason, not_identifiable
from ocrjury.bias.permutation import null_draws, pooled_p_values
from ocrjury.bias.rater_findings import rater_findings
from ocrjury.bias.submissions import Submissions

_LEAST = 20  # submissions with a known order


def find_straight_lining(submissions: Submissions, rng: np.random.Generator) -> list[BiasFinding]:
    """Findings on the longest run of identical answers of every rater.

    Answers are identical if they agree on all dimensions.

    Notes
    -----
    Null: the order of submissions shuffled within sessions. Upper tail. The share
    of repeated answers breaks ties between runs of the same length; without it, p-values of a count
    are too large on average.
    """
    if not submissions.ordered:
        return [not_identifiable("range_restriction", "no_order", unit=RUN)]
    sequence = submissions.sequence()
    answers = np.where(np.isfinite(submissions.value), submissions.value, -np.inf)
    answer = np.unique(answers, axis=0, return_inverse=True)[1].reshape(-1)[sequence]
    rater = submissions.rater[sequence]
    follows = submissions.follows(sequence)

    def runs(rows: Integers) -> Floats:
        given, n_raters = answer[rows], submissions.n_raters
        longest = longest_runs(given, follows, rater=rater, n_raters=n_raters)
        return longest + repeated(given, follows, rater=rater, n_raters=n_raters) / 2

    null = null_draws(runs, submissions.session[sequence], rng=rng)
    observed = runs(np.arange(len(sequence))[:, None])[:, 0]
    longest = np.floor(observed)
    count = np.bincount(rater, minlength=submissions.n_raters)
    reasons: list[Reason | None] = [None if n >= _LEAST else "too_few_ratings" for n in count]
    testable = count >= _LEAST
    p = pooled_p_values(np.where(testable, observed, np.nan), null, tail="upper")
    undefined = np.full(len(observed), np.nan)
    return rater_findings(
        submissions,
        "range_restriction",
        RUN,
        dimension=None,
        effects=Interval(longest, undefined, undefined),
        p=p,
        size=np.maximum(longest / np.maximum(np.floor(null).mean(axis=1), 1.0) - 1, 0.0),
        reasons=reasons,
    )


def longest_runs(answer: Integers, follows: Booleans, *, rater: Integers, n_raters: int) -> Floats:
    """Each rater's longest run of equal answers, shape (M, b).

    Parameters
    ----------
    answer
        Answers in the order they were given, rater after rater, shape (n, b).
    follows
        Whether an answer follows another of its session, shape (n,).
    rater
        Shape (n,).

    Examples
    --------
    >>> answer = np.array([[4], [4], [4], [5], [5]])
    >>> follows = np.array([False, True, True, True, True])
    >>> longest_runs(answer, follows, rater=np.zeros(5, dtype=int), n_raters=1).tolist()
    [[3.0]]
    """
    starts = _starts(answer, follows)
    places = np.arange(len(answer))[:, None]
    length = places - np.maximum.accumulate(np.where(starts, places, 0), axis=0) + 1
    longest = np.zeros((n_raters, answer.shape[1]))
    first = np.flatnonzero(np.diff(rater, prepend=-1))
    longest[rater[first]] = np.maximum.reduceat(length, first, axis=0)
    return longest


def repeated(answer: Integers, follows: Booleans, *, rater: Integers, n_raters: int) -> Floats:
    """Share of each rater's answers that equal the one before, shape (M, b).

    Parameters
    ----------
    answer, follows, rater
        As in `longest_runs`.

    Examples
    --------
    >>> answer = np.array([[4], [4], [4], [5]])
    >>> follows = np.array([False, True, True, True])
    >>> repeated(answer, follows, rater=np.zeros(4, dtype=int), n_raters=1).tolist()
    [[0.5]]
    """
    share = np.zeros((n_raters, answer.shape[1]))
    first = np.flatnonzero(np.diff(rater, prepend=-1))
    count = np.diff(first, append=len(rater))
    again = ~_starts(answer, follows)
    share[rater[first]] = np.add.reduceat(again, first, axis=0, dtype=float) / count[:, None]
    return share


def _starts(answer: Integers, follows: Booleans) -> Booleans:
    """Which answers begin a run, shape (n, b)."""
    starts = np.ones(answer.shape, dtype=bool)
    starts[1:] = (answer[1:] != answer[:-1]) | ~follows[1:, None]
    return starts
