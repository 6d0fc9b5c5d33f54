"""Difference of two OCR systems by ratings: to these raters, and to others like them.

Raters differ in how strict they are, which cancels, and in which system's errors they mind: that
is the *taste* of a rater, the difference that he or she alone would find. Other raters have other
tastes, so that a difference for them has one more source of error.
"""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import numpy.typing as npt

from ocrjury.estimate import Estimate
from ocrjury.estimation.gold import GoldLevel
from ocrjury.estimation.headline import WHOSE, fit_rated
from ocrjury.estimation.interval import Part
from ocrjury.estimation.linear_estimate import no_items
from ocrjury.estimation.pair import Pair, Side, difference_of
from ocrjury.estimation.rated_sample import RatedSample
from ocrjury.estimation.rater_error import RatedFit, Raters, rated_interval
from ocrjury.estimation.tastes import spread_of_moves


class Ranges(NamedTuple):
    """One difference with two intervals: for these raters, and for others like them."""

    these: Estimate
    others: Estimate


def compare_pairs(sample: RatedSample, *, confidence: float = 0.95) -> Ranges:
    """Mean difference over the pool of two outputs of a page that the same raters judged.

    Parameters
    ----------
    sample
        Ratings of one output less those of the other, by page and rater; the auxiliaries are those
        of both outputs.
    confidence
        Level of both intervals.

    Notes
    -----
    Severities of the additive fit are tastes here, so that every rater counts alike. With one rater
    there is no interval for others.

    Examples
    --------
    >>> import pandas as pd
    >>> items = pd.DataFrame({"item": list("abcd"), "inclusion_probability": 0.1})
    >>> found = {"item": list("aabbccdd"), "rater": ["x", "y"] * 4}
    >>> ratings = pd.DataFrame({**found, "rating": [1, 0, 1, 0, 2, -1, 2, 0]})
    >>> these, others = compare_pairs(RatedSample(ratings, items))
    >>> these.value == others.value, bool(these.low > 0), bool(others.low > 0)
    (True, True, False)
    """
    data = sample.data
    if not data.sampled.any():
        return _nothing()
    fit = fit_rated(data, sample.known, data.equal)
    return Ranges(*(_of_pairs(fit, raters, confidence) for raters in ("these", "others")))


def _of_pairs(fit: RatedFit, raters: Raters, confidence: float) -> Estimate:
    estimate = Estimate(
        fit.mean.value,
        n_items=len(fit.rows),
        n_raters=fit.n_raters,
        n_ratings=int(fit.data.sampled.sum()),
        method=f"{fit.mean.method}, paired difference, {WHOSE[raters]}",
        warnings=fit.mean.warnings,
    )
    return rated_interval(
        estimate, fit, level=GoldLevel(), raters=raters, share=False, confidence=confidence
    )


def compare_groups(
    sample: RatedSample,
    pool_means: Mapping[object, npt.ArrayLike],
    *,
    group: str,
    unit: str,
    of: tuple[object, object],
    coordinated: bool,
    confidence: float = 0.95,
) -> Ranges:
    """Difference of the means of two groups of one sample, the first less the second.

    Parameters
    ----------
    sample
        Gold, which moves both groups alike, is of no use.
    pool_means, group
        As in `RatedSample.means_by`, whose means these are.
    unit
        Column of the items that names what may be in both groups, such as the page of an output.
    of
        The two groups.
    coordinated
        Whether a unit was drawn for both groups at once.
    confidence
        Level of both intervals.
    """
    fits = sample.fits_by(group, pool_means)
    if fits is None or not set(of) <= set(fits.by_group):
        return _nothing()
    units = sample.items[unit].tolist()
    second, first = (
        Side([units[row] for row in fit.rows], fit, GoldLevel(), fits.whole)
        for fit in (fits.by_group[name] for name in of)
    )
    pair = Pair((first, second), coordinated=coordinated)
    of_raters, tastes = pair.rater_parts(), taste_part(first.fit, second.fit)
    everything = None if of_raters is None or tastes is None else [*of_raters, tastes]
    difference = partial(difference_of, pair, confidence=confidence, what="difference")
    return Ranges(
        difference(of_raters, raters="these"),
        difference(everything, raters="others"),
    )


def taste_part(first: RatedFit, second: RatedFit) -> Part | None:
    """Error of a difference from having these raters' tastes; None where fewer than two show one.

    A taste is what a rater's ratings leave unexplained on one side, less that on the other; the
    error is that of a mean of as many tastes as there are raters at equal weight.
    """
    spread = spread_of_moves(first, second)
    share = first.share + second.share
    return None if spread is None else spread.times(float(share @ share / share.sum() ** 2))


def _nothing() -> Ranges:
    """Undefined, where no rating is of a sampled item."""
    return Ranges(*(no_items(f"difference, {WHOSE[raters]}") for raters in ("these", "others")))
