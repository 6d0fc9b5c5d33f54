"""The outputs of two systems for one page, rated side by side as A and B."""

import json
import time
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from ocrjury.frontends.web.second_looks import shuffled
from ocrjury.planner import plan_side_by_side
from ocrjury.store.audit import list_audit
from ocrjury.store.comments import Comment
from ocrjury.store.database import writing
from ocrjury.store.item_ratings import ItemRating
from ocrjury.store.outputs import list_preferences
from ocrjury.store.quarantine import list_refused
from ocrjury.store.rating_history import list_history
from ocrjury.store.rounds import NewAssignment, close_round
from tests.frontends.web.looks import (
    in_other_languages,
    options_of,
    too_small,
    violations_of_looks,
)
from tests.whole_pages import follow, press, stopped, wait_until

ALPHA, BETA = "SystemAlpha", "SystemBeta"
BESIDE = {"systems": "side_by_side"}
ASKED = {**BESIDE, "preference": True}
ALL = {"A:meaning": 4, "B:meaning": 2, "A:layout": 5, "B:layout": 3}


@pytest.fixture
def outputs(item):
    """The outputs of two systems for some pages; odd numbers are those of the first."""

    def make(pages=2, texts=("금액 1.200원", "금액 1,2O0"), **changes):
        return [
            item(
                f"d{2 * page + second + 1}",
                doc_id=f"{(ALPHA, BETA)[second]}-{page}",
                page_id=f"page-{page}",
                system=(ALPHA, BETA)[second],
                hypothesis=texts[second],
                draw_number=page + 1,
                **changes,
            )
            for page in range(pages)
            for second in (0, 1)
        ]

    return make


@pytest.fixture
def pairs(rounds, outputs):
    """A function that opens a round of two pages, of which the second begins with BETA."""

    def make(page=ASKED, **changes):
        order = [("d1", 1), ("d2", 2), ("d4", 3), ("d3", 4)]
        plan = tuple(NewAssignment(one, "R01", position) for one, position in order)
        return rounds(raters=("R01",), items=outputs(**changes), plan=plan, page=page)

    return make


def hand_in(client, visit, rev, rubric, values=ALL, event=None, **changes):
    event = event or f"event-{time.monotonic_ns()}"
    body = {"event_id": event, "base": rev, "rubric_hash": rubric, "values": values, "outputs": 2}
    return client.ask("POST", f"/api/ratings/{visit}", body | changes)


def stored(place, *columns):
    return place.rows(
        "ratings join assignments using (assignment)",
        *("item", "dimension", *(columns or ("value",))),
        order="position, dimension, ratings.rev",
    )


def comments(place):
    return [tuple(row.values()) for row in place.rows("comments", "letter", "body", order="letter")]


def values_of(place):
    return [(row["item"], row["dimension"], row["value"]) for row in stored(place)]


def test_a_pair_is_rated_by_keyboard_and_stored_as_two_ratings(pairs, visitor):
    place = pairs()
    page = visitor(place.server, place.link("R01"))

    press(page, "4", "2", "5", "3", "Enter")
    assert page.get_by_role("alert").inner_text() == "Which output is better?"
    press(page, "1", "Enter")
    page.get_by_text("2 of 4 done").wait_for()

    assert values_of(place) == [
        *(("d1", "layout", 5.0), ("d1", "meaning", 4.0)),
        *(("d2", "layout", 3.0), ("d2", "meaning", 2.0)),
    ]
    found = list_preferences(place.store.engine, place.evaluation)
    assert [(row.item, row.preference) for row in found] == [("d1", 1), ("d2", -1)]
    assert page.wrong == []


def test_the_second_page_has_the_other_system_as_a(pairs, visitor):
    place = pairs(BESIDE)
    page = visitor(place.server, place.link("R01"))
    first = page.locator(".outputs .row").all_inner_texts()
    press(page, "4", "2", "5", "3", "Enter")
    page.get_by_text("2 of 4 done").wait_for()

    second = page.locator(".outputs .row").all_inner_texts()

    assert [text.partition("\n")[0] for text in first] == [
        "Reference",
        "OCR output A",
        "OCR output B",
    ]
    assert (first[1].splitlines()[-1], first[2].splitlines()[-1]) == (
        second[2].splitlines()[-1],
        second[1].splitlines()[-1],
    )


