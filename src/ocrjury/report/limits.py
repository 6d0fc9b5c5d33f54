"""Intervals cut where their statistics end: nobody should read of a mean above the scale."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ocrjury.estimate import Estimate
from ocrjury.findings.agreement import AgreementFinding, JudgeAgreement
from ocrjury.findings.dimensions import Composite
from ocrjury.pages.numbers import bounded, within
from ocrjury.report.agreement_section import Agreement
from ocrjury.report.composite_section import Together

if TYPE_CHECKING:
    from ocrjury.report.sections.raters import Raters


@dataclass(frozen=True, slots=True)
class Limits:
    """The ends of the scale."""

    low: float
    high: float

    def mean(self, estimate: Estimate) -> Estimate:
        """Return a mean rating; it lies on the scale."""
        return within(estimate, self.low, self.high)

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

    def raters(self, raters: "Raters") -> "Raters":
        """Return the raters; nobody is farther from colleagues than the scale is long."""
        most = self.high - self.low
        return replace(
            raters,
            rows=tuple(
                replace(row, severity=within(row.severity, -most, most)) for row in raters.rows
            ),
        )


def _agreement_on(row: AgreementFinding) -> AgreementFinding:
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
