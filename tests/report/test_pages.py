"""Pages of the PDF: how full they are, how small their type is, and what lies on what."""

import dataclasses

import pytest

from ocrjury.estimate import Estimate
from ocrjury.report.html import render_html
from ocrjury.report.pdf import write_pdf
from ocrjury.report.sections.agreement import COLUMNS
from tests.report.printed_pages import (
    RIGHT,
    empty_shares,
    faults,
    on_one_another,
    outside,
    printed_pages,
    too_small,
)


@pytest.fixture(scope="module")
def pages(pdf):
    return printed_pages(pdf)


def test_no_page_but_the_last_is_more_than_a_third_empty(pages):
    assert max(empty_shares(pages[:-1])) <= 1 / 3


def test_nothing_is_set_smaller_than_seven_points(pages):
    assert not too_small(pages)


def test_no_word_lies_on_another(pages):
    assert not on_one_another(pages)


def test_no_word_leaves_the_body_of_its_page(pages):
    assert not outside(pages)


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_pages_in_korean_and_chinese_are_as_full_and_as_clear(html_in, tmp_path, language):
    write_pdf(html_in(language), tmp_path / "report.pdf")

    pages = printed_pages(tmp_path / "report.pdf")
    assert max(empty_shares(pages[:-1])) <= 1 / 3
    assert faults(pages) == []


def at_best(row):
    """Agreement on a dimension on which raters never differ: the last statistic is a share."""
    never = Estimate(1.0, reason="no_disagreement")
    best = dict.fromkeys(COLUMNS[:-1], never)
    best[COLUMNS[-1]] = dataclasses.replace(row.get(COLUMNS[-1]), value=1.0, low=1.0, high=1.0)
    return dataclasses.replace(row, estimates={**row.estimates, **best})


def test_the_longest_words_of_the_agreement_stay_in_their_columns(report, tmp_path):
    measured = report.sections["agreement"]
    measured = dataclasses.replace(measured, dimensions=tuple(map(at_best, measured.dimensions)))
    rows = [dataclasses.replace(row, decision="INCONCLUSIVE") for row in report.verdict.dimensions]
    verdict = dataclasses.replace(report.verdict, dimensions=tuple(rows))
    sections = report.sections | {"agreement": measured}
    worded = dataclasses.replace(report, verdict=verdict, sections=sections)

    write_pdf(render_html(worded, only=["agreement"]), tmp_path / "report.pdf")

    pages = printed_pages(tmp_path / "report.pdf")
    words = [word.text for page in pages for word in page]
    assert words.count("INCONCLUSIVE") >= len(rows)
    assert words.count("100%") == len(rows)
    assert words.count("never") == len(rows) * (len(COLUMNS) - 1)
    assert faults(pages) == []


def test_the_contents_are_as_wide_as_the_page(pages):
    contents = next(page for page in pages if any(word.text == "Contents" for word in page))
    start = next(word for word in contents if word.text == "Summary")
    lines = [word for word in contents if abs(word.top - start.top) < 1]

    assert max(word.right for word in lines) > RIGHT - 2