def test_arrows_go_between_answers_and_outputs(pairs, visitor):
    place = pairs()
    page = visitor(place.server, place.link("R01"))
    current = page.locator(".dimension.current")

    seen = []
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp"):
        press(page, key)
        seen.append(current.get_attribute("data-name"))

    assert seen == ["B:meaning", "A:layout", "B:layout", "B:layout", "A:layout", "B:meaning"]
    press(page, "3", "u")
    assert page.locator(".answer input:checked").count() == 0
    press(page, "?")
    assert page.get_by_text("first of A, then of B").is_visible()


def test_every_output_has_its_own_differences_and_d_hides_them(pairs, visitor):
    place = pairs()
    page = visitor(place.server, place.link("R01"))
    text = page.locator(".outputs .row").nth(2).locator(".text")

    shown = text.inner_text()
    press(page, "d")

    assert shown == "금액 1,2O0원"
    assert text.locator("del").is_hidden()
    assert text.inner_text() == "금액 1,2O0"
    assert page.locator(".outputs .row").first.locator("ins, del, mark").count() == 0


def test_a_reload_and_a_lost_connection_lose_nothing(pairs, visitor):
    place = pairs()
    page = visitor(place.server, place.link("R01"))
    press(page, "4", "2", "5")
    page.get_by_text("Saved").wait_for()
    press(page, "3")
    page.reload()
    assert page.evaluate(
        "() => [...document.querySelectorAll('.answer input:checked')].map(one => one.value)"
    ) == ["4", "2", "5", "3"]

    page.context.set_offline(True)
    press(page, "2", "Enter")
    page.get_by_role("alert").get_by_text("No connection").wait_for()
    kept = page.evaluate("() => JSON.stringify(localStorage)")
    page.context.set_offline(False)
    page.get_by_text("2 of 4 done").wait_for()

    assert "금액" not in kept
    assert len(stored(place)) == 4
    found = list_preferences(place.store.engine, place.evaluation)
    assert [row.preference for row in found] == [0, 0]


def test_a_stale_tab_goes_on(pairs, visitor):
    place = pairs(BESIDE)
    first = visitor(place.server, place.link("R01"))
    second = first.context.new_page()
    second.goto(f"{place.server.address}/rate")
    press(first, "4", "2", "5", "3", "Enter")
    first.get_by_text("2 of 4 done").wait_for()

    with stopped(second, 1500):  # then it goes on by itself
        press(second, "1")
        second.get_by_role("alert").get_by_text("elsewhere").wait_for()
    second.get_by_text("2 of 4 done").wait_for()

    assert {row["value"] for row in stored(place)} == {4.0, 2.0, 5.0, 3.0}


def test_what_was_handed_in_is_changed_together(pairs, visitor):
    place = pairs()
    page = visitor(place.server, place.link("R01"))
    press(page, "4", "2", "5", "3", "1", "c")
    page.keyboard.type("B has no sign")
    press(page, "Escape", "Enter")
    page.get_by_text("2 of 4 done").wait_for()

    press(page, "u")
    page.get_by_text("changing").wait_for()
    kept = page.evaluate(
        "() => [...document.querySelectorAll('.answer input:checked')].map(one => one.value)"
    )
    comment = page.locator("#comment").input_value()
    page.locator("[name='value-B:meaning'][value='3']").check(force=True)
    page.locator("[name=value-preference][value='2']").check(force=True)
    page.locator("#hand-in").click()
    page.get_by_text("changing").wait_for(state="detached")

    assert kept == ["4", "2", "5", "3", "1"]
    assert comment == "B has no sign"
    newest = [row["value"] for row in stored(place, "value", "rev") if row["rev"] == 2]
    assert newest == [5.0, 4.0, 3.0, 3.0]
    assert comments(place) == [("A", "B has no sign"), ("B", "B has no sign")]
    found = list_preferences(place.store.engine, place.evaluation)
    assert [row.preference for row in found] == [0, 0]
    assert len(place.rows("visits", "visit")) == 6


