"""Documents that need no person, because the OCR's confidence is high enough."""

from dataclasses import dataclass

from ocrjury.findings.record import Measured, Number, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingFinding(Record):
    """Routing by confidence on one dimension, as `ocrjury.estimation.Routing` has it.

    A document is ``wrong`` as far as raters put it below ``usable_level``; ``all_wrong`` is what
    `PoolEstimates.usable` leaves of the whole pool. ``unsure`` documents of ``pool`` have no
    confidence and are always checked. ``error``, ``check`` and ``currency`` are the campaign's
    costs.
    """

    dimension: str
    share: Measured
    threshold: Number
    wrong: Measured
    risk: Number
    all_wrong: Measured
    usable_level: Number
    pool: int
    unsure: int
    error: Number
    check: Number
    currency: str = ""
