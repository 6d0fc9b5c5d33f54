"""Measure what sets raters apart, and what the gate may advise about it."""

from collections.abc import Iterable, Mapping

import pandas as pd

from ocrjury.agreement.leave_one_out import gain_without_raters
from ocrjury.bias.measurement import measure_bias
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.raters import BiasTests
from ocrjury.gate.actions import Diagnosis
from ocrjury.ratings import RatingTable
from ocrjury.ratings.dimension_tables import are_stretched
from ocrjury.scales import Scales


def measure_raters(
    ratings: pd.DataFrame, tables: Mapping[str, RatingTable], *, scale: Scales, seed: int
) -> BiasTests:
    """All tests for bias, none of categories, and what alpha would gain without each rater.

    Parameters
    ----------
    ratings
        As `ocrjury.bias.measure_bias` takes them.
    tables
        The same ratings by dimension.
    """
    # Categories have no order, so nobody can be strict with them.
    ordered = {name: table for name, table in tables.items() if table.scale.ordered}
    every = len(ordered) == len(tables)
    rows = ratings if every else ratings[ratings["dimension"].isin(list(ordered))]
    tests = measure_bias(rows, scale=scale, seed=seed, tables=ordered) if ordered else []
    return BiasTests(
        tuple(tests),
        {
            name: {str(rater): gain for rater, gain in gain_without_raters(table).items()}
            for name, table in tables.items()
        },
    )


def diagnose(findings: Iterable[AgreementFinding], tests: BiasTests, *, scale: Scales) -> Diagnosis:
    """Evidence from which the gate advises."""
    return Diagnosis(
        findings=tests.findings,
        without_rater=tests.gains,
        stretched=are_stretched(scale),
        patterns={finding.dimension: finding.patterns for finding in findings},
    )
