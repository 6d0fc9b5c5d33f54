import dataclasses

from ocrjury.report.html import SENTENCES, render_html
from ocrjury.report.sections.agreement import Agreement

say = SENTENCES.confusions


def test_the_title_names_who_differs_most(report):
    assert say.title(report) == "R04, R05 and R06 differ most from colleagues: in 24% of pairs"
    assert say.title(report) in render_html(report)


def test_one_who_differs_most_has_an_interval(report):
    agreement = report[Agreement]
    rows = agreement.dimensions[0].confusions
    six = next(row for row in rows if row.rater == "R06")
    two = (six, *(row for row in rows if row.rater == "R01"))
    first = dataclasses.replace(agreement.dimensions[0], confusions=two)
    changed = dataclasses.replace(agreement, dimensions=(first,))

    title = say.title(
        dataclasses.replace(report, sections={**report.sections, "agreement": changed})
    )

    assert title == "R06 differs most from colleagues: in 24% (18% to 30%) of 188 pairs of ratings"


def test_rows_are_shares_and_a_level_that_was_never_given_is_empty(report):
    agreement = report[Agreement]
    never = dataclasses.replace(
        agreement.dimensions[0].confusions[0], counts=((0, 0, 0, 0, 0),) * 4 + ((0, 0, 0, 1, 3),)
    )
    first = dataclasses.replace(agreement.dimensions[0], confusions=(never,))
    changed = dataclasses.replace(agreement, dimensions=(first,))
    only = dataclasses.replace(report, sections={**report.sections, "agreement": changed})

    (table,) = say.tables(only)

    assert table[0] == [None] * 5
    assert table[4] == [0, 0, 0, 0.25, 0.75]
    assert say.levels(only) == ["1", "2", "3", "4", "5"]


def test_without_levels_there_is_no_picture(report):
    agreement = report[Agreement]
    rows = tuple(dataclasses.replace(row, confusions=()) for row in agreement.dimensions)
    changed = dataclasses.replace(agreement, dimensions=rows)
    none = dataclasses.replace(report, sections={**report.sections, "agreement": changed})

    assert say.shown(none) == []
    assert "differs most from colleagues" not in render_html(none)
