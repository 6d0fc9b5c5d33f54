"""Truth by counting: majority, mean and median of the ratings, without a model of the raters.

On a continuous scale nearly every rating is a different number. Shares and confusion matrices over
all of them would fill the memory without being informative, so such ratings are grouped into steps;
means and medians stay exact.
"""

from dataclasses import replace

import numpy as np

from ocrjury.arrays import Booleans, Floats
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.ratings.table_checks import check_table
from ocrjury.truth.cautions import table_warnings
from ocrjury.truth.expectation_maximization import free_confusion
from ocrjury.truth.labels import (
    Parameters,
    Places,
    Summary,
    Truth,
    describe_truth,
    ordered,
    scale_categories,
    summarize,
)
from ocrjury.truth.likelihood import count_ratings
from ocrjury.truth.rating_blocks import rating_blocks

MOST_STEPS = 101  # every whole number on a scale from 0 to 100


def majority_vote(t: RatingTable) -> Truth:
    """Most frequent rating of each item; probabilities are shares of ratings.

    An item without ratings has the shares of all ratings. Of tied categories the label is the one
    declared first; see `Truth` for ties on an ordered scale.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> t = RatingTable.from_matrix([[4, 4, 5], [2, 3, 1]], scale=Scale.likert(1, 5))
    >>> truth = majority_vote(t)
    >>> truth.label.tolist(), truth.tied.tolist()
    ([4, 2], [False, True])
    """
    check_table(t, "majority_vote")
    refuse_continuous(t, "majority_vote")
    return counted_truth(t, vote_shares(t, missing=overall_shares(t)))


def mean_rating(t: RatingTable) -> Truth:
    """Mean of each item's ratings; ``label`` is the category nearest to it.

    Probabilities are shares of ratings; halfway between two categories the lower one is the label,
    and the item is tied. On a continuous scale with more than 101 different ratings the categories
    are 101 steps; means stay exact.
    """
    check_table(t, "mean_rating")
    _refuse_nominal(t, "mean_rating")
    table = in_steps(t)
    shares = vote_shares(table, missing=overall_shares(table))
    plain = summarize(shares, scale_categories(table))
    if table is not t:
        mean, median, _ = middle_of(t)
        plain = plain._replace(mean=mean, median=median)
    place, tied = _nearest(plain.mean, table.categories)
    summary = plain._replace(
        label=scale_categories(table)[place],
        confidence=shares[np.arange(len(shares)), place],
        tied=tied,
    )
    return counted_truth(table, shares, summary)


def median_rating(t: RatingTable) -> Truth:
    """Lower median of each item's ratings, which also is its label.

    Probabilities are shares of ratings; an item is tied where half of the ratings lie above. On a
    continuous scale with more than 101 different ratings the categories are 101 steps; medians stay
    exact.
    """
    check_table(t, "median_rating")
    _refuse_nominal(t, "median_rating")
    table = in_steps(t)
    shares = vote_shares(table, missing=overall_shares(table))
    categories = scale_categories(table)
    plain = summarize(shares, categories)
    rows = np.arange(len(shares))
    if table is not t:
        mean, median, halved = middle_of(t)
        nearest, _ = _nearest(median, table.categories)
        summary = Summary(median, median, mean, shares[rows, nearest], halved)
        return counted_truth(table, shares, summary)
    place = np.searchsorted(categories, plain.median)
    below = shares.cumsum(axis=1)[rows, place]
    summary = plain._replace(
        label=plain.median, confidence=shares[rows, place], tied=np.isclose(below, 0.5)
    )
    return counted_truth(table, shares, summary)


def vote_shares(table: RatingTable, *, missing: Floats) -> Floats:
    """Shares of an item's ratings, shape (N, K); ``missing`` where it has none."""
    counts = table.counts().astype(float)
    total = counts.sum(axis=1, keepdims=True)
    shares = np.broadcast_to(missing, counts.shape).copy()
    return np.asarray(np.divide(counts, total, out=shares, where=total > 0))


