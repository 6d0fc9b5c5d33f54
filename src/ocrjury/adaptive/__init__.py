"""Which items deserve another rating, and which only a person's decision can settle."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.adaptive.disputes import disputed_items
    from ocrjury.adaptive.selection import next_ratings
    from ocrjury.adaptive.settlement import settled_values, unsettled_items

__all__ = ["disputed_items", "next_ratings", "settled_values", "unsettled_items"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(
        __name__,
        {
            "disputed_items": "disputes",
            "next_ratings": "selection",
            "settled_values": "settlement",
            "unsettled_items": "settlement",
        },
    )
