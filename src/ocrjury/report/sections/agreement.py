"""Whether the raters agree."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ocrjury.estimate import Estimate
from ocrjury.findings.agreement import AgreementFinding, JudgeAgreement, PairKappa, PairSpread
from ocrjury.findings.dimensions import DimensionsFinding, MeanOver
from ocrjury.pages.numbers import (
    bounded,
    decimal,
    estimate_text,
    listing,
    percent,
    plural,
    value_text,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section
from ocrjury.report.sections.judge_bias import stored_biases
from ocrjury.report.stored import Stored
from ocrjury.statistics import STATISTICS, grade, statistic

COLUMNS = [
    key for _, key in sorted((row.column, key) for key, row in STATISTICS.items() if row.column)
]
"""Statistics of the table by dimension."""
ROOMY = 6
"""Raters up to whom a cell of the table of pairs has room for an interval."""
_WEAKEST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement on first-pass independent ratings of the main round.

    ``pairs`` are kappas of ``pairs_dimension`` with the weights named; ``means`` are over
    dimensions, by statistic.
    """

    dimensions: tuple[AgreementFinding, ...]
    means: Mapping[str, MeanOver] = field(default_factory=dict)
    pairs: tuple[PairKappa, ...] = ()
    pairs_dimension: str | None = None
    pairs_weights: str = "quadratic"
    basis: str = "first-pass independent ratings of the main round"

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
        pairs=() if pairs is None else tuple(map(_pair_within_range, pairs.rows)),
        pairs_dimension=dimension,
        pairs_weights="none" if pairs is None else pairs.weights,
        basis=basis,
    )


def _stored_agreement(stored: Stored) -> Agreement:
    return agreement_of(
        stored.by_dimension(stored.agreement),
        stored.together,
        dimension=stored.target_dimension,
        basis="first-pass independent ratings of the main round",
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
                ceiling=bounded("human_agreement", judge.ceiling),
            )
            for judge in finding.judges
        ),
    )


def _pair_within_range(pair: PairKappa) -> PairKappa:
    return replace(pair, estimate=bounded("cohen_kappa", pair.estimate))


def cell_domain(key: str) -> tuple[float, float]:
    """Axis of a statistic's small interval chart."""
    return (0.4 if statistic(key).low == 0 else 0.2, 1.0)


def gate_tick(report: ReportData, key: str) -> float | None:
    """Gate's floor if the gate judges this statistic."""
    return report.verdict.floor if key == report.verdict.statistic else None


def lead(report: ReportData) -> str:
    """Section in a sentence or two."""
    rows = report.verdict.dimensions
    passed = [report.name(row.dimension) for row in rows if row.decision == "PASS"]
    failed = [report.name(row.dimension) for row in rows if row.decision == "FAIL"]
    unknown = [report.name(row.dimension) for row in rows if row.decision == "INCONCLUSIVE"]
    answers = [
        f"{answer} on {listing(names)}"
        for answer, names in (("yes", passed), ("no", failed), ("not yet shown", unknown))
        if names
    ]
    outcome = "; ".join(answers) or report.verdict.decision
    return f"{outcome[0].upper()}{outcome[1:]}. Measured on {report[Agreement].basis}."


def lowest(report: ReportData) -> AgreementFinding | None:
    """Dimension that the gate goes by: undefined, or with the lowest statistic."""
    key = report.verdict.statistic
    rows = report[Agreement].dimensions
    return min(rows, key=lambda row: _or_nothing(row.get(key).value), default=None)


def rule_text(report: ReportData) -> str:
    """Gate's rule."""
    verdict = report.verdict
    name = statistic(verdict.statistic).short_label
    bound = "one-sided lower bound of " if verdict.rule == "bound" else ""
    return f"Policy “{verdict.policy}”, {bound}{name} ≥ {decimal(verdict.floor, 3)}"


def cell_title(name: str, key: str, estimate: Estimate) -> str:
    """One cell of the table as a sentence."""
    row, graded = statistic(key), grade(key, estimate.value)
    suffix = f", {graded.word}" if graded else ""
    return f"{name}, {row.short_label}: {estimate_text(estimate, share=row.is_share)}{suffix}."


def legend(report: ReportData) -> str:
    """How to read the table, with what it rests on."""
    rows = report[Agreement].dimensions
    n_ratings = max((row.get("krippendorff_alpha").n_ratings for row in rows), default=0)
    basis = f" from at most {plural(n_ratings, 'rating')} on each dimension" if n_ratings else ""
    draws = max((row.n_clusters or 0 for row in rows), default=0)
    together = f" Outputs of one page count as one draw ({plural(draws, 'page')})." if draws else ""
    return (
        f"Dot: estimate. Bar: two-sided 95% interval{basis}.{together} Dashed tick: the gate’s "
        "floor. Small ring: what A^HH would be if the same raters rated at random."
    )


