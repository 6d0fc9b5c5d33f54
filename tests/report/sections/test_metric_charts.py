import dataclasses
import math
import re

import pytest

from ocrjury import Estimate
from ocrjury.findings.pool_metrics import (
    CharacterConfusion,
    ConfidenceCheck,
    Confusions,
    Coverage,
    PoolMetrics,
)
from ocrjury.report.html import render_html
from ocrjury.report.sections import confidences, groups, metric_charts, metric_table


@pytest.fixture(scope="module")
def metrics(report):
    return report.get(PoolMetrics)


@pytest.fixture
def check(metrics):
    return confidences.texts(metrics)[0]


def section(page):
    return page.split('id="scores"')[1].split("</section>")[0]


def test_the_tail_of_each_metric_is_on_its_bad_side(report, metrics, html):
    cells = {
        row.metric: metric_table.tail_text(metrics, row)
        for row in report.sections["scores"].metrics
    }

    assert cells["cer"] == metric_table.percent(metrics.tails["cer"])
    assert cells["bleu"] == metric_table.decimal(metrics.tails["bleu"], 3)
    assert metrics.tails["bleu"] < 0.5 < metrics.tails["cer"] + 0.5
    assert "5th percentile" in section(html)
    assert "95th percentile" in section(html)


def test_no_text_of_the_charts_is_below_seven_points(html):
    """A panel of 38.5 mm is 152 units wide, so that a unit is .718 points."""
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', section(html))]

    assert min(sizes) * 0.718 >= 7


def test_nothing_is_drawn_beyond_the_edge_of_a_chart(html):
    for chart in re.findall(r"<svg.*?</svg>", section(html), re.DOTALL):
        width, height = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', chart).groups())
        for x, y, size, anchor, words in re.findall(
            r'<text x="(\S+)" y="(\S+)" font-size="(\S+)" text-anchor="(\w+)"[^>]*>([^<]*)', chart
        ):
            long = 0.56 * float(size) * len(words)
            start = float(x) - {"start": 0, "middle": long / 2, "end": long}[anchor]
            assert start > -3, words
            assert start + long < width + 3, words
            assert 0 < float(y) <= height, words


def test_characters_are_printed_as_far_as_the_report_shows_texts(make, sample_items):
    pair = CharacterConfusion("0", "O", "replace", 12, 5)
    found = Confusions(
        edits={"replace": 12, "insert": 0, "delete": 8}, distinct=3, pairs=(pair,), least_pages=5
    )

    assert metric_charts.confusions_title(found) == (
        "60% of the character errors are replaced characters"
    )
    assert metric_charts.confusions_shown(found, "masked") == (pair,)
    assert "at least 5 pages" in metric_charts.confusions_note(found, "masked")
    assert metric_charts.confusions_shown(found, "off") == ()
    assert "shows no texts" in metric_charts.confusions_note(found, "off")
    nothing = Confusions(edits={"replace": 0, "insert": 0, "delete": 0}, distinct=0, pairs=())
    assert metric_charts.confusions_title(nothing) == "No character was misread"
    assert metric_charts.character(" ") == "space"


def test_a_report_without_texts_prints_no_character(make, metrics, sample_items):
    pair = CharacterConfusion("璿", "x", "replace", 12, 5)
    shown = dataclasses.replace(metrics.confusions, pairs=(pair,))
    changed = dataclasses.replace(metrics, confusions=shown)

    pages = {
        name: render_html(make(metrics=changed, items=sample_items(name)))
        for name in ("shown", "off")
    }

    assert "璿" in section(pages["shown"])
    assert "璿" not in section(pages["off"])


@pytest.mark.parametrize(
    ("stated", "correct", "error", "words"),
    [
        (0.9, 0.7, 0.2, "overconfident"),
        (0.6, 0.8, 0.2, "underconfident"),
        (0.8, 0.81, 0.02, "reads as a probability"),
        (0.8, 0.81, 0.2, "not at every level"),
    ],
)
def test_the_title_says_how_confidence_errs(check, stated, correct, error, words):
    changed = dataclasses.replace(
        check, stated=stated, correct=correct, calibration_error=Estimate(error)
    )

    assert words in confidences.reliability_title(changed)


