import dataclasses

from ocrjury.estimate import Estimate
from ocrjury.report.html import SENTENCES
from ocrjury.report.sections.agreement import Agreement

say = SENTENCES.level_pairs


def with_pairs(report, *pairs):
    agreement = report[Agreement]
    rows = tuple(dataclasses.replace(row, level_pairs=pairs) for row in agreement.dimensions)
    changed = dataclasses.replace(agreement, dimensions=rows)
    return dataclasses.replace(report, sections={**report.sections, "agreement": changed})


def test_the_title_names_the_levels_that_meet_most_often(report, html):
    first, second = say.shown(report)

    assert say.title(report, first) == "R03 gives 2 where R06 gives 4: 12 of 60 shared items"
    assert say.title(report, second) == "R05 gives 4 where R06 gives 2: 12 of 60 shared items"
    assert say.title(report, first) in html
    assert (
        say.subtitle(report, first)
        == "The same level: 65.0% (51.0% to 77.0%). Items on Meaning; down R03, across R06."
    )


def test_two_who_never_differ_are_said_to_agree(report):
    pair = dataclasses.replace(
        say.shown(report)[0], counts=((3, 0), (0, 19)), same=Estimate(1, 0.85, 1, n_items=22)
    )

    assert say.title(report, pair) == "R03 and R06 give the same level to all of 22 shared items"


def test_what_an_earlier_version_stored_has_no_table(report):
    assert say.shown(with_pairs(report)) == ()
