import dataclasses

import pytest

from ocrjury import Estimate
from ocrjury.report.sections import cover, ratings, sources


def with_headline(make, report, **changes):
    return make(headline=dataclasses.replace(report.headline, **changes))


def test_the_raters_and_the_uncertainty_are_disclosed(report):
    found = sources.known(report)

    assert sources.title(report, found) == (
        "What gold leaves open of the raters’ level makes up 60% of the variance"
    )
    text = sources.text(report, found)
    assert "In the mean, 6 raters count as much as 5.4 of equal weight." in text
    assert "The range has 12.3 degrees of freedom." in text
    assert "It is 0.38 points long; with twice the items it would be 0.33" in text
    assert [sources.weight_text(row) for row in sources.rows(found)] == ["1"] * 5 + ["0.25"]
    assert sources.without_text(report, found.raters[0]) == "4.16"
    assert sources.without_text(report, found.raters[3]) == "—"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (2.0, "It is 0.38 points long; with twice the items it would be 0.33, with twice"),
        (1.5, "It is 0.38 points long; with all items of the pool it would be 0.33, with twice"),
        (1.0, "It is 0.38 points long, with all items of the pool rated; with twice the raters it"),
    ],
)
def test_no_more_items_are_spoken_of_than_the_pool_has(report, more, words):
    limited = dataclasses.replace(sources.known(report), more_items=more)

    assert words in sources.text(report, limited)


@pytest.mark.parametrize(("raters", "told"), [(0.0, True), (0.02, False)])
def test_raters_who_differ_by_chance_alone_are_said_to(make, report, raters, told):
    variance = {"raters": raters, "documents": 0.7, "ratings": 0.3 - raters}
    found = dataclasses.replace(report.headline.sources, variance=variance)

    assert ("so their choice adds no variance" in sources.text(report, found)) is told


@pytest.mark.parametrize(("length", "told"), [(0.5, True), (0.3, False)])
def test_a_range_shorter_than_that_of_these_raters_is_explained(make, report, length, told):
    these = Estimate(4.1, 4.1 - length / 2, 4.1 + length / 2)
    found = dataclasses.replace(report.headline.sources, length=0.4)
    shown = with_headline(make, report, these=these, sources=found)

    text = sources.text(shown, found)
    assert ("It is shorter than that of these raters, where every rater" in text) is told


def test_of_many_raters_those_that_matter_have_a_row(make, report):
    one = report.headline.sources.raters[0]
    many = tuple(
        dataclasses.replace(one, rater=f"R{n:02d}", weight=0.5 if n == 30 else 1) for n in range(40)
    )
    crowd = dataclasses.replace(report.headline.sources, raters=many)
    shown = with_headline(make, report, sources=crowd)

    assert len(sources.rows(crowd)) == sources.MOST_ROWS
    assert "R30" in [row.rater for row in sources.rows(crowd)]
    assert "28 more raters are not shown." in sources.text(shown, crowd)


@pytest.mark.parametrize(("flagged", "rows"), [(1, 12), (15, 15)])
def test_a_flagged_rater_has_a_row_however_many_weigh_less(make, report, flagged, rows):
    one = report.headline.sources.raters[0]
    crowd = dataclasses.replace(
        report.headline.sources,
        raters=tuple(
            dataclasses.replace(one, rater=f"R{n:02d}", weight=0.5 if n < 20 else 1)
            for n in range(40 - flagged)
        )
        + tuple(dataclasses.replace(one, rater=f"F{n:02d}", flagged=True) for n in range(flagged)),
    )

    found = sources.rows(crowd)

    assert len(found) == rows
    assert sum(row.flagged for row in found) == flagged
    text = sources.text(with_headline(make, report, sources=crowd), crowd)
    assert f"{40 - rows} more raters are not shown." in text


def test_every_step_from_the_plain_mean_is_named_and_adds_up(make, report):
    assert sources.moved_text(report) == (
        "The headline differs from the plain mean by +0.43 points: +0.29 from the items’ "
        "weights, the raters’ severities and what is known of the whole pool, +0.04 from the "
        "weights of the raters and +0.10 from gold."
    )
    plain = with_headline(make, report, uncorrected=None, these=report.headline.others)
    assert sources.moved_text(plain) == (
        "The items’ weights, the raters’ severities and what is known of the whole pool move the "
        "headline by +0.43 points."
    )


def test_a_number_that_gold_corrected_is_called_that_wherever_it_stands(make, report):
    labels = dict(cover.ranges(report.headline))

    assert labels["95% range, other raters like these, corrected by gold"] == "3.93 to 4.31"
    assert labels["Without gold"] == "4.02 (3.70 to 4.34)"
    assert labels["These raters, each counting alike"] == "3.98 (3.91 to 4.05)"
    assert "corrected by gold, is 4.12" in ratings.lead(report)
    assert "without gold 4.02 (3.70 to 4.34)" in ratings.lead(report)
    assert ratings.mean_label(report) == "Mean, corrected by gold"
    plain = with_headline(make, report, uncorrected=None)
    assert list(dict(cover.ranges(plain.headline))) == [
        "95% range, other raters like these",
        "These raters, each counting alike",
    ]


@pytest.mark.parametrize("share", [None, 4.0])
def test_a_share_is_disclosed_in_percentage_points(make, report, share):
    level = Estimate(0.6, 0.5, 0.7)
    headline = dataclasses.replace(
        report.headline,
        share_at_least=share,
        others=level,
        these=level,
        uncorrected=None,
        naive=0.4,
    )
    text = sources.moved_text(make(headline=headline))

    assert text.endswith("by +20.0 percentage points." if share else "by +0.20 points.")


def test_a_share_that_gold_would_move_too_far_is_called_uncorrected_beside_corrected_means(
    make, report
):
    unused = with_headline(make, report, share_at_least=4.0, uncorrected=None, gold_unused=True)

    label = sources.others_label(unused.headline)

    assert label == "95% range, other raters like these, not corrected by gold"
    assert sources.means_note(unused) == "Corrected by gold."
    assert sources.corrected_note(unused) == ""
