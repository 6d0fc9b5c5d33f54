"""Reading OCR results into a pool frame, whatever files they come in."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.readers.batches import PoolBatches, iter_pool
    from ocrjury.readers.pool import read_pool, read_units

__all__ = ["PoolBatches", "iter_pool", "read_pool", "read_units"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
