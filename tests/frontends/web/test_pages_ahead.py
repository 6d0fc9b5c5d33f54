"""The next items are there before their turn, and what was handed in goes on in the background."""

import signal

import pytest

from ocrjury.store.rounds import NewAssignment
from tests.frontends.web.conftest import enter, serving, settle
from tests.whole_pages import held_up, keep_undoable, press, wait_until

CHOSEN = "() => [...document.querySelectorAll('.level input:checked')].map(one => one.value)"
VISIT = "() => document.body.dataset.visit"
TAKEN_BACK = "Submission undone. You can change your ratings."
HEAR = """() => {
  window.heard = [];
  const hear = (changes) => changes.forEach(({ addedNodes }) => {
    for (const node of addedNodes) heard.push(node.textContent);
  });
  const region = document.getElementById("arrived");
  new MutationObserver(hear).observe(region, { childList: true });
}"""


@pytest.fixture
def alone(rounds, item):
    """A function that opens a round in which one rater has some items."""

    def make(count=3, **page):
        return rounds(
            raters=("R01",), items=[item(f"d{n}") for n in range(1, count + 1)], page=page
        )

    return make


def at_work(place, visitor, *, ready=2):
    """A page on the first item, once the next ones are there."""
    page = visitor(place.server, place.link("R01"))
    wait_until(page, "count => ahead.count() >= count", ready)
    return page


def stored(place):
    rows = place.rows(
        "ratings join assignments using (assignment)", "item", "value", order="item, dimension desc"
    )
    found = {}
    for row in rows:
        found.setdefault(row["item"], []).append(row["value"])
    return found


def test_the_next_item_is_shown_without_loading_a_page(alone, visitor):
    place = alone()
    page = at_work(place, visitor)
    page.evaluate("() => { window.same = true; }")
    page.evaluate(HEAR)
    first = page.evaluate(VISIT)

    press(page, "4", "5", "Enter")

    assert page.evaluate(VISIT) != first
    assert page.locator("#arrived").aria_snapshot() == "- status: Item 2 of 3"
    assert page.evaluate("() => window.same")
    assert page.evaluate(CHOSEN) == []
    press(page, "l", "2", "3", "Enter")
    settle(page)
    assert stored(place) == {"d1": [4.0, 5.0], "d3": [2.0, 3.0]}
    assert page.locator(".bar .progress b").inner_text() == "2 of 3 done"
    assert page.evaluate("() => heard") == ["Item 2 of 3", "Item 2 of 3", "Item 3 of 3"]
    assert page.wrong == []


def test_a_page_sent_ahead_is_not_seen_before_it_is_shown(alone, client_of):
    place = alone()
    client = client_of(place, "R01")
    visit, *_ = client.open()
    viewed = "select object from audit where action like 'view%' and object like '%d2'"

    following, *_ = client.open(f"/rate/ahead?after={visit}")
    client.ask("GET", f"/images/{following}/page")
    sent = place.rows("visits", "first_open", "sent_ahead", order="sent_ahead is null")[0]
    before = [row for row in place.ask(viewed) if place.evaluation in row["object"]]
    client.ask("POST", f"/api/shown/{following}", {"held_ms": 0})

    [seen] = [
        row
        for row in place.rows("visits", "visit", "first_open", "sent_ahead")
        if row["visit"] == following
    ]
    assert before == []
    assert sent["sent_ahead"] is not None
    assert seen["sent_ahead"] is None
    assert seen["first_open"] > sent["first_open"]
    assert [row for row in place.ask(viewed) if place.evaluation in row["object"]]


def test_the_time_that_a_rating_waited_in_the_browser_is_no_time_at_work(alone, client_of):
    place = alone(hasty_seconds=3)
    client = client_of(place, "R01")

    client.hand_in(held_ms=60_000)

    [visit] = [row for row in place.rows("visits", "wall_ms", "conditions") if row["conditions"]]
    assert visit["wall_ms"] == 0
    assert '"hasty": true' in visit["conditions"]


def test_for_two_seconds_what_was_handed_in_comes_back(alone, visitor):
    place = alone()
    page = at_work(place, visitor)
    first = page.evaluate(VISIT)
    keep_undoable(page)

    press(page, "4", "5", "Enter", "u")

    assert page.evaluate(VISIT) == first
    assert page.locator("#spoken").aria_snapshot() == f"- status: {TAKEN_BACK}"
    assert page.evaluate(CHOSEN) == ["4", "5"]
    press(page, "u", "1", "Enter")
    settle(page)
    assert stored(place) == {"d1": [4.0, 1.0]}


def test_items_rated_without_a_connection_survive_tab_and_session(alone, visitor):
    place = alone(4)
    page = at_work(place, visitor, ready=3)
    page.context.set_offline(True)

    for keys in (("4", "5"), ("3", "3"), ("1", "2")):
        press(page, *keys, "Enter")
    page.get_by_text("3 not sent yet").wait_for()
    kept = page.evaluate("() => JSON.stringify(localStorage)")
    page.context.clear_cookies()  # what a page sends as it goes arrives all the same
    page.goto("about:blank")
    page.context.set_offline(False)
    before = stored(place)
    enter(page, place.link("R01"))
    page.get_by_text("3 of 4 done").wait_for()

    assert "금액" not in kept
    assert before == {}
    assert stored(place) == {"d1": [4.0, 5.0], "d2": [3.0, 3.0], "d3": [1.0, 2.0]}


