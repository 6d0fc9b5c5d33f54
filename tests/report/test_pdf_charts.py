"""Charts apart from their page: the same PDF, and nothing of them parsed as HTML."""

import pytest
from weasyprint.html import HTML_HANDLERS

from ocrjury.report import pdf_charts, pdf_child
from ocrjury.report.pdf_charts import without_charts
from ocrjury.report.pdf_page import ShortenedPage

SVG = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20"'
CHART = (
    f'<svg {SVG} role="img" font-family="sans-serif"><title>Two &amp; one</title>'
    '<g transform="translate(2)"><line x1="1" x2="9" y1="4" y2="4" stroke="#345"/></g>'
    '<text x="20" y="9" text-anchor="middle">A &lt; 문서</text></svg>'
)
PAGE = f"""<html lang="en"><title>t</title><style>svg {{ width: 30mm; height: auto }}
line, .c text {{ color: red; display: none }}</style>
<p class="c" lang="ko">{CHART} and {CHART.replace("Two", "Three")}</p><figure>{CHART}</figure>"""


@pytest.fixture(autouse=True)
def _handlers(monkeypatch):
    monkeypatch.setitem(HTML_HANDLERS, pdf_charts._SVG, HTML_HANDLERS[pdf_charts._SVG])


def test_a_page_with_its_charts_apart_gives_the_same_bytes(monkeypatch):
    page = ShortenedPage(PAGE)
    with monkeypatch.context() as patch:
        patch.setattr(pdf_child, "without_charts", lambda html: (html, []))
        whole = pdf_child.whole_pdf(page, "pdf/ua-1")

    pdf_charts.draw_numbered_charts()

    assert without_charts(PAGE)[0].count("<line") == 0
    assert pdf_child.whole_pdf(page, "pdf/ua-1") == whole
    assert pdf_child.whole_pdf(ShortenedPage(PAGE.replace('x2="9"', 'x2="8"')), "pdf/ua-1") != whole


@pytest.mark.parametrize(
    "chart",
    [
        f"<svg {SVG}><g><svg {SVG}></svg><path/></g></svg>",
        '<svg viewBox="0 0 4 4"><g/></svg>',
        f"<svg {SVG}><text>a&nbsp;b</text></svg>",
        f"<svg {SVG}><br></svg>",
        f"<svg {SVG}><g></svg>",
    ],
    ids=["nested", "no namespace", "an entity of HTML", "HTML within", "not closed"],
)
def test_what_is_no_xml_of_its_own_stays(chart):
    page = f"<p>{chart}</p>{CHART}"

    html, charts = without_charts(page)

    assert html.startswith(f"<p>{chart}</p><svg ")
    assert html.endswith(' data-chart="0"></svg>')
    assert len(charts) == 1


def test_a_chart_that_stays_is_drawn_alike():
    pdf_charts.draw_numbered_charts()
    stays = PAGE.replace('xmlns="http://www.w3.org/2000/svg" ', "")

    assert without_charts(stays) == (stays, [])
    whole, apart = (pdf_child.whole_pdf(ShortenedPage(page), "pdf/ua-1") for page in (stays, PAGE))
    assert whole == apart
