import dataclasses
import math

import pytest

from ocrjury import Estimate
from ocrjury.findings.pool_estimates import TypeEstimate
from ocrjury.findings.systems import (
    Preferences,
    SystemDifference,
    SystemMean,
    Systems,
    SystemShare,
)
from ocrjury.report.html import render_html
from ocrjury.report.outcome import PrintedTarget
from ocrjury.report.sections import families, system_types, systems


def compared(estimate, dimension="meaning", others=None):
    return Systems(
        dimension,
        (
            SystemMean("cloud", 60, Estimate(3.9, 3.7, 4.1, n_items=40)),
            SystemMean("<i>tess", 60, Estimate(3.5, 3.3, 3.7, n_items=40)),
        ),
        (SystemDifference("cloud", "<i>tess", 21, estimate, others or estimate),),
    )


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (
            Estimate(0.4, 0.1, 0.7),
            "Cloud is better than <i>tess on Meaning by 0.40 points (0.10 to 0.70).",
        ),
        (
            Estimate(-0.4, -0.7, -0.1),
            "<i>tess is better than cloud on Meaning by 0.40 points (0.10 to 0.70).",
        ),
        (
            Estimate(0.1, -0.2, 0.4),
            "No clear difference between cloud and <i>tess on the pages of this pool.",
        ),
        (Estimate(0.1), "No clear difference between cloud and <i>tess on the pages of this pool."),
    ],
)
def test_the_lead_names_clear_differences(make, estimate, words):
    assert systems.lead(make(systems=(compared(estimate),))) == words


def test_what_holds_for_the_only_rater_is_said_of_that_one(make):
    alone = Estimate(0.4, reason="fewer_than_two_raters")
    report = make(systems=(compared(Estimate(0.4, 0.1, 0.7), others=alone),))

    assert systems.lead(report) == (
        "The only rater finds cloud better than <i>tess on Meaning by 0.40 points (0.10 to 0.70)."
    )
    assert "other raters might" not in render_html(report)


def test_a_system_with_too_few_rated_items_is_named_with_its_number(make):
    few = SystemMean("scan", 60, Estimate(math.nan, n_items=19, reason="too_few_items"), cer=0.02)
    three = compared(Estimate(0.1, -0.2, 0.4))
    three = dataclasses.replace(three, systems=(*three.systems, few))
    report = make(systems=(three,))
    left_out = "Not compared, because fewer than 20 items of each are rated: scan (19)."

    assert systems.lead(report) == (
        f"No clear difference between cloud and <i>tess on the pages of this pool. {left_out}"
    )
    assert left_out in systems.each_text(report)
    assert "scan" not in systems.each_text(report).replace(left_out, "")
    assert "no interval: too few items" in render_html(report)


def test_where_no_system_has_enough_rated_items_all_are_named(make):
    few = [
        SystemMean(name, 60, Estimate(math.nan, n_items=n, reason="too_few_items"))
        for name, n in (("cloud", 12), ("scan", 19))
    ]
    report = make(systems=(Systems("meaning", tuple(few), ()),))
    left_out = (
        "Not compared, because fewer than 20 items of each are rated: cloud (12) and scan (19)."
    )

    assert systems.lead(report) == systems.each_text(report) == left_out
    assert systems.target_text(report) is None
    assert left_out in render_html(report)


def test_the_chapter_prints_means_and_differences_without_markup(make):
    found = compared(Estimate(0.4, 0.1, 0.7), others=Estimate(0.4, 0.02, 0.78))
    page = render_html(make(systems=(found,)))

    assert "OCR systems side by side" in page
    assert "<i>tess" not in page
    assert "+0.10 to +0.70" in page
    assert "+0.02 to +0.78" in page
    assert ">21</td>" in page
    assert "21 pages" not in page
    assert "3.70 to 4.10" in page


def test_a_difference_without_a_range_has_a_dash():
    one = compared(Estimate(0.1)).differences[0]

    assert (systems.difference(one), systems.difference_range(one.others)) == ("+0.10", "—")


