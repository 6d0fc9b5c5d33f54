"""What a reader at a screen gets beside the page, in a real browser."""

import dataclasses
import re
from datetime import UTC, datetime
from urllib.parse import unquote

import pandas as pd
import pytest

from ocrjury import Estimate, Scale
from ocrjury.findings.comparison import ComparedDimension, Comparison
from ocrjury.report.bare_report import build_bare_report
from ocrjury.report.html import render_html
from ocrjury.report.order import SECTIONS
from ocrjury.report.score_report import render_score_report, score_report
from ocrjury.text import TextOptions, score_texts
from ocrjury.text.metrics import METRICS, TOTALS
from tests.frontends.web.looks import colours_beside_main, violations, violations_of_looks
from tests.report.test_score_report import NOTHING


def numbers_of(page, table, column):
    """What a column of a table says, downwards."""
    return page.evaluate(
        "([n, c]) => [...document.querySelectorAll('main table')[n].tBodies[0].rows]"
        ".map(row => row.cells[c].innerText.trim())",
        [table, column],
    )


def test_a_click_or_enter_on_a_head_sorts_numbers_as_numbers(browse):
    page = browse()
    values = ["1,200", "−3.5%", "—", "20", "< 0.01", "9"]
    table = page.evaluate(
        """values => {
        const all = [...document.querySelectorAll("main table")];
        const table = all.findIndex(one =>
          one.querySelector("th button") && one.tBodies[0].rows.length === values.length);
        [...all[table].tBodies[0].rows].forEach(
          (row, n) => { row.cells[1].textContent = values[n]; });
        return table;
        }""",
        values,
    )
    button = page.locator("main table").nth(table).locator("thead button").nth(1)

    button.click()
    assert numbers_of(page, table, 1) == ["−3.5%", "< 0.01", "9", "20", "1,200", "—"]
    assert page.locator("th[aria-sort=ascending]").count() == 1
    button.press("Enter")
    assert numbers_of(page, table, 1) == ["1,200", "20", "9", "< 0.01", "−3.5%", "—"]
    button.press("Enter")
    assert numbers_of(page, table, 1) == values


def test_a_cell_that_says_by_what_it_is_sorted_is_sorted_by_that(browse):
    page = browse()
    table = page.evaluate(
        """() => {
        const all = [...document.querySelectorAll("main table")];
        const table = all.findIndex(one => one.querySelector("th button"));
        [...all[table].tBodies[0].rows].forEach((row, n) => {
          row.cells[1].textContent = `R0${n} ${n % 2 ? "−" : ""}${n}`;
          row.cells[1].dataset.sort = n % 2 ? -n : n;
        });
        return table;
        }"""
    )

    page.locator("main table").nth(table).locator("thead button").nth(1).click()

    shown = [int(cell.split()[1].replace("−", "-")) for cell in numbers_of(page, table, 1)]
    assert len(shown) > 5
    assert shown == sorted(shown)


def test_effects_are_sorted_by_their_number(report):
    page = render_html(report)

    effects = re.findall(r'data-sort="(-?[0-9.]+)">R\d+ (−?[0-9.]+)<', page)

    assert effects
    assert [float(shown.replace("−", "-")) for _, shown in effects] == pytest.approx(
        [float(effect) for effect, _ in effects], abs=0.006
    )


def test_what_scrolls_sideways_is_reached_by_the_keyboard_and_has_a_name(look):
    found = look(390).evaluate(
        """() => [...document.querySelectorAll(".wide")]
        .filter(box => box.scrollWidth > box.clientWidth)
        .map(box => [box.tabIndex, box.getAttribute("role"), box.getAttribute("aria-label")])"""
    )

    names = [name for *_, name in found]
    assert found
    assert all(one[:2] == [0, "region"] for one in found)
    assert all(names)
    assert len(set(names)) == len(names)


LEAST_LABEL = 8
"""Least type of a chart's label on a phone, in pixels."""
PHONE = {"width": 390, "height": 900}
TARGETS = "main :is(h1, h2, h3, table:has(caption), figure)"


