"""Agreement of the raters."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ocrjury.estimate import Estimate, reason_words
from ocrjury.findings.agreement import AgreementFinding, JudgeAgreement, PairKappa, PairKappas
from ocrjury.findings.dimensions import DimensionsFinding, MeanOver
from ocrjury.gate.verdict import VERDICT_WORDS
from ocrjury.language import phrase, said, tr
from ocrjury.pages.numbers import (
    bounded,
    clauses,
    decimal,
    estimate_text,
    listing,
    paragraph,
    percent,
    plural,
    series,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section
from ocrjury.report.sections.judge_bias import stored_biases
from ocrjury.report.stored_evaluation import Stored
from ocrjury.statistics import STATISTICS, grade, statistic

COLUMNS = [
    key for _, key in sorted((row.column, key) for key, row in STATISTICS.items() if row.column)
]
"""Statistics of the table by dimension."""
FIRST_PASS: Final = phrase("first-pass independent ratings of the main round")
_WEIGHTED = phrase("Items are weighted as drawn.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement on first-pass independent ratings of the main round.

    ``pairs`` are the kappas ``pairs_statistic`` on ``pairs_dimension``; ``means`` are over
    dimensions, by statistic.
    """

    dimensions: tuple[AgreementFinding, ...]
    means: Mapping[str, MeanOver] = field(default_factory=dict)
    pairs: tuple[PairKappa, ...] = ()
    pairs_dimension: str | None = None
    pairs_statistic: str = "cohen_kappa_quadratic"
    basis: str = FIRST_PASS

    @property
    def judges(self) -> tuple[tuple[str, JudgeAgreement], ...]:
        """Every automatic judge with the dimension it judged."""
        return tuple((row.dimension, judge) for row in self.dimensions for judge in row.judges)


def agreement_of(
    findings: Sequence[AgreementFinding],
    together: DimensionsFinding,
    *,
    dimension: str,
    basis: str,
) -> Agreement:
    """Agreement by dimension, and by pair on one of them.

    Parameters
    ----------
    dimension
        The one whose pairs are shown.
    basis
        Which ratings these are.
    """
    pairs = next((row.pairs for row in findings if row.dimension == dimension), None)
    return Agreement(
        dimensions=tuple(map(_within_ranges, findings)),
        means=together.means,
        pairs=() if pairs is None else _pairs_within_range(pairs),
        pairs_dimension=dimension,
        pairs_statistic="cohen_kappa" if pairs is None else pairs.statistic,
        basis=basis,
    )


def _stored_agreement(stored: Stored) -> Agreement:
    return agreement_of(
        stored.by_dimension(stored.agreement),
        stored.together,
        dimension=stored.target_dimension,
        basis=FIRST_PASS,
    )


def _within_ranges(finding: AgreementFinding) -> AgreementFinding:
    """Finding with intervals cut at the ends of their statistics; the gate judges them uncut."""
    return replace(
        finding,
        estimates={key: bounded(key, estimate) for key, estimate in finding.estimates.items()},
        judges=tuple(
            replace(
                judge,
                alignment=bounded("judge_alignment", judge.alignment),
                ceiling=bounded("judge_ceiling", judge.ceiling),
            )
            for judge in finding.judges
        ),
    )


def _pairs_within_range(pairs: PairKappas) -> tuple[PairKappa, ...]:
    return tuple(
        replace(row, estimate=bounded(pairs.statistic, row.estimate)) for row in pairs.rows
    )


def known_columns(report: ReportData) -> list[str]:
    """Statistics of the table that some dimension has."""
    rows = report[Agreement].dimensions
    return [key for key in COLUMNS if any(row.get(key).defined for row in rows)]


def unknown_text(report: ReportData) -> str:
    """Statistics that no dimension has, each reason said once."""
    known, reasons = known_columns(report), dict[str, list[str]]()
    for key in COLUMNS:
        if key not in known:
            for row in report[Agreement].dimensions[:1]:
                label = statistic(key).short_label
                reasons.setdefault(reason_words(row.get(key).reason), []).append(label)
    if not known and len(reasons) == 1:
        return tr("No measure of agreement has a value: {reason}.", reason=next(iter(reasons)))
    return paragraph(
        tr("Without a value ({reason}): {statistics}.", reason=reason, statistics=series(labels))
        for reason, labels in reasons.items()
    )


