"""Contrasts of every group of a sample with the whole pool.

The severity of raters who judged both cancels, so a few raters who differ widely can still tell
which group is worse, though not how good it is.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy.typing as npt

from ocrjury.estimate import Estimate
from ocrjury.estimation.gold import GoldLevel
from ocrjury.estimation.group_fits import GroupFits
from ocrjury.estimation.headline import WHOSE, fit_rated
from ocrjury.estimation.interval import Part
from ocrjury.estimation.pair import Pair, Side, difference_of
from ocrjury.estimation.rated_sample import RatedSample
from ocrjury.estimation.rating_data import item_ids
from ocrjury.estimation.tastes import Tastes, tastes_between


def less_the_pool(
    sample: RatedSample,
    pool_means: Mapping[object, npt.ArrayLike],
    *,
    group: str,
    confidence: float = 0.95,
) -> dict[object, Estimate]:
    """Mean of each group that has ratings, less that of the whole pool, to other raters.

    Undefined where no two raters judged two groups, so that nothing shows who minds which of them.

    Parameters
    ----------
    sample
        Gold, which moves both alike, is of no use.
    pool_means, group
        As in `RatedSample.means_by`, whose means these are.
    confidence
        Level of each interval.

    Examples
    --------
    >>> import pandas as pd
    >>> items = pd.DataFrame({"item": list("abcdef"), "inclusion_probability": 0.1})
    >>> items["kind"] = ["bill"] * 3 + ["form"] * 3
    >>> rated = {"item": list("aabbccddeeff"), "rater": ["x", "y"] * 6}
    >>> ratings = pd.DataFrame({**rated, "rating": [5, 3, 4, 2, 5, 3, 2, 1, 3, 1, 2, 0]})
    >>> sample = RatedSample(ratings, items, [[]] * 6, [])
    >>> apart = less_the_pool(sample, {"bill": [], "form": []}, group="kind")
    >>> {name: round(difference.value, 2) for name, difference in apart.items()}
    {'bill': 1.08, 'form': -1.08}
    """
    fits = sample.fits_by(group, pool_means)
    if fits is None:
        return {}
    ids = item_ids(sample.items)
    whole = fit_rated(sample.data, sample.known, sample.data.reliable)
    everything = Side([ids[row] for row in whole.rows], whole, GoldLevel(), whole)
    tastes = tastes_between(fits.by_group.values())
    apart = {}
    for name, fit in fits.by_group.items():
        side = Side([ids[row] for row in fit.rows], fit, GoldLevel(), whole)
        pair = Pair((everything, side), coordinated=True)
        of_raters = pair.rater_parts()
        parts = None
        if of_raters is not None and tastes is not None:
            parts = [*of_raters, _taste_part(tastes, fits, name)]
        contrast = difference_of(pair, parts, raters="others", confidence=confidence)
        method = f"{fit.mean.method}, less the pool, {WHOSE['others']}"
        # The group's ratings are among those of all.
        apart[name] = replace(contrast, n_ratings=len(everything.raters), method=method)
    return apart


def _taste_part(tastes: Tastes, fits: GroupFits, name: object) -> Part:
    """Error from tastes: of those in this group as far as it is not the whole, and of the others.

    W_h is the weight of group h in the whole, d_hr that of a rater's ratings in the group's mean.
    """
    factor = 0.0
    for group, fit in fits.by_group.items():
        weight = float(fits.whole.mean.weight[fits.inside[group]].sum())
        factor += (1 - weight if group == name else weight) ** 2 * float(fit.direct @ fit.direct)
    return tastes.part.times(factor)