def overall_shares(table: RatingTable) -> Floats:
    """Shares of all ratings, shape (K,); uniform without any."""
    n_categories = len(table.categories)
    if not table.n_ratings:
        return np.full(n_categories, 1 / max(n_categories, 1))
    return np.bincount(table.codes, minlength=n_categories) / table.n_ratings


def _nearest(mean: Floats, categories: Floats) -> tuple[Places, Booleans]:
    """Place of the category nearest to each mean, the lower of two, and ties."""
    upper = np.clip(np.searchsorted(categories, mean), 1, max(len(categories) - 1, 1))
    lower = upper - 1
    upper = np.minimum(upper, len(categories) - 1)
    above, below = categories[upper] - mean, mean - categories[lower]
    tied = np.isclose(above, below) & (upper > lower)
    return np.where(tied | (below < above), lower, upper), tied


def counted_truth(t: RatingTable, shares: Floats, summary: Summary | None = None) -> Truth:
    """Truth with given probabilities, shape (N, K), and the raters' departures from it."""
    counted = count_ratings(rating_blocks(t, {}), shares)
    prior = overall_shares(t)
    # One pseudo-rating per row keeps rows of raters with few ratings defined.
    typical = free_confusion(counted.counts.sum(axis=0, keepdims=True) + 1e-9)
    parameters = Parameters(free_confusion(counted.counts + typical), prior)
    return describe_truth(t, shares, parameters, summary=summary, warnings=table_warnings(t))


def refuse_continuous(t: RatingTable, caller: str) -> None:
    """Raise on a continuous scale."""
    if t.scale.kind == "interval":
        raise InputError(
            f"{caller} needs categories; found a scale of {t.scale}. Use mean_rating() or "
            "median_rating(), or declare Scale.likert if ratings are whole numbers."
        )


def _refuse_nominal(t: RatingTable, caller: str) -> None:
    """Raise on a nominal scale, and on a continuous scale without ratings."""
    if t.n_items and not len(t.categories):
        raise InputError(
            f"{caller} found no rating on a scale of {t.scale}; leave out items that nobody rated."
        )
    if not ordered(scale_categories(t)):
        raise InputError(
            f"{caller} needs numbers in order; found the scale {t.scale}. Use majority_vote() or "
            "dawid_skene()."
        )


def in_steps(table: RatingTable) -> RatingTable:
    """Table on a continuous scale with its ratings rounded, if they are too many to be categories.

    Other tables are returned as they are.

    Examples
    --------
    >>> from ocrjury import Scale
    >>> values = np.random.default_rng(0).random((60, 3))
    >>> table = in_steps(RatingTable.from_matrix(values, scale=Scale.interval(0, 1)))
    >>> len(table.categories), float(table.categories[1])
    (101, 0.01)
    """
    scale = table.scale
    if scale.kind != "interval" or len(table.categories) <= MOST_STEPS:
        return table
    steps = np.linspace(scale.low, scale.high, MOST_STEPS)
    place = (table.values - scale.low) / (scale.high - scale.low) * (MOST_STEPS - 1)
    return replace(table, categories=steps, codes=np.rint(place).astype(np.int64))


def middle_of(table: RatingTable) -> tuple[Floats, Floats, Booleans]:
    """Mean and lower median of each item's ratings, and whether half of them lie above it, (N,).

    Mean and median are those of all ratings where an item has none.
    """
    n_ratings = np.bincount(table.item, minlength=table.n_items)
    rated = n_ratings > 0
    total = np.bincount(table.item, weights=table.values, minlength=table.n_items)
    ranked = table.values[np.lexsort((table.values, table.item))]
    first = np.cumsum(n_ratings) - n_ratings
    all_values = np.sort(table.values)
    mean = np.full(table.n_items, table.values.mean())
    mean[rated] = total[rated] / n_ratings[rated]
    median = np.full(table.n_items, all_values[(len(all_values) - 1) // 2])
    lower = first[rated] + (n_ratings[rated] - 1) // 2
    upper = first[rated] + n_ratings[rated] // 2
    median[rated] = ranked[lower]
    halved = np.zeros(table.n_items, dtype=bool)
    halved[rated] = ranked[upper] > ranked[lower]
    return mean, median, halved
