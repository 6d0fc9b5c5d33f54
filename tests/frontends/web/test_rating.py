"""A rater at work, in a real browser against a real server process."""

import pytest

from ocrjury.frontends.web.limits import QUICK
from tests.frontends.web.conftest import enter, settle
from tests.frontends.web.test_image_in_sight import LOADED
from tests.whole_pages import follow, held_up, press, stopped, wait_until

IN_NO_TIME = "() => { const now = performance.now(); performance.now = () => now; }"
SCRIPTS = "() => [...document.querySelectorAll('.level input:checked')].map(one => one.value)"


@pytest.fixture
def alone(rounds):
    """An evaluation in which one rater has three items and nobody else has any."""
    return rounds(raters=("R01",))


def rate(page, *keys):
    """Press keys and hand in; return once the next page is there."""
    visit = page.locator("body").get_attribute("data-visit")
    press(page, *keys, "Enter")
    wait_until(page, "visit => document.body.dataset.visit !== visit", visit)
    settle(page)


def test_a_whole_assignment_is_rated_by_keyboard_and_ends_the_round(alone, visitor):
    page = visitor(alone.server, alone.link("R01"), watched=True)

    rate(page, "4", "5")
    rate(page, "3", "n")
    rate(page, "1", "2")

    page.get_by_role("heading", name="All done").wait_for()
    found = alone.rows(
        "ratings join assignments using (assignment)",
        *("item", "dimension", "value", "flag"),
        order="position, dimension",
    )
    assert [(row["item"], row["dimension"], row["value"], row["flag"]) for row in found] == [
        ("d1", "layout", 5.0, None),
        ("d1", "meaning", 4.0, None),
        ("d2", "layout", None, "cannot_judge"),
        ("d2", "meaning", 3.0, None),
        ("d3", "layout", 2.0, None),
        ("d3", "meaning", 1.0, None),
    ]
    assert alone.own("signals", "name") == [{"name": "ocrjury.round.complete"}]
    assert page.wrong == []
    assert page.foreign == []


def test_a_reload_loses_nothing_saved_or_not(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))

    press(page, "4")
    page.get_by_text("Saved").wait_for()
    press(page, "2")
    page.reload()

    assert page.evaluate(SCRIPTS) == ["4", "2"]
    page.get_by_text("Saved").wait_for()
    assert alone.rows("ratings", "value") == []


def test_without_a_connection_ratings_wait_and_arrive(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))

    page.context.set_offline(True)
    press(page, "4", "5", "Enter")
    page.get_by_role("alert").get_by_text("No connection").wait_for()
    kept = page.evaluate("() => JSON.stringify(localStorage)")
    page.context.set_offline(False)
    page.get_by_text("1 of 3 done").wait_for()

    assert "금액" not in kept
    assert len(alone.rows("ratings", "value")) == 2


def test_a_rating_handed_in_without_a_connection_survives_the_page(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))
    press(page, "4", "5")
    page.get_by_text("Saved").wait_for()
    page.context.set_offline(True)
    press(page, "Enter")
    page.get_by_role("alert").get_by_text("No connection").wait_for()
    page.evaluate("() => { window.fetch = () => Promise.reject(new Error()); }")  # as it goes, too
    page.goto("about:blank")
    page.context.set_offline(False)
    before = alone.rows("ratings", "value")
    page.goto(f"{alone.server.address}/rate")
    page.get_by_text("1 of 3 done").wait_for()

    assert before == []
    assert [row["value"] for row in alone.rows("ratings", "value")] == [4.0, 5.0]


def test_a_stale_tab_goes_on_with_the_next_item(alone, visitor):
    first = visitor(alone.server, alone.link("R01"))
    second = first.context.new_page()
    second.goto(f"{alone.server.address}/rate")

    rate(first, "4", "5")
    with stopped(second, 1500):  # then it goes on by itself
        press(second, "1")
        second.get_by_role("alert").get_by_text("You submitted this item elsewhere").wait_for()
    second.get_by_text("1 of 3 done").wait_for()

    values = {row["value"] for row in alone.rows("ratings", "value")}
    assert values == {4.0, 5.0}


