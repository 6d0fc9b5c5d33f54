"""What all models of raters share: options, start, and the truth that a fit gives."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.cautions import model_warnings, table_warnings
from ocrjury.truth.class_priors import CLASS_PRIORS, ClassPrior
from ocrjury.truth.expectation_maximization import Fit
from ocrjury.truth.gold_items import clamp, place_gold, unknown_gold
from ocrjury.truth.labels import Floats, Truth, describe_truth, scale_categories
from ocrjury.truth.likelihood import RatingBlocks, posterior, rating_blocks
from ocrjury.truth.votes import refuse_slider, vote_shares


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
        Probabilities to begin with, shape (N, K).
    warnings
        Sentences about the input.
    """

    table: RatingTable
    gold: dict[int, int]
    blocks: RatingBlocks
    start: Floats
    warnings: tuple[str, ...]


def gather_evidence(
    t: RatingTable, *, who: str, gold: Mapping[Any, Any] | None, warm_start: Truth | None
) -> Evidence:
    """Return the table made ready for fitting; shares of ratings are the start."""
    refuse_slider(t, who)
    places = place_gold(gold, t.items, scale_categories(t))
    n_categories = len(t.categories)
    start = vote_shares(t, missing=np.full(n_categories, 1 / n_categories))
    if warm_start is not None:
        _take_over(start, t, warm_start)
    clamp(start, places)
    odd = unknown_gold(gold, t.items)
    warnings = (*table_warnings(t), *([odd] if odd else []))
    return Evidence(t, places, rating_blocks(t, places), start, warnings)


def truth_of(evidence: Evidence, fit: Fit) -> Truth:
    """Return the truth that fitted parameters give."""
    probabilities, log_likelihood = posterior(evidence.blocks, fit.parameters)
    table = evidence.table
    shares = probabilities.mean(axis=0) if table.n_items else fit.parameters.class_prior
    cautions = model_warnings(
        table,
        fit.parameters.confusion,
        shares,
        unsettled_after=None if fit.converged else len(fit.objective),
    )
    return describe_truth(
        table,
        probabilities,
        fit.parameters,
        log_likelihood=log_likelihood,
        objective=fit.objective,
        converged=fit.converged,
        warnings=(*evidence.warnings, *cautions),
    )


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


def _take_over(start: Floats, t: RatingTable, earlier: Truth) -> None:
    """Start from the probabilities of an earlier truth wherever it has the item, in place."""
    if not np.array_equal(earlier.categories, scale_categories(t)):
        raise InputError(
            f"warm_start has the categories {earlier.categories.tolist()}, the table "
            f"{scale_categories(t).tolist()}. Start from a truth on the same scale."
        )
    place = {item: row for row, item in enumerate(earlier.items)}
    common = [(row, place[item]) for row, item in enumerate(t.items) if item in place]
    if common:
        rows, sources = np.array(common).T
        start[rows] = earlier.probabilities[sources]
