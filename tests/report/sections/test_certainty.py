import dataclasses
import math

import pytest

from ocrjury import Estimate
from ocrjury.findings.field_errors import FieldErrors, KindErrors
from ocrjury.findings.pool_estimates import PoolEstimates, Response, TypeEstimate
from ocrjury.language import phrase
from ocrjury.report.html import render_html
from ocrjury.report.sections import certainty, criteria, joint_dimensions, plan, response
from ocrjury.report.sections.plan import Expected

NAN = math.nan


def with_rows(make, *rows):
    return make(estimates=rows)


def row(**changes):
    plain = PoolEstimates(
        dimension="meaning",
        others=Estimate(4.1, 4.0, 4.2),
        these=Estimate(4.1, 4.05, 4.15),
        hajek=Estimate(4.0, 3.8, 4.2),
        response=Response(drawn=10, rated=10, complete=10, given=20, wanted=20),
    )
    return dataclasses.replace(plain, **changes)


def test_every_warning_of_a_printed_estimate_is_a_sentence(report, html):
    found = certainty.cautions(report)

    assert [about for about, _ in found] == [
        "Mean on Meaning",
        "Share at 1 on Meaning and Readability",
    ]
    assert "GREG of plain means (4.12) and Hájek (3.71) differ by 3.4" in found[0].text
    assert all(text in html for _, text in found)


def test_a_caution_on_scores_is_printed_unless_a_dimension_has_it(make, report):
    """A rater may scatter on the mean of dimensions and on none of them."""
    joint, said = report.sections["joint_dimensions"], certainty.cautions(report)
    new = "Ratings of R04 scatter far more than those of the others."
    warned = dataclasses.replace(joint.composites[0].others, warnings=(new, said[0].text))
    first = dataclasses.replace(joint.composites[0], others=warned, weights={"meaning": 1.0})
    changed = dataclasses.replace(joint, composites=(first,))

    assert certainty.cautions(make(joint_dimensions=changed)) == [
        *said,
        ("All dimensions as one score", new),
    ]


def test_a_rater_who_scatters_on_a_dimension_is_not_told_again_with_a_score(make, report):
    def little(rater, share):
        return phrase("Ratings of {rater} get {share} of a weight.", rater=rater, share=share)

    joint = report.sections["joint_dimensions"]
    warnings = (little("R06", "4%"), little("R04", "5%"))
    warned = dataclasses.replace(joint.composites[0].others, warnings=warnings)
    first = dataclasses.replace(joint.composites[0], others=warned, weights={"meaning": 1.0})
    changed = make(joint_dimensions=dataclasses.replace(joint, composites=(first,)))

    known = joint_dimensions.cautions(changed, known=[little("R06", "3%")])

    assert known == ["Ratings of R04 get 5% of a weight."]


def test_a_dimension_on_which_agreement_is_not_shown_prints_nothing(report, html):
    assert "A sentence about layout." not in html
    assert [one.dimension for one in certainty.shown(report)] == ["meaning", "readability"]


def test_the_lead_counts_cautions_and_items_without_a_rating(report):
    assert certainty.lead(report) == (
        "2 cautions go with the estimates. 3 drawn items went without a rating."
    )


def test_without_cautions_the_page_says_what_was_looked_for(make):
    report = with_rows(make, row())

    assert certainty.lead(report) == (
        "No caution goes with the estimates. Every drawn item has all its ratings: 10 items, 20 "
        "ratings on each dimension."
    )
    assert "There is none: GREG and Hájek of plain means agree" in render_html(report)


def test_a_warning_about_a_document_type_names_it_without_markup(make):
    few = Estimate(3.0, warnings=("Too few items: 3.",))
    form = TypeEstimate(doc_type="<b>form</b>", pool=9, n=3, estimate=few, few=True)
    report = with_rows(make, row(types=(form,)))

    assert certainty.cautions(report)[0].about == "Type <b>form</b> on Meaning"
    assert "<b>form</b>" not in render_html(report)
    assert "&lt;b&gt;form&lt;/b&gt;" in render_html(report)


def test_a_warning_about_all_document_types_names_none_of_them(make):
    few = Estimate(3.0, warnings=("Too few items: 3.",))
    forms, letters = (
        TypeEstimate(doc_type=name, pool=9, n=3, estimate=few, few=True)
        for name in ("form", "letter")
    )
    enough = dataclasses.replace(letters, estimate=Estimate(3.0), few=False)

    every = certainty.cautions(with_rows(make, row(types=(forms, letters))))
    some = certainty.cautions(with_rows(make, row(types=(forms, enough))))

    assert [about for about, _ in every] == ["Every document type on Meaning"]
    assert [about for about, _ in some] == ["Type form on Meaning"]


def test_a_share_on_too_few_cases_is_marked(report, html):
    meaning, layout, _ = report.estimates

    meaning = dataclasses.replace(meaning, gold=None)
    assert certainty.share_text(meaning, "unusable") == "3.0% (1.0% to 6.0%), too few"
    assert certainty.share_text(meaning, "usable") == "81.0% (76.0% to 86.0%)"
    assert certainty.share_text(layout, "unusable") == "—"
    assert "3.0% (1.0% to 6.0%), too few" in html
    assert "fewer than 10 items are on the smaller side" in (certainty.few_text(report) or "")


def test_a_share_that_gold_corrected_is_called_that_beside_the_one_without(report):
    meaning = report.estimates[0]
    gold = dataclasses.replace(meaning.gold, usable=None, unusable=Estimate(0.04, 0.02, 0.08))

    corrected = dataclasses.replace(meaning, gold=gold)

    assert certainty.share_text(corrected, "unusable") == (
        "3.0% (1.0% to 6.0%), too few, corrected by gold; without gold 4.0% (2.0% to 8.0%)"
    )
    assert certainty.share_text(corrected, "usable") == (
        "81.0% (76.0% to 86.0%), not corrected by gold"
    )


