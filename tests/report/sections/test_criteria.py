"""Criteria of the decision."""

import dataclasses

from ocrjury import Estimate, Scale
from ocrjury.findings.severity_tolerance import tolerance_of
from ocrjury.report.sections.criteria import criteria
from ocrjury.report.sections.gate_rule import judged_statistic
from ocrjury.report.sections.raters import outside


def severity_row(report, **severe):
    """Criterion of severity, where the first rater is severe by so many points on dimensions."""
    held = report.sections["agreement"]
    found = []
    for row in held.dimensions:
        points = severe.get(row.dimension, 0.0)
        profiles = [
            dataclasses.replace(own, severity=Estimate(by, by - 0.1, by + 0.1))
            for place, own in enumerate(row.profiles)
            for by in (points * (place == 0),)
        ]
        found.append(dataclasses.replace(row, profiles=tuple(profiles)))
    agreement = dataclasses.replace(held, dimensions=tuple(found))
    changed = dataclasses.replace(report, sections={**report.sections, "agreement": agreement})
    return next(row for row in criteria(changed) if row.criterion.startswith("Rater severity"))


def test_severity_counts_on_every_dimension(report):
    name = report.sections["agreement"].dimensions[0].profiles[0].rater

    assert severity_row(report).result == "0 of 6"
    row = severity_row(report, layout=-0.254)
    assert row.criterion == "Rater severity, 3 dimensions"
    assert (row.result, row.word) == (f"1 of 6: {name} (Layout)", "Look")
    assert severity_row(report, meaning=0.3, layout=-0.3).result == (
        f"1 of 6: {name} (Meaning), {name} (Layout)"
    )


def test_severity_counts_only_raters_with_an_interval(report):
    held = report.sections["agreement"]
    first = held.dimensions[0]
    unknown = Estimate(-0.75, reason="fewer_than_two_items")
    one, *others = first.profiles
    profiles = (dataclasses.replace(one, severity=unknown), *others)
    agreement = dataclasses.replace(
        held, dimensions=(dataclasses.replace(first, profiles=profiles),)
    )
    changed = dataclasses.replace(report, sections={**report.sections, "agreement": agreement})

    (row,) = (row for row in criteria(changed) if row.criterion.startswith("Rater severity"))

    assert row.result.endswith(f" of {len(others)}")
    assert one.rater not in row.result


def judged(report, verdict, **decisions):
    """First criterion, where the gate decided so on dimensions."""
    rows = tuple(
        dataclasses.replace(row, decision=decisions[row.dimension])
        for row in report.verdict.dimensions
    )
    verdict = dataclasses.replace(report.verdict, decision=verdict, dimensions=rows)
    return criteria(dataclasses.replace(report, verdict=verdict))[0]


def test_agreement_is_that_of_a_dimension_with_the_word_beside_it(report):
    """Layout has the lowest value, but passed."""
    doubted = judged(
        report, "INCONCLUSIVE", layout="PASS", meaning="INCONCLUSIVE", readability="INCONCLUSIVE"
    )
    values = {
        report.name(row.dimension): row.get(judged_statistic(report, row)).value
        for row in report.sections["agreement"].dimensions
    }
    lowest, second, _ = sorted(values, key=values.get)

    assert lowest == "Layout"
    assert (doubted.criterion, doubted.word) == (f"Agreement, weakest: {second}", "INCONCLUSIVE")
    assert doubted.result == f"{values[second]:.2f}"
    passed = judged(report, "PASS", layout="PASS", meaning="PASS", readability="PASS")
    assert (passed.criterion, passed.word) == ("Agreement, weakest: Layout", "PASS")


def test_the_tolerance_grows_with_the_scale():
    """As the bands of the tests for bias do."""
    assert tolerance_of(Scale.likert(1, 5)) == 0.25
    assert tolerance_of(Scale.interval(0, 100)) == 6.25


def test_the_chart_names_whom_the_criterion_names(report):
    """Both look at the severities of all dimensions, of which each is one more chance to err."""
    held = report.sections["raters"]
    first, *others = held.rows
    near = Estimate(-0.3, -0.54, -0.06)
    rows = (dataclasses.replace(first, severity=near), *others)

    alone = dataclasses.replace(held, rows=rows, n_severities=0)
    among = dataclasses.replace(alone, n_severities=60)

    assert first.rater in {row.rater for row in outside(dataclasses.replace(alone, rows=rows[:1]))}
    assert first.rater not in {row.rater for row in outside(among)}