def test_handing_in_twice_at_once_stores_one_rating(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))
    press(page, "4", "5")

    page.evaluate(
        "() => { handing.handIn(); handing.handIn(); document.getElementById('hand-in').click(); }"
    )
    page.get_by_text("1 of 3 done").wait_for()

    assert [row["rev"] for row in alone.rows("ratings", "rev")] == [1, 1]


def test_what_is_missing_is_named_and_nothing_is_sent(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))

    press(page, "4", "Enter")

    page.get_by_role("alert").get_by_text("Please rate every dimension").wait_for()
    assert alone.rows("ratings", "value") == []


def test_a_problem_is_flagged_with_its_reason_and_a_comment(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))

    press(page, "3", "f")
    page.get_by_label("Wrong image or place").check()
    press(page, "Escape", "c")
    page.keyboard.type("쪽이 다릅니다")
    press(page, "Escape", "Enter")
    page.get_by_text("1 of 3 done").wait_for()

    flags = alone.rows("ratings", "dimension", "value", "flag")
    assert flags == [
        {"dimension": "layout", "value": None, "flag": "wrong_image"},
        {"dimension": "meaning", "value": 3.0, "flag": None},
    ]
    assert [row["body"] for row in alone.rows("comments", "body")] == ["쪽이 다릅니다"]


def test_undo_takes_back_a_choice_and_then_the_item_before(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))
    rate(page, "4", "5")

    press(page, "2", "u")
    assert page.evaluate(SCRIPTS) == []
    press(page, "u")
    page.get_by_text("You are changing an item").wait_for()
    assert page.evaluate(SCRIPTS) == ["4", "5"]
    page.locator("[name=value-layout][value='1']").check(force=True)
    press(page, "Enter")
    page.wait_for_url("**/rate")

    layout = [
        (row["rev"], row["value"])
        for row in alone.rows("ratings", "rev", "value", "dimension", order="rev")
        if row["dimension"] == "layout"
    ]
    assert layout == [(1, 5.0), (2, 1.0)]


def test_how_an_item_was_shown_is_stored_with_its_rating(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))
    press(page, "d", "p", "+", "g")
    wait_until(page, LOADED, "page")

    rate(page, "4", "5")

    body = next(
        row
        for row in alone.rows("visits", *("conditions", "wall_ms", "active_ms", "client"))
        if row["wall_ms"] is not None
    )
    shown = body["conditions"]
    for part in (
        '"diff": "hidden"',
        '"view": "page"',
        '"page_used": 1',
        '"zoom_used": 1',
        '"guide_used": 1',
        '"reference": "shown"',
    ):
        assert part in shown
    assert 0 <= body["active_ms"] <= body["wall_ms"]
    assert body["client"] == "desktop"


def test_a_field_rule_is_told_only_after_the_choice(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))
    notes = page.locator(".dimension .note")
    assert notes.all_text_contents() == ["", ""]

    assert page.locator("#computed").text_content() == ""

    page.evaluate(IN_NO_TIME)
    press(page, "5")
    computed = "The value differs, 2 of 8 characters: at most 4"
    assert notes.first.text_content() == computed
    assert page.locator("#computed").text_content() == computed
    press(page, "5", "Enter")
    page.get_by_role("alert").get_by_text("Submit again to keep it").wait_for()
    assert alone.rows("ratings", "value") == []
    rate(page)

    flags = alone.rows("rule_flags", "dimension", "rule", "level", "max_level", "shown")
    assert [dict(row, shown=bool(row["shown"])) for row in flags] == [
        {
            "dimension": "meaning",
            "rule": "amount-differs",
            "level": 5.0,
            "max_level": 4.0,
            "shown": True,
        }
    ]


