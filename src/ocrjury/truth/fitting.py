"""Steps that all models of raters share: options, starting point, and the truth from a fit."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, get_args

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.cautions import model_warnings, table_warnings
from ocrjury.truth.expectation_maximization import Fit
from ocrjury.truth.gold_items import place_gold, unknown_gold
from ocrjury.truth.labels import Parameters, Truth, describe_truth, scale_categories
from ocrjury.truth.likelihood import Expectation, by_true, joint_logs, posterior
from ocrjury.truth.method_names import ClassPrior
from ocrjury.truth.rating_blocks import Block, RatingBlocks, rating_blocks, votes
from ocrjury.truth.rating_weight import rooted_logs, rooted_posterior
from ocrjury.truth.votes import refuse_continuous

_MANY = 50  # with more ratings of an item, posteriors underflow before their root is taken

TEMPERED = 0.75
"""Exponent of the class prior in labels where errors keep the shares of the categories and raters
agree as much by being right as by giving one answer to everything."""
_TEMPERED_SHARES = math.sqrt(3) / 2
"""The same where shares of ratings are the class prior; times 1 / sqrt(3), as for three ratings, it
is one half."""


@dataclass(frozen=True, slots=True, eq=False)
class FittingInput:
    """A table prepared for fitting.

    Attributes
    ----------
    table
        The ratings.
    gold
        {place of item: place of its known category}.
    blocks
        The ratings as sparse blocks.
    start
        Expected counts at the start.
    warnings
        Warnings about the input.
    """

    table: RatingTable
    gold: dict[int, int]
    blocks: RatingBlocks
    start: Expectation
    warnings: tuple[str, ...]


def gather_evidence(
    t: RatingTable, *, caller: str, gold: Mapping[Any, Any] | None, warm_start: Truth | None
) -> FittingInput:
    """Table prepared for fitting."""
    refuse_continuous(t, caller)
    places = place_gold(gold, t.items, scale_categories(t))
    blocks = rating_blocks(t, places)
    earlier = None if warm_start is None else earlier_truth(t, warm_start)
    unknown = unknown_gold(gold, t.items)
    warnings = (*table_warnings(t), *([unknown] if unknown else []))
    return FittingInput(t, places, blocks, starting_counts(blocks, earlier), warnings)


class Earlier(NamedTuple):
    """Probabilities of an earlier truth, and each item's row in them, -1 where it has none."""

    probabilities: Floats
    row: Integers


def earlier_truth(t: RatingTable, truth: Truth) -> Earlier:
    """Probabilities of an earlier truth, matched to the items of a table."""
    if not np.array_equal(truth.categories, scale_categories(t)):
        raise InputError(
            f"warm_start has the categories {truth.categories.tolist()}, the table "
            f"{scale_categories(t).tolist()}. Start from a truth on the same scale."
        )
    place = {item: row for row, item in enumerate(truth.items)}
    rows = np.array([place.get(item, -1) for item in t.items], dtype=np.int64)
    return Earlier(truth.probabilities, rows)


def starting_counts(blocks: RatingBlocks, earlier: Earlier | None = None) -> Expectation:
    """Expected counts if the truth of each item is distributed like its ratings.

    An item without ratings is uniform; an earlier truth or a known category replaces the ratings.
    The likelihood is ``nan``.
    """
    n_categories = blocks.n_categories
    counts = np.zeros((blocks.n_raters * n_categories, n_categories))
    mass = np.zeros(n_categories)
    for block in blocks.blocks:
        shares = _shares(block, n_categories)
        if earlier is not None:
            row = earlier.row[block.rows]
            shares[row >= 0] = earlier.probabilities[row[row >= 0]]
        shares[block.known] = np.eye(n_categories)[block.category]
        counts += block.ratings.T @ shares
        mass += np.ones(len(shares)) @ shares
    return Expectation(np.nan, by_true(counts, blocks), mass)


def _shares(block: Block, n_categories: int) -> Floats:
    """Shares of an item's ratings, shape (n, K); uniform without any."""
    counts = votes(block, n_categories)
    total = counts @ np.ones(n_categories)
    counts[total == 0] = 1.0
    return np.asarray(counts / np.where(total == 0, n_categories, total)[:, None])


