"""Distributions of a pool's metrics, its confusions, its confidences and its groups, as counts.

Every record has the size of its chart or table, whatever the size of the pool.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ocrjury.findings.record import UNKNOWN, Measured, Number, Record, Sentence

Edit = Literal["replace", "insert", "delete"]
Right = Literal["exact", "characters", "critical"]
"""Target of a confidence: every character right, the share of right characters, or no
critical error by the field rules."""

SHADES = (0.15, 0.35, 0.55, 0.75, 1.0)
"""Opacities of marks that count, from one document to the most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricDistribution(Record):
    """Histogram of one metric over the pool; ``beyond`` values are drawn in the last bin.

    ``tail`` is the percentile ``tail_at`` on the side of the bad values: the 95th of error rates,
    the 5th of metrics that are better the higher they are. ``best`` counts documents without error.
    """

    metric: str
    edges: tuple[Number, ...]
    counts: tuple[int, ...]
    mean: Number
    median: Number
    tail: Number
    tail_at: Number
    best: int
    beyond: int = 0

    @property
    def n(self) -> int:
        """Number of documents with a value."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Cell(Record):
    """Number of documents in one cell of a grid, counted from 0 at the lowest values."""

    column: int
    row: int
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPair(Record):
    """Documents by two metrics, on a grid of equal cells from 0 to ``x_end`` and ``y_end``.

    ``beyond`` documents are drawn in the last column or row; ``above`` lie over the line y = x, on
    which ``equal`` lie.
    """

    x: str
    y: str
    x_end: Number
    y_end: Number
    bins: int
    cells: tuple[Cell, ...]
    beyond: int
    above: int
    equal: int

    @property
    def n(self) -> int:
        """Number of documents with both values."""
        return sum(cell.n for cell in self.cells)

    @property
    def most(self) -> int:
        """Number of documents in the fullest cell."""
        return max((cell.n for cell in self.cells), default=0)

    @property
    def shades(self) -> tuple[float, ...]:
        """Opacities of cells, from one document to the fullest cell."""
        return SHADES

    def shade(self, n: int) -> float:
        """Opacity of a cell by the logarithm of its number of documents."""
        return shade(n, self.most)


def shade(n: int, most: int) -> float:
    """Opacity of a mark by the logarithm of its number of documents.

    >>> shade(1, 900), shade(30, 900), shade(900, 900)
    (0.15, 0.55, 1.0)
    """
    share = math.log(n) / math.log(most) if most > 1 else 1.0
    return SHADES[round(share * (len(SHADES) - 1))]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRanks(Record):
    """Spearman's rank correlation of every pair of metrics, over documents that have all."""

    metrics: tuple[str, ...]
    rows: tuple[tuple[Number, ...], ...]
    n: int


@dataclass(frozen=True, slots=True)
class CharacterConfusion(Record):
    """One character read as another; the missing side of an insertion or deletion is empty."""

    reference: str
    hypothesis: str
    edit: Edit
    n: int
    pages: int
    """Pages with this confusion; at most the number from which a confusion may be printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusions(Record):
    """Edits of single characters over the pool, and the most frequent of them.

    ``pairs`` is empty where the campaign shows no texts; where it masks them, it has only what was
    seen on at least ``least_pages`` pages.
    """

    edits: Mapping[Edit, int]
    distinct: int
    pairs: tuple[CharacterConfusion, ...]
    least_pages: int = 1

    @property
    def n(self) -> int:
        """Number of edits."""
        return sum(self.edits.values())


@dataclass(frozen=True, slots=True)
class ConfidenceBin(Record):
    """Documents of one bin of confidence: mean confidence, and share that is right."""

    low: Number
    high: Number
    n: int
    confidence: Number
    right: Measured


@dataclass(frozen=True, slots=True)
class Coverage(Record):
    """Share that is wrong among the most confident documents.

    ``low`` and ``high`` end its 95% interval over pages; nan where the pool is fully known.
    """

    share: Number
    wrong: Number
    low: Number = math.nan
    high: Number = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceCheck(Record):
    """Confidence of one system against what it is about.

    ``n_missing`` documents have no confidence and ``n_outside`` an impossible one; both are left
    out. ``percentages`` tells that confidences were given from 0 to 100. Estimates have an interval
    only where some documents of the pool have no reference.
    """

    system: str
    right: Right
    n: int
    n_missing: int
    n_outside: int
    percentages: bool
    stated: Number
    correct: Number
    bins: tuple[ConfidenceBin, ...]
    calibration_error: Measured
    brier: Measured
    auroc: Measured
    coverage: tuple[Coverage, ...]
    pool: int
    """Documents of the system, or of the kinds that a field rule is about."""

    @property
    def constant(self) -> bool:
        """Whether all confidences fall in one bin with one value for every document."""
        return self.n > 0 and len(self.coverage) == 1


@dataclass(frozen=True, slots=True)
class GroupRow(Record):
    """Documents with one value of a column: size, empty outputs, error rate and exact share.

    ``critical`` is the share with a critical error of the ``judged``, on which a field rule says
    something.
    """

    name: Sentence | None
    n: int
    n_reference: int
    empty: int
    cer: Number
    exact: Number
    judged: int = 0
    critical: Number = math.nan


@dataclass(frozen=True, slots=True)
class PoolGroups(Record):
    """Documents by the values of a column, or by the quarters of a number."""

    column: str
    quarters: bool
    rows: tuple[GroupRow, ...]


@dataclass(frozen=True, slots=True)
class GroupMean(Record):
    """Mean rating of the documents with one value of a column.

    ``apart`` is that mean less the pool's, in which the severity of the raters cancels; ratings of
    gold items tell of it too.
    """

    name: Sentence | None
    n: int
    estimate: Measured
    few: bool = False
    apart: Measured = UNKNOWN


@dataclass(frozen=True, slots=True)
class GroupMeans(Record):
    """Mean rating by the values of a column; all ranges of a column hold at once."""

    dimension: str
    by_column: Mapping[str, tuple[GroupMean, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolMetrics(Record):
    """Charts of a scored pool in the report."""

    n: int
    n_reference: int
    n_empty: int
    distributions: tuple[MetricDistribution, ...] = ()
    pairs: tuple[MetricPair, ...] = ()
    ranks: MetricRanks | None = None
    confusions: Confusions | None = None
    confidences: tuple[ConfidenceCheck, ...] = ()
    groups: tuple[PoolGroups, ...] = ()
    tails: Mapping[str, Number] = field(default_factory=dict)
    """Percentile of every metric on the side of its bad values."""

    @property
    def known(self) -> bool:
        """Whether every document has a reference, so that values have no sampling error."""
        return self.n_reference == self.n

    def tail(self, metric: str) -> float:
        """Percentile of a metric on the side of its bad values, nan where unknown."""
        return self.tails.get(metric, math.nan)
