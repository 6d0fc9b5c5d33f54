"""OCR systems of one pool: their means, differences and preferences."""

import math
from dataclasses import dataclass

from ocrjury.findings.pool_estimates import TypeEstimate
from ocrjury.findings.record import Measured, Number, Record

FEWEST_ITEMS = 20
"""Rated documents below which nothing is estimated of a system."""


@dataclass(frozen=True, slots=True)
class SystemMean(Record):
    """One OCR system: its documents in the pool and what is estimated of them.

    ``estimate`` is their mean rating, ``share`` that at the target's level or better if the target
    is a share, ``cer`` their pooled character error rate, ``types`` the mean of each document type.
    Of a system with too few rated documents the estimates are undefined.
    """

    system: str
    pool: int
    estimate: Measured
    cer: Number = math.nan
    share: Measured | None = None
    types: tuple[TypeEstimate, ...] = ()


@dataclass(frozen=True, slots=True)
class SystemDifference(Record):
    """The mean of system a less that of b; ``both`` counts pages rated of both.

    ``estimate`` is what these raters find, ``others`` the same for others like them. ``paired``
    says that pages were drawn for both and compared one by one.
    """

    a: str
    b: str
    both: int
    estimate: Measured
    others: Measured
    paired: bool = False


@dataclass(frozen=True, slots=True)
class Systems(Record):
    """OCR systems of one pool on one dimension; ``differences`` only where pages are the same."""

    dimension: str
    systems: tuple[SystemMean, ...]
    differences: tuple[SystemDifference, ...]

    @property
    def estimated(self) -> tuple[SystemMean, ...]:
        """Systems with a mean."""
        return tuple(system for system in self.systems if system.estimate.defined)


@dataclass(frozen=True, slots=True)
class SystemShare(Record):
    """Share of the pool's pages on which one OCR system is preferred.

    ``estimate`` is what these raters prefer, ``others`` the same for others like them.
    """

    system: str
    estimate: Measured
    others: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences(Record):
    """Preferences of raters who saw all outputs of a page.

    ``same`` is the share of pages without a difference; ``p_value`` that of the sign test, nan
    without one.
    """

    systems: tuple[SystemShare, ...]
    same: Measured
    pages: int
    raters: int
    answers: int
    p_value: Number = math.nan
