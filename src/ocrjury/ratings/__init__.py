"""Ratings of items by raters on a declared scale."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.ratings.dimension_tables import rating_tables
    from ocrjury.ratings.table import RatingTable

__all__ = ["RatingTable", "rating_tables"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
