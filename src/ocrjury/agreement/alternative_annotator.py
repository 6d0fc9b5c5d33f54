"""The alternative annotator test: whether an automatic judge may take a rater's seat."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ocrjury.agreement.alignment import Scores, scores_on_scale
from ocrjury.agreement.paired_shares import score_p_value
from ocrjury.agreement.patterns import clusters_of, usable
from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.errors import InputError
from ocrjury.estimate import Reason
from ocrjury.language import phrase
from ocrjury.ratings import RatingTable

FEWEST_ITEMS = 30
"""Items with another rating that a rater needs to be compared; below, no t test holds."""
_PASSES = 0.5
_DIGITS = 9
_OTHERS = 2
_PAIRS = phrase(
    "Most items have two ratings, so each rater is compared with one other only; three ratings of "
    "an item tell more."
)


@dataclass(frozen=True, slots=True)
class SeatComparison:
    """A judge in the seat of one rater, by the ratings of the others.

    Attributes
    ----------
    judge_wins, rater_wins
        Share of the items on which this one is as near to the other raters as the rival, or nearer.
    p_value
        Of the hypothesis that the rater is better by the allowance or more.
    replaceable
        Whether it is rejected, all raters taken into account.
    """

    rater: object
    n_items: int
    judge_wins: float
    rater_wins: float
    p_value: float
    replaceable: bool = False


@dataclass(frozen=True, slots=True)
class Replacement:
    """Result of `judge_replacement`.

    Attributes
    ----------
    winning_rate
        Share of the compared raters that the judge may replace; ``nan`` with a ``reason``.
    advantage
        Mean probability that the judge is as near to the others as a rater, or nearer.
    seats
        Raters that were compared.
    left_out
        Raters with too few items, or with items of one cluster only.
    """

    winning_rate: float
    advantage: float
    allowance: float
    error: float
    seats: tuple[SeatComparison, ...] = ()
    left_out: tuple[object, ...] = ()
    reason: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def passes(self) -> bool | None:
        """Whether the judge may take a rater's seat; None if undefined."""
        return None if math.isnan(self.winning_rate) else self.winning_rate >= _PASSES


def judge_replacement(
    table: RatingTable, scores: Scores, *, allowance: float = 0.1, error: float = 0.05
) -> Replacement:
    """Alternative annotator test of an automatic judge.

    Each rater in turn leaves the seat. On every item that others rated too, judge and rater are
    compared by how near they are to these others. The judge may replace a rater if the share of
    items on which the rater is nearer is less than that of the judge plus the allowance, and takes
    a seat if it may replace half of the raters.

    Parameters
    ----------
    table
        First ratings of two raters or more for each item; with two, each is the only measure of the
        other, so three are better.
    scores
        As for `judge_alignment`.
    allowance
        How much worse than a rater the judge may be for what it saves, in share of items. The
        authors advise .2 where raters are experts, .15 where they are trained, .1 else.
    error
        Expected share of wrong replacements among all (false discovery rate).

    Returns
    -------
    Replacement
        With a warning where a judge that always says the same would pass. ``reason`` is
        ``no_items`` without a score of a rated item, ``fewer_than_two_raters``, or
        ``too_few_common_items`` where no rater has 30 items with a score and another rating.

    Notes
    -----
    Calderon, Reichart and Dror (2025), ACL, arXiv 2501.10970: one-sided paired tests of
    H0: rho_rater - rho_judge >= allowance, Benjamini and Yekutieli (2001) over the raters, winning
    rate >= .5. Nearness is accuracy on a nominal scale, else minus the root mean squared distance.
    Where they take a t test, this is Tango's score test (1998, Statistics in Medicine 17, 891-908):
    where judge and rater seldom differ, so does the sample, and the t test's own variance, 0 at
    worst, lets a judge at the allowance pass in 18 % of samples of 30 items at a level of 5 %.
    Items of unequal weight, and clusters, count as the number of items with the same precision.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> rows = [[n % 5 + 1, n % 5 + 1, (n * n) % 5 + 1] for n in range(60)]
    >>> table = RatingTable.from_matrix(rows, scale=Scale.likert(1, 5))
    >>> test = judge_replacement(table, [n % 5 + 1 for n in range(60)])
    >>> test.passes, test.winning_rate, round(test.advantage, 2)
    (True, 1.0, 1.0)
    """
    _check("allowance", allowance)
    _check("error", error)
    table = usable(table, "judge_replacement", compares_raters=True)
    score = scores_on_scale(table, scores, who="judge_replacement")
    test = _tested(table, score, allowance=allowance, error=error)
    if test.reason is not None:
        return test
    return replace(test, warnings=tuple(_warnings(table, score, test)))


def _tested(table: RatingTable, score: Floats, *, allowance: float, error: float) -> Replacement:
    """Test of the scores of all items, ``nan`` where there is none."""
    rivals = _Rivals.of(table, score)
    size = np.bincount(rivals.rater, minlength=table.n_raters)
    many = (size >= FEWEST_ITEMS) & (rivals.draws(table.n_raters) > 1)
    left_out = tuple(table.raters[rater] for rater in np.flatnonzero(~many))
    enough = np.flatnonzero(many).tolist()
    nothing = Replacement(math.nan, math.nan, allowance, error, left_out=left_out)
    if not enough:
        return replace(nothing, reason=_reason(table, score))
    tests = [rivals.seat(rater, allowance) for rater in enough]
    replaced = _rejected(np.array([p for _, _, p in tests]), error)
    seats = tuple(
        SeatComparison(table.raters[rater], int(size[rater]), *test, replaceable=bool(won))
        for rater, test, won in zip(enough, tests, replaced, strict=True)
    )
    return replace(
        nothing,
        winning_rate=float(replaced.mean()),
        advantage=float(np.mean([seat.judge_wins for seat in seats])),
        seats=seats,
    )