def truth_of(
    evidence: FittingInput,
    fit: Fit,
    *,
    label_prior: Floats | None,
    dependence: float = 0.0,
    bounded: bool = False,
) -> Truth:
    """Truth from fitted parameters.

    Parameters
    ----------
    label_prior
        Class prior for inferring labels, shape (K,), None for that of the fit.
    dependence, bounded
        As in `Truth`.
    """
    table = evidence.table
    parameters = fit.parameters
    if label_prior is not None:
        parameters = parameters._replace(class_prior=label_prior)
    probabilities, log_likelihood = posterior(evidence.blocks, parameters)
    if dependence > 0:
        _root(probabilities, evidence.blocks, parameters, dependence=dependence, bounded=bounded)
    shares = probabilities.mean(axis=0) if table.n_items else parameters.class_prior
    cautions = model_warnings(
        table,
        evidence.blocks,
        parameters.confusion,
        shares=shares,
        stopped_after=None if fit.converged else len(fit.objective),
    )
    truth = describe_truth(
        table,
        probabilities,
        parameters,
        log_likelihood=log_likelihood,
        objective=fit.objective,
        converged=fit.converged,
        warnings=(*evidence.warnings, *cautions),
        known=evidence.gold,
        dependence=dependence,
    )
    return replace(truth, bounded=bounded)


def _root(
    probabilities: Floats,
    blocks: RatingBlocks,
    parameters: Parameters,
    *,
    dependence: float,
    bounded: bool,
) -> None:
    """Replace posteriors, shape (N, K), by rooted ones, in place to save a second array of N rows.

    With many ratings the posterior underflows to 0 where its root would not.
    """
    for block in blocks.blocks:
        shares, number = probabilities[block.rows], np.diff(block.ratings.indptr)
        rooted_posterior(shares, number, dependence=dependence, bounded=bounded, out=shares)
        many = np.flatnonzero(number > _MANY)
        if len(many):
            logs = joint_logs(block, many, parameters)
            shares[many] = rooted_logs(logs, number[many], dependence=dependence, bounded=bounded)


def check_class_prior(class_prior: ClassPrior) -> None:
    """Raise on an unknown class prior."""
    if class_prior not in get_args(ClassPrior):
        raise InputError(
            f"class_prior must be one of {', '.join(get_args(ClassPrior))}; found {class_prior!r}."
        )


def check_strength(strength: object, *, automatic: bool = True) -> None:
    """Raise unless the strength is a finite number from 0 or, where allowed, "auto"."""
    if automatic and strength == "auto":
        return
    if not isinstance(strength, int | float) or not 0 <= strength < math.inf:
        allowed = '"auto" or a number' if automatic else "a number"
        raise InputError(
            f"strength must be {allowed} of pseudo-ratings, not below 0; found {strength!r}."
        )


def prior_of_raters(table: RatingTable, kind: ClassPrior) -> Floats | None:
    """Class prior for estimating raters, shape (K,), None if it is to be estimated.

    Raters are always estimated with shares that fit the ratings; otherwise their confusion matrices
    would compensate for the difference.
    """
    powers = {"votes": 1.0, "tempered": 1.0, "uniform": 0.0}
    return None if kind == "estimated" else shares_of_ratings(table, power=powers[kind])


def prior_of_labels(table: RatingTable, kind: ClassPrior) -> Floats | None:
    """Class prior for inferring labels, shape (K,), None to use that of the raters.

    ``"tempered"`` shrinks the shares of ratings towards uniform: with few ratings per item an
    estimated prior drifts to the common categories, and a uniform one ignores that they are common.
    """
    return shares_of_ratings(table, power=_TEMPERED_SHARES) if kind == "tempered" else None


def shares_of_ratings(
    table: RatingTable, *, power: float = 1.0, credit: Floats | None = None
) -> Floats:
    """Shares of ratings raised to a power, shape (K,), with one pseudo-rating per category.

    Items have equal weight, however many ratings they have: adaptive rounds collect more ratings on
    difficult items, which does not make their categories more common. ``credit`` is the weight of
    each rater's ratings, shape (M,), 1 by default.
    """
    number = np.maximum(np.bincount(table.item, minlength=table.n_items), 1)
    weights = 1 / number[table.item]
    ratings_per_item = len(table.codes) / max(weights.sum(), 1)
    if credit is not None:
        weights *= credit[table.rater]
    votes = np.bincount(table.codes, weights=weights, minlength=len(table.categories))
    return normalized((votes * ratings_per_item + 1.0) ** power)


def normalized(weights: Floats) -> Floats:
    """Weights divided by their sum."""
    return np.asarray(weights / weights.sum())