def test_pages_are_fetched_ahead_again_once_there_is_a_connection(alone, visitor):
    page = at_work(alone(6), visitor, ready=3)
    page.context.set_offline(True)
    press(page, "4", "5", "Enter")
    wait_until(page, "() => ahead.count() === 2")

    page.context.set_offline(False)
    wait_until(page, "() => ahead.count() === 3")

    assert {"INTERNET_DISCONNECTED" in one for one in page.wrong} == {True}


def test_a_comment_that_waits_is_warned_of_and_never_rests_in_the_browser(alone, visitor):
    place = alone()
    page = at_work(place, visitor)
    page.context.set_offline(True)

    press(page, "c")
    page.keyboard.type("blurred")
    press(page, "Escape", "4", "5", "Enter")
    page.get_by_role("alert").get_by_text("Your comment is only on this page").wait_for()
    kept = page.evaluate("() => JSON.stringify(localStorage)")
    page.context.set_offline(False)
    page.get_by_text("1 of 3 done").wait_for()

    assert "blurred" not in kept
    assert [row["body"] for row in place.rows("comments", "body")] == ["blurred"]


def test_a_comment_that_a_session_left_behind_is_shown_to_be_copied(alone, visitor):
    page = at_work(alone(), visitor)
    page.context.clear_cookies()

    press(page, "c")
    page.keyboard.type("blurr")
    alert = page.get_by_role("alert")
    alert.get_by_text("You are signed out").wait_for()  # of a draft, amid the word
    page.keyboard.type("ed")
    press(page, "Escape", "4", "5", "Enter")
    alert.get_by_text("blurred").wait_for()
    told = alert.inner_text()
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.reload()

    assert told.count("only on this page") == 1
    assert told.endswith(": blurred")
    assert asked == ["beforeunload"]


def test_damaged_work_in_the_browser_keeps_nobody_from_rating(alone, visitor):
    place = alone()
    page = at_work(place, visitor)
    page.evaluate("() => localStorage.setItem(`ocrjury.job.${document.body.dataset.owner}.x`, '{')")

    page.reload()
    press(page, "4", "5", "Enter")
    page.get_by_text("1 of 3 done").wait_for()

    assert page.wrong == []


def test_a_round_is_rated_by_thumb_on_a_telephone(alone, visitor):
    place = alone()
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = visitor(place.server, place.link("R01"), **phone)
    assert page.locator(".progress .goal").is_visible()

    for number in range(1, 4):
        wait_until(page, "done => ahead.count() > 0 || done", number == 3)
        for name in ("meaning", "layout"):
            page.locator(f".level:has([name=value-{name}][value='{number}'])").tap()
        assert page.evaluate("() => document.documentElement.scrollWidth") == 390
        page.get_by_role("button", name="Submit and continue").tap()
    page.get_by_role("heading", name="All done").wait_for()

    assert stored(place) == {f"d{number}": [number, number] for number in range(1, 4)}
    assert page.wrong == []


def test_items_are_rated_by_keyboard_alone(alone, visitor):
    place = alone(8)  # more than twice as many as pages are fetched ahead
    page = visitor(place.server, place.link("R01"))

    for _ in range(7):
        wait_until(page, "() => ahead.count() > 0")
        press(page, "4", "5", "Enter")
    press(page, "4", "5", "Enter")
    page.get_by_role("heading", name="All done").wait_for()

    assert stored(place) == {f"d{number}": [4.0, 5.0] for number in range(1, 9)}
    assert page.wrong == []


def test_work_of_one_evaluation_is_never_sent_for_another(alone, visitor):
    one, other = alone(), alone()
    page = at_work(one, visitor)
    page.context.set_offline(True)
    press(page, "4", "5", "Enter")
    page.context.clear_cookies()
    page.goto("about:blank")
    page.context.set_offline(False)

    enter(page, other.link("R01"))
    wait_until(page, "() => ahead.count() === 2")
    assert stored(other) == {}
    assert stored(one) == {}
    enter(page, one.link("R01"))
    page.get_by_text("1 of 3 done").wait_for()

    assert stored(one) == {"d1": [4.0, 5.0]}


def test_an_item_that_was_refused_comes_back_with_the_reason(alone, visitor):
    place = alone()
    page = at_work(place, visitor)
    first = page.evaluate("() => document.body.dataset.item")
    body = '{"error": {"code": "refused", "message": "It fits no scale."}}'
    page.route(
        "**/api/ratings/*",
        lambda route: route.fulfill(status=422, body=body, content_type="application/json"),
        times=1,
    )

    press(page, "4", "5", "Enter")
    settle(page)
    page.get_by_role("alert").get_by_text("It fits no scale.").wait_for()
    press(page, "2", "2", "Enter")
    wait_until(page, "item => document.body.dataset.item === item", first)

    assert page.locator("#problem").inner_text() == "It fits no scale."