def test_a_long_field_that_breaks_a_rule_in_a_hurry_comes_back_next(rounds, item, visitor):
    items = [item("d1", hypothesis="1" * (QUICK + 1)), item("d2"), item("d3")]
    place = rounds(raters=("R01",), items=items)
    page = visitor(place.server, place.link("R01"))
    wait_until(page, "() => ahead.count() === 2")
    first = page.evaluate("() => document.body.dataset.item")
    computed = "The value differs, 1000 of 1001 characters: at most 4"

    page.evaluate(IN_NO_TIME)
    with held_up(page, "**/api/drafts/*"):  # its answer would tell the rule
        press(page, "5", "3", "Enter")
    settle(page)
    alert = page.get_by_role("alert")
    alert.get_by_text("It comes back next").wait_for()
    press(page, "4", "4", "Enter")
    wait_until(page, "item => document.body.dataset.item === item", first)

    assert page.evaluate(SCRIPTS) == ["5", "3"]
    assert page.locator(".dimension .note").all_text_contents() == [computed, ""]
    assert alert.filter(visible=True).all_inner_texts() == [
        f"{computed}\nThis is above what the field rule allows. Submit again to keep it."
    ]
    press(page, "Enter")  # before anybody can have read it
    alert.get_by_text(f"Meaning: {computed}").wait_for()
    rate(page)
    [flag] = place.rows("rule_flags", "level", "shown")
    assert (flag["level"], bool(flag["shown"])) == (5.0, True)
    assert len(place.rows("ratings", "value")) == 4


def test_with_hidden_differences_only_a_broken_rule_is_told_in_its_own_words(rounds, visitor):
    place = rounds(raters=("R01",), page={"diff": "hidden"})
    page = visitor(place.server, place.link("R01"))

    press(page, "4")
    assert page.get_by_text("characters differ").count() == 0
    press(page, "ArrowUp", "5")

    assert page.locator(".note").first.text_content() == "Amount: if it differs, at most 4."
    press(page, "j")
    assert page.locator("#found").text_content() == ""


def test_the_answer_to_an_older_draft_takes_no_note_away(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))
    drafts = []
    page.route("**/api/drafts/*", lambda route, _request: drafts.append(route))
    with page.expect_request("**/api/drafts/*"):
        press(page, "4")

    press(page, "ArrowUp", "5")
    drafts[0].continue_()
    wait_until(page, "() => document.body.dataset.rev === '1'")

    assert page.locator(".note").first.text_content().endswith("at most 4")


def test_scripts_in_ocr_text_are_text(rounds, item, hostile, visitor):
    place = rounds(raters=("R01",), items=[item("d1", hypothesis=hostile, reference=hostile + "!")])
    page = visitor(place.server, place.link("R01"))

    assert page.evaluate("() => window.hit") is None
    assert page.locator(".text").last.text_content().startswith("<script>window.hit = 1")
    assert page.wrong == []