def test_a_comment_stays_as_it_was_typed_and_its_letter_stands_beside_it(pairs, client_of):
    place = pairs(BESIDE)
    client = client_of(place, "R01")
    visit, rev, rubric, _ = client.open()
    typed = f"[A] [B] {'x' * 1992}"

    assert hand_in(client, visit, rev, rubric, comment=typed).status == 200
    again = client.ask("GET", "/previous").getheader("Location")
    beside = client.open(again)[3]
    with writing(place.store.engine) as connection:
        text = "update assignments set state = 'withdrawn' where evaluation = :e and item = 'd2'"
        connection.execute(sa.text(text), {"e": place.evaluation})
    alone = client.open(again)[3]

    assert comments(place) == [("A", typed), ("B", typed)]
    assert f">{typed}</textarea>" in beside
    assert f">{typed}</textarea>" in alone
    history = list_history(place.store.engine, place.evaluation)
    assert {(event.item, event.letter, event.comment) for event in history} == {
        ("d1", "A", typed),
        ("d2", "B", typed),
    }


def test_who_looks_again_reads_a_comment_with_its_letter():
    ratings = [ItemRating("R01", {}, Comment("B is shorter", "A")), ItemRating("R02", {})]

    assert {other.comment for other in shuffled(ratings, seed="x")} == {"[A] B is shorter", ""}


def test_a_page_whose_other_output_was_withdrawn_is_stale(pairs, client_of):
    place = pairs(BESIDE)
    client = client_of(place, "R01")
    visit, rev, rubric, _ = client.open()
    alone = {"meaning": 4, "layout": 5}
    draft = {"event_id": "event-1234", "base": 0, "values": ALL, "outputs": 2}

    as_one = hand_in(client, visit, rev, rubric, alone, outputs=1)
    with writing(place.store.engine) as connection:
        text = "update assignments set state = 'withdrawn' where evaluation = :e and item = 'd2'"
        connection.execute(sa.text(text), {"e": place.evaluation})
    as_two = hand_in(client, visit, rev, rubric)
    saved = client.ask("PUT", f"/api/drafts/{visit}", draft)

    assert [answer.status for answer in (as_one, as_two, saved)] == [409] * 3
    assert stored(place) == []
    assert hand_in(client, visit, rev, rubric, alone, outputs=1).status == 200


def test_previous_goes_page_by_page(pairs, client_of):
    place = pairs(BESIDE)
    client = client_of(place, "R01")
    for number in (1, 2):
        visit, rev, rubric, _ = client.open()
        assert (
            hand_in(
                client, visit, rev, rubric, event=f"event-{time.monotonic_ns()}-{number}"
            ).status
            == 200
        )

    last = client.ask("GET", "/previous").getheader("Location")
    visit, *_, page = client.open(last)
    first = client.ask("GET", f"/previous?before={visit}").getheader("Location")
    visit, *_ = client.open(first)

    assert "OCR output <b" in page
    assert last != first
    assert client.ask("GET", f"/previous?before={visit}").getheader("Location").endswith("/rate")


def test_nothing_tells_which_system_is_which(pairs, client_of, secrets_of_items):
    place = pairs(image_uri="page.png")
    client = client_of(place, "R01")
    visit, rev, rubric, page = client.open()
    answers = [
        client.ask("GET", "/rate"),
        client.ask("GET", f"/images/{visit}/crop"),
        client.ask(
            "PUT",
            f"/api/drafts/{visit}",
            {"event_id": "event-1234", "base": rev, "values": ALL, "outputs": 2},
        ),
        hand_in(client, visit, 1, rubric, {**ALL, "preference": 1}),
        client.ask("GET", client.ask("GET", "/previous").getheader("Location")),
    ]

    said = page + "".join(
        answer.text.decode("utf-8", "replace") + str(answer.getheaders()) for answer in answers
    )
    assert [answer.status for answer in answers] == [200] * 5
    for secret in (ALPHA, BETA, "page-0", *secrets_of_items):
        assert secret not in said
    assert "d1" not in json.dumps([visit, rev])
    assert [one for one in ("/d1", '"d1"', "/d2", '"d2"') if one in said] == []