def test_a_distance_that_may_be_chance_is_not_told(check):
    error = Estimate(0.07, 0.0, 0.1)
    changed = dataclasses.replace(check, stated=0.8, correct=0.81, calibration_error=error)

    assert confidences.reliability_title(changed).startswith("Confidence is right on average: ")


def test_missing_constant_and_impossible_confidences_have_their_sentences(metrics, check):
    assert "13 outputs without confidence" in confidences.numbers_text(metrics, check)
    constant = dataclasses.replace(check, coverage=(Coverage(1.0, 0.4),), stated=0.9)
    assert "separates nothing" in confidences.reliability_title(constant)
    assert "not possible" in confidences.coverage_title(constant)
    percentages = dataclasses.replace(check, n_outside=2, percentages=True)
    sentence = confidences.numbers_text(metrics, percentages)
    assert "2 outside 0 to 100" in sentence
    assert "Confidences were given from 0 to 100." in sentence
    silent = dataclasses.replace(metrics, confidences=())
    assert "no confidences" in confidences.absent_text(silent)
    unknown = dataclasses.replace(silent, n_reference=0)
    assert "No output has a reference" in confidences.absent_text(unknown)
    assert confidences.absent_text(metrics) == ""


def test_ranges_are_printed_where_the_pool_is_not_fully_known(metrics, check):
    partly = dataclasses.replace(metrics, n_reference=500)
    ranged = dataclasses.replace(check, brier=Estimate(0.1, 0.08, 0.12))

    assert "0.10 (0.08 to 0.12)" in confidences.numbers_text(partly, ranged)
    assert "Ranges (95%) are over pages" in confidences.numbers_text(partly, ranged)
    assert "Ranges" not in confidences.numbers_text(metrics, check)


def test_numbers_without_ranges_say_why(metrics, check):
    partly = dataclasses.replace(metrics, n_reference=500)
    short = dataclasses.replace(
        check,
        brier=Estimate(0.1, 0.08, 0.12),
        calibration_error=Estimate(0.2, reason="fewer_than_two_items"),
    )

    whole = confidences.numbers_text(partly, dataclasses.replace(check, right="critical"))

    assert whole.endswith("No ranges: these numbers speak of the compared outputs only.")
    assert "Ranges (95%)" not in whole
    assert "error 0.20 (no interval: fewer than two items)" in confidences.numbers_text(
        partly, short
    )


def test_a_report_of_a_pool_without_references_has_no_charts(make, report):
    none = Confusions(edits={"replace": 0, "insert": 0, "delete": 0}, distinct=0, pairs=())
    empty = PoolMetrics(n=3, n_reference=0, n_empty=1, confusions=none)
    page = section(render_html(make(metrics=empty, groups=None)))

    assert "No output has a reference, so there is no error rate" in page
    assert "confidence cannot be checked" in page
    assert "wrong character" not in page


def test_groups_without_references_and_ratings_have_columns_of_neither(make, report, metrics):
    blank = {"cer": math.nan, "exact": math.nan, "critical": math.nan, "judged": 0}
    rows = [[dataclasses.replace(row, **blank) for row in of.rows] for of in metrics.groups]
    pool = [
        dataclasses.replace(of, rows=tuple(blank_rows))
        for of, blank_rows in zip(metrics.groups, rows, strict=True)
    ]
    unknown = dataclasses.replace(metrics, groups=tuple(pool), n_reference=0)
    verdict = dataclasses.replace(report.verdict, decision="INCONCLUSIVE", release=None)

    page = section(render_html(make(metrics=unknown, verdict=verdict)))

    table = page.partition('id="scores-groups"')[2].partition("</table>")[0]
    assert table.count('scope="col"') == 3
    assert 'colspan="3"' in table


def test_groups_are_compared_by_ratings_whose_ranges_do_not_meet(make, report, metrics):
    title = groups.groups_title(report, metrics)

    assert title == "By level, heavy (2.60) is rated clearly below light (4.40)"
    closed = make(groups=None)
    assert "are read exactly" in groups.groups_title(closed, metrics)
    assert "are read exactly" in groups.groups_title(None, metrics)


