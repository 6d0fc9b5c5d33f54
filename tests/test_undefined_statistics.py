"""Every statistic of the table against tables on which it has no value."""

import math
from collections import defaultdict

import numpy as np
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import (
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    gwet_ac,
    judge_alignment,
    measure_agreement,
    prevalence,
)
from ocrjury.estimate import UNDEFINED
from ocrjury.statistics import STATISTICS

SCALES = [
    Scale.likert(1, 3),
    Scale.binary(),
    Scale.nominal(["a", "b"]),
    Scale.nominal(["a"]),
    Scale.interval(0, 100),
]
OF_TWO = {
    "cohen_kappa": cohen_kappa,
    "cohen_kappa_quadratic": lambda table: cohen_kappa(table, weights="quadratic"),
    "cohen_kappa_linear": lambda table: cohen_kappa(table, weights="linear"),
    "conger_kappa": conger_kappa,
    "gwet_ac2": lambda table: gwet_ac(table, weights="linear"),
    "brennan_prediger": brennan_prediger,
    "judge_alignment": lambda table: judge_alignment(table, dict.fromkeys(table.items, math.nan)),
}
"""Statistics that `measure_agreement` leaves to those who ask for them."""
INDICES = ["bias_index", "pabak", "positive_agreement", "negative_agreement"]


def sparse_tables():
    """Draw small tables with many gaps, every third with a single value."""
    rng = np.random.default_rng(1)
    for scale in SCALES:
        levels = [0, 50, 100] if scale.kind == "interval" else list(scale.categories)
        for n_items, n_raters in [(0, 2), (1, 1), (1, 2), (2, 2), (3, 2), (3, 3), (8, 2), (8, 3)]:
            for gaps in (0.0, 0.3, 0.6, 1.0):
                for used in (levels, levels[:1]):
                    values = rng.choice(np.array(used, dtype=object), (n_items, n_raters))
                    values[rng.random(values.shape) < gaps] = None
                    yield RatingTable.from_matrix(values, scale=scale)


@pytest.fixture(scope="module")
def seen():
    reasons = defaultdict(set)
    for table in sparse_tables():
        measured = measure_agreement(table)
        for key, function in OF_TWO.items():
            try:
                measured[key] = function(table)
            except InputError:
                continue  # a scale or a number of raters that it refuses
        for key in INDICES if table.scale == Scale.binary() and len(table.raters) < 3 else ():
            indices = prevalence(table)
            if math.isnan(getattr(indices, key)):
                one_value = len(set(table.values[~np.isnan(table.values)])) == 1
                reasons[key].add(indices.reason or ("no_variation" if one_value else None))
        for key, estimate in measured.items():
            if math.isnan(estimate.value):
                reasons[key].add(estimate.reason)
    return reasons


@pytest.mark.parametrize("key", STATISTICS)
def test_a_statistic_is_undefined_for_the_reasons_of_its_row(seen, key):
    assert seen[key] == set(STATISTICS[key].undefined)


def test_every_reason_has_words():
    assert {reason for row in STATISTICS.values() for reason in row.undefined} <= set(UNDEFINED)
