"""Level of the raters as a group: their mean deviation from known true ratings."""

from dataclasses import dataclass

import numpy as np

from ocrjury.estimation.interval import Part
from ocrjury.estimation.rating_data import RatingData
from ocrjury.rater_model import AdditiveFit


@dataclass(frozen=True, slots=True)
class GoldLevel:
    """Correction to subtract from all ratings, with its error.

    Attributes
    ----------
    usable
        Whether there were enough gold items.
    shift
        Mean deviation of the raters from gold, shrunk.
    part
        Error of the shift.
    warnings
        Whole sentences.
    """

    usable: bool
    shift: float
    part: Part
    warnings: tuple[str, ...]


def gold_level(data: RatingData, additive: AdditiveFit) -> GoldLevel:
    """Level of the raters against gold, by empirical Bayes.

    Relative severities are known from all ratings; gold is only needed for the raters' level D,
    the mean over G gold items of their severity-corrected deviation, with variance V. It is shrunk
    by A / (A + V), which leaves the error A V / (A + V) (empirical Bayes; Efron and Morris 1973,
    JASA 68, 117-130). A, the variance that such levels have, is the rater variance over M, or
    D^2 - V if that is larger, so that a clear level is removed almost entirely.
    """
    is_gold = np.isfinite(data.gold[data.item])
    item = data.item[is_gold]
    deviation = (data.value - additive.severity[data.rater])[is_gold] - data.gold[item]
    weight = additive.weight[data.rater[is_gold]]
    total = np.bincount(item, weight, data.n_items)
    means = np.bincount(item, weight * deviation, data.n_items)[total > 0] / total[total > 0]
    if len(means) < 2:
        sentence = (
            f"{len(means)} gold item(s) have ratings; the level of the raters needs at least 2, "
            "so gold was not used."
        )
        return GoldLevel(usable=False, shift=0.0, part=Part(0.0, 1), warnings=(sentence,))
    level, variance = float(means.mean()), float(means.var(ddof=1)) / len(means)
    between = np.nan_to_num(additive.rater_variance) / max(data.n_raters, 1)
    prior = max(float(between), level**2 - variance, 0.0)
    shrunk = prior / (prior + variance) if prior + variance > 0 else 0.0
    return GoldLevel(
        usable=True,
        shift=shrunk * level,
        part=Part(shrunk * variance, len(means) - 1),
        warnings=(),
    )
