import sys
from subprocess import run

import pytest

from ocrjury.report.pdf_page import ShortenedPage, share_styles


@pytest.fixture
def page(html):
    return ShortenedPage.of(html.encode())


def test_no_crop_is_parsed_as_text_of_the_page(page):
    assert page.crops
    assert all(crop.startswith(b"\xff\xd8") for crop in page.crops)
    assert "data:image/jpeg" not in page.html


def test_items_in_one_language_share_their_styles(page):
    """Each language attribute inside would cost a style for itself and for all within it."""
    assert page.html.count(' lang="') == 1
    assert '<p class="diff" data-lang="ko">' in page.html
    assert page.html.count('[data-lang="ko"] { -weasy-lang: "ko" }') == 1


def test_what_is_no_language_stays_as_it_is():
    hostile = '<head></head><p lang="&quot;] {}">x</p><p>&lt;p lang=&#34;ko&#34;&gt;</p>'

    assert share_styles(hostile) == hostile


NEEDLESS = ("scipy.optimize", "scipy.sparse", "ocrjury.findings.measurement.", "ocrjury.resampling")
"""What measures, which a report of stored findings leaves alone."""


def test_a_report_loads_nothing_that_measures():
    loaded = (
        "import sys, ocrjury.report.evaluation_report, ocrjury.report.html as html; html.SECTIONS"
    )
    command = f"{loaded}; print(*[one for one in sys.modules if one.startswith({NEEDLESS})])"

    said = run([sys.executable, "-c", command], capture_output=True, text=True, check=True)

    assert said.stdout.split() == []
