"""Whether the raters agree, of stored and of bare ratings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from ocrjury.bias.findings import BiasFinding
from ocrjury.findings.agreement import AgreementFinding, PairKappa, divided_items
from ocrjury.findings.dimensions import Composites, DimensionsFinding
from ocrjury.pages.numbers import bounded
from ocrjury.report.agreement_section import Agreement, DividedItem
from ocrjury.report.composite_section import Together
from ocrjury.report.worst import given_ratings
from ocrjury.scales import Scale

DIVIDED_SHOWN = 8
"""Items on which raters lie farthest apart that a report names."""


def agreement_part(
    findings: Sequence[AgreementFinding],
    together: DimensionsFinding,
    *,
    ratings: pd.DataFrame,
    scale: Scale,
    dimension: str,
    basis: str,
    doc_types: Mapping[str, str | None],
) -> Agreement:
    """Agreement by dimension, and by pair on one of them.

    Parameters
    ----------
    ratings
        The ratings as numbers: item, rater, dimension, rating.
    dimension
        The one whose pairs are shown.
    basis
        Which ratings these are.
    """
    pairs = next((row.pairs for row in findings if row.dimension == dimension), None)
    apart, double_rated = count_apart(ratings, scale)
    return Agreement(
        dimensions=tuple(map(_within_ranges, findings)),
        means=together.means,
        pairs=() if pairs is None else tuple(map(_pair_within_range, pairs.rows)),
        pairs_dimension=dimension,
        pairs_weights="none" if pairs is None else pairs.weights,
        disagreements=apart,
        double_rated=double_rated,
        divided=tuple(
            DividedItem(
                row.item,
                doc_types.get(row.item),
                row.widest,
                tuple(row.ranges),
                given_ratings(ratings, row.item),
            )
            for row in divided_items(findings)[:DIVIDED_SHOWN]
        ),
        basis=basis,
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
    """Kappa of a pair whose interval ends where kappa ends."""
    return replace(pair, estimate=bounded("cohen_kappa", pair.estimate))


def together_part(
    together: DimensionsFinding, composites: Composites, findings: Iterable[BiasFinding]
) -> Together | None:
    """The dimensions taken together, None where there is nothing to say.

    Parameters
    ----------
    findings
        Of the tests for bias, which tell a halo from items that are alike in every respect.
    """
    halo = next((row for row in findings if row.kind == "halo" and row.rater is None), None)
    if not (together.correlations or composites.rows):
        return None
    return Together(together.correlations, composites.rows, halo)


def count_apart(ratings: pd.DataFrame, scale: Scale) -> tuple[int | None, int]:
    """Number of items with ratings two levels apart on a dimension, and of those that could.

    Levels lie apart on a Likert scale only; on others the first number is None.
    """
    spread = ratings.groupby(["item", "dimension"])["rating"].agg(["count", "min", "max"])
    double = spread[spread["count"] > 1]
    apart = double[double["max"] - double["min"] >= 2]
    n_apart, n_double = (
        int(rows.index.get_level_values("item").nunique()) for rows in (apart, double)
    )
    return (n_apart if scale.kind == "likert" else None), n_double
