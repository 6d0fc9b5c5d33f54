"""Statistical tests for rater biases: systematic departures from the quality of the items."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.bias.findings import BiasFinding
    from ocrjury.bias.measurement import measure_bias
    from ocrjury.bias.profiles import rater_profiles

__all__ = ["BiasFinding", "measure_bias", "rater_profiles"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
