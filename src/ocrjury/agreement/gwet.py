"""Gwet's AC, Brennan-Prediger and percent agreement, which rely on the prevalences less than kappa.

Symbols follow Gwet (2014): K categories, pi_k the prevalence of category k, p_a observed and
p_e chance agreement, w agreement weights.
"""

import numpy as np

from ocrjury.agreement.chance import (
    Chance,
    chance_estimate,
    influence_error,
    item_agreement,
    item_mean_statistic,
    linearised,
)
from ocrjury.agreement.intervals import IntervalOptions, sizes, undefined
from ocrjury.agreement.patterns import collapse, usable, why_undefined
from ocrjury.agreement.weights import (
    Weights,
    agreement_weights,
    check_categorical,
    is_weighted,
    with_weights,
)
from ocrjury.arrays import Floats
from ocrjury.estimate import Estimate, Resampling
from ocrjury.ratings import RatingTable


def gwet_ac(
    table: RatingTable,
    *,
    weights: Weights = "none",
    ci: Resampling | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Agreement beyond chance if only hard items are guessed: AC1, or AC2 with weights.

    Parameters
    ----------
    weights
        ``"none"`` gives AC1, the others AC2.

    Returns
    -------
    Estimate
        1 if all ratings fall in one category, which leaves kappa undefined. ``nan`` with reason
        ``fewer_than_two_categories`` if the scale has one category.

    Raises
    ------
    InputError
        On an interval scale, and for weights on a nominal scale.

    Notes
    -----
    Gwet (2008), British Journal of Mathematical and Statistical Psychology 61(1), 29-48;
    weights and standard error: Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[1, 1], [1, 1], [1, 2]], scale=Scale.likert(1, 2))
    >>> round(gwet_ac(table).value, 4)
    0.5385
    """
    options = IntervalOptions(ci, confidence, resamples, seed)
    check_categorical(table, weights, "gwet_ac")
    table = usable(table, "gwet_ac")
    method = with_weights("Gwet's AC2" if is_weighted(weights) else "Gwet's AC1", weights)
    if reason := why_undefined(table, two_categories=True):
        return undefined(table, reason, method)
    agreement = agreement_weights(table.categories, weights)
    chance = gwet_chance(agreement)
    return chance_estimate(
        collapse(table), agreement, chance, n=sizes(table), method=method, options=options
    )


def brennan_prediger(
    table: RatingTable,
    *,
    weights: Weights = "none",
    ci: Resampling | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Agreement beyond chance if guesses are uniform over the declared categories.

    Returns
    -------
    Estimate
        1 if all ratings fall in one category; equals PABAK on two categories. ``nan`` with
        reason ``fewer_than_two_categories`` if the scale has one category.

    Raises
    ------
    InputError
        On an interval scale, and for weights on a nominal scale.

    Notes
    -----
    Brennan and Prediger (1981), Educational and Psychological Measurement 41(3), 687-699.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[1, 1], [1, 1], [1, 2]], scale=Scale.likert(1, 2))
    >>> round(brennan_prediger(table).value, 4)
    0.3333
    """
    options = IntervalOptions(ci, confidence, resamples, seed)
    check_categorical(table, weights, "brennan_prediger")
    table = usable(table, "brennan_prediger")
    method = with_weights("Brennan-Prediger", weights)
    if reason := why_undefined(table, two_categories=True):
        return undefined(table, reason, method)
    agreement = agreement_weights(table.categories, weights)
    level = float(agreement.sum() / len(agreement) ** 2)
    chance = Chance(lambda prevalence: np.full(len(prevalence), level))
    return chance_estimate(
        collapse(table), agreement, chance, n=sizes(table), method=method, options=options
    )


def percent_agreement(
    table: RatingTable,
    *,
    weights: Weights = "none",
    ci: Resampling | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Mean over items of the share of agreeing pairs of ratings, not corrected for chance.

    Returns
    -------
    Estimate
        In [0, 1]; every item counts the same however many pairs it has, unlike in
        `pairwise_agreement`. With linear weights it equals `human_agreement`.

    Raises
    ------
    InputError
        On an interval scale, and for weights on a nominal scale.

    Notes
    -----
    The standard error is that of a mean over items, as in ``pa.coeff.raw`` of irrCAC; items with
    one rating, which irrCAC counts as disagreement there, are left out.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[1, 1, 2], [3, 3, None]], scale=Scale.likert(1, 3))
    >>> round(percent_agreement(table).value, 4)
    0.6667
    """
    options = IntervalOptions(ci, confidence, resamples, seed)
    check_categorical(table, weights, "percent_agreement")
    table = usable(table, "percent_agreement")
    method = with_weights("percent agreement", weights)
    if reason := why_undefined(table):
        return undefined(table, reason, method)
    patterns = collapse(table).only_pairable()
    agreement = agreement_weights(table.categories, weights)
    statistic = item_mean_statistic(patterns, agreement)

    def error() -> float:
        none = np.zeros(len(patterns.size))
        return influence_error(item_agreement(patterns, agreement), none, patterns, expected=0.0)

    return linearised(statistic, error, sizes(table), method=method, options=options, share=True)


def gwet_chance(weights: Floats) -> Chance:
    """Chance agreement p_e = (sum of w) / (K (K - 1)) times the sum of pi_k (1 - pi_k)."""
    n_categories = len(weights)
    level = float(weights.sum() / (n_categories * (n_categories - 1)))
    return Chance(
        lambda prevalence: level * (prevalence * (1 - prevalence)).sum(axis=1),
        lambda prevalence: level * (1 - prevalence),
    )
