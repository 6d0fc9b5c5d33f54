"""Dawid-Skene model: one confusion matrix per rater and one true category per item.

Dawid and Skene (1979), Applied Statistics 28(1), 20-28. With few ratings per item the classic
maximum-likelihood fit (``prior="none"``, ``class_prior="estimated"``) is over-confident; the
default shrinks each rater towards a mixture of kinds of raters (careful, careless, strict, lenient)
that the other ratings of the same items call for, adjusted by how far this rater departs from it.
Difficult items mislead several raters at once, so n ratings of an item weigh less than n
independent ones (`rating_weight`), unless the ratings show that they are independent.
"""

import math
from collections.abc import Mapping
from typing import Any, Literal, get_args

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.ratings.table_checks import check_table
from ocrjury.truth.confusion_prior import (
    diagonal_confusion,
    distance_confusion,
    empirical_strength,
    pair_confusion,
)
from ocrjury.truth.expectation_maximization import (
    Fit,
    Model,
    Search,
    fit_model,
    free_confusion,
)
from ocrjury.truth.fitting import (
    TEMPERED,
    FittingInput,
    check_class_prior,
    check_strength,
    gather_evidence,
    normalized,
    prior_of_labels,
    prior_of_raters,
    shares_of_ratings,
    truth_of,
)
from ocrjury.truth.labels import Truth
from ocrjury.truth.likelihood import expect
from ocrjury.truth.method_names import ClassPrior, Prior
from ocrjury.truth.rater_departures import (
    compare_raters,
    departure_strength,
    departures_from,
    measure_departures,
    rater_confusions,
)
from ocrjury.truth.rater_kinds import (
    CARELESS,
    centred_confusions,
    kind_confusions,
    kind_weights,
    mixed_confusions,
)
from ocrjury.truth.rating_dependence import independence
from ocrjury.truth.typical_errors import Typical, typical_errors

# Ratings that a row of a rater's own prior is worth. The fit's counts partly reflect a rater's
# agreement with themselves, so they may move the prior only where ratings are many. 50 to 200 give
# equally good labels on simulated and public ratings; higher values make raters look more alike.
_OWN_STRENGTH = 50.0
# Departures from a mixture of kinds are smaller than those from the typical rater; their strength
# is estimated from the same ratings as the mixture, and therefore too low.
_MORE = 3.0
_ROUNDS = 5  # estimates of the strength
_CONVERGED = 0.05  # change of the logarithm of the strength


def dawid_skene(
    t: RatingTable,
    *,
    prior: Prior = "kinds",
    strength: float | Literal["auto"] = "auto",
    class_prior: ClassPrior = "tempered",
    gold: Mapping[Any, Any] | None = None,
    warm_start: Truth | None = None,
    max_iter: int = 200,
    tol: float = 1e-6,
    accelerate: bool = True,
) -> Truth:
    """Truth under one confusion matrix per rater.

    Parameters
    ----------
    t
        Ratings on categories; repeated ratings of one rater count as independent.
    prior
        Target of the shrinkage. ``"kinds"``: each rater is a mixture of kinds of raters (typical,
        careful, careless, strict, lenient), estimated from the other ratings of the same items; an
        item's n ratings then weigh about like the square root of n independent ones where labels
        are inferred (on categories never more than 2.74), and more the likelier it is that they are
        independent. ``"hierarchical"``: the typical rater, and always the square root.
        ``"distance"``: errors become rarer with distance (ordered scales). ``"diagonal"``: all
        errors equally likely. ``"none"``: maximum likelihood.
    strength
        Number of ratings that each row of the prior is worth; with kinds, a number shrinks to the
        typical rater instead. ``"auto"`` is 50 with kinds; otherwise it is estimated by empirical
        Bayes, with the hierarchical prior from the differences between raters as measured by the
        other raters.
    class_prior
        ``"votes"``: shares of ratings; with kinds, of those that are not careless, or what they
        imply where errors are equally likely. ``"tempered"``: the same for estimating raters, to a
        power for inferring labels: 0.87; with kinds 0.75, up to 1 where errors are equally likely
        or, on ordered scales, raters are right far more often than by chance, down to 0 where they
        agree by habit more than by being right. ``"uniform"``.
        ``"estimated"``: together with the confusion matrices.
    gold
        {item: rating} of items whose category is known.
    warm_start
        Earlier truth to start from; new items start from their ratings.
    max_iter, tol
        Largest number of iterations; the fit stops when a step raises the objective by less than
        ``tol`` times max(1, N / 1000) nats.
    accelerate
        Whether to try SQUAREM jumps, which at least halve the number of iterations.

    Returns
    -------
    Truth
        ``warnings`` tells where the data cannot support the model.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> t = RatingTable.from_matrix(
    ...     [[5, 5, 4], [2, 2, 2], [4, 4, 4], [1, 1, 2]], scale=Scale.likert(1, 5)
    ... )
    >>> dawid_skene(t).label.tolist()
    [5, 2, 4, 1]
    """
    check_table(t, "dawid_skene")
    if prior not in get_args(Prior):
        raise InputError(f"prior must be one of {', '.join(get_args(Prior))}; found {prior!r}.")
    check_strength(strength)
    check_class_prior(class_prior)
    search = Search(max_iter, tol, accelerate)
    evidence = gather_evidence(t, caller="dawid_skene", gold=gold, warm_start=warm_start)
    base = _base_rater(prior, t)
    if prior == "kinds":
        return _truth_by_kinds(
            evidence, base, class_prior=class_prior, strength=strength, search=search
        )
    shares = prior_of_raters(t, class_prior)
    if prior == "none":
        fit = _fit(evidence, 0.0 * base, shares, search=search)
    elif prior != "hierarchical" and strength == "auto":
        fit = _fit_with_strength(evidence, base, shares, search=search)
    elif strength == "auto":
        fit = _fit(evidence, _OWN_STRENGTH * _own_priors(evidence, base), shares, search=search)
    else:
        typical = base if prior != "hierarchical" else pair_confusion(evidence.blocks, base)
        fit = _fit(evidence, strength * typical, shares, search=search)
    dependence = 1.0 if prior == "hierarchical" else 0.0
    label_prior = prior_of_labels(t, class_prior)
    return truth_of(evidence, fit, label_prior=label_prior, dependence=dependence)