def test_which_system_is_a_is_drawn_for_every_rater_and_page():
    pages = {f"{page}{system}": str(page) for page in range(100) for system in "ab"}
    plan = plan_side_by_side(
        dict.fromkeys(pages, 2),
        eligible={item: ["R1", "R2", "R3", "R4"] for item in pages},
        pages=pages,
        seed=3,
    )

    first = plan.sort_values("position").assign(page=plan["item"].map(pages))
    first = first.groupby(["rater", "page"])["item"].first().str[-1]
    of_page = first.groupby("page").nunique()
    assert 0.4 < (first == "a").mean() < 0.6
    assert 30 < (of_page == 2).sum() < 70


def test_one_wrong_value_stores_nothing(pairs, client_of):
    place = pairs(BESIDE)
    client = client_of(place, "R01")
    visit, rev, rubric, _ = client.open()

    answer = hand_in(client, visit, rev, rubric, {**ALL, "B:layout": 9})

    assert answer.status == 422
    assert "outside the scale" in answer.text.decode()
    assert stored(place) == []
    assert len(list_refused(place.store.engine, place.evaluation)) == 1
    assert hand_in(client, visit, rev, rubric).status == 200


@pytest.mark.parametrize(
    "values",
    [
        {**ALL, "C:meaning": 3},
        {**ALL, "meaning": 3},
        {**ALL, "preference": 4},
        {**ALL, "preference": 1.5},
        ALL,
        {"A:meaning": 4, "A:layout": 4, "preference": 1},
        dict.fromkeys(map(str, range(66)), 1),
    ],
)
def test_what_cannot_be_an_answer_is_refused(pairs, client_of, values):
    place = pairs()
    client = client_of(place, "R01")
    visit, rev, rubric, _ = client.open()

    assert hand_in(client, visit, rev, rubric, values).status == 422
    assert stored(place) == []


def test_sent_twice_it_is_stored_once(pairs, client_of):
    place = pairs(BESIDE)
    client = client_of(place, "R01")
    visit, rev, rubric, _ = client.open()

    event = f"event-{time.monotonic_ns()}"
    answers = [hand_in(client, visit, rev, rubric, event=event) for _ in range(2)]

    assert [answer.status for answer in answers] == [200, 200]
    assert [row["rev"] for row in stored(place, "rev")] == [1] * 4
    assert hand_in(client, visit, rev, rubric).status == 409


def test_a_flag_stands_for_what_has_no_value(pairs, client_of):
    place = pairs()
    client = client_of(place, "R01")
    visit, rev, rubric, _ = client.open()

    answer = hand_in(client, visit, rev, rubric, {"A:meaning": 4}, flag="unreadable")

    assert answer.status == 200
    assert [(row["item"], row["value"], row["flag"]) for row in stored(place, "value", "flag")] == [
        *(("d1", None, "unreadable"), ("d1", 4.0, None)),
        *(("d2", None, "unreadable"), ("d2", None, "unreadable")),
    ]
    assert list_preferences(place.store.engine, place.evaluation) == []


def test_somebody_else_s_pair_is_not_found(pairs, client_of):
    place = pairs()
    visit, rev, rubric, _ = client_of(place, "R01").open()
    other = client_of(place, "A01")
    other.token = "0" * 64

    assert hand_in(other, visit, rev, rubric).status == 403
    other.open("/rate")
    assert other.ask("GET", f"/rate/{visit}").status == 404