def test_tables_and_charts_keep_their_size_on_a_phone(look):
    page = look(390)
    rows = page.evaluate(
        "[...document.querySelectorAll('main tbody tr')].map(one => one.clientHeight)"
    )
    captions = page.evaluate(
        "[...document.querySelectorAll('main caption')].map(one => one.clientWidth)"
    )
    scales = page.evaluate(
        "[...document.querySelectorAll('main :is(figure, td) svg')]"
        ".map(one => one.clientWidth / one.viewBox.baseVal.width)"
    )
    labels = page.evaluate(
        "[...document.querySelectorAll('main svg text')]"
        ".map(one => parseFloat(one.getAttribute('font-size')) * one.getScreenCTM().a)"
    )

    assert max(rows) < 300
    assert all(250 < width <= 350 for width in captions)
    assert min(scales) > 0.8
    assert min(labels) > LEAST_LABEL


CHARTS = "main svg:not(td svg)"


def test_every_heading_table_and_chart_has_an_address_and_a_link_to_it(look):
    page = look()
    ids = page.evaluate(f"[...document.querySelectorAll('{TARGETS}')].map(one => one.id)")
    links = page.evaluate(
        "[...document.querySelectorAll('.here')].map(one => [one.hash, one.ariaLabel])"
    )

    assert all(ids)
    assert len(set(ids)) == len(ids)
    assert {unquote(target[1:]) for target, _ in links} >= set(ids)
    assert {name for _, name in links} == {"Link to this place"}


def test_every_chart_tells_the_values_of_its_marks(html, look):
    page = look()
    silent = page.evaluate(
        f"[...document.querySelectorAll('{CHARTS}')]"
        ".filter(one => !one.querySelector('[data-value]')).map(one => one.textContent)"
    )
    values = re.findall(r'data-value="([^"]+)"', html)

    assert silent == []
    for words in (
        "R03: −0.43 (−0.51 to −0.35)",
        "R03 gave 3, colleagues 2: 10%",
        "처방전, share of the pool: 15.3% (233)",
        "R04: 4.30 (4.06 to 4.54)",
    ):
        assert words in values


def test_addresses_are_equal_in_all_languages(html_in):
    pages = map(html_in, ("en", "ko", "zh"))
    addresses = [re.findall(r' id="([^"]+)"', page) for page in pages]

    assert addresses[0] == addresses[1] == addresses[2]


def test_the_chapters_stand_beside_the_page_and_follow_who_reads(browse):
    page = browse()
    page.evaluate("document.querySelector('#raters').scrollIntoView()")
    now = page.locator(".chapters [aria-current=location]")
    now.get_by_text("Each rater").wait_for()

    assert page.locator(".chapters ol").is_visible()
    assert page.locator(".chapters li").count() == page.locator(".contents ol li").count()
    assert now.count() == 1


def test_the_chapters_open_and_close_on_a_phone(browse):
    page = browse(390)
    chapters = page.locator(".chapters ol")
    assert not chapters.is_visible()

    page.locator(".chapters summary").press("Enter")
    chapters.get_by_text("The worst items").click()

    assert not chapters.is_visible()
    assert page.url.endswith("#items")
    page.locator(".chapters .now").get_by_text("The worst items").wait_for()


def test_the_first_stop_of_the_keyboard_skips_the_chapters(browse):
    page = browse()
    page.keyboard.press("Tab")

    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "MAIN"


def test_a_long_table_is_filtered_and_says_how_much_is_left(browse, make, report):
    rows = tuple(
        dataclasses.replace(report.sections["raters"].rows[0], rater=f"R{number:02d}")
        for number in range(1, 15)
    )
    content = render_html(
        make(
            identity=dataclasses.replace(report.identity, language="ko"),
            raters=dataclasses.replace(report.sections["raters"], rows=rows),
        )
    )
    page = browse(content=content)
    table = page.locator("#raters-ratings")
    field = page.get_by_label("다음이 들어 있는 행만")

    field.fill("r1")
    assert table.locator("tbody tr:visible").count() == 5
    assert page.get_by_role("status").filter(has_text="14행 중 5행").count() == 1
    field.fill("")
    assert table.locator("tbody tr:visible").count() == 14
    assert field.count() == 1


