"""Rows of the table of statistics about one rater."""

from collections.abc import Mapping
from typing import Final, Literal

from ocrjury.language import phrase
from ocrjury.statistic_kinds import Statistic, description, of_points

PilotMeasure = Literal["share_within", "mean_absolute_error", "weighted_kappa"]
"""Statistics by which a pilot may be judged."""


def is_error(measure: str) -> bool:
    """Return whether a pilot's measure is an error: less of it is better, and the limit the most.

    Examples
    --------
    >>> is_error("mean_absolute_error"), is_error("weighted_kappa")
    (True, False)
    """
    return measure == "mean_absolute_error"


OF_RATERS: Final[Mapping[str, Statistic]] = {
    "alpha_gain": Statistic(
        phrase("gain of Krippendorff's alpha without the rater"),
        phrase("Gain without"),
        phrase("How much of the disagreement is due to one rater"),
        low=-2,
        high=2,
        undefined=("fewer_than_two_raters", "no_pairable_items", "no_variation"),
    ),
    "rater_mean": of_points(
        phrase("mean of the rater's ratings"),
        phrase("Mean"),
        phrase("How high the ratings of one rater are; each rater has items of their own"),
    ),
    "equal_to_label": description(
        phrase("share of the rater's ratings equal to the label"),
        phrase("Equal to label"),
        phrase("How often the ratings of one rater equal the inferred label of the item"),
        unit="share",
        undefined=("scale_mismatch",),
    ),
    "share_within": description(
        phrase("share of ratings as expected"),
        phrase("Share of ratings as expected"),
        phrase("How often one rater comes as near the expected ratings as the pilot allows"),
        unit="share",
        undefined=("no_items",),
    ),
    "weighted_kappa": Statistic(
        phrase("weighted kappa with the expected ratings"),
        phrase("Weighted kappa with the expected ratings"),
        phrase("Agreement of one rater with the expected ratings beyond chance"),
        undefined=("no_items", "scale_mismatch", "no_variation"),
    ),
    "mean_absolute_error": of_points(
        phrase("mean distance from the expected ratings"),
        phrase("Mean distance from the expected ratings"),
        phrase("How far the ratings of one rater are from the expected ones, on average"),
        low=0,
        undefined=("no_items", "scale_mismatch"),
    ),
}