def test_an_output_without_its_other_is_shown_alone(rounds, outputs, client_of):
    both = outputs(pages=1)
    plan = (NewAssignment("d1", "R01", 1), NewAssignment("d2", "R02", 1))
    place = rounds(items=both, plan=plan, page=ASKED)
    client = client_of(place, "R01")

    page = client.open()[3]

    assert "preference" not in page
    assert client.hand_in().status == 200
    assert values_of(place) == [("d1", "layout", 5.0), ("d1", "meaning", 4.0)]


@pytest.mark.parametrize("page", [{}, {"systems": "apart"}])
def test_apart_each_is_shown_alone(rounds, outputs, client_of, page):
    place = rounds(raters=("R01",), items=outputs(pages=1), page=page)

    assert 'data-outputs="1"' in client_of(place, "R01").open()[3]


def test_outputs_that_were_compared_with_other_texts_are_no_pair(rounds, outputs, item, client_of):
    first = outputs(pages=1)[0]
    second = item("d2", page_id="page-0", system=BETA, reference="다른 텍스트")
    place = rounds(raters=("R01",), items=[first, second], page=BESIDE)

    assert 'data-outputs="1"' in client_of(place, "R01").open()[3]


def test_a_pilot_shows_one_at_a_time(rounds, outputs, client_of):
    place = rounds(raters=("R01",), items=outputs(pages=1), page=BESIDE, kind="pilot")

    assert 'data-outputs="1"' in client_of(place, "R01").open()[3]


def test_three_outputs_have_three_letters(rounds, outputs, item, visitor):
    third = item("d3", page_id="page-0", system="SystemGamma", hypothesis="금액")
    place = rounds(raters=("R01",), items=[*outputs(pages=1), third], page=ASKED)
    page = visitor(place.server, place.link("R01"))

    press(page, "4", "2", "1", "5", "3", "1", "3", "Enter")
    page.get_by_role("heading", name="All done").wait_for()

    found = list_preferences(place.store.engine, place.evaluation)
    assert [(row.item, row.preference) for row in found] == [("d1", -1), ("d2", -1), ("d3", 1)]


def test_both_looks_are_noted_and_the_time_is_shared(pairs, client_of):
    place = pairs(BESIDE)
    client = client_of(place, "R01")
    visit, rev, rubric, _ = client.open()
    hand_in(client, visit, rev, rubric, active_ms=10_000)

    actions = [
        (row.action, row.object)
        for row in list_audit(place.store.engine)
        if row.actor == "R01" and row.object and place.evaluation in row.object
    ]
    assert sorted({one for one, _ in actions}) == ["rate", "sign-in", "view"]
    assert len([one for one, _ in actions if one == "view"]) == 2
    told = [json.loads(row["conditions"]) for row in place.rows("visits", "conditions", order="1")]
    assert sorted(one["beside"] for one in told) == ["A", "B"]
    assert {one["outputs"] for one in told} == {2}
    [times] = {
        (row["wall_ms"], row["active_ms"]) for row in place.rows("visits", "wall_ms", "active_ms")
    }
    assert 0 < times[1] <= times[0]  # both were seen since the page was


def test_a_closed_round_takes_nothing(pairs, client_of):
    place = pairs(BESIDE)
    client = client_of(place, "R01")
    visit, rev, rubric, _ = client.open()
    with writing(place.store.engine) as connection:
        close_round(connection, place.evaluation, by="overdue", now=datetime.now(UTC))

    assert hand_in(client, visit, rev, rubric).status == 409
    assert stored(place) == []


def test_without_scripts_a_form_takes_it(pairs, visitor):
    place = pairs()
    page = visitor(place.server, None, java_script_enabled=False)
    page.goto(f"{place.server.address}/enter")
    page.locator("[name=code]").fill(place.link("R01"))
    follow(page, page.get_by_role("button", name="Start"))
    page.locator("[name='value-A:meaning'][value='4']").check(force=True)
    page.locator("#hand-in").click()
    page.get_by_role("alert").get_by_text("rate every output").wait_for()
    assert page.locator("[name='value-A:meaning'][value='4']").is_checked()
    for name, value in ALL.items():
        page.locator(f"[name='value-{name}'][value='{value}']").check(force=True)
    page.locator("#hand-in").click()
    page.get_by_role("alert").get_by_text("Which output is better?").wait_for()
    page.locator("[name='value-preference'][value='3']").check(force=True)
    page.locator("#hand-in").click()
    page.get_by_text("2 of 4 done").wait_for()

    assert len(stored(place)) == 4
    found = list_preferences(place.store.engine, place.evaluation)
    assert [row.preference for row in found] == [-1, 1]


