"""The HTML report in a real browser, without a network."""

import dataclasses
import io

import pytest
from PIL import Image

from ocrjury import Estimate
from ocrjury.report.html import render_html
from tests.report.browser_faults import CELL_FAULTS, CHART_FAULTS, LINE_FAULTS

# What reaches beyond the window, be it a box or the words of one; what lies in a box that scrolls
# by itself does not.
MEASURE = """() => {
const width = document.documentElement.clientWidth, found = [];
const scrolled = e => {
  for (; e && e !== document.body; e = e.parentElement)
    if (getComputedStyle(e).overflowX !== "visible") return true;
  return false;
};
const out = r => r.width > 0 && (r.right > width + 1 || r.left < -1);
for (const e of document.querySelectorAll("body *"))
  if (out(e.getBoundingClientRect()) && !scrolled(e.parentElement))
    found.push(e.tagName + " " + e.textContent.trim().slice(0, 60));
const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (words.nextNode()) {
  const range = document.createRange();
  range.selectNodeContents(words.currentNode);
  if ([...range.getClientRects()].some(out) && !scrolled(words.currentNode.parentElement))
    found.push(words.currentNode.data.trim().slice(0, 60));
}
const all = document.documentElement.scrollWidth;
return {width: innerWidth, all, found};
}"""


def test_the_page_says_in_a_browser_what_it_says_in_the_file(look, report):
    page = look()
    shown = page.content()

    assert report.identity.title in shown
    assert "SIMULATED" in shown
    assert shown.count("<script") == 1
    assert set(page.asked) <= {"file", "data"}


@pytest.mark.parametrize("width", [1280, 400])
def test_the_page_is_drawn_on_a_desk_and_on_a_phone(look, width):
    picture = look(width).screenshot()

    with Image.open(io.BytesIO(picture)) as image:
        assert image.size == (width, 900)
        colors = image.convert("RGB").getcolors(maxcolors=1_000_000)
    # Paper, ink, and the colours of charts: an empty page has one.
    assert len(colors) > 50


@pytest.mark.parametrize("width", [305, 320, 390])  # 305: beside a scroll bar
def test_nothing_reaches_beyond_the_window_of_a_phone(look, width):
    found = look(width).evaluate(MEASURE)

    assert found["width"] == width
    assert found["found"] == []
    assert found["all"] <= width


def test_a_wide_table_is_shaded_where_it_goes_on(look):
    """The paper over the shade scrolls along, so that none is left where the table ends."""
    table = look(390).locator(".wide:has(table)").first

    beginning = table.evaluate("at => getComputedStyle(at).backgroundAttachment")

    assert beginning == "local, local, scroll, scroll"


def test_what_is_asked_has_the_height_of_its_words_on_a_phone(look):
    heights = look(390).evaluate(
        "[...document.querySelectorAll('.asked')].map(e => e.clientHeight)"
    )

    assert len(heights) == 1
    assert heights[0] < 250


SIZES = """() => {
const sizes = [];
for (const chart of document.querySelectorAll("main svg")) {
  const unit = chart.getBoundingClientRect().width / chart.viewBox.baseVal.width;
  for (const word of chart.querySelectorAll("text"))
    sizes.push(parseFloat(word.getAttribute("font-size")) * unit);
}
return sizes;
}"""


def test_words_of_charts_are_about_as_large_in_all_of_them_on_a_phone(look):
    sizes = look(390).evaluate(SIZES)

    assert min(sizes) > 9
    assert max(sizes) < 14.5


def test_a_finding_is_in_larger_type_than_its_text(look):
    for width in (390, 1280):
        title, text = look(width).evaluate(
            """() => [".findings b", ".findings li"].map(
              name => parseFloat(getComputedStyle(document.querySelector(name)).fontSize))"""
        )

        assert title > text


def test_steps_are_in_the_type_of_other_tables(look):
    steps, table = look().evaluate(
        """() => [".steps td", "#agreement-dimensions td, .summary table td"].map(
          name => getComputedStyle(document.querySelector(name)).fontSize)"""
    )

    assert steps == table


def test_long_names_stay_in_the_window_too(browse, make, report):
    long = "x" * 90
    row = dataclasses.replace(report.items.rows[0], doc_id=long, doc_type=long)
    divided = dataclasses.replace(
        report.sections["differences"].divided[0], item=long, doc_type=long
    )
    page = render_html(
        make(
            identity=dataclasses.replace(report.identity, title=long, evaluation=long),
            items=dataclasses.replace(report.items, rows=(row,)),
            differences=dataclasses.replace(report.sections["differences"], divided=(divided,)),
            estimates=(
                dataclasses.replace(
                    report.estimates[0],
                    types=(dataclasses.replace(report.types[0], doc_type=long),),
                ),
            ),
            scores=dataclasses.replace(report.sections["scores"], signature=long * 3),
        )
    )

    found = browse(390, page).evaluate(MEASURE)

    assert found["found"] == []
    assert found["all"] <= 390


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_labels_marks_and_words_of_cells_keep_their_places(browse, html_in, language):
    page = browse(content=html_in(language))

    for width in (1280, 800, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(CHART_FAULTS) == []
        assert page.evaluate(CELL_FAULTS) == []
        assert page.evaluate(LINE_FAULTS) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_large_values_leave_room_for_the_names_of_raters(browse, make, report, width):
    raters = report.sections["raters"]
    rows = tuple(
        dataclasses.replace(row, mean=Estimate(533.6, 377.1 + number, 694.1 - number))
        for number, row in enumerate(raters.rows)
    )
    far = make(
        identity=dataclasses.replace(report.identity, language="zh"),
        scale=dataclasses.replace(report.scale, levels=(0, 250, 500, 750, 1000)),
        raters=dataclasses.replace(raters, rows=rows, mean=533.6),
    )

    found = browse(width, render_html(far)).evaluate(CHART_FAULTS)
    assert "raters-means" not in [chart for chart, *_ in found]


def test_what_has_the_focus_is_not_hidden_by_the_mark(browse):
    page = browse()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    hidden, sorts = [], 0

    for _ in range(50):
        page.keyboard.press("Shift+Tab")
        tag, words, top, mark = page.evaluate(
            """() => {
              const at = document.activeElement;
              const mark = document.querySelector(".mark").getBoundingClientRect();
              return [at.tagName, at.textContent, at.getBoundingClientRect().top, mark.bottom];
            }"""
        )
        sorts += tag == "BUTTON"
        hidden += [(words, top)] if 0 <= top < mark - 1 and tag == "BUTTON" else []

    assert sorts > 15
    assert hidden == []