def _base_rater(prior: Prior, t: RatingTable) -> Floats:
    """Confusion matrix assumed before any rating, shape (K, K)."""
    is_ordered = t.scale.ordered
    if prior == "distance" and not is_ordered:
        raise InputError(
            f'prior="distance" needs an ordered scale; found {t.scale}. Use "hierarchical" or '
            '"diagonal".'
        )
    n_categories = len(t.categories)
    by_distance = is_ordered and prior != "diagonal"
    return distance_confusion(n_categories) if by_distance else diagonal_confusion(n_categories)


def _truth_by_kinds(
    evidence: FittingInput,
    base: Floats,
    *,
    class_prior: ClassPrior,
    strength: float | Literal["auto"],
    search: Search,
) -> Truth:
    """Truth with the default prior."""
    t, blocks = evidence.table, evidence.blocks
    shares = shares_of_ratings(t)
    counted = class_prior in {"tempered", "votes"}
    by_distance = t.scale.ordered and len(shares) > 2
    if counted:
        typical = typical_errors(blocks, base, shares, ordered=by_distance)
    else:
        typical = Typical(pair_confusion(blocks, base), shares)
    raters, credit = _kinds_of_raters(evidence, typical, shares)
    prior = prior_of_raters(t, class_prior)
    if counted:  # careless answers say nothing about the truth
        prior = normalized(typical.shares * shares_of_ratings(t, credit=credit) / shares)
    pseudo = _OWN_STRENGTH * raters if strength == "auto" else strength * typical.confusion
    fit = _fit(evidence, pseudo, prior, search=search)
    tempered = None
    if class_prior == "tempered":
        tempered = normalized(
            fit.parameters.class_prior ** _prior_power(typical, ordered=by_distance)
        )
    return truth_of(
        evidence,
        fit,
        label_prior=tempered,
        dependence=1 - independence(blocks, typical),
        bounded=len(shares) > 2 and not t.scale.ordered,
    )


def _prior_power(typical: Typical, *, ordered: bool) -> float:
    """Power of the class prior in labels.

    Shares that follow from equally likely errors need no tempering. Raters who are random flatten
    the shares of their ratings; where raters agree less by being right than by giving one answer to
    everything, the shares tell their habits rather than the truth. On ordered scales errors go to
    neighbours, and raters who are right leave the shares about as they are.
    """
    trusted = max(typical.reliability, 0.0) / typical.chance
    power = min(TEMPERED * trusted, 1.0 if ordered else TEMPERED)
    return typical.even + (1 - typical.even) * power


def _kinds_of_raters(
    evidence: FittingInput, typical: Typical, shares: Floats
) -> tuple[Floats, Floats]:
    """Matrix to which each rater is shrunk, shape (M, K, K), and share of careful answers, (M,)."""
    comparison = compare_raters(evidence.blocks, typical.confusion, shares=typical.shares)
    kinds = kind_confusions(typical.confusion, shares, ordered=evidence.table.scale.ordered)
    weights = kind_weights(comparison, kinds, shares)
    expected = comparison.together.sum(axis=2)
    mixed = centred_confusions(mixed_confusions(weights, kinds), typical.confusion, expected)
    departures = departures_from(comparison, mixed)
    raters = rater_confusions(mixed, departures, _MORE * departure_strength(departures))
    return raters, 1 - weights[:, CARELESS]


def _own_priors(evidence: FittingInput, base: Floats) -> Floats:
    """Confusion matrix that each rater is shrunk to, shape (M, K, K).

    A fit must not choose the strength from its own counts: posteriors under similar raters give
    similar counts, which call for a greater strength, and so on to infinity.
    """
    departures = measure_departures(evidence.blocks, base)
    typical = pair_confusion(evidence.blocks, base)
    return rater_confusions(typical, departures, departure_strength(departures))


def _fit(evidence: FittingInput, pseudo: Floats, shares: Floats | None, *, search: Search) -> Fit:
    """Fit with pseudo-ratings of shape (K, K) or (M, K, K)."""
    model = Model(evidence.blocks, pseudo, shares, free_confusion)
    return fit_model(model, model.maximize(evidence.start), search)


def _fit_with_strength(
    evidence: FittingInput, base: Floats, shares: Floats | None, *, search: Search
) -> Fit:
    """Fit at the strength that its own expected counts call for.

    Valid only for a base that does not depend on the ratings.
    """
    strength = empirical_strength(evidence.start.counts, base)
    fit = _fit(evidence, strength * base, shares, search=search)
    for _ in range(_ROUNDS):
        needed = empirical_strength(expect(evidence.blocks, fit.parameters).counts, base)
        if abs(math.log(needed / strength)) < _CONVERGED:
            break
        strength = needed
        model = Model(evidence.blocks, strength * base, shares, free_confusion)
        fit = fit_model(model, fit.parameters, search)
    return fit
