"""A browser that is signed in to two evaluations, or as two raters: nothing gets mixed up."""

import json

import pytest

from ocrjury.frontends.web.access.doors import lasting_name
from tests.frontends.web.conftest import enter, settle
from tests.frontends.web.looks import violations, wider_than_window
from tests.frontends.web.test_pages_ahead import VISIT
from tests.whole_pages import press, wait_until


@pytest.fixture
def two(rounds, item):
    """Two evaluations with the same raters, each with three items."""
    items = [item(f"d{number}") for number in range(1, 4)]
    return [rounds(raters=("R01", "R02"), items=items) for _ in range(2)]


def address(place, rater):
    return f"/as/{lasting_name(place.evaluation, rater)}"


def landed(place):
    """What every rater's ratings of an evaluation are, by item."""
    rows = place.rows(
        "ratings join assignments using (assignment)",
        *("assignments.rater", "item", "dimension", "value"),
        order="rater, item, dimension desc",
    )
    found = {}
    for row in rows:
        found.setdefault((row["rater"], row["item"]), []).append(row["value"])
    return found


def beside(page, code):
    """Open a link in another tab of the same browser."""
    tab = page.context.new_page()
    tab.home = page.home
    enter(tab, code)
    return tab


def front(page):
    page.bring_to_front()  # no frame is drawn behind another tab
    wait_until(page, "() => ahead.count() > 0")


def rate(page, *keys):
    front(page)
    visit = page.evaluate(VISIT)
    press(page, *keys, "Enter")
    wait_until(page, "visit => document.body.dataset.visit !== visit", visit)


def test_tabs_rate_in_turn_and_each_rating_lands_where_it_belongs(two, visitor):
    one, other = two
    first = visitor(one.server, one.link("R01"))
    second = beside(first, other.link("R01"))
    third = first.context.new_page()
    third.goto(f"{first.home}/enter#{one.link('R02')}")
    third.get_by_role("button", name="Sign in as R02 too").click()
    third.wait_for_url(f"**{address(one, 'R02')}/rate")

    for tab, key in ((first, "1"), (second, "2"), (third, "3")):
        rate(tab, key, key)
        settle(tab)
        front(tab)
    first.context.set_offline(True)
    rate(first, "4", "4")
    rate(second, "4", "5")
    for tab in (first, second):
        tab.get_by_text("1 not sent yet").wait_for()
    first.context.set_offline(False)
    for tab in (first, second):
        tab.get_by_text("2 of 3 done").wait_for()

    assert landed(other) == {("R01", "d1"): [2.0, 2.0], ("R01", "d2"): [4.0, 5.0]}
    assert landed(one) == {
        ("R01", "d1"): [1.0, 1.0],
        ("R01", "d2"): [4.0, 4.0],
        ("R02", "d1"): [3.0, 3.0],
    }


def test_signing_out_of_one_keeps_the_other_and_what_waits_for_it(two, visitor):
    one, other = two
    page = visitor(one.server, one.link("R01"))
    tab = beside(page, other.link("R01"))
    mine, others = (lasting_name(each.evaluation, "R01") for each in two)
    page.evaluate(
        "names => names.forEach(name => localStorage.setItem(`ocrjury.job.${name}.x`, '{'))",
        [mine, others],
    )

    page.locator(".menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/enter")
    rate(tab, "4", "5")
    settle(tab)

    assert page.evaluate("() => Object.keys(localStorage)") == [f"ocrjury.job.{others}.x"]
    assert landed(other) == {("R01", "d1"): [4.0, 5.0]}


def test_the_entrance_lists_what_a_browser_is_signed_in_to(two, visitor):
    page = visitor(two[0].server, two[0].link("R01"))
    beside(page, two[1].link("R01"))

    page.goto(f"{page.home}/rate")
    page.wait_for_url("**/enter")
    links = [link.get_attribute("href") for link in page.locator("main .list a").all()]

    assert links == [f"{address(place, 'R01')}/rate" for place in two]
    assert violations(page) == []
    assert wider_than_window(page) == []


def test_each_address_is_for_its_own_session_and_token(two, client_of):
    one, other = two
    first, second = (client_of(place, "R01") for place in two)
    visit, _, rubric, _ = first.open()
    second.open()
    cookies = f"{first.cookie}; {second.cookie}"
    body = {"event_id": "event-12345", "base": 0, "values": {"meaning": 4, "layout": 5}}
    body["rubric_hash"] = rubric

    def statuses(at, token, cookie):
        first.cookie = cookie
        headers = {"Content-Type": "application/json", "X-Form-Token": token}
        sent = json.dumps(body).encode()
        return first.ask("POST", f"{at}/api/ratings/{visit}", sent, **headers).status

    here, there = address(one, "R01"), address(other, "R01")
    mine = first.token
    swapped = first.cookie.partition("=")[0] + "=" + second.cookie.partition("=")[2]
    assert statuses(there, second.token, cookies) == 404  # an item of another evaluation
    assert statuses(here, second.token, cookies) == 403  # a page of another session
    assert statuses("", mine, cookies) == 401  # nobody knows for which
    assert statuses(here, mine, swapped) == 401
    assert statuses(here, mine, cookies) == 200
    assert (len(landed(one)), landed(other)) == (1, {})


def test_sessions_of_the_same_browser_are_not_elsewhere(two, client_of):
    here, lost = client_of(two[0], "R01"), client_of(two[0], "R01")
    here.cookie = f"{here.cookie}; {client_of(two[1], 'R01').cookie}"
    starts = [address(place, "R01") for place in two]
    here.open(f"{starts[0]}/rate")

    page = here.ask("GET", f"{starts[0]}/sessions").text.decode()
    here.ask("POST", f"{starts[0]}/sessions", {"form_token": here.token, "session": "others"})

    assert page.count("this browser") == 2
    assert [here.ask("GET", f"{start}/rate").status for start in starts] == [200, 200]
    assert lost.open()[1] == 303


def test_two_may_give_their_submissions_the_same_name(two, client_of):
    answers = [client_of(place, "R01").hand_in(event="event-00000001") for place in two]

    assert [answer.status for answer in answers] == [200, 200]
    assert [landed(place) for place in two] == [{("R01", "d1"): [4.0, 5.0]}] * 2