def test_without_a_mark_nothing_explains_it(make, report):
    rows = [dataclasses.replace(estimate, few=()) for estimate in report.estimates]

    assert certainty.few_text(make(estimates=tuple(rows))) is None


def test_the_middle_half_of_the_pool_is_named(report, make):
    assert certainty.quartile_text(report) == (
        "The mean ratings of the middle half of the pool: 3.5 to 5.0 on Meaning. "
        "They are not corrected by gold."
    )
    assert certainty.quartile_text(with_rows(make, row())) is None


def test_the_ways_of_estimating_are_compared(report, make):
    assert certainty.ways_title(report) == (
        "The mean in other ways: at most 0.14 points from GREG, on Meaning"
    )
    number, hajek = Estimate(3.796, 3.7, 3.9), Estimate(3.713, 3.6, 3.8)
    apart = row(others=number, these=number, hajek=hajek, inferred=None)
    # 3.80 and 3.71 are printed.
    assert "at most 0.09 points" in certainty.ways_title(with_rows(make, apart))
    nothing = Estimate(NAN, reason="no_items")
    undefined = row(hajek=nothing, these=nothing)
    assert certainty.ways_title(with_rows(make, undefined)) == "The mean in other ways"


def test_gold_says_how_far_it_moved_the_mean(report, make):
    assert certainty.gold_text(report) == (
        "Items whose rating is known show how high or low the raters are as a group; GREG is "
        "corrected by that: Meaning 4.12, without gold 4.02 (118 ratings of gold)."
    )
    assert certainty.gold_text(with_rows(make, row())) is None


@pytest.mark.parametrize(
    ("planned", "achieved", "title"),
    [
        (0.32, 0.38, "The mean’s range is 19% longer than planned"),
        (0.4, 0.2, "The mean’s range is 50% shorter than planned"),
        (0.4, 0.41, "The mean’s range came out as planned: 0.41 points long"),
        (0.4, None, "Planned and achieved"),
        (math.inf, 0.3, "The mean’s range is shorter than planned: 0.30 points"),
    ],
)
def test_the_plan_is_held_against_what_became_of_it(report, planned, achieved, title):
    held = dataclasses.replace(
        report.sections["plan"],
        planned=Expected(width_others=planned),
        achieved=Expected(width_others=achieved),
    )

    assert plan.title(report, held) == title


def test_the_plan_is_printed_line_by_line(report, html):
    rows = plan.rows(report, report.sections["plan"])

    assert rows[0] == ("Items rated", "200", "197")
    assert rows[-1] == (
        "Usable share’s range",
        "12.0 percentage points",
        "10.0 percentage points",
    )
    assert all(part in html for row in rows for part in row)
    assert "was measured in korean-claims-2026w46" in plan.text(report, report.sections["plan"])


def test_lines_without_numbers_are_left_out(report):
    bare = dataclasses.replace(
        report.sections["plan"],
        planned=Expected(items=10, gold_ratings=0),
        achieved=Expected(items=9, gold_ratings=0),
        measured=False,
        source="what is usual",
    )

    assert plan.rows(report, bare) == [("Items rated", "10", "9")]
    assert "was assumed from what is usual" in plan.text(report, bare)


def test_what_did_not_come_back_is_told(report, html):
    assert response.title(report) == (
        "188 of 200 drawn items have all their ratings on the dimension that has fewest"
    )
    said = response.text(report)
    assert said is not None
    assert "On Meaning they are in 처방전 (2) and 수술기록 (1)" in said
    assert "counts up to 1.21 times as much" in said
    assert said in html


def test_a_full_return_says_so(make):
    report = with_rows(make, row())

    assert response.complete_text(report).startswith("Every drawn item has all its ratings: ")
    assert response.text(report) is None


def test_fields_with_a_critical_error_are_in_the_table_and_the_summary(report, html):
    assert "31.0% (27.0% to 35.0%)" in html
    assert "7.0% to 45.0% (too few)" in html
    assert "2 fields without a reference" in html
    line = next(
        one for one in criteria.criteria(report) if one.criterion == "Critical field errors"
    )
    assert (line.result, line.interval) == ("31.0%", "27.0% to 35.0%")
    assert line.rule == "for information: fields of kind amount, code or date"


def test_a_share_that_the_error_rates_tell_has_no_range():
    told = KindErrors("code", 307, 32, Estimate(0.46, 0.46, 0.46))

    assert certainty.field_interval(told) == "follows from the error rates"


def test_what_was_counted_is_called_exact(make):
    amount = KindErrors("amount", 357, 357, Estimate(0.25, 0.25, 0.25, 0.0), exact=True)
    errors = FieldErrors(dimension="meaning", share=amount.estimate, by_kind=(amount,))

    assert certainty.field_interval(amount) == "exact: every field was compared"
    assert certainty.fields_text(make(), errors).endswith(
        "All fields of these kinds have a reference and were compared; over all of them 25.0%, "
        "without sampling error."
    )
    apart = dataclasses.replace(errors, unjudged=("code", "date"))
    assert certainty.fields_text(make(), apart).endswith(
        "Not judged, because no field of the kind has a reference: code and date."
    )


def test_an_interim_report_has_no_estimates_to_be_sure_of(make):
    report = make(estimates=(), plan=None, field_errors=None, trend=None)

    page = render_html(report)
    assert "How sure the numbers are" not in page
    assert "Over time" not in page
    assert "Critical error" not in page
