"""Every case of the shared case file: values checked against at least two implementations."""

import json
import math
from functools import cache
from pathlib import Path

import pytest

from ocrjury import InputError, RatingTable, Scale, agreement
from ocrjury.agreement import fleiss_kappa

CASES = json.loads((Path(__file__).parents[1] / "data" / "agreement.json").read_text())
KAPPAS = ("cohen_kappa", "conger_kappa", "fleiss_kappa", "gwet_ac", "brennan_prediger")
SHARES = {"pairwise_exact_pct": 0, "pairwise_adjacent_pct": 1}
INDICES = (
    "prevalence_index",
    "bias_index",
    "pabak",
    "positive_agreement",
    "negative_agreement",
)
QUANTITIES = {"estimate": "value", "se": "se", "ci_low": "low", "ci_high": "high"}


def declare(data, metric):
    """The scale that a case means: a level or weights need an order."""
    categories = data["categories"]
    if not categories:
        seen = sorted({v for row in data["values"] for v in row if v is not None})
        return Scale.nominal(seen) if metric in KAPPAS else Scale.interval(seen[0], seen[-1])
    if len(categories) == 1:
        return Scale.nominal(categories)
    if data["scale"] == "binary":
        return Scale.binary()
    return Scale.likert(categories[0], categories[-1])


def table_of(dataset, metric):
    data = CASES["datasets"][dataset]
    return RatingTable.from_matrix(data["values"], scale=declare(data, metric))


def measure(case, metric):
    return measured(case["dataset"], case["metric"], metric, json.dumps(case["params"]))


@cache
def measured(dataset, scaled_for, metric, given):
    """Value, error and both ends of an interval are cases of their own, and measured once."""
    table, params = table_of(dataset, scaled_for), json.loads(given)
    if metric in SHARES:
        return agreement.pairwise_agreement(table, tolerance=SHARES[metric])
    if metric == "a_hh":
        return agreement.human_agreement(table)
    if metric == "icc":
        return agreement.icc(table, form=params.get("kind", "ICC(2,1)"))
    return getattr(agreement, metric)(table, **params)


def of(metric):
    return [pytest.param(c, id=c["id"]) for c in CASES["cases"] if metric(c["metric"])]


@pytest.mark.parametrize("case", of(lambda m: m not in (*INDICES, "*")))
def test_a_coefficient_equals_its_published_or_twice_computed_value(case):
    estimate = measure(case, case["metric"])

    if case["expected"] is None:
        assert math.isnan(estimate.value)
        assert estimate.reason == case["reason"]
    else:
        factor = 100 if case["metric"] in SHARES else 1
        found = factor * getattr(estimate, QUANTITIES[case["quantity"]])
        assert found == pytest.approx(case["expected"], abs=case["tolerance"])
        if published := case.get("published"):
            assert found == pytest.approx(published["value"], abs=published["tolerance"])


@pytest.mark.parametrize("case", of(INDICES.__contains__))
def test_an_index_of_two_binary_raters_equals_its_value(case):
    indices = agreement.prevalence(table_of(case["dataset"], case["metric"]))

    assert getattr(indices, case["metric"]) == pytest.approx(case["expected"], abs=1e-12)


METRICS = sorted({case["metric"] for case in CASES["cases"]} - {"*", *INDICES})


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("case", of(lambda m: m == "*"))
def test_data_without_an_answer_say_why_in_every_coefficient(case, metric):
    if case["reason"].startswith("ERROR"):
        with pytest.raises(InputError, match="outside the scale"):
            measure(case, metric)
    else:
        estimate = measure(case, metric)
        assert math.isnan(estimate.value)
        assert estimate.reason == case["reason"]


DIAGNOSES = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006
10050 11040 03300 10050 02031 00501 30012 51000 02040 10203
00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""


def test_the_thirty_patients_of_fleiss_come_as_counts():
    """Fleiss (1971), Psychological Bulletin 76(5), 378-382: six psychiatrists, kappa .430."""
    counts = [[int(number) for number in row] for row in DIAGNOSES.split()]
    names = ["depression", "personality disorder", "schizophrenia", "neurosis", "other"]
    table = RatingTable.from_counts(counts, scale=Scale.nominal(names))

    kappa = fleiss_kappa(table)

    assert [int(column) for column in table.counts().sum(axis=0)] == [26, 26, 30, 55, 43]
    assert kappa.value == pytest.approx(0.430, abs=0.0005)
    assert (kappa.n_items, kappa.n_raters) == (30, 6)


def test_counts_have_every_coefficient_that_needs_no_raters():
    matrix = [[1, 1, 2], [3, 3, 3], [2, 1, 2], [3, 2, 3]]
    ratings = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 3))
    known = agreement.measure_counts(
        RatingTable.from_counts(ratings.counts(), scale=Scale.likert(1, 3))
    )

    whole = agreement.measure_agreement(ratings)
    assert [key for key in whole if key not in known] == [
        "mean_pairwise_kappa",
        "mean_pairwise_weighted_kappa",
        "icc",
        "prevalence_index",
    ]
    assert {key: one.value for key, one in known.items()} == pytest.approx(
        {key: whole[key].value for key in known}, nan_ok=True
    )
