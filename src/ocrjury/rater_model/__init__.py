"""Severity and precision of raters, and variance components of ratings."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.rater_model.additive_model import AdditiveFit, fit_additive, fit_additive_table
    from ocrjury.rater_model.laplacian import pseudo_inverse
    from ocrjury.rater_model.precision import error_variances, fit_reliable
    from ocrjury.rater_model.severity import rater_severities

__all__ = [
    "AdditiveFit",
    "error_variances",
    "fit_additive",
    "fit_additive_table",
    "fit_reliable",
    "pseudo_inverse",
    "rater_severities",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
