"""The desk as a lead sees it, in a real browser."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ocrjury.campaign.registry import RaterEntry
from ocrjury.store.database import writing
from ocrjury.store.inbox import add_answer
from ocrjury.store.raters import keep_raters
from ocrjury.store.ratings import Submission
from ocrjury.store.remarks import add_comment
from tests.another_version import REASON, of_another_version
from tests.frontends.web.conftest import enter_desk, serving
from tests.frontends.web.looks import (
    OPEN_ALL,
    PHONE,
    in_other_languages,
    violations,
    violations_in_chinese,
    violations_of_looks,
)
from tests.store_calls import add_submissions
from tests.whole_pages import follow


def remark(place):
    """Let a rater flag an item, comment on it and be answered, and another flag it too."""
    now, names = datetime.now(UTC), [f"{place.evaluation}/1/{one}/0/d2" for one in ("R01", "R02")]
    sent = [
        Submission(name, {"layout": 4.0}, f"flag/{name}", "r", "web", {"meaning": "privacy"})
        for name in names
    ]
    add_submissions(place.store.engine, place.evaluation, sent, now=now)
    with writing(place.store.engine) as connection:
        add_comment(connection, names[0], "A name is <b>legible</b>. " * 20, now=now)
        add_answer(
            connection, names[0], kind="answer", body="It is masked now.", actor="J", now=now
        )


@pytest.fixture
def held(measured, judge, reported, hold, keep_preview):
    place = measured()
    judge(place)
    reported(place)
    remark(place)
    hold(place, "gate_failed", detail="Alpha is 0.41 <b>bold</b>.")
    keep_preview(place)
    return place


def parts_of(place):
    """Every page of the desk, below its address."""
    return (
        "",
        "/reports",
        "/sessions",
        *(
            f"/{place.evaluation}{part}"
            for part in ("", "/items", "/remarks?show=all", "/rubric", "/raters", "/payment")
        ),
    )


def test_no_page_has_a_violation_and_nothing_scrolls_sideways(
    held, rounds, reported, visitor, code_of
):
    reported(rounds())  # a second report of the campaign: a chart
    desk, found = f"{held.server.address}/desk", {}
    page = visitor(held.server, watched=True)
    page.goto(f"{desk}/enter")
    found["enter"] = violations_of_looks(page)
    page.goto(f"{desk}/enter#{code_of(held)}")
    page.wait_for_url("**/desk")
    screen = page.viewport_size
    for part in parts_of(held):
        page.goto(f"{desk}{part}")
        page.evaluate(OPEN_ALL)
        found[part] = violations_of_looks(page)
        for width in (screen["width"], PHONE["width"], 320):
            page.set_viewport_size({"width": width, "height": 640})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, part
        page.set_viewport_size(screen)
        assert part != "/reports" or page.locator("figure svg").count() == 1
        found |= in_other_languages(page, f"/desk{part}")
    found |= violations_in_chinese(page, f"/desk/{held.evaluation}")

    assert {name: one for name, one in found.items() if one} == {}
    assert page.foreign == []


def test_a_lead_comes_in_by_the_link_and_goes(held, visitor, code_of):
    code = code_of(held)
    page = visitor(held.server)
    page.goto(f"{held.server.address}/desk/enter#{code}")
    page.wait_for_url("**/desk")

    assert code not in page.url
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/desk/enter")
    page.goto(f"{held.server.address}/desk/{held.evaluation}")
    assert page.url.endswith("/desk/enter")


def test_what_documents_and_people_write_stays_text(held, at_desk, visitor, code_of, hostile):
    page = visitor(held.server)
    enter_desk(page, code_of(held, who="<img src=x onerror=hit()>"), f"/desk/{held.evaluation}")
    page.locator("summary", has_text="Proceed").click()
    page.locator("#proceed-reason").fill(hostile)
    follow(page, page.get_by_role("button", name="Proceed"))
    page.get_by_text("waits for its run").wait_for()
    seen = page.inner_text("main")
    page.goto(f"{held.server.address}/desk/{held.evaluation}/items")

    assert "Alpha is 0.41 <b>bold</b>" in seen
    assert "<img src=x onerror=hit()>" in seen
    assert page.evaluate("window.hit") is None
    assert page.wrong == []


def test_an_item_that_holds_a_script_is_shown_as_it_was_read(measured, hostile, visitor, code_of):
    place = measured(items=6, share=1)
    page = visitor(place.server)
    enter_desk(page, code_of(place), f"/desk/{place.evaluation}/items")

    assert page.locator(".divided > li").count() >= 1
    assert page.evaluate("window.hit") is None
    assert "R03" in page.inner_text(".divided")
    assert re.search(r"\d apart", page.locator(".apart").first.inner_text())


@pytest.mark.parametrize(("language", "kind"), [("en", "Amount"), ("ko", "금액"), ("zh", "金额")])
def test_an_item_is_named_in_the_language_of_the_lead(
    rounds, item, at_desk, keep_interim, client_of, language, kind
):
    place = rounds(items=[item(f"d{number}", field="total") for number in (1, 2)])
    for rater, level in (("R01", 1), ("R02", 5)):
        for _ in range(2):
            client_of(place, rater).hand_in({"meaning": level, "layout": 5}, comment="See.")
    keep_interim(place)

    shown = [
        at_desk(place).ask(
            "GET", f"/desk/{place.evaluation}{part}", **{"Accept-Language": language}
        )
        for part in ("/items", "/remarks")
    ]

    assert [f">bill · total · {kind}<" in page.text for page in shown] == [True, True]


def test_interim_agreement_says_so_in_colour_and_word(measured, at_desk):
    place = measured()
    desk = at_desk(place)

    page = desk.ask("GET", f"/desk/{place.evaluation}").text
    body = desk.json(f"/api/evaluations/{place.evaluation}/agreement")

    assert "interim, not a gate" in page
    assert (body["source"], body["ready_to_proceed"]) == ("interim", False)
    assert body["threshold"] == 0.667
    layout = body["metrics"]["layout"]
    assert (layout["colour"], layout["gate_statistic"]) == ("none", "krippendorff_alpha")
    assert layout["interpretation"] == "too few items to tell"
    assert layout["score"] == layout["human_agreement"]
    assert layout["acceptable"] is None
    assert f'class="score {layout["colour"]}"' in page
    assert f"</span>{layout['interpretation']}" in page


def test_the_agreement_has_every_field_that_programs_ask_for(held, at_desk):
    body = at_desk(held).json(f"/api/evaluations/{held.evaluation}/agreement")

    assert {"score", "human_agreement", "ready_to_proceed", "threshold", "num_items"} <= set(body)
    assert {"problematic_patterns", "num_raters"} <= set(body)
    fields = "score exact_agreement adjacent_agreement human_agreement interpretation acceptable"
    fields += " is_binary krippendorff_alpha suggestions"
    assert set(fields.split()) <= set(body["metrics"]["meaning"])
    assert body["num_raters"] == 3


def test_items_and_raters_are_there_for_programs_too(measured, at_desk):
    place = measured(items=6, share=1)
    desk = at_desk(place)

    found = desk.json(f"/api/evaluations/{place.evaluation}/items")
    raters = desk.json(f"/api/evaluations/{place.evaluation}/raters")

    first = found["items"][0]
    assert (found["source"], first["place"], found["total"]) == ("interim", 1, len(found["items"]))
    apart = [max(item["apart"].values()) for item in found["items"]]
    assert apart == sorted(apart, reverse=True)
    meaning = [rating["value"] for rating in first["ratings"] if rating["dimension"] == "meaning"]
    assert first["apart"]["meaning"] == max(meaning) - min(meaning)
    assert {"reference", "hypothesis"} <= set(first)
    assert [rater["rater"] for rater in raters] == ["R01", "R02", "R03"]
    levels = raters[0]["levels"][0]
    assert sum(levels["shares"]) == pytest.approx(1)
    assert raters[0]["progress"]["link"] in {"works", "none"}
    seen = place.ask("select actor, object from audit where action = 'view items'")
    assert {"actor": "J. Kim", "object": place.evaluation} in seen


def test_the_list_and_the_detail_tell_where_it_stands(held, at_desk):
    desk = at_desk(held)

    one = next(row for row in desk.json("/api/evaluations") if row["evaluation"] == held.evaluation)
    more = desk.json(f"/api/evaluations/{held.evaluation}")

    assert (one["state"], one["held_reason"], one["verdict"]) == ("held", "gate_failed", "FAIL")
    assert one["awaits"] == "Agreement is too low: a decision is needed"
    assert more["decisions"] == ["proceed", "recalibrate", "abort"]
    assert more["verdicts"][0]["actions"] == ["Recalibrate R03 on meaning."]
    assert [rater["rater"] for rater in more["raters"]] == ["R01", "R02", "R03"]
    for path in ("/desk", f"/desk/{held.evaluation}"):
        zones = re.findall(r"\d\d:\d\d (\w*)</time>", desk.ask("GET", path).text)
        assert set(zones) == {"KST"}, path


def test_a_hold_that_says_no_more_than_the_verdict_is_told_once(measured, judge, hold, at_desk):
    place = measured()
    judge(place)
    hold(
        place, "gate_failed", detail="On meaning, Krippendorff's alpha is 0.41; 0.667 is required."
    )

    page = at_desk(place).ask("GET", f"/desk/{place.evaluation}").text

    assert page.count("0.667 is required.") == 1
    assert "<b>Held.</b>" not in page


def test_an_evaluation_of_another_version_is_told_and_hides_no_other(held, measured, at_desk):
    other, desk = measured(), at_desk(held)

    with of_another_version(held.store.engine, held.evaluation):
        page, alone = desk.ask("GET", "/desk"), desk.ask("GET", f"/desk/{held.evaluation}")

    assert (page.status, alone.status) == (200, 409)
    assert other.evaluation in page.text
    for text in (page.text, alone.text):
        assert f"{held.evaluation} {REASON}" in text


def test_a_late_rater_comes_first_with_the_delay(measured, hold, at_desk):
    place = measured(share=0.7)
    hold(place, "overdue")

    first = at_desk(place).json(f"/api/evaluations/{place.evaluation}")["raters"][0]

    assert (first["rater"], first["pace"]) == ("R03", "late")
    assert 71 < first["hours_late"] < 73


def test_reports_are_downloads(held, at_desk):
    desk = at_desk(held)
    report = desk.json(f"/api/evaluations/{held.evaluation}")["reports"][0]

    html, pdf = desk.ask("GET", report["html"]), desk.ask("GET", report["pdf"])

    assert html.text == "<h1>report</h1>"
    assert html.getheader("Content-Disposition").startswith("attachment")
    assert pdf.getheader("Content-Type") == "application/pdf"
    for name in ("final-en-2.html", "..%2f..%2focrjury.db", "final-en-1.html%00"):
        assert desk.ask("GET", f"/desk/{held.evaluation}/reports/{name}").status == 404


def test_a_report_whose_file_is_damaged_is_not_sent(held, at_desk):
    desk = at_desk(held)
    address = desk.json(f"/api/evaluations/{held.evaluation}")["reports"][0]["html"]
    for path in held.store.files.folder.glob("report-*.html"):
        path.write_bytes(path.read_bytes()[:-1])

    answer = desk.ask("GET", address)

    assert answer.status == 500
    assert f"is damaged. ocrjury report {held.evaluation} --again writes one." in answer.text
    assert "<h1>report</h1" not in answer.text


def test_every_page_of_an_unknown_evaluation_is_missing(held, at_desk):
    desk = at_desk(held)

    for path in ("", "/items", "/raters", "/reports/final-en-1.pdf"):
        assert desk.ask("GET", f"/desk/nothing-here{path}").status == 404
    answer = desk.ask("GET", "/api/evaluations/nothing-here/agreement")
    assert json.loads(answer.text)["error"]["code"] == "unknown"


def test_whom_a_proxy_signs_in_needs_no_link(rounds, base, at_desk):
    place = rounds(raters=("S11", "S12"))
    with writing(place.store.engine) as connection:
        keep_raters(connection, [RaterEntry("S11", email="s11@example.org", languages=("en",))])
    path, said = f"/desk/{place.evaluation}/raters", "none is needed: signs in through the proxy"

    plain = at_desk(place).ask("GET", path).text
    sign_on = ("--behind-proxy", "--sign-in-header", "X-Forwarded-Email")
    with serving(base, *sign_on, OCRJURY_PROXY_SECRET="s" * 32) as server:
        page = at_desk(replace(place, server=server)).ask("GET", path).text

    assert said not in plain
    known, unknown = page.split('id="S12"')
    assert (said in known, said in unknown) == (True, False)


@pytest.mark.parametrize("clipboard", ["works", "refuses"])
def test_a_new_link_is_copied_by_a_button(measured, visitor, code_of, clipboard):
    place = measured(share=0.5)
    page = visitor(place.server)
    page.add_init_script(
        f"""navigator.clipboard.writeText = async (text) => {{
          if ("{clipboard}" === "refuses") throw new Error("no");
          window.copied = text;
        }};
        document.addEventListener("copy", () => {{ window.copied = String(getSelection()); }});"""
    )
    enter_desk(page, code_of(place), f"/desk/{place.evaluation}/raters")

    page.get_by_role("button", name="New link: R03", exact=True).click()
    page.get_by_role("button", name="Copy").click()
    page.get_by_text("Copied.").wait_for()

    assert page.evaluate("window.copied") == page.locator("#made").input_value()
    assert "/enter#" in page.evaluate("window.copied")
    assert violations(page) == []
    leave = page.locator(".top form").bounding_box()
    assert leave["x"] + leave["width"] > page.viewport_size["width"] - 40
