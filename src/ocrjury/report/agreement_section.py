"""Whether the raters agree, and where they do not."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ocrjury.findings.agreement import AgreementFinding, JudgeAgreement, PairKappa
from ocrjury.findings.dimensions import MeanOver
from ocrjury.report.evidence import ItemRating


@dataclass(frozen=True, slots=True)
class DividedItem:
    """An item on which raters lie far apart, on these dimensions, and what each gave."""

    item: str
    doc_type: str | None
    widest: float
    dimensions: tuple[str, ...]
    ratings: tuple[ItemRating, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement on first-pass independent ratings of the main round.

    ``pairs`` are kappas of ``pairs_dimension`` with the weights named. ``disagreements`` counts
    items whose ratings lie two levels or more apart on some dimension, ``divided`` are the first
    of those that divide raters most, the widest first. ``means`` are over dimensions, by statistic.
    """

    dimensions: tuple[AgreementFinding, ...]
    means: Mapping[str, MeanOver] = field(default_factory=dict)
    pairs: tuple[PairKappa, ...] = ()
    pairs_dimension: str | None = None
    pairs_weights: str = "quadratic"
    disagreements: int | None = None
    double_rated: int = 0
    divided: tuple[DividedItem, ...] = ()
    basis: str = "first-pass independent ratings of the main round"

    @property
    def judges(self) -> tuple[tuple[str, JudgeAgreement], ...]:
        """Every automatic judge with the dimension it judged."""
        return tuple((row.dimension, judge) for row in self.dimensions for judge in row.judges)