def test_shortcuts_can_be_switched_off(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))
    press(page, "?")
    page.get_by_label("Use keyboard shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()

    press(page, "4")

    assert page.evaluate(SCRIPTS) == []


def test_a_rater_without_scripts_rates_by_form(alone, visitor):
    page = visitor(alone.server, java_script_enabled=False)
    page.goto(f"{alone.server.address}/enter")
    page.get_by_label("Code of your link").fill(alone.link("R01"))
    follow(page, page.get_by_role("button", name="Start"))

    for name, value in (("meaning", "4"), ("layout", "2")):
        page.locator(f"[name=value-{name}][value='{value}']").check(force=True)
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("1 of 3 done").wait_for()

    assert {row["value"] for row in alone.rows("ratings", "value")} == {4.0, 2.0}


def test_a_break_is_due_and_can_be_put_off(rounds, visitor):
    place = rounds(raters=("R01",), page={"break_minutes": 0.02})
    page = visitor(place.server, new=True)
    page.clock.install()
    enter(page, place.link("R01"))

    page.clock.run_for(2500)
    page.get_by_text("A short break keeps").wait_for()
    page.get_by_role("button", name="Remind me in 10 min").click()
    assert not page.locator("#break").is_visible()
    rate(page, "4", "5")
    page.clock.run_for(2500)
    assert not page.locator("#break").is_visible()  # nor on the next item
    page.clock.run_for(600_000)
    assert page.locator("#break").is_visible()

    shown = [row["conditions"] for row in place.rows("visits", "conditions") if row["conditions"]]
    assert '"breaks": 1' in shown[0]


def test_haste_is_noted_in_silence(rounds, visitor):
    place = rounds(raters=("R01",), page={"hasty_seconds": 600})
    page = visitor(place.server, place.link("R01"))

    rate(page, "4", "5")

    [shown] = [row["conditions"] for row in place.rows("visits", "conditions") if row["conditions"]]
    assert '"hasty": true' in shown
    assert not page.get_by_role("alert").is_visible()


def test_time_without_a_touch_is_no_work(rounds, visitor):
    place = rounds(raters=("R01",), page={"idle_seconds": 5})
    page = visitor(place.server, new=True)
    page.clock.install(time=0)
    page.clock.pause_at(600)  # from here on only the test lets time pass
    enter(page, place.link("R01"))

    press(page, "4")
    page.clock.run_for(8000)
    with page.expect_request("**/api/ratings/*") as sent:
        rate(page, "5")

    assert 3000 <= sent.value.post_data_json["active_ms"] <= 5000
    [times] = [row for row in place.rows("visits", "active_ms", "wall_ms") if row["wall_ms"]]
    assert times["active_ms"] <= times["wall_ms"]


def test_the_image_is_zoomed_from_half_to_fourfold_and_turned_by_keys(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))
    level = page.locator("#zoom-level")
    for key, end in (("+", "400 %"), ("-", "50 %")):
        press(page, *[key] * 12)
        assert level.text_content() == end

    press(page, "r")

    assert "rotate(90deg)" in page.locator("#picture").get_attribute("style")
    rate(page, "4", "5")
    [shown] = [row["conditions"] for row in alone.rows("visits", "conditions") if row["conditions"]]
    assert '"zoom_used": 25' in shown


def test_a_page_is_small_and_comes_from_here_alone(alone, visitor):
    page = visitor(alone.server, new=True, watched=True)  # one that has fetched nothing yet
    sizes = {}
    page.on(
        "response",
        lambda got: (
            sizes.update({got.url: len(got.body())})
            if got.ok and "/images/" not in got.url and "/rate/ahead" not in got.url
            else None
        ),
    )
    enter(page, alone.link("R01"))
    page.wait_for_load_state("networkidle")

    assert sum(sizes.values()) <= 130_000, sizes
    assert page.foreign == []


def test_the_page_speaks_the_rater_s_language(alone, visitor):
    page = visitor(alone.server, alone.link("R01"))
    for language, name, hand_in in (
        ("ko", "한국어", "제출하고 다음으로"),
        ("zh", "中文", "提交并继续"),
    ):
        page.locator(".menu summary").click()
        page.get_by_role("button", name=name).click()
        page.get_by_role("button", name=hand_in).wait_for()

        assert page.locator("html").get_attribute("lang") == language


def test_minutes_are_estimated_from_ten_own_items_on(rounds, client_of, item):
    place = rounds(raters=("R01",), items=[item(f"d{number}") for number in range(1, 14)])
    client = client_of(place, "R01")

    estimates = []
    for _ in range(11):
        estimates.append("min left" in client.ask("GET", "/rate").text.decode())
        assert client.hand_in(active_ms=1000).status == 200

    assert estimates == [False] * 10 + [True]
