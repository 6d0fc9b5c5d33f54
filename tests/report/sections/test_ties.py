"""Numbers that print alike are a tie: no sentence picks one of them as the foremost."""

import dataclasses
import math

import pytest

from ocrjury import Estimate
from ocrjury.findings.pool_metrics import MetricRanks, PoolMetrics
from ocrjury.report.html import SENTENCES
from ocrjury.report.sections.agreement import Agreement
from tests.report.conftest import confusion

say = SENTENCES


def with_agreement(report, **changes):
    agreement = dataclasses.replace(report[Agreement], **changes)
    return dataclasses.replace(report, sections={**report.sections, "agreement": agreement})


@pytest.mark.parametrize(
    ("differing", "title"),
    [
        ([0.152, 0.148, 0.02], "R01 and R02 differ most from colleagues: in 15% of pairs"),
        ([0.15, 0.149, 0.151], "Every rater differs from colleagues in 15% of pairs"),
        ([0.004, 0.003], "Every rater differs from colleagues in 0% of pairs"),
        ([0.0, 0.0, 0.0], "No rater differs from colleagues in any pair of ratings"),
        ([0.3, 0.3, *[0.0] * 4], "R01 and R02 differ most from colleagues: in 30% of pairs"),
        ([*[0.3] * 7, 0.0], "7 raters differ most from colleagues: in 30% of pairs"),
    ],
)
def test_raters_who_differ_alike_are_named_together(report, differing, title):
    first = report[Agreement].dimensions[0]
    rows = tuple(
        confusion(f"R{at:02}", ((1000 - round(1000 * share), round(1000 * share)), (0, 0)))
        for at, share in enumerate(differing, 1)
    )

    tied = with_agreement(report, dimensions=(dataclasses.replace(first, confusions=rows),))

    assert say.confusions.title(tied) == title


@pytest.mark.parametrize(
    ("kappas", "title"),
    [
        ([1.0, 1.0, 1.0], "All pairs of raters agree alike: κ 1.00"),
        ([0.601, 0.599, 0.8], "2 of 3 pairs of raters agree least: κ 0.60"),
        ([0.6, 0.7, 0.8], "R01 and R02 agree least: κ 0.60 on 20 items"),
        ([0.6], "R01 and R02: κ 0.60 on 20 items"),
    ],
)
def test_pairs_that_agree_alike_are_counted(report, kappas, title):
    pair = report[Agreement].pairs[0]
    pairs = tuple(
        dataclasses.replace(
            pair, rater_a="R01", rater_b=f"R{at:02}", estimate=Estimate(kappa, n_items=20)
        )
        for at, kappa in enumerate(kappas, 2)
    )

    assert say.pairs.heat_title(dataclasses.replace(report[Agreement], pairs=pairs)) == title


@pytest.mark.parametrize(
    ("reasons", "title"),
    [
        (("too_few_common_items",) * 2, "No pair of raters has enough items in common"),
        (("no_variation", "too_few_common_items"), "No pair of raters has a κ"),
    ],
)
def test_pairs_without_a_kappa_may_have_many_items_in_common(report, reasons, title):
    pair = report[Agreement].pairs[0]
    pairs = tuple(
        dataclasses.replace(pair, estimate=Estimate(math.nan, n_items=30, reason=reason))
        for reason in reasons
    )

    assert say.pairs.heat_title(dataclasses.replace(report[Agreement], pairs=pairs)) == title


def test_crowded_pairs_that_all_agree_alike_have_no_list_of_the_weakest(report):
    pair = report[Agreement].pairs[0]
    alike = tuple(
        dataclasses.replace(pair, rater_a=f"R{a}", rater_b=f"R{b}", estimate=Estimate(1.0))
        for a in range(1, 8)
        for b in range(a + 1, 9)
    )

    assert say.pairs.weakest_pairs(dataclasses.replace(report[Agreement], pairs=alike)) == []


def test_metrics_that_agree_alike_are_counted():
    rows = ((1.0, 0.95, -0.7), (0.95, 1.0, -0.7), (-0.7, -0.7, 1.0))
    ranks = MetricRanks(metrics=("cer", "ned", "exact_match"), rows=rows, n=40)

    assert (
        say.metric_charts.ranks_title(ranks) == "2 of 3 pairs of metrics agree least (|ρ| = 0.70)"
    )


def test_types_that_are_empty_alike_are_named_together_or_not_at_all(report):
    metrics = report.get(PoolMetrics)
    (types,) = (of for of in metrics.groups if of.column == "doc_type")
    first, *others = types.rows

    def titled(rows):
        groups = (dataclasses.replace(types, rows=tuple(rows)),)
        return say.groups.empty_title(dataclasses.replace(metrics, groups=groups))

    alike = [dataclasses.replace(row, n=100, empty=5) for row in types.rows]
    assert "most often" not in titled(alike)
    fewer = [dataclasses.replace(alike[0], empty=1), *alike[1:]]
    assert all(row.name in titled(fewer).split("most often")[1] for row in others)
    assert first.name not in titled(fewer)


def test_kinds_read_exactly_alike_are_named_together(report):
    scores = report.sections["scores"]
    row = scores.fields[0]

    def titled(**exact):
        fields = tuple(
            dataclasses.replace(row, kind=kind, exact=Estimate(share))
            for kind, share in exact.items()
        )
        return say.metric_table.fields_title(dataclasses.replace(scores, fields=fields))

    assert titled(amount=0.5, code=0.5) == "Fields read exactly: 50.0% of amount and code"
    assert titled(amount=0.5, code=0.5, name=0.9) == (
        "Fields read exactly: amount and code are worst with 50.0%"
    )
    assert titled(amount=0.5, name=0.9) == "Fields read exactly: amount is worst with 50.0%"


def test_types_rated_alike_are_not_lowest(report):
    form, letter, note = (
        dataclasses.replace(report.types[0], doc_type=name, estimate=Estimate(v, v - 0.1, v + 0.1))
        for name, v in (("form", 3.404), ("letter", 3.4), ("note", 4.5))
    )

    title = say.document_types.title((form, letter, note))

    assert title == "letter is rated clearly lower (3.40) than note (4.50)"


def test_kinds_with_as_many_critical_errors_are_no_most(report):
    first, second, *_ = report.field_errors.by_kind
    alike = tuple(
        dataclasses.replace(row, pool=100, estimate=Estimate(0.3)) for row in (first, second)
    )
    errors = dataclasses.replace(report.field_errors, by_kind=alike)

    points = say.summary.findings(dataclasses.replace(report, field_errors=errors))

    (critical,) = (point.title for point in points if "critical error" in point.title)
    assert critical.endswith("have a critical error.")
