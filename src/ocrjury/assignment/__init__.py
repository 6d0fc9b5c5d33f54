"""Assignment of items to raters, and the order of each rater's items."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.assignment.plan import assign_raters, missing_ratings
    from ocrjury.assignment.sessions import order_sessions

__all__ = ["assign_raters", "missing_ratings", "order_sessions"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
