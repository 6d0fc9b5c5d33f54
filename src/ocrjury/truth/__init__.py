"""The label behind several ratings of an item, and how far each rater can be believed."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.truth.calibration import calibrate, with_temperature
    from ocrjury.truth.dawid_skene_model import dawid_skene
    from ocrjury.truth.inference import aggregate
    from ocrjury.truth.labels import Truth
    from ocrjury.truth.one_coin_model import one_coin
    from ocrjury.truth.votes import majority_vote, mean_rating, median_rating

__all__ = [
    "Truth",
    "aggregate",
    "calibrate",
    "dawid_skene",
    "majority_vote",
    "mean_rating",
    "median_rating",
    "one_coin",
    "with_temperature",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(
        __name__,
        {
            "Truth": "labels",
            "aggregate": "inference",
            "calibrate": "calibration",
            "dawid_skene": "dawid_skene_model",
            "majority_vote": "votes",
            "mean_rating": "votes",
            "median_rating": "votes",
            "one_coin": "one_coin_model",
            "with_temperature": "calibration",
        },
    )
