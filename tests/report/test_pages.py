"""Pages of the PDF: how full they are, how small their type is, and what lies on what."""

import pytest

from ocrjury.report.pdf import write_pdf
from tests.report.printed_pages import (
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
