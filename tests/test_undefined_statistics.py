"""Every statistic of the table against tables on which it has no value."""

import contextlib
import math
from collections import defaultdict
from itertools import chain
from typing import get_args

import numpy as np
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import (
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    gain_without_raters,
    gwet_ac,
    judge_alignment,
    measure_agreement,
    prevalence,
)
from ocrjury.agreement.rank_order import rank_correlation
from ocrjury.campaign.accuracy import measure_accuracy
from ocrjury.estimate import UNDEFINED
from ocrjury.findings.measurement.agreement import measure_dimension, measure_variants
from ocrjury.findings.measurement.label_shares import shares_equal_to_label
from ocrjury.rater_statistics import PilotMeasure
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


def of_findings(table):
    """Statistics that no function of the package returns by themselves, as they are exported."""
    scored = dict.fromkeys(table.items, next(iter(table.scale.categories), 0))
    measured = measure_dimension("meaning", table, ci=None, judges={"judge": scored})
    yield "disagreement_share", measured.disagreements.share
    yield "judge_ceiling", measured.judges[0].ceiling
    for profile in measured.profiles:
        yield "rater_mean", profile.mean
    for share in shares_equal_to_label(table, scored).values():
        yield "equal_to_label", share
    for scores in ([1.0] * 3, [1.0, 2.0]):
        rho = rank_correlation(scores, [1.0, 2.0, 3.0][: len(scores)], pages=range(len(scores)))
        yield "spearman_rho", rho
    for gain in gain_without_raters(table).values():
        yield "alpha_gain", gain
    for pairs in measure_variants(table, ci=None).pairs:
        for pair in pairs.rows:
            yield pairs.statistic, pair.estimate


def of_two_raters(table):
    """Statistics that a caller asks for, where scale and number of raters allow."""
    for key, function in OF_TWO.items():
        with contextlib.suppress(InputError):
            yield key, function(table)


def of_a_pilot(table):
    """Measures of the first rater against the second, whose ratings are the expected ones."""
    two = table.matrix()[:, :2]
    both = two[~np.isnan(two).any(axis=1)]
    given, expected = both.T if len(table.raters) > 1 else ([], [])
    accuracy = measure_accuracy(list(given), list(expected), scale=table.scale)
    for key in get_args(PilotMeasure):
        yield key, accuracy.of(key)


def indices(table):
    """Reasons of the indices of two raters and two categories that have no value."""
    if table.scale != Scale.binary() or len(table.raters) > 2:
        return
    measured = prevalence(table)
    one_value = len(set(table.values[~np.isnan(table.values)])) == 1
    for key in INDICES:
        if math.isnan(getattr(measured, key)):
            yield key, measured.reason or ("no_variation" if one_value else None)


@pytest.fixture(scope="module")
def seen():
    reasons = defaultdict(set)
    for table in sparse_tables():
        others = (of_two_raters, of_findings, of_a_pilot)
        measured = [
            *measure_agreement(table).items(),
            *chain.from_iterable(f(table) for f in others),
        ]
        undefined = [(key, row.reason) for key, row in measured if math.isnan(row.value)]
        for key, reason in (*undefined, *indices(table)):
            reasons[key].add(reason)
    return reasons


@pytest.mark.parametrize("key", STATISTICS)
def test_a_statistic_is_undefined_for_the_reasons_of_its_row(seen, key):
    assert seen[key] == set(STATISTICS[key].undefined)


def test_every_reason_has_words():
    assert {reason for row in STATISTICS.values() for reason in row.undefined} <= set(UNDEFINED)
