import dataclasses
import re

import pytest

from ocrjury.language import speaking
from ocrjury.report.html import render_html
from ocrjury.report.html_size import BYTES, mailed_html
from ocrjury.report.pdf_page import ShortenedPage

MANY = 1000
PICTURE = "data:image/jpeg;base64," + "QUJD" * 2500
PICTURES = re.compile(r'<img class="crop"')


def with_items(report, n, *, pictures=(PICTURE,)):
    """The report with many worst items; their pictures come in turns."""
    rows = report.items.rows
    items = tuple(
        dataclasses.replace(
            rows[place % len(rows)], doc_id=f"p{place}", image=pictures[place % len(pictures)]
        )
        for place in range(n)
    )
    return dataclasses.replace(report, items=dataclasses.replace(report.items, rows=items))


@pytest.fixture(scope="module")
def long(report):
    """A report with so many worst items that its page is too large to be mailed, and the page."""
    data = with_items(report, MANY)
    return data, render_html(data)


def test_a_thousand_pictures_leave_a_file_that_can_be_mailed(long):
    data, page = long

    html = mailed_html(data, page)

    assert len(page.encode()) > 10_000_000
    assert BYTES - 100_000 < len(html.encode()) <= BYTES < 5_000_000
    shown = len(PICTURES.findall(html))
    assert f"it has the first {shown} of 1,000 pictures of these items" in html
    assert all(f'id="item-p{place}"' in html for place in range(MANY))
    assert PICTURES.search(html[html.index('id="item-p0"') : html.index('id="item-p1"')])
    assert not PICTURES.search(html[html.index('id="item-p999"') :])


def test_the_page_of_the_pdf_has_all_pictures_and_no_word_of_fewer(long):
    _, page = long

    assert len(ShortenedPage.of(page.encode()).crops) == MANY
    assert "To keep this file small" not in page


def test_a_small_report_is_one_page_for_both(report, html):
    assert mailed_html(report, html) is html


def test_an_excerpt_is_measured_by_what_it_has(long):
    data, _ = long
    page = render_html(data, only=["agreement"])

    assert mailed_html(data, page, only=["agreement"]) is page


def test_items_without_a_picture_take_no_place_of_one(report, monkeypatch):
    data = with_items(report, 100, pictures=(None, PICTURE))
    page = render_html(data)
    monkeypatch.setattr("ocrjury.report.html_size.BYTES", len(page.encode()) - 10 * len(PICTURE))

    html = mailed_html(data, page)

    shown = len(PICTURES.findall(html))
    assert 35 <= shown <= 40
    assert f"the first {shown} of 50 pictures" in html


def test_texts_are_never_cut_and_the_log_says_how_large_they_are(long, monkeypatch, caplog):
    data, page = long
    monkeypatch.setattr("ocrjury.report.html_size.BYTES", 100_000)

    html = mailed_html(data, page)

    assert "it has none of the 1,000 pictures of these items" in html
    assert not PICTURES.search(html)
    assert 'id="item-p999"' in html
    assert re.search(r"the HTML of korean-claims-2026w47 has \d\.\d MB: its texts", caplog.text)


@pytest.mark.parametrize(
    ("language", "words"), [("ko", "이미지 100개 중 앞의"), ("zh", "100 张图像中的前")]
)
def test_it_is_said_in_the_language_of_the_report(report, monkeypatch, language, words):
    identity = dataclasses.replace(report.identity, language=language)
    with speaking(language):
        data = dataclasses.replace(with_items(report, 100), identity=identity)
        page = render_html(data)
        monkeypatch.setattr(
            "ocrjury.report.html_size.BYTES", len(page.encode()) - 10 * len(PICTURE)
        )
        html = mailed_html(data, page)

    assert words in html
