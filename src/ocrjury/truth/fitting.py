"""What all models of raters share: options, start, and the truth that a fit gives."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.cautions import model_warnings, table_warnings
from ocrjury.truth.class_priors import CLASS_PRIORS, ClassPrior, prior_of_labels
from ocrjury.truth.expectation_maximization import Fit
from ocrjury.truth.gold_items import place_gold, unknown_gold
from ocrjury.truth.labels import Floats, Parameters, Truth, describe_truth, scale_categories
from ocrjury.truth.likelihood import Expectation, joint_logs, posterior
from ocrjury.truth.rating_blocks import RatingBlocks, rating_blocks
from ocrjury.truth.rating_weight import rooted_logs, rooted_posterior
from ocrjury.truth.start import earlier_truth, starting_counts
from ocrjury.truth.votes import refuse_slider

_MANY = 50  # ratings of an item from which posteriors are too small to be rooted


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """A table made ready for fitting.

    Attributes
    ----------
    table
        The ratings.
    gold
        {place of item: place of its known category}.
    blocks
        The ratings as sparse blocks.
    start
        Expected counts to begin with.
    warnings
        Sentences about the input.
    """

    table: RatingTable
    gold: dict[int, int]
    blocks: RatingBlocks
    start: Expectation
    warnings: tuple[str, ...]


def gather_evidence(
    t: RatingTable, *, who: str, gold: Mapping[Any, Any] | None, warm_start: Truth | None
) -> Evidence:
    """Table made ready for fitting."""
    refuse_slider(t, who)
    places = place_gold(gold, t.items, scale_categories(t))
    blocks = rating_blocks(t, places)
    earlier = None if warm_start is None else earlier_truth(t, warm_start)
    odd = unknown_gold(gold, t.items)
    warnings = (*table_warnings(t), *([odd] if odd else []))
    return Evidence(t, places, blocks, starting_counts(blocks, earlier), warnings)


def truth_of(
    evidence: Evidence, fit: Fit, *, class_prior: ClassPrior, rooted: bool = False
) -> Truth:
    """Truth that fitted parameters give; ``rooted`` as of `Truth`."""
    table = evidence.table
    prior = prior_of_labels(table, class_prior)
    parameters = fit.parameters if prior is None else fit.parameters._replace(class_prior=prior)
    probabilities, log_likelihood = posterior(evidence.blocks, parameters)
    if rooted:
        _root(probabilities, evidence.blocks, parameters)
    shares = probabilities.mean(axis=0) if table.n_items else parameters.class_prior
    cautions = model_warnings(
        table,
        evidence.blocks,
        parameters.confusion,
        shares=shares,
        unsettled_after=None if fit.converged else len(fit.objective),
    )
    return describe_truth(
        table,
        probabilities,
        parameters,
        log_likelihood=log_likelihood,
        objective=fit.objective,
        converged=fit.converged,
        warnings=(*evidence.warnings, *cautions),
        known=evidence.gold,
        rooted=rooted,
    )


def _root(probabilities: Floats, blocks: RatingBlocks, parameters: Parameters) -> None:
    """Turn posteriors, shape (N, K), into rooted ones, in place: no second array of N rows.

    Of many ratings the posterior itself is 0 where its root is not.
    """
    for block in blocks.blocks:
        shares, number = probabilities[block.rows], np.diff(block.ratings.indptr)
        rooted_posterior(shares, number, out=shares)
        deep = np.flatnonzero(number > _MANY)
        if len(deep):
            logs = joint_logs(block, deep, parameters)
            shares[deep] = rooted_logs(logs, number[deep])


def check_class_prior(class_prior: ClassPrior) -> None:
    """Raise if the class prior is none of those known."""
    if class_prior not in CLASS_PRIORS:
        raise InputError(
            f"class_prior must be one of {', '.join(CLASS_PRIORS)}; found {class_prior!r}."
        )


def check_strength(strength: object, *, automatic: bool = True) -> None:
    """Raise if the strength is neither a finite number from 0 nor, where allowed, "auto"."""
    if automatic and strength == "auto":
        return
    if not isinstance(strength, int | float) or not 0 <= strength < math.inf:
        allowed = '"auto" or a number' if automatic else "a number"
        raise InputError(
            f"strength must be {allowed} of pseudo-ratings, not below 0; found {strength!r}."
        )
