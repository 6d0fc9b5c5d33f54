"""Dawid-Skene: every rater has a confusion matrix, and every item one true category.

Dawid and Skene (1979), Applied Statistics 28(1), 20-28. With few ratings per item the classic
maximum-likelihood fit (``prior="none"``, ``class_prior="estimated"``) is over-confident; the
default shrinks each rater to the typical rater of the same data.
"""

import math
from collections.abc import Mapping
from typing import Any, Literal

from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.class_priors import ClassPrior, fixed_class_prior
from ocrjury.truth.confusion_prior import (
    diagonal_confusion,
    distance_confusion,
    empirical_strength,
    leave_one_out_counts,
    typical_confusion,
)
from ocrjury.truth.expectation_maximization import (
    Fit,
    Model,
    Search,
    fit_model,
    free_confusion,
)
from ocrjury.truth.fitting import (
    Evidence,
    check_class_prior,
    check_strength,
    gather_evidence,
    truth_of,
)
from ocrjury.truth.labels import Floats, Truth
from ocrjury.truth.likelihood import count_ratings, expect

Prior = Literal["hierarchical", "distance", "diagonal", "none"]
PRIORS: tuple[Prior, ...] = ("hierarchical", "distance", "diagonal", "none")
_ROUNDS = 5  # of estimating the strength
_SETTLED = 0.05  # change of its logarithm


def dawid_skene(
    t: RatingTable,
    *,
    prior: Prior = "hierarchical",
    strength: float | Literal["auto"] = "auto",
    class_prior: ClassPrior = "tempered",
    gold: Mapping[Any, Any] | None = None,
    warm_start: Truth | None = None,
    max_iter: int = 200,
    tol: float = 1e-6,
    accelerate: bool = True,
) -> Truth:
    """Return the truth under one confusion matrix per rater.

    Parameters
    ----------
    t
        Ratings on categories; repeated ratings of one rater count as independent.
    prior
        What raters are shrunk to. ``"hierarchical"``: the typical rater, from how often raters say
        what the other raters of the item say. ``"distance"``: errors fade with distance (ordered
        scales). ``"diagonal"``: all errors equally likely. ``"none"``: maximum likelihood.
    strength
        Ratings that each row of the prior is worth; ``"auto"`` finds it by empirical Bayes.
    class_prior
        ``"tempered"``: square root of the shares of ratings; ``"votes"``: those shares;
        ``"uniform"``; ``"estimated"``: with the confusion matrices, for skewed binary scales with
        a thousand items or more.
    gold
        {item: rating} of items whose category is known.
    warm_start
        Earlier truth to start from; new items start from their ratings.
    max_iter, tol
        Most iterations; a step that raises the objective by less than ``tol`` (nats per thousand
        items, at least nats) is the last one.
    accelerate
        Whether to try SQUAREM jumps, which need half as many iterations or fewer.

    Returns
    -------
    Truth
        ``warnings`` says where the data cannot carry the model.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> t = RatingTable.from_matrix(
    ...     [[5, 5, 4], [2, 2, 2], [4, 4, 4], [1, 1, 2]], scale=Scale.likert(1, 5)
    ... )
    >>> dawid_skene(t).label.tolist()
    [5, 2, 4, 1]
    """
    if prior not in PRIORS:
        raise InputError(f"prior must be one of {', '.join(PRIORS)}; found {prior!r}.")
    check_strength(strength)
    check_class_prior(class_prior)
    search = Search(max_iter, tol, accelerate)
    evidence = gather_evidence(t, who="dawid_skene", gold=gold, warm_start=warm_start)
    shares = fixed_class_prior(t, class_prior)
    typical = _typical_rater(prior, evidence)
    if prior == "none":
        strength = 0.0
    if strength == "auto":
        fit = _fit_with_strength(evidence, typical, shares, search=search)
    else:
        fit = _fit(_model(evidence, strength * typical, shares), evidence.start, search=search)
    return truth_of(evidence, fit)


def _typical_rater(prior: Prior, evidence: Evidence) -> Floats:
    """Return the confusion matrix that raters are shrunk to, shape (K, K)."""
    table = evidence.table
    is_ordered = table.scale.ordered
    if prior == "distance" and not is_ordered:
        raise InputError(
            f'prior="distance" needs an ordered scale; found {table.scale}. Use "hierarchical" or '
            '"diagonal".'
        )
    n_categories = len(table.categories)
    far = is_ordered and prior != "diagonal"
    base = distance_confusion(n_categories) if far else diagonal_confusion(n_categories)
    if prior != "hierarchical":
        return base
    return typical_confusion(leave_one_out_counts(table, evidence.gold), base)


def _model(evidence: Evidence, pseudo: Floats, shares: Floats | None) -> Model:
    """Return the penalised likelihood."""
    return Model(evidence.blocks, pseudo, shares, free_confusion)


def _fit(model: Model, start: Floats, *, search: Search) -> Fit:
    """Return the fit that begins with probabilities of shape (N, K)."""
    parameters = model.maximize(count_ratings(model.blocks, start))
    return fit_model(model, parameters, search)


def _fit_with_strength(
    evidence: Evidence, typical: Floats, shares: Floats | None, *, search: Search
) -> Fit:
    """Return the fit at a strength that its own expected counts call for.

    The typical rater stays the one that the ratings show: estimated anew from the posterior, it
    would agree with itself more and more.
    """
    strength = empirical_strength(count_ratings(evidence.blocks, evidence.start).counts, typical)
    fit = _fit(_model(evidence, strength * typical, shares), evidence.start, search=search)
    for _ in range(_ROUNDS):
        needed = empirical_strength(expect(evidence.blocks, fit.parameters).counts, typical)
        if abs(math.log(needed / strength)) < _SETTLED:
            break
        strength = needed
        fit = fit_model(_model(evidence, strength * typical, shares), fit.parameters, search)
    return fit