def chance_text(report: ReportData) -> str | None:
    """Why A^HH must be read beside its chance level, with this evaluation's numbers."""
    rows = [row for row in report[Agreement].dimensions if row.get("human_agreement").defined]
    rows = [row for row in rows if row.get("human_agreement_chance").defined]
    if not rows:
        return None
    row = min(rows, key=lambda row: _or_zero(row.get("human_agreement_corrected").value))
    observed = row.get("human_agreement")
    chance = row.get("human_agreement_chance")
    words = (
        f"A^HH is one minus the mean distance between two ratings, as a share of the scale. Raters "
        f"who rated {report.name(row.dimension)} at random, each level as often as here, would "
        f"still reach {decimal(chance.value)}; observed is {decimal(observed.value)}"
    )
    corrected = row.get("human_agreement_corrected")
    if not corrected.defined:
        return f"{words}."
    return f"{words}, {percent(corrected.value, 0)} of the way from chance to perfect."


def _or_nothing(number: float) -> float:
    """A number by which an undefined statistic comes first."""
    return -math.inf if math.isnan(number) else number


def _or_zero(number: float) -> float:
    return 0.0 if math.isnan(number) else number


def weakest_pair(agreement: Agreement) -> PairKappa | None:
    """Pair that agrees least."""
    known = [pair for pair in agreement.pairs if pair.estimate.defined]
    return min(known, key=lambda pair: pair.estimate.value) if known else None


def heat_title(agreement: Agreement) -> str:
    """Finding of the table of pairs."""
    pair = weakest_pair(agreement)
    if pair is None:
        return "No pair of raters has enough items in common"
    return (
        f"{pair.rater_a} and {pair.rater_b} agree least: κ {value_text(pair.estimate)} "
        f"on {plural(pair.estimate.n_items, 'item')}"
    )


def heat_subtitle(report: ReportData) -> str:
    """Meaning of the cells."""
    agreement = report[Agreement]
    weights = "" if agreement.pairs_weights == "none" else f", {agreement.pairs_weights} weights"
    name = report.name(agreement.pairs_dimension or "")
    interval = "" if _crowded(agreement) else "below it its 95% interval, "
    return f"Kappa of every pair{weights}, {name}; {interval}n is the number of items both rated."


def weakest_pairs(agreement: Agreement) -> list[PairKappa]:
    """Pairs that agree least, with their intervals, where cells have no room for intervals."""
    known = [pair for pair in agreement.pairs if pair.estimate.defined]
    listed = sorted(known, key=lambda pair: pair.estimate.value)[:_WEAKEST]
    return listed if _crowded(agreement) else []


def _crowded(agreement: Agreement) -> bool:
    return len(pair_raters(agreement)) > ROOMY


def heat_alternative(report: ReportData) -> str:
    """Table of pairs in words."""
    known = [pair for pair in report[Agreement].pairs if pair.estimate.defined]
    parts = [f"{p.rater_a} and {p.rater_b} {estimate_text(p.estimate)}" for p in known]
    unknown = len(report[Agreement].pairs) - len(known)
    tail = f" {plural(unknown, 'pair')} undefined." if unknown else ""
    return f"{heat_title(report[Agreement])}. {', '.join(parts)}.{tail}"


def pair_raters(agreement: Agreement) -> list[str]:
    """Raters of the table of pairs, sorted."""
    return sorted({name for pair in agreement.pairs for name in (pair.rater_a, pair.rater_b)})


def pair_rows(report: ReportData) -> list[tuple[str, PairSpread]]:
    """Spread of the kappas of pairs, by the dimension's name."""
    return [
        (report.name(row.dimension), row.pairs.spread)
        for row in report[Agreement].dimensions
        if row.pairs is not None and row.pairs.rows
    ]


def pairs_title(report: ReportData) -> str:
    """Number of pairs with a kappa."""
    pairs = report[Agreement].pairs
    known = sum(pair.estimate.defined for pair in pairs)
    return f"κ over {plural(known, 'pair')}" if known else "κ over pairs"


def pairs_text(agreement: Agreement) -> str | None:
    """Reason why some pairs have no kappa, None where all have one."""
    known = sum(pair.estimate.defined for pair in agreement.pairs)
    if known == len(agreement.pairs):
        return None
    few = plural(len(agreement.pairs) - known, "pair")
    return f"{few} undefined: too few items in common, or no variation."


SECTION = Section(
    "agreement",
    "Do the raters agree?",
    "report/agreement.html.j2",
    lambda _: True,
    {"agreement": _stored_agreement, "judge_bias": stored_biases},
)