def test_a_dimension_without_shown_agreement_has_no_comparison(make, report):
    failed = compared(Estimate(0.4, 0.1, 0.7), dimension="layout")

    assert systems.shown(make(systems=(failed,))) == []
    assert systems.lead(make(systems=(failed,))).startswith(
        "The raters do not agree well enough on Layout."
    )
    assert "not printed: means and shares and the comparison of systems" in render_html(
        make(systems=(failed,))
    )
    untrusted = dataclasses.replace(report.verdict, release=None)
    kept = compared(Estimate(0.4, 0.1, 0.7))
    assert systems.shown(make(systems=(kept,), verdict=untrusted)) == []


def test_ranges_of_the_types_of_each_system_are_among_the_adjusted_families(make):
    plain = compared(Estimate(0.4, 0.1, 0.7))
    types = tuple(
        TypeEstimate(doc_type=name, pool=30, n=20, estimate=Estimate(4.0, 3.6, 4.4), few=False)
        for name in ("invoice", "receipt")
    )
    typed = dataclasses.replace(
        plain, systems=tuple(dataclasses.replace(of, types=types) for of in plain.systems)
    )
    words = "ranges of the document types of each system, which hold at once (Bonferroni)"

    said = [families.multiplicity_text(make(systems=(row,))) for row in (plain, typed)]

    assert [words in text for text in said] == [False, True]


@pytest.mark.parametrize("paired", [True, False])
def test_it_says_how_differences_were_measured(make, paired):
    one = compared(Estimate(0.4, 0.1, 0.7))
    row = dataclasses.replace(one.differences[0], paired=paired)
    page = render_html(make(systems=(dataclasses.replace(one, differences=(row,)),)))

    assert ("taken page by page" in page) is paired
    assert ("were drawn separately" in page) is not paired
    assert "also covers how differently raters see the systems" in page


RANGES = "For other raters: cloud 30.0% to 80.0%; <i>tess 10.0% to 50.0%."


def preferred(p_value):
    return Preferences(
        systems=(
            SystemShare("cloud", Estimate(0.55, 0.45, 0.65), Estimate(0.55, 0.3, 0.8)),
            SystemShare("<i>tess", Estimate(0.25, 0.17, 0.35), Estimate(0.25, 0.1, 0.5)),
        ),
        same=Estimate(0.2, 0.13, 0.3),
        pages=90,
        raters=4,
        answers=180,
        p_value=p_value,
    )


@pytest.mark.parametrize(
    ("p_value", "end"),
    [
        (0.004, "unlikely to be chance (sign test, p = 0.004)."),
        (0.0001, "unlikely to be chance (sign test, p < 0.001)."),
        (0.31, "Chance alone could split the pages like this (sign test, p = 0.31)."),
        (math.nan, RANGES),
    ],
)
def test_preferences_are_told_with_their_ranges(p_value, end):
    said = systems.preferences(preferred(p_value))

    assert said.startswith(
        "4 raters who saw all outputs of 90 pages side by side prefer cloud on 55.0% (45.0% to "
        "65.0%) and <i>tess on 25.0% (17.0% to 35.0%) of the pool’s pages; on 20.0% (13.0% to "
        "30.0%) they see no difference. For other raters: "
    )
    assert RANGES in said
    assert said.endswith(end)


def test_one_rater_has_no_ranges_for_others():
    alone = Estimate(0.55, reason="fewer_than_two_raters")
    found = dataclasses.replace(
        preferred(math.nan), systems=(SystemShare("cloud", Estimate(0.55, 0.45, 0.65), alone),)
    )

    assert systems.preferences(found).endswith("they see no difference.")


def test_the_chapter_prints_preferences_without_markup(make):
    kept = compared(Estimate(0.4, 0.1, 0.7))
    page = render_html(make(systems=(kept,), preferences=preferred(0.004)))

    assert "Which output is better" in page
    assert "<i>tess" not in page
    assert "Which output is better" not in render_html(make(systems=(kept,)))