def test_without_scripts_the_page_stands_still_and_whole(browser, html, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(html, "utf-8")
    with browser.new_context(java_script_enabled=False, viewport=PHONE) as context:
        page = context.new_page()
        page.goto(path.as_uri())

        assert page.locator(".contents ol a").count() == 15
        assert page.locator("th", has_text="Severity").first.is_visible()
        assert page.locator("button, input, nav").count() == 0


def test_a_print_from_the_browser_shows_nothing_of_this(browse):
    page = browse()
    page.emulate_media(media="print")

    head = page.locator("#raters-ratings th button").first
    looks = "one => [getComputedStyle(one).borderStyle, getComputedStyle(one).fontWeight]"
    assert page.locator(":is(.chapters, .skip, .here, .tip):visible").count() == 0
    assert head.evaluate(looks) == ["none", "700"]

    page.emulate_media(media="screen")
    assert page.locator(".chapters").is_visible()


def test_a_value_shows_under_the_pointer_until_escape(browse):
    page = browse()
    page.locator("#raters-severity [data-value^=R03]").last.hover()
    value = page.locator(".tip")

    assert value.inner_text() == "R03: −0.43 (−0.51 to −0.35)"
    page.keyboard.press("Escape")
    assert not value.is_visible()


def test_arrow_keys_go_through_the_values_of_a_chart(browse):
    page = browse(390)
    chart = page.locator("#raters-severity svg")
    said = page.locator(".unseen[role=status]")

    chart.press("ArrowRight")
    chart.press("ArrowLeft")

    assert chart.get_attribute("aria-label").startswith("R03")
    assert page.locator(".tip").inner_text() == said.inner_text()
    assert said.inner_text() == "R06: 0.12 (−0.05 to 0.29)"


def test_axe_finds_nothing_in_the_report(browse):
    """Colours of its texts: `test_every_text_can_be_read_on_its_ground`, and on a phone here."""
    assert violations_of_looks(browse(), whole=colours_beside_main) == []


def test_axe_finds_nothing_in_a_comparison(browse, make, report):
    dimension = ComparedDimension(
        dimension="meaning",
        trend=dataclasses.replace(report.trend, mean=report.trend.mean[-2:]),
        statistic="krippendorff_alpha",
        before=Estimate(0.7, 0.6, 0.8),
        after=Estimate(0.8, 0.7, 0.9),
        difference=Estimate(0.1, -0.1, 0.3),
    )
    compared = Comparison(earlier="w46", later="w47", dimensions=(dimension,))

    both = make(sections=report.sections | {"comparison": compared})
    page = browse(390, render_html(both, only=["comparison"]))

    assert "Compared with w46." in page.locator(".cover").inner_text()
    assert page.locator("#comparison-means").count() == 1
    assert violations(page) == []


def test_axe_finds_nothing_in_a_report_of_bare_ratings(browse):
    frame = pd.DataFrame(
        [
            (f"d{item}", rater, 1 + (item + (rater == "kim" and item % 7 == 0)) % 5)
            for item in range(40)
            for rater in ("kim", "lee", "park")
        ],
        columns=["item", "rater", "rating"],
    )
    issued = datetime(2026, 11, 20, tzinfo=UTC)
    bare = build_bare_report(frame, scale=Scale.likert(1, 5), issued_at=issued)

    assert violations(browse(390, render_html(bare))) == []


def test_a_page_of_scores_is_read_like_a_report(browse):
    pool = pd.DataFrame({"doc_id": [f"d{n}" for n in range(14)], "page_id": "p", "system": "s"})
    pool["reference"], pool["hypothesis"] = "환자부담총액 1,284원", ["환자부담총액 1.234원 더"] * 14
    pool["confidence"] = [0.5, 0.9] * 7
    scores = score_texts(pool["reference"], pool["hypothesis"], metrics=[*METRICS, *TOTALS])
    scored = pd.concat([pool, scores], axis=1)
    scored.attrs = scores.attrs
    content = render_score_report(
        score_report(scored, title="t", options=TextOptions(), left_out=NOTHING)
    )

    page = browse(390, content)
    page.get_by_label("Only rows with").last.fill("d13")

    assert page.locator("#documents tbody tr:visible").count() == 1
    chapters = {section.anchor: section.title for section in SECTIONS}
    links = page.locator(".chapters li a").evaluate_all("all => all.map(a => a.hash.slice(1))")
    assert links == ["scores", "items", "methods"]
    heads = [text.removesuffix(" #") for text in page.locator("section > h1").all_inner_texts()]
    assert heads == ["Contents", *(chapters[anchor] for anchor in links)]
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert violations(page) == []