def test_the_columns_of_groups_say_of_how_many_they_are(make, report, metrics):
    means = groups.means(report)
    few = {
        name: tuple(dataclasses.replace(row, few=True, n=25) for row in rows)
        for name, rows in means.by_column.items()
    }
    marked = make(groups=dataclasses.replace(means, by_column=few))

    assert "Critical: of the group’s fields of kind amount." in groups.groups_text(report, metrics)
    assert (
        "Few: under 20 are rated, or under 10 lie on the smaller side of the share; the range is a "
        "rough guide."
    ) in groups.groups_text(marked, metrics)
    assert "Few: under 20" not in groups.groups_text(report, metrics)


def test_one_output_lies_beyond_the_axes_and_several_lie(metrics):
    pair = dataclasses.replace(metrics.pairs[0], beyond=1)

    assert metric_charts.pair_text(pair).endswith("1 lies beyond the axes.")
    several = dataclasses.replace(pair, beyond=1200)
    assert metric_charts.pair_text(several).endswith("1,200 lie beyond the axes.")
    assert "beyond" not in metric_charts.pair_text(dataclasses.replace(pair, beyond=0))


def test_the_most_confident_are_a_share_of_all_outputs(check):
    top = check.bins[-1]
    left_out = dataclasses.replace(check, n_missing=check.n, n_outside=0)

    alone = dataclasses.replace(check, n_missing=0, n_outside=0)
    assert f"{100 * top.n / check.n:.0f}% of the outputs" in confidences.bins_title(alone)
    assert f"{50 * top.n / check.n:.0f}% of the outputs" in confidences.bins_title(left_out)


def test_no_mean_is_printed_where_agreement_was_not_shown(make, report, metrics):
    verdict = dataclasses.replace(report.verdict, decision="INCONCLUSIVE", release=None)
    hidden = make(verdict=verdict)
    level = next(of for of in metrics.groups if of.column == "level")

    assert groups.mean_of(hidden, level, level.rows[0]) is None
    assert "Ratings are not printed" in groups.groups_text(hidden, metrics)
    assert groups.mean_of(report, level, level.rows[0]) is not None


def test_empty_outputs_are_counted_by_type(metrics):
    title = groups.empty_title(metrics)

    assert title == "5.0% of the outputs are empty: 30 of 600"
    none = dataclasses.replace(metrics, n_empty=0)
    assert groups.empty_title(none) == "No output is empty"


def test_what_has_no_value_in_a_column_stands_in_single_brackets(metrics):
    unnamed = tuple(
        dataclasses.replace(of, rows=tuple(dataclasses.replace(row, name=None) for row in of.rows))
        for of in metrics.groups
    )

    title = groups.groups_title(None, dataclasses.replace(metrics, groups=unnamed))

    assert "(none" in title
    assert "((" not in title


def test_a_check_without_bins_has_a_title():
    nothing = ConfidenceCheck(
        system="a", right="exact", n=0, n_missing=3, n_outside=0, percentages=False,
        stated=math.nan, correct=math.nan, bins=(), calibration_error=Estimate(math.nan),
        brier=Estimate(math.nan), auroc=Estimate(math.nan), coverage=(), pool=3,
    )  # fmt: skip

    assert confidences.bins_title(nothing) == "No confidences"


def test_means_without_ranges_say_why_once(make, report, metrics):
    reason = "fewer_than_two_raters"
    alone = tuple(
        dataclasses.replace(of, estimate=Estimate(of.estimate.value, reason=reason))
        for of in report.types
    )
    estimates = tuple(dataclasses.replace(row, types=alone) for row in report.estimates)
    page = section(render_html(make(estimates=estimates, groups=None)))

    table = page.partition('id="scores-groups"')[2].partition("</table>")[0]
    assert "fewer than two raters" not in table
    assert page.count("No mean has a range: fewer than two raters.") == 1


def test_without_references_the_lead_promises_no_error_rate(make, report):
    scores = report.sections["scores"]
    unknown = make(scores=dataclasses.replace(scores, n_reference=0))

    assert "What can be counted without references." in section(render_html(unknown))
    assert "The error rates of the pool" in section(render_html(report))
