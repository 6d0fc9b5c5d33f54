"""One-coin model: each rater has one accuracy, and all wrong categories are equally likely.

The simplest model of raters. On ordered scales it treats small and large errors alike, which costs
accuracy; on binary scales with few ratings per rater it can be the better choice.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ocrjury.arrays import Floats
from ocrjury.ratings import RatingTable
from ocrjury.ratings.table_checks import check_table
from ocrjury.truth.confusion_prior import diagonal_confusion
from ocrjury.truth.expectation_maximization import Model, Search, fit_model
from ocrjury.truth.fitting import (
    check_class_prior,
    check_strength,
    gather_evidence,
    prior_of_labels,
    prior_of_raters,
    truth_of,
)
from ocrjury.truth.labels import Truth
from ocrjury.truth.method_names import ClassPrior
from ocrjury.truth.rating_blocks import leave_one_out_counts


def one_coin(
    t: RatingTable,
    *,
    strength: float = 4.0,
    class_prior: ClassPrior = "tempered",
    gold: Mapping[Any, Any] | None = None,
    warm_start: Truth | None = None,
    max_iter: int = 200,
    tol: float = 1e-6,
    accelerate: bool = True,
) -> Truth:
    """Truth under one accuracy per rater.

    Parameters
    ----------
    strength
        Number of ratings that the typical rater's accuracy is worth; 0 is maximum likelihood.
    class_prior, gold, warm_start, max_iter, tol, accelerate
        As in `dawid_skene`.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> t = RatingTable.from_matrix([[1, 1, 0], [0, 0, 1], [1, 1, 1]], scale=Scale.binary())
    >>> one_coin(t).label.tolist()
    [1, 0, 1]
    """
    check_table(t, "one_coin")
    check_strength(strength, automatic=False)
    check_class_prior(class_prior)
    search = Search(max_iter, tol, accelerate)
    evidence = gather_evidence(t, caller="one_coin", gold=gold, warm_start=warm_start)
    n_categories = len(t.categories)
    counts = leave_one_out_counts(evidence.blocks)
    base = diagonal_confusion(n_categories)
    typical = _one_accuracy((counts + base)[None])[0]
    # The strength counts ratings of a rater over all true categories; each row gets its share.
    pseudo = strength / n_categories * typical
    model = Model(evidence.blocks, pseudo, prior_of_raters(t, class_prior), _one_accuracy)
    fit = fit_model(model, model.maximize(evidence.start), search)
    return truth_of(evidence, fit, label_prior=prior_of_labels(t, class_prior))


def _one_accuracy(counts: Floats) -> Floats:
    """Confusion matrices with one accuracy each, from counts, both of shape (M, K, K)."""
    n_categories = counts.shape[1]
    if n_categories == 1:
        return np.ones_like(counts)
    total = counts.sum(axis=(1, 2))
    right = np.einsum("rkk->r", counts)
    even = np.full_like(total, 1 / n_categories)
    accuracy = np.divide(right, total, out=even, where=total > 0)[:, None, None]
    diagonal = np.eye(n_categories, dtype=bool)
    return np.asarray(np.where(diagonal, accuracy, (1 - accuracy) / (n_categories - 1)))
