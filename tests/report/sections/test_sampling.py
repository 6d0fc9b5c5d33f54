"""What the chapter says of how the items were chosen."""

import dataclasses
import math

import pytest

from ocrjury.findings.sampling import RiskReason
from ocrjury.report.html import render_html
from ocrjury.report.sections import ratings, sampling


@pytest.fixture
def drawn(report):
    """The design of the sample report, with changes."""

    def change(**changes):
        return dataclasses.replace(report.sections["sampling"], **changes)

    return change


def test_a_pool_drawn_whole_needs_no_probabilities(drawn):
    whole = drawn(pool_size=200, n=200, weight_low=1.0, weight_high=1.0, weight_median=1.0)

    assert sampling.lead(whole) == "All 200 items of the pool were drawn."
    assert sampling.weights_text(whole) == "Every item stands for itself."


def test_one_item_is_spoken_of_as_one(drawn):
    assert sampling.lead(drawn(pool_size=1, n=1)) == "The pool has one item, and it was drawn."


def test_equal_weights_are_one_number(drawn):
    alike = drawn(weight_low=7.61, weight_high=7.64, weight_median=7.62)

    assert sampling.weights_text(alike) == "Every drawn item stands for 7.6 items of the pool."


def test_a_pool_of_one_stratum_has_no_mix_and_no_chart(make, drawn, report):
    """As a folder of OCR files, which tells no document types."""
    lone = drawn(strata=(sampling.StratumCounts(stratum="None", pool=1525, drawn={"random": 200}),))
    meaning, *others = report.estimates
    untyped = dataclasses.replace(meaning, types=meaning.types[:1])

    page = render_html(
        make(estimates=(untyped, *others), sections={**report.sections, "sampling": lone})
    )

    assert "As the random part: the pool has no two document types to balance" in page
    assert 'id="sampling-strata"' not in page
    assert 'id="ratings-types-chart"' not in page


def test_the_mean_ratings_of_the_parts_say_on_which_dimension(report, html):
    text = "The mean rating is that of the part’s items on Meaning, each counted alike."

    assert sampling.means_text(report, report[sampling.Sampling]) == text
    assert text in html


def test_a_release_shows_what_may_agree_and_never_what_failed(make, report):
    decisions = ("INCONCLUSIVE", "FAIL", "INCONCLUSIVE")
    rows = tuple(
        dataclasses.replace(row, decision=decision)
        for row, decision in zip(report.verdict.dimensions, decisions, strict=True)
    )
    released = make(verdict=dataclasses.replace(report.verdict, dimensions=rows))
    page = render_html(released)
    table = page.partition("Pool estimates, by dimension")[2].partition("</table>")[0]

    assert table.count("agreement not shown: no estimate is printed") == 1
    assert ratings.trusted_text(released) == (
        "The raters’ agreement on Meaning is not shown; its estimates are printed because the "
        "evaluation was released. The raters’ agreement on Readability is not shown; its estimates "
        "are printed because the evaluation was released. The raters do not agree well enough on "
        "Layout. For that reason this was computed and is not printed: means and shares, and every "
        "score that combines it with others."
    )


def test_parts_whose_ratings_have_no_mean_have_no_column_of_means(make, report):
    held = report.sections["sampling"]
    parts = tuple(dataclasses.replace(part, mean_rating=math.nan) for part in held.parts)
    nameless = dataclasses.replace(held, parts=parts)

    def table(page):
        return page.partition('id="sampling-parts"')[2].partition("</table>")[0]

    assert "Mean rating" in table(render_html(report))
    assert "Mean rating" not in table(render_html(make(sampling=nameless)))


def test_a_column_may_be_called_like_the_words_of_a_rule(drawn):
    near = RiskReason("near", "judge or not", 0.8)
    judge = RiskReason("judge", "close to 1")

    assert sampling.risk_words(drawn(reasons=(near,))) == (
        "Settle doubt: more often where judge or not close to 0.8"
    )
    assert "rating tells most were drawn" in sampling.lead(drawn(reasons=(near,)))
    assert sampling.risk_words(drawn(reasons=(judge,))) == (
        "Find failures: more often where the score of close to 1 is low"
    )


def test_two_reasons_to_expect_failures_settle_no_doubt(drawn):
    both = drawn(reasons=(RiskReason("cer"), RiskReason("confidence")))

    assert sampling.risk_words(both) == (
        "Find failures: more often where the error rate is high or OCR confidence is low"
    )
    assert "Items that are likely to be bad were drawn" in sampling.lead(both)