def cell_domain(key: str) -> tuple[float, float]:
    """Axis of a statistic's small interval chart."""
    return (0.4 if statistic(key).low == 0 else 0.2, 1.0)


def lead(report: ReportData) -> str:
    """Section in a sentence or two."""
    rows = report.verdict.dimensions
    passed = [report.name(row.dimension) for row in rows if row.decision == "PASS"]
    failed = [report.name(row.dimension) for row in rows if row.decision == "FAIL"]
    unknown = [report.name(row.dimension) for row in rows if row.decision == "INCONCLUSIVE"]
    answers = []
    if passed:
        answers.append(tr("yes on {dimensions}", dimensions=listing(passed)))
    if failed:
        answers.append(tr("no on {dimensions}", dimensions=listing(failed)))
    if unknown:
        answers.append(tr("not yet shown on {dimensions}", dimensions=listing(unknown)))
    outcome = clauses(answers) or said(VERDICT_WORDS[report.verdict.decision])
    basis = report[Agreement].basis
    # Korean and Chinese know no capitals.
    return tr(
        "{outcome}. Measured on {basis}.",
        outcome=f"{outcome[:1].upper()}{outcome[1:]}",
        basis=basis,
    )


def cell_title(name: str, key: str, estimate: Estimate) -> str:
    """One cell of the table as a sentence."""
    row, graded = statistic(key), grade(key, estimate.value)
    words = {
        "name": name,
        "statistic": row.short_label,
        "estimate": estimate_text(estimate, share=row.is_share),
    }
    if graded is None:
        return tr("{name}, {statistic}: {estimate}.", **words)
    return tr("{name}, {statistic}: {estimate}, {grade}.", grade=graded.common, **words)


def weights_text(report: ReportData) -> str:
    """Note that coefficients weight items as they were drawn; empty where all count alike."""
    return _WEIGHTED if any(row.weighted for row in report.counts) else ""


def legend(report: ReportData) -> str:
    """Legend of the table, with the ratings behind it."""
    rows = report[Agreement].dimensions
    n_ratings = max((row.get("krippendorff_alpha").n_ratings for row in rows), default=0)
    draws = max((row.n_clusters or 0 for row in rows), default=0)
    return paragraph(
        [
            weights_text(report),
            tr("Dot: estimate."),
            tr(
                "Bar: two-sided 95% interval from at most {ratings} on each dimension.",
                ratings=plural(n_ratings, "rating"),
            )
            if n_ratings
            else tr("Bar: two-sided 95% interval."),
            tr("Outputs of one page count as one draw ({pages}).", pages=plural(draws, "page"))
            if draws
            else "",
            tr("Dashed tick: the gate’s floor."),
            tr(
                "Small ring: what {statistic} would be if the same raters rated at random.",
                statistic=statistic("human_agreement").short_label,
            ),
        ]
    )


def chance_text(report: ReportData) -> str | None:
    """Reason to read A^HH beside its chance level, with this evaluation's numbers."""
    rows = [row for row in report[Agreement].dimensions if row.get("human_agreement").defined]
    rows = [row for row in rows if row.get("human_agreement_chance").defined]
    if not rows:
        return None
    row = min(rows, key=lambda row: _or_zero(row.get("human_agreement_corrected").value))
    observed = row.get("human_agreement")
    chance = row.get("human_agreement_chance")
    words = {
        "dimension": report.name(row.dimension),
        "chance": decimal(chance.value),
        "observed": decimal(observed.value),
    }
    corrected = row.get("human_agreement_corrected")
    return paragraph(
        [
            tr(
                "{statistic} is one minus the mean distance between two ratings, as a share of the "
                "scale.",
                statistic=statistic("human_agreement").short_label,
            ),
            tr(
                "Raters who rated {dimension} at random, each level as often as here, would still "
                "reach {chance}; observed is {observed}, {share} of the way from chance to "
                "perfect.",
                share=percent(corrected.value, 0),
                **words,
            )
            if corrected.defined and corrected.value >= 0
            else tr(
                "Raters who rated {dimension} at random, each level as often as here, would still "
                "reach {chance}; observed is {observed}.",
                **words,
            ),
        ]
    )


def _or_zero(number: float) -> float:
    return 0.0 if math.isnan(number) else number


SECTION = Section(
    "agreement",
    phrase("Do the raters agree?"),
    "report/agreement.html.j2",
    lambda _: True,
    {"agreement": _stored_agreement, "judge_bias": stored_biases},
)
