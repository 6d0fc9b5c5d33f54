"""Expectations of an evaluation at the time its sample was drawn."""

from collections.abc import Mapping
from dataclasses import dataclass

from ocrjury.findings.record import Number, Record, Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Widths(Record):
    """Expected lengths of 95 % intervals; nan is endless.

    Of the mean for ``others`` and ``these`` raters in points of the scale, and of a ``share`` of
    one half.
    """

    others: Number
    these: Number
    share: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Record):
    """The first main round as planned, and the precision expected on one dimension.

    ``second_ratings`` are those of the ``assignments`` that ask a rater again. ``source`` names the
    earlier evaluation whose ``spreads`` of scores and raters were assumed, or is a sentence where
    nothing was ``measured``. Categories without order have no mean, so no source, spreads or
    widths.
    """

    dimension: str
    items: int
    assignments: int
    gold_ratings: int
    raters: int
    cost: Number
    hours: Number
    second_ratings: int = 0
    source: Sentence | None = None
    measured: bool = False
    spreads: Mapping[str, Number] | None = None
    widths: Widths | None = None