def test_keys_pressed_while_the_next_item_is_fetched_belong_to_it(alone, visitor):
    place = alone()
    page = visitor(place.server)

    with held_up(page, "**/rate/ahead*"):
        enter(page, place.link("R01"))
        first = page.evaluate(VISIT)
        press(page, "4", "5", "Enter", "2", "3")
        frozen = page.evaluate(CHOSEN)
    wait_until(page, "visit => document.body.dataset.visit !== visit", first)
    settle(page)

    assert frozen == ["4", "5"]
    assert page.evaluate(CHOSEN) == ["2", "3"]
    assert stored(place) == {"d1": [4.0, 5.0]}


def test_keys_pressed_after_later_belong_to_the_item_that_comes(alone, visitor):
    page = visitor((place := alone()).server)

    with held_up(page, "**/rate/ahead*"):
        enter(page, place.link("R01"))
        first = page.evaluate(VISIT)
        press(page, "l", "2", "3")
    wait_until(page, "visit => document.body.dataset.visit !== visit", first)

    assert page.evaluate(CHOSEN) == ["2", "3"]


@pytest.mark.parametrize("keys", [("l",), ("4", "5", "Enter")])
def test_where_no_page_comes_ahead_the_next_item_takes_the_keys_all_the_same(alone, visitor, keys):
    page = visitor((place := alone()).server)
    page.route("**/rate/ahead*", lambda route: route.fulfill(status=204))
    enter(page, place.link("R01"))
    wait_until(page, "() => ahead.next().then((page) => page === null)")
    page.evaluate("() => { window.same = true; }")
    first = page.evaluate("() => document.body.dataset.item")

    with held_up(page, "**/rate"):  # what follows it is asked for only once that may come
        press(page, *keys, "2", "3")
        page.unroute("**/rate/ahead*")
    wait_until(page, "item => document.body.dataset.item !== item", first)

    assert page.evaluate("() => window.same")
    assert page.evaluate(CHOSEN) == ["2", "3"]
    wait_until(page, "() => ahead.count() > 0")


IMPATIENT = """() => {
  const [later, within] = [window.setTimeout, AbortSignal.timeout];
  window.setTimeout = (what, ms) => later(what, ms === 10000 ? 200 : ms);
  AbortSignal.timeout = (ms) => within.call(AbortSignal, ms === 10000 ? 200 : ms);
}"""


def test_a_page_that_never_comes_ahead_holds_up_nobody(alone, visitor):
    place = alone()
    page = visitor(place.server, new=True)
    page.add_init_script(f"({IMPATIENT})()")
    page.route("**/rate/ahead*", lambda _route: None)
    enter(page, place.link("R01"))
    first = page.evaluate(VISIT)

    press(page, "4", "5", "Enter")
    wait_until(page, "visit => document.body.dataset.visit !== visit", first)
    settle(page)

    assert stored(place) == {"d1": [4.0, 5.0]}


def test_a_server_that_is_killed_loses_and_doubles_nothing(alone, visitor):
    place = alone(12)
    link = place.link("R01")
    with serving(place) as server:
        page = visitor(server, link)
        for number in range(6):
            wait_until(page, "() => ahead.count() > 0")
            press(page, "4", str(1 + number % 5), "Enter")
            page.evaluate("() => { queue.hurry(); }")
        server.child.send_signal(signal.SIGKILL)
        server.child.wait(60)
        press(page, "2", "2", "Enter")
        page.get_by_role("alert").get_by_text("No connection").wait_for()
        counted = page.locator(".bar .progress b").inner_text()
        before = len(stored(place))
    with serving(place, port=server.port):
        page.get_by_text("7 of 12 done").wait_for()

    assert int(counted.split()[0]) <= before
    assert len(stored(place)) == 7
    assert {row["rev"] for row in place.rows("ratings", "rev")} == {1}


def test_the_goal_of_the_session_follows_what_is_handed_in(rounds, item, visitor):
    plan = [NewAssignment(f"d{n}", "R01", n, session=(n + 1) // 2) for n in range(1, 5)]
    page = at_work(rounds(items=[item(one.item) for one in plan], plan=plan), visitor)
    goals = "() => [...document.querySelectorAll('.bar .goal')].map(one => one.textContent)"
    seen = [page.evaluate(goals)]

    for _ in range(2):
        press(page, "4", "5", "Enter")
        settle(page)
        seen.append(page.evaluate(goals))
    page.reload()

    assert page.evaluate(goals) == seen[-1]
    assert [len({*those}) for those in seen] == [1, 1, 1]
    assert [those[0].partition(" · ")[2] for those in seen] == [
        "session 1 of 2: 0 of 2",
        "session 1 of 2: 1 of 2",
        "session 2 of 2: 0 of 2",
    ]