def test_hostile_outputs_do_nothing(rounds, outputs, visitor, hostile):
    items = [replace(output, hypothesis=hostile) for output in outputs(pages=1)]
    place = rounds(raters=("R01",), items=items, page=ASKED)
    page = visitor(place.server, place.link("R01"))

    assert page.evaluate("() => window.hit") is None
    assert "<script>" in page.locator(".outputs .text").nth(1).inner_text()


LEFTS = """() => [...document.querySelectorAll('#texts .text')].map((text) => {
  const kept = [...text.querySelectorAll('span:not(.line)')].filter((one) => !one.closest('ins'));
  return kept.map((one) => one.getBoundingClientRect()).map(({ left, width }) => left + width / 2);
})"""


def test_equal_characters_of_all_outputs_stand_above_each_other(pairs, visitor):
    texts = ("금액1.277,520원", "금액 1,2777,5OO 원!")
    place = pairs(reference="금액 1,277,520원", texts=texts)
    page = visitor(place.server, place.link("R01"))

    lefts = page.evaluate(LEFTS)

    assert [len(places) for places in lefts] == [13, 13, 13]
    assert lefts[1] == pytest.approx(lefts[0], abs=1)
    assert lefts[2] == pytest.approx(lefts[0], abs=1)
    press(page, "j", "j", "j")  # from difference to difference, not to the room beside them
    assert page.locator(".here").text_content() == "7"


def test_several_long_texts_scroll_together(pairs, visitor):
    long = "\n".join(f"{n}번째 줄" for n in range(1, 81))
    place = pairs(reference=long, texts=(long, long.replace("째", "재")))
    page = visitor(place.server, place.link("R01"))
    tops = "() => [...document.querySelectorAll('#texts .text')].map((one) => one.scrollTop)"

    page.evaluate("() => { document.querySelectorAll('#texts .text')[1].scrollTop = 400; }")
    wait_until(page, f"() => Math.min(...({tops})()) > 300")

    assert page.evaluate(tops)[1] == 400


def test_axe_finds_nothing(pairs, visitor):
    place = pairs({**ASKED, "confidence": True})
    page = visitor(place.server, place.link("R01"))
    found = {"pair": violations_of_looks(page)}
    for summary in ("#comment-box summary", "#flag-box summary", "#guide summary"):
        page.locator(summary).click()
    page.locator("[name='value-A:meaning'][value='5']").check(force=True)
    page.get_by_text("if it differs").last.wait_for()
    found["everything open"] = violations_of_looks(page)
    page.evaluate("() => document.getElementById('help').showModal()")
    found["keys"] = violations_of_looks(page)
    found |= in_other_languages(page, "/rate")

    assert {name: bad for name, bad in found.items() if bad} == {}


def test_nothing_scrolls_sideways(pairs, visitor):
    long = "보험금청구서" * 40
    place = pairs(reference=long)
    page = visitor(place.server, place.link("R01"))
    for language in ("en", "ko", "zh"):
        page.locator(".menu summary").click()
        page.locator(f".tongues [value={language}]").click()
        wait_until(page, "one => document.documentElement.lang === one", language)

        for width in (320, 360, 768):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, language
            tops = page.evaluate(
                "() => [...document.querySelectorAll('.outputs .row')].map(one => one.offsetTop)"
            )
            assert tops == sorted(tops), (language, width)
    assert page.wrong == []


def test_thumbs_find_what_they_press(pairs, visitor, browser):
    place = pairs()
    page = visitor(place.server, place.link("R01"), **options_of(browser, "phone"))

    assert too_small(page) == []
