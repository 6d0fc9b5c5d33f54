"""Whether the raters agree, and where they do not."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ocrjury.estimate import Estimate
from ocrjury.report.evidence import ItemRating


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSummary:
    """How the kappas of all pairs of raters spread on one dimension; nan where nothing does.

    ``n`` pairs have a kappa, ``undefined`` have too few items in common or do not vary.
    """

    n: int
    undefined: int
    mean: float
    sd: float
    min: float
    median: float
    max: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """On how many items with two or more ratings these lie ``threshold`` or more apart."""

    threshold: float
    n_items: int
    n: int
    rate: float


@dataclass(frozen=True, slots=True)
class Pattern:
    """A usual sign of trouble, as `ocrjury.agreement.find_problem_patterns` words it."""

    kind: str
    subjects: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How near an automatic judge comes to the raters (A^HA).

    ``ceiling`` is how near the raters come to each other on the same items (A^HH).
    """

    judge: str
    alignment: Estimate
    ceiling: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionAgreement:
    """What was measured on one dimension.

    ``estimates`` are what ``measure_agreement`` returned, by its keys; ``suggestions`` whole
    sentences on what would help. ``item_means`` counts items by the category to which their mean
    rounds, and is empty where categories have no order.
    """

    dimension: str
    estimates: Mapping[str, Estimate]
    pair_summary: PairSummary | None = None
    disagreement: Disagreement | None = None
    patterns: tuple[Pattern, ...] = ()
    suggestions: tuple[str, ...] = ()
    item_means: tuple[int, ...] = ()
    judges: tuple[JudgeAgreement, ...] = ()

    def get(self, statistic: str) -> Estimate:
        """Return a statistic; one that was not computed is undefined."""
        return self.estimates.get(statistic, Estimate(float("nan")))


@dataclass(frozen=True, slots=True)
class PairKappa:
    """Agreement of two raters on the items both rated."""

    rater_a: str
    rater_b: str
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class DividedItem:
    """An item on which raters lie far apart, on these dimensions, and what each gave."""

    item: str
    doc_type: str | None
    widest: float
    dimensions: tuple[str, ...]
    ratings: tuple[ItemRating, ...]


@dataclass(frozen=True, slots=True)
class MeanOver:
    """The mean of a statistic over the ``n`` dimensions where it is defined."""

    value: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement on first-pass independent ratings of the main round.

    ``pairs`` are kappas of ``pairs_dimension`` with the weights named. ``disagreements`` counts
    items whose ratings lie two levels or more apart on some dimension, ``divided`` are the first
    of those that divide raters most, the widest first. ``means`` are over dimensions, by statistic.
    """

    dimensions: tuple[DimensionAgreement, ...]
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
        """Return every automatic judge with the dimension it judged."""
        return tuple((row.dimension, one) for row in self.dimensions for one in row.judges)
