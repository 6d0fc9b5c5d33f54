"""Inferred label behind several ratings of an item, and the error rates of each rater."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.truth.calibration import calibrate, calibrated_truth, with_temperature
    from ocrjury.truth.calibration_record import Calibration
    from ocrjury.truth.dawid_skene_model import dawid_skene
    from ocrjury.truth.gold_items import with_known
    from ocrjury.truth.inference import aggregate
    from ocrjury.truth.labels import Truth
    from ocrjury.truth.one_coin_model import one_coin
    from ocrjury.truth.rater_quality import RaterQuality, measure_raters
    from ocrjury.truth.votes import majority_vote, mean_rating, median_rating

__all__ = [
    "Calibration",
    "RaterQuality",
    "Truth",
    "aggregate",
    "calibrate",
    "calibrated_truth",
    "dawid_skene",
    "majority_vote",
    "mean_rating",
    "measure_raters",
    "median_rating",
    "one_coin",
    "with_known",
    "with_temperature",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
