"""Intervals cut where their statistics end: nobody should read of a mean above the scale."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ocrjury.estimate import Estimate
from ocrjury.pages.numbers import bounded, within
from ocrjury.report.agreement_section import Agreement, DimensionAgreement, JudgeAgreement
from ocrjury.report.certainty_section import Certainty, Systems, Trend
from ocrjury.report.composite_section import Composite, Together
from ocrjury.report.outcome import Outcome
from ocrjury.report.sections import DimensionEstimate, Raters, TypeEstimate

if TYPE_CHECKING:
    from ocrjury.report.data import Headline


@dataclass(frozen=True, slots=True)
class Limits:
    """The ends of the scale."""

    low: float
    high: float

    def mean(self, estimate: Estimate) -> Estimate:
        """Return a mean rating; it lies on the scale."""
        return within(estimate, self.low, self.high)

    def number(self, estimate: Estimate, *, share: bool) -> Estimate:
        """Return a share, between 0 and 1, or a mean rating."""
        return within(estimate, 0, 1) if share else self.mean(estimate)

    def outcome(self, outcome: Outcome | None) -> Outcome | None:
        """Return what the target was judged by."""
        if outcome is None:
            return None
        share = outcome.target.is_share
        return replace(outcome, estimate=self.number(outcome.estimate, share=share))

    def headline(self, headline: "Headline | None") -> "Headline | None":
        """Return the number on the cover."""
        if headline is None:
            return None
        share, hajek = headline.is_share, headline.hajek
        return replace(
            headline,
            these=self.number(headline.these, share=share),
            others=self.number(headline.others, share=share),
            hajek=None if hajek is None else self.number(hajek, share=share),
        )

    def dimension(self, row: DimensionEstimate) -> DimensionEstimate:
        """Return what the pool is worth on a dimension."""
        return replace(
            row,
            these=self.mean(row.these),
            others=self.mean(row.others),
            hajek=None if row.hajek is None else self.mean(row.hajek),
            usable=None if row.usable is None else within(row.usable, 0, 1),
            unusable=None if row.unusable is None else within(row.unusable, 0, 1),
        )

    def doc_type(self, row: TypeEstimate) -> TypeEstimate:
        """Return the mean of a document type."""
        return replace(row, estimate=self.mean(row.estimate))

    def certainty(self, row: Certainty) -> Certainty:
        """Return what stands behind the estimates of a dimension."""
        return replace(
            row,
            others=self.mean(row.others),
            hajek=self.mean(row.hajek),
            inferred=None if row.inferred is None else self.mean(row.inferred),
            uncorrected=None if row.uncorrected is None else self.mean(row.uncorrected),
        )

    def compared(self, row: Systems) -> Systems:
        """Return OCR systems side by side."""
        return replace(
            row,
            systems=tuple(replace(one, estimate=self.mean(one.estimate)) for one in row.systems),
        )

    def trend(self, trend: Trend | None) -> Trend | None:
        """Return the headline over evaluations."""
        if trend is None:
            return None
        rows = (
            replace(row, mean=self.number(row.mean, share=trend.is_share)) for row in trend.rows
        )
        return replace(trend, rows=tuple(rows))

    def agreement(self, agreement: Agreement) -> Agreement:
        """Return every statistic of agreement."""
        return replace(
            agreement,
            dimensions=tuple(map(_agreement_on, agreement.dimensions)),
            pairs=tuple(
                replace(pair, estimate=bounded("cohen_kappa", pair.estimate))
                for pair in agreement.pairs
            ),
        )

    def together(self, together: Together | None) -> Together | None:
        """Return the dimensions taken together; their score lies on the scale too."""
        if together is None:
            return None
        return replace(together, composites=tuple(map(self._composite, together.composites)))

    def _composite(self, row: Composite) -> Composite:
        """Return one score over all dimensions."""
        return replace(row, these=self.mean(row.these), others=self.mean(row.others))

    def raters(self, raters: Raters) -> Raters:
        """Return the raters; nobody is farther from colleagues than the scale is long."""
        most = self.high - self.low
        return replace(
            raters,
            rows=tuple(
                replace(row, severity=within(row.severity, -most, most)) for row in raters.rows
            ),
        )


def _agreement_on(row: DimensionAgreement) -> DimensionAgreement:
    """Return what was measured on one dimension."""
    return replace(
        row,
        estimates={key: bounded(key, estimate) for key, estimate in row.estimates.items()},
        judges=tuple(map(_judge, row.judges)),
    )


def _judge(row: JudgeAgreement) -> JudgeAgreement:
    """Return how near a judge comes; both numbers are shares."""
    return replace(
        row,
        alignment=bounded("judge_alignment", row.alignment),
        ceiling=bounded("human_agreement", row.ceiling),
    )
