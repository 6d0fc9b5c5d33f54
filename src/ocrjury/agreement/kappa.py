"""Kappa: agreement beyond chance, with chance computed from the raters' category shares.

Symbols follow the papers: N items, M raters, K categories, p_o or p_a observed and p_e chance
agreement, w agreement weights.
"""

import numpy as np

from ocrjury.agreement.chance import (
    Chance,
    chance_estimate,
    linearised,
    weighted,
)
from ocrjury.agreement.confusion import (
    has_constant_rater,
    kappa_of,
    kappa_statistic,
    pair_confusions,
)
from ocrjury.agreement.conger import conger_error, conger_statistic
from ocrjury.agreement.intervals import (
    IntervalOptions,
    resampled,
    sizes,
    undefined,
    with_error,
    without_interval,
)
from ocrjury.agreement.patterns import (
    collapse,
    n_raters,
    one_by_one,
    usable,
    why_undefined,
)
from ocrjury.agreement.weights import (
    Weights,
    agreement_weights,
    check_categorical,
    with_weights,
)
from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate, Resampling
from ocrjury.ratings import RatingTable


def cohen_kappa(
    table: RatingTable,
    *,
    weights: Weights = "none",
    ci: Resampling | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Agreement of two raters beyond chance, each with their own category shares.

    Parameters
    ----------
    table
        Ratings by exactly two raters; items that only one of them rated are left out.

    Returns
    -------
    Estimate
        At most 1, on the items that both rated. ``nan`` with reason ``no_variation`` if both
        used the same single category.

    Raises
    ------
    InputError
        With three or more raters, on an interval scale, and for weights on a nominal scale.

    Notes
    -----
    Cohen (1960), Educational and Psychological Measurement 20(1), 37-46; weights: Cohen (1968).
    Standard error: Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72(5), 323-327,
    not under the hypothesis of chance agreement.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> pairs = [[1, 1]] * 20 + [[1, 0]] * 5 + [[0, 1]] * 10 + [[0, 0]] * 15
    >>> kappa = cohen_kappa(RatingTable.from_matrix(pairs, scale=Scale.binary()))
    >>> round(kappa.value, 3)
    0.4
    """
    options = IntervalOptions(ci, confidence, resamples, seed)
    check_categorical(table, weights, "cohen_kappa")
    table = usable(table, "cohen_kappa", compares_raters=True)
    if n_raters(table) > 2:
        raise InputError(
            f"cohen_kappa compares exactly two raters; found {n_raters(table)}. "
            "Use pairwise_kappa() for every pair, or fleiss_kappa() for all raters together."
        )
    method = with_weights("Cohen's kappa", weights)
    if reason := why_undefined(table):
        return undefined(table, reason, method)
    confusions = pair_confusions(table)
    agreement = agreement_weights(table.categories, weights)
    n = sizes(table)
    value, se = kappa_of(confusions, agreement, table)
    if has_constant_rater(confusions)[0] and not np.isnan(value[0]):
        warning = "One rater used a single category; kappa is 0 whatever the other rater did."
        return without_interval(
            float(value[0]), n, method, reason="no_variation", warnings=(warning,)
        )
    if ci is not None:
        statistic = kappa_statistic(table, agreement)
        return resampled(statistic, n, method=method, options=options)
    return with_error(float(value[0]), float(se[0]), n, method=method, options=options)


def conger_kappa(
    table: RatingTable,
    *,
    weights: Weights = "none",
    ci: Resampling | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Agreement of M raters beyond chance, each with their own category shares.

    Returns
    -------
    Estimate
        At most 1; equals `cohen_kappa` for two raters who both rated every item. ``nan`` with
        reason ``no_variation`` if all ratings fall in one category.

    Raises
    ------
    InputError
        On an interval scale, and for weights on a nominal scale.

    Notes
    -----
    Conger (1980), Psychological Bulletin 88(2), 322-328. Standard error: Gwet (2014), Handbook
    of Inter-Rater Reliability, 4th edition, chapter 5.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[1, 1, 1], [2, 2, 3], [3, 3, 3]], scale=Scale.likert(1, 3))
    >>> round(conger_kappa(table).value, 4)
    0.6667
    """
    options = IntervalOptions(ci, confidence, resamples, seed)
    check_categorical(table, weights, "conger_kappa")
    table = usable(table, "conger_kappa", compares_raters=True)
    method = with_weights("Conger's kappa", weights)
    if reason := why_undefined(table):
        return undefined(table, reason, method)
    agreement = agreement_weights(table.categories, weights)
    rated, items = one_by_one(table)
    statistic = conger_statistic(table, rated, items, weights=agreement)

    def error() -> float:
        return conger_error(table, rated, items, weights=agreement)

    return linearised(statistic, error, sizes(table), method=method, options=options)


def fleiss_kappa(
    table: RatingTable,
    *,
    weights: Weights = "none",
    ci: Resampling | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Agreement of any number of raters beyond chance, with category shares common to all.

    Parameters
    ----------
    table
        Items with one rating contribute to the chance part only.

    Returns
    -------
    Estimate
        At most 1. ``nan`` with reason ``no_variation`` if all ratings fall in one category.

    Raises
    ------
    InputError
        On an interval scale, and for weights on a nominal scale.

    Notes
    -----
    Fleiss (1971), Psychological Bulletin 76(5), 378-382, equations 1 to 7; with unequal numbers
    of ratings and weights: Gwet (2014), as is the standard error (not the one of 1971, which
    holds under chance agreement only).

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[1, 1, 1], [2, 2, 3], [3, 3, 3]], scale=Scale.likert(1, 3))
    >>> round(fleiss_kappa(table).value, 4)
    0.6538
    """
    options = IntervalOptions(ci, confidence, resamples, seed)
    check_categorical(table, weights, "fleiss_kappa")
    table = usable(table, "fleiss_kappa")
    method = with_weights("Fleiss' kappa", weights)
    if reason := why_undefined(table):
        return undefined(table, reason, method)
    agreement = agreement_weights(table.categories, weights)
    return chance_estimate(
        collapse(table),
        agreement,
        fleiss_chance(agreement),
        n=sizes(table),
        method=method,
        options=options,
    )


def fleiss_chance(weights: Floats) -> Chance:
    """Chance agreement p_e = sum of w_kl pi_k pi_l: two ratings drawn from the common shares."""

    def expected(prevalence: Floats) -> Floats:
        return np.asarray((weighted(prevalence, weights) * prevalence).sum(axis=1))

    return Chance(expected, lambda prevalence: weights @ prevalence)
