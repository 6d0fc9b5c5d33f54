"""The report of a campaign with a brand, as a page and as a PDF."""

import base64
import dataclasses
import subprocess

import pytest

from ocrjury.campaign.brand import Brand
from ocrjury.report.html import render_html
from ocrjury.report.pdf import write_pdf

DRAWING = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 9">
<rect width="40" height="9"/></svg>"""
LOGO = f"data:image/svg+xml;base64,{base64.b64encode(DRAWING).decode()}"


@pytest.fixture(scope="module")
def branded(report):
    """Render the report with a brand."""

    def rendered(*, only=(), **brand):
        identity = dataclasses.replace(report.identity, brand=Brand(**brand))
        return render_html(dataclasses.replace(report, identity=identity), only=only)

    return rendered


def test_the_cover_has_name_and_logo_and_the_end_has_the_footer(branded):
    page = branded(name="Acme Archives", logo=LOGO, footer="Confidential")

    assert f'<p class="logo"><img src="{LOGO}" alt="Acme Archives"></p>' in page
    assert '<p class="kicker">Acme Archives · OCR human evaluation' in page
    assert f'<link rel="icon" href="{LOGO}">' in page
    end = '<p class="brand small">Acme Archives · Confidential</p>\n</main>'
    assert end in page


def test_a_name_alone_brings_neither_picture_nor_colour(branded, html):
    page = branded(name="Acme")

    assert 'class="logo"' not in page
    assert 'rel="icon"' not in page
    assert "prefers-color-scheme: light" not in page
    assert page.count("<img") == html.count("<img")


def test_the_colour_is_that_of_accents_on_white_only(branded):
    page = branded(name="Acme", colour="#8a0b5d")

    style = page[page.index('<style media="print, screen and (prefers-color-scheme: light)">') :]
    assert style.count("#8a0b5d") == page.count("#8a0b5d") == 2
    # What is good and what is bad keeps its colour.
    assert "--good: #8a0b5d" not in page


def test_words_of_a_campaign_are_no_markup(branded):
    page = branded(name='</style><b a="', footer="{{ 7*7 }}<script>")

    assert page.count("<script") == 1
    assert "&lt;/style&gt;&lt;b a=&#34; · {{ 7*7 }}&lt;script&gt;" in page


def test_every_page_of_the_pdf_has_it_at_its_foot(branded, tmp_path):
    brand = {"name": "아크메 기록원", "colour": "#8a0b5d", "footer": "대외비 Confidential"}
    page = branded(**brand, logo=LOGO, only=["agreement"])

    write_pdf(page, tmp_path / "brand.pdf")

    text = subprocess.run(
        ["pdftotext", "-layout", str(tmp_path / "brand.pdf"), "-"],
        capture_output=True, text=True, check=True, timeout=120,
    ).stdout  # fmt: skip
    pages = text.rstrip("\f").split("\f")
    assert all("아크메 기록원 · 대외비 Confidential" in one for one in pages)
    assert all("korean-claims-2026w47 · configuration" in one for one in pages[1:])
    assert f"Page 2 of {len(pages)}" in pages[1]


def test_without_one_nothing_of_it_is_in_the_page(html):
    assert "brand" not in html


def test_a_dark_logo_is_seen_on_a_dark_screen(branded):
    dark = '<style media="screen and (prefers-color-scheme: dark)">.logo img { background: #fff;'

    assert dark in branded(name="Acme", logo=LOGO)