def test_a_type_of_few_items_is_marked_and_the_ranges_explained(make):
    kinds = tuple(
        TypeEstimate(doc_type=name, pool=30, n=n, estimate=Estimate(4.0, 3.8, 4.2), few=n < 20)
        for name, n in (("bill", 40), ("note", 9))
    )
    one = compared(Estimate(0.4, 0.1, 0.7))
    row = dataclasses.replace(
        one, systems=tuple(dataclasses.replace(of, types=kinds) for of in one.systems)
    )

    assert system_types.rows(row)[1] == ("note", ["4.00 (3.80 to 4.20) few"] * 2)
    assert systems.reading(make(systems=(row,))).startswith(systems.READING)
    assert "types hold at once. Few: under 20 are rated" in systems.reading(make(systems=(row,)))
    assert "Few" not in systems.reading(make(systems=(one,)))


def test_a_type_of_many_items_and_few_cases_is_not_said_to_have_few_items(make):
    kinds = tuple(
        TypeEstimate(doc_type=name, pool=90, n=25, estimate=Estimate(0.9, 0.7, 1.0), few=True)
        for name in ("bill", "note")
    )
    row = compared(Estimate(0.4, 0.1, 0.7))
    row = dataclasses.replace(
        row, systems=tuple(dataclasses.replace(of, types=kinds) for of in row.systems)
    )

    assert (
        "Few: under 20 are rated, or under 10 lie on the smaller side of the share; the range is a "
        "rough guide."
    ) in systems.reading(make(systems=(row,)))


def test_each_system_has_its_error_rate_target_and_types(make, report):
    kinds = tuple(
        TypeEstimate(doc_type=name, pool=30, n=20, estimate=Estimate(mean, mean - 0.2, mean + 0.2))
        for name, mean in (("bill", 4.4), ("note", 3.4))
    )
    one = compared(Estimate(0.4, 0.1, 0.7))
    cloud, tess = one.systems
    cloud = dataclasses.replace(
        cloud, cer=0.021, types=kinds, estimate=Estimate(4.2, 4.1, 4.3, n_items=40)
    )
    row = dataclasses.replace(one, systems=(cloud, dataclasses.replace(tess, types=kinds[:1])))
    shown = make(systems=(row,))
    page = render_html(shown)

    assert systems.outcome_word(shown, row, cloud) == "✓ met"
    assert systems.outcome_word(shown, row, tess) == "× not met"
    assert systems.target_text(shown) == (
        "That is over the outputs of all systems; each alone: cloud met and <i>tess not met."
    )
    # The headline is corrected by gold.
    assert systems.each_text(shown).endswith("Not corrected by gold, unlike the headline.")
    assert systems.reading(shown).endswith("Not corrected by gold, unlike the headline.")
    assert systems.each_text(shown).startswith("By system: cloud 4.20 (4.10 to 4.30); <i>tess 3.50")
    assert system_types.rows(row)[1] == ("note", ["3.40 (3.20 to 3.60)", "—"])
    assert "2.1%" in page
    assert "<i>tess" not in page


def test_a_share_as_target_is_judged_by_each_systems_share(make, report):
    target = PrintedTarget(dimension="meaning", value=0.8, share_at_least=4)
    one = compared(Estimate(0.4, 0.1, 0.7))
    cloud = dataclasses.replace(one.systems[0], share=Estimate(0.9, 0.85, 0.95))
    row = dataclasses.replace(one, systems=(cloud, one.systems[1]))
    shown = make(systems=(row,), target=target)

    assert systems.outcome_word(shown, row, cloud) == "✓ met"
    assert systems.outcome_word(shown, row, one.systems[1]) == "—"
    assert "cloud 90.0% (85.0% to 95.0%)" in systems.each_text(shown)


def test_one_system_has_the_headline_alone(report):
    assert systems.on_headline(report) is None
    assert systems.each_text(report) is None
    assert systems.target_text(report) is None