def _warnings(table: RatingTable, score: Floats, test: Replacement) -> Iterator[str]:
    """Yield what makes the test easy to pass, or weak."""
    size = np.bincount(table.item, minlength=table.n_items)
    if np.median(size[np.isfinite(score) & (size > 1)]) <= _OTHERS:
        yield _PAIRS
    values, counts = np.unique(table.values, return_counts=True)
    usual = values[counts.argmax()]
    same = np.where(np.isfinite(score), usual, np.nan)
    if _tested(table, same, allowance=test.allowance, error=test.error).passes:
        word = f"{usual:g}" if table.scale.ordered else table.scale.categories[int(usual)]
        yield phrase(
            "A judge that says {level} of every item would pass too: the items are too alike to "
            "tell judges apart, or the allowance is too large.",
            level=word,
        )


def _check(name: str, share: float) -> None:
    if not 0 < share < 1:
        raise InputError(f"judge_replacement: {name} must be between 0 and 1; found {share!r}.")


def _reason(table: RatingTable, score: Floats) -> Reason:
    """Reason for which no rater can be compared."""
    if not np.isfinite(score).any():
        return "no_items"
    return "fewer_than_two_raters" if table.n_raters < _OTHERS else "too_few_common_items"


@dataclass(frozen=True, slots=True, eq=False)
class _Rivals:
    """Judge and rater on each rating of an item that has a score and another rating.

    Attributes
    ----------
    rater
        Number of the rater, shape (n,).
    judge, human
        Whether judge and rater are as near to the others as the rival, or nearer, shape (n,).
    weight
        Of the item, shape (n,).
    cluster
        Of the item, shape (n,).
    """

    rater: Integers
    judge: Booleans
    human: Booleans
    weight: Floats
    cluster: Integers | None

    @classmethod
    def of(cls, table: RatingTable, score: Floats) -> Self:
        """Comparison of each rating."""
        size = np.bincount(table.item, minlength=table.n_items)
        known = np.isfinite(score[table.item]) & (size[table.item] > 1)
        item, value = table.item[known], table.values[known]
        distance = _distances(table)
        weight = np.ones(table.n_items) if table.item_weight is None else table.item_weight
        judge, human = distance(item, value, score[item]), distance(item, value, value)
        near = np.round([judge, human], _DIGITS)
        return cls(
            table.rater[known],
            near[0] <= near[1],
            near[1] <= near[0],
            weight[item],
            clusters_of(table, item),
        )

    def draws(self, n_raters: int) -> Integers:
        """Number of items, or of their clusters, of each rater, shape (M,)."""
        if self.cluster is None:
            return np.bincount(self.rater, minlength=n_raters)
        pairs = np.unique(np.column_stack([self.rater, self.cluster]), axis=0)
        return np.bincount(pairs[:, 0], minlength=n_raters)

    def seat(self, rater: int, allowance: float) -> tuple[float, float, float]:
        """Shares of wins of judge and rater, and the p value of the rater's advantage."""
        own = self.rater == rater
        weight = self.weight[own] / self.weight[own].sum()
        judge, human = self.judge[own].astype(float), self.human[own].astype(float)
        clusters = None if self.cluster is None else self.cluster[own]
        p_value = score_p_value(human - judge, weight, cluster=clusters, least=allowance)
        return float(weight @ judge), float(weight @ human), p_value


def _distances(table: RatingTable) -> Callable[[Integers, Floats, Floats], Floats]:
    """Function of items, the ratings left out of them, and values to compare with the others."""
    if not table.scale.ordered:
        return _shares_of_others(table)
    middle = (table.scale.low + table.scale.high) / 2  # smaller numbers lose fewer digits
    span = (table.scale.high - table.scale.low) or 1.0
    scaled = (table.values - middle) / span
    sums = [np.bincount(table.item, scaled**power, minlength=table.n_items) for power in range(3)]

    def of_squares(item: Integers, left_out: Floats, value: Floats) -> Floats:
        out, x = (left_out - middle) / span, (value - middle) / span
        n, total, squares = (sums[power][item] - out**power for power in range(3))
        return np.asarray(x**2 - (2 * x * total - squares) / n, dtype=float)

    return of_squares


def _shares_of_others(table: RatingTable) -> Callable[[Integers, Floats, Floats], Floats]:
    """Function for categories: the share of the others that chose another one."""
    counts = table.counts()

    def unlike(item: Integers, left_out: Floats, value: Floats) -> Floats:
        same = counts[item, value.astype(np.int64)] - (left_out == value)
        return np.asarray(1 - same / (counts[item].sum(axis=1) - 1), dtype=np.float64)

    return unlike


def _rejected(p: Floats, error: float) -> Booleans:
    """Hypotheses rejected by Benjamini and Yekutieli at a false discovery rate, shape (m,)."""
    m = len(p)
    order = np.argsort(p)
    rank = np.arange(1, m + 1)
    below = np.flatnonzero(p[order] <= error * rank / (m * (1 / rank).sum()))
    rejected = np.zeros(m, dtype=bool)
    if len(below):
        rejected[order[: below[-1] + 1]] = True
    return rejected
