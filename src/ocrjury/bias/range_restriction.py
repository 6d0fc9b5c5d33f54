"""Range restriction: a rater uses less of the scale than colleagues, or gives the same answers.

Symbols: v_r is the variance of a rater's ratings, o_r that of the others' on the same items, both
after severities. Straight-lining is giving the same answers to many items in a row.
"""

import numpy as np

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.bias.comparison import CentredRatings, Moments
from ocrjury.bias.deviations import Interval, squares_by_rater
from ocrjury.bias.evidence import BiasEvidence, Spread
from ocrjury.bias.findings import RUN, SPREAD_RATIO, BiasFinding, Reason, not_identifiable
from ocrjury.bias.permutation import pooled_p_values
from ocrjury.bias.rater_findings import rater_findings
from ocrjury.bias.submissions import Submissions

_LEAST = 20  # items shared with a colleague
_LEAST_ORDERED = 20  # submissions with a known order


def find_range_restriction(evidence: BiasEvidence, rng: np.random.Generator) -> list[BiasFinding]:
    """One finding for every rater and dimension, and one on straight-lining per rater.

    Notes
    -----
    Null: ratings minus severities shuffled among the raters of each item. The statistic is
    (v - o) / (v + o), the hyperbolic tangent of the log ratio of standard deviations, which stays
    finite when a rater never varies, minus its median over raters: one erratic colleague must not
    make everybody else look restricted. Lower tail. The test is made twice, as that of
    `ocrjury.bias.central_tendency`: a lenient rater uses less of the scale without any other bias.
    """
    submissions = evidence.submissions
    findings = [
        finding for spread in evidence.spreads for finding in _of_dimension(submissions, spread)
    ]
    return [*findings, *find_straight_lining(submissions, rng)]


def _of_dimension(submissions: Submissions, spread: Spread) -> list[BiasFinding]:
    """One finding for every rater on one dimension."""
    ratings, moments = spread.ratings, spread.moments
    varies = (moments.own_variance + moments.others_variance)[:, 0] > 1e-12
    reasons = [
        few or ("no_variation" if not varied else None if ratings.varies else ratings.why_flat)
        for few, varied in zip(ratings.too_few(_LEAST), varies, strict=True)
    ]
    testable = np.array([reason is None for reason in reasons])
    observed = np.where(testable, _contrasts(moments)[:, 0], np.nan)
    p = pooled_p_values(observed, _contrasts(spread.null), tail="lower")
    latent = np.where(testable, _contrasts(spread.latent.moments)[:, 0], np.nan)
    p = np.maximum(p, pooled_p_values(latent, _contrasts(spread.latent.null), tail="lower"))
    effects = _ratios(spread.comparison, moments, point=submissions.point)
    return rater_findings(
        submissions,
        "range_restriction",
        SPREAD_RATIO,
        dimension=ratings.dimension,
        effects=effects,
        p=p,
        size=np.minimum(effects.value - 1, 0.0),
        reasons=reasons,
    )


def _contrasts(moments: Moments) -> Floats:
    """Contrast (v - o) / (v + o) minus its median over raters, shape (M, b); 0 without variance."""
    own, others = moments.own_variance, moments.others_variance
    total = own + others
    contrast = np.where(total > 1e-12, (own - others) / np.maximum(total, 1e-12), 0.0)
    return np.asarray(contrast - np.median(contrast, axis=0), dtype=float)


def _ratios(comparison: CentredRatings, moments: Moments, *, point: float) -> Interval:
    """Ratios of standard deviations, with intervals on the log scale.

    A rater who never varied has the ratio 0. The interval then ends at the ratio of somebody who
    gives another answer, one point away, as often as is possible where n draws show none: at most
    1 - .025^(1/n) of the time (Clopper and Pearson 1934, Biometrika 26(4), 404-413).
    """
    own, others = moments.own_variance[:, 0], moments.others_variance[:, 0]
    extent = 1e-12 * (1 + np.abs(comparison.y).max(initial=0.0) ** 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        error, n = _log_errors(comparison, moments)
        ratio = np.where(others > extent, np.sqrt(own / others), np.nan)
        ratio = np.where(own > extent, ratio, np.where(others > extent, 0.0, np.nan))
        reach = 1.96 * error
        rarely = 1 - 0.025 ** (1 / n)
        unseen = point * np.sqrt(rarely * (1 - rarely) / others)
        never = ratio == 0
        low = np.where(never, 0.0, ratio * np.exp(-reach))
        high = np.where(never, unseen, ratio * np.exp(reach))
    return Interval(ratio, low, high)


def _log_errors(comparison: CentredRatings, moments: Moments) -> tuple[Floats, Integers]:
    """Standard error of each log ratio, clustered by draw, and the number of draws, (M,)."""
    rater = comparison.rater
    centre = moments.colleague[rater, 0]
    mean, square = comparison.others
    others = square - 2 * centre * mean + centre**2
    own = (comparison.y - moments.y[rater, 0]) ** 2
    influence = (
        own / moments.own_variance[rater, 0] - others / moments.others_variance[rater, 0]
    ) / 2
    squares, draws = squares_by_rater(
        influence, rater=rater, draw=comparison.draw, n_raters=len(moments.n)
    )
    return np.asarray(np.sqrt(squares) / moments.n[:, 0], dtype=float), draws


def find_straight_lining(submissions: Submissions, rng: np.random.Generator) -> list[BiasFinding]:
    """Findings on the longest run of identical answers of every rater.

    Answers are identical if they agree on all dimensions.

    Notes
    -----
    Null: the order of submissions shuffled within sessions, neighbours of one draw as one
    (`ocrjury.bias.blocks`). Upper tail. The share of repeated answers breaks ties between runs of
    the same length; without it, p-values of a count are too large on average.

    The interval is of the answers in the run that were given whatever the item was: at most all of
    them, at least those above the 95 % quantile of the longest run by chance.
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

    null = submissions.neighbours(sequence).null_draws(runs, rng=rng)
    observed = runs(np.arange(len(sequence))[:, None])[:, 0]
    longest = np.floor(observed)
    count = np.bincount(rater, minlength=submissions.n_raters)
    reasons: list[Reason | None] = [
        None if n >= _LEAST_ORDERED else "too_few_ratings" for n in count
    ]
    testable = count >= _LEAST_ORDERED
    p = pooled_p_values(np.where(testable, observed, np.nan), null, tail="upper")
    by_chance = np.floor(null)
    usual = np.quantile(by_chance, 0.95, axis=1, method="inverted_cdf")
    return rater_findings(
        submissions,
        "range_restriction",
        RUN,
        dimension=None,
        effects=Interval(longest, np.maximum(longest - usual, 0.0), longest),
        p=p,
        size=np.maximum(longest / np.maximum(by_chance.mean(axis=1), 1.0) - 1, 0.0),
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
    """Mask of the answers that begin a run, shape (n, b)."""
    starts = np.ones(answer.shape, dtype=bool)
    starts[1:] = (answer[1:] != answer[:-1]) | ~follows[1:, None]
    return starts
