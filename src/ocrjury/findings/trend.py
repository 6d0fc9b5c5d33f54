"""The pool's mean over evaluations of one campaign."""

import math
from dataclasses import dataclass

from ocrjury.findings.record import Measured, Number, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift(Record):
    """Drift of raters from one evaluation to the next.

    ``variance`` is that over raters, ``measured`` the same with the noise of ratings still in it,
    ``df`` the degrees of freedom of both.
    """

    variance: Number
    df: Number
    measured: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendRow(Record):
    """One evaluation of the campaign, and its change from the one before.

    ``both`` counts documents that were rated in both; ``same_rubric`` tells whether the rubric is
    that of the newest evaluation. ``drift`` is that of the raters since the one before, None where
    fewer than two judged both.
    """

    evaluation: str
    period: str
    mean: Measured
    change: Measured
    both: int = 0
    same_rubric: bool = True
    drift: Drift | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend(Record):
    """A dimension over evaluations, the oldest first and this one last.

    ``mean`` holds mean ratings; ``share`` the share of the pool at ``share_at_least`` or better,
    where the campaign's target is such a share. ``left_out`` are evaluations whose raters did not
    agree on the dimension; ``repeated`` those whose outputs, or ratings, a later row has again.
    """

    dimension: str
    mean: tuple[TrendRow, ...]
    share: tuple[TrendRow, ...] = ()
    share_at_least: Number = math.nan
    left_out: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()

    @property
    def is_share(self) -> bool:
        """Whether the target is a share."""
        return bool(self.share)

    @property
    def rows(self) -> tuple[TrendRow, ...]:
        """Rows of what the target is about."""
        return self.share or self.mean

    def name(self, row: TrendRow) -> str:
        """Period of a row, or the evaluation itself where another has the same period."""
        alone = sum(evaluation.period == row.period for evaluation in self.rows) == 1
        return row.period if alone else row.evaluation

    @property
    def newest(self) -> TrendRow:
        """Row of the evaluation itself."""
        return self.rows[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats(Record):
    """Earlier evaluations that hold the ratings of this one, and others that rated its outputs."""

    same_ratings: tuple[str, ...] = ()
    same_outputs: tuple[str, ...] = ()
