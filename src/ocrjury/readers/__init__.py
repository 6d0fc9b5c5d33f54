"""Reading OCR results into a pool frame, whatever file they come in."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.readers.pool import read_pool

__all__ = ["read_pool"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__, {"read_pool": "pool"})
