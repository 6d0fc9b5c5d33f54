"""Where raters and leads are signed in: they see every browser, and sign it out."""

import re
from types import SimpleNamespace

import sqlalchemy as sa
from starlette.testclient import TestClient

from ocrjury.frontends.web import Site, create_application
from ocrjury.frontends.web.access.guests import Guest
from ocrjury.store.audit import list_audit
from tests.frontends.web.looks import violations, wider_than_window

ENTRY = re.compile(r'name="session" value="(\w{16})"')


def listed(client, path):
    """The page of the sessions, and the numbers of those that can be signed out."""
    page = client.ask("GET", path).text
    page = page if isinstance(page, str) else page.decode()
    client.token = page.partition('name="form_token" value="')[2].partition('"')[0] or client.token
    return page, ENTRY.findall(page)


def test_a_rater_sees_every_browser_and_signs_one_out(rounds, client_of):
    place = rounds(raters=("Q11", "Q12"))
    here, lost, other = (client_of(place, rater) for rater in ("Q11", "Q11", "Q12"))

    page, numbers = listed(here, "/sessions")
    assert "Every browser in which Q11 is signed in" in page
    assert f"from {lost.address}" in page
    assert f"from {other.address}" not in page
    assert len(numbers) == 1

    body = {"form_token": here.token, "session": numbers[0]}
    assert here.ask("POST", "/sessions", body).status == 303
    assert (lost.open()[1], here.open()[1] != 303, other.open()[1] != 303) == (303, True, True)
    log = list_audit(place.store.engine, actor="Q11")
    assert next(one.object for one in log if one.action == "end sessions") == "1 of Q11"


def test_a_rater_signs_out_everywhere_else_and_nobody_else(rounds, client_of):
    place = rounds(raters=("Q21", "Q22"))
    first, second, here = (client_of(place, "Q21") for _ in range(3))
    other = client_of(place, "Q22")
    _, foreign = listed(client_of(place, "Q22"), "/sessions")

    listed(here, "/sessions")
    for wanted in (foreign[0], "others"):
        here.ask("POST", "/sessions", {"form_token": here.token, "session": wanted})

    assert [one.open()[1] for one in (first, second)] == [303, 303]
    assert here.open()[0] is not None
    assert other.open()[0] is not None
    assert listed(here, "/sessions")[1] == []


def test_signing_out_needs_the_token_of_the_page(rounds, client_of):
    place = rounds(raters=("Q31", "Q32"))
    here, there = client_of(place, "Q31"), client_of(place, "Q31")

    assert here.ask("POST", "/sessions", {"session": "others"}).status == 403
    assert there.open()[0] is not None


def test_a_page_tells_the_machine_and_shows_well(rounds, client_of, visitor):
    place = rounds(raters=("Q41",))
    client_of(place, "Q41")
    page = visitor(place.server, place.link("Q41"))
    page.goto(f"{place.server.address}/sessions")

    assert "Computer" in page.inner_text("main")
    assert page.get_by_role("button").count() == 2
    assert violations(page) == []
    assert wider_than_window(page) == []


def test_asking_first_shows_well(rounds, visitor):
    place = rounds(raters=("Q51", "Q52"))
    page = visitor(place.server, place.link("Q51"))
    page.goto(f"{place.server.address}/enter#{place.link('Q52')}")
    page.get_by_text("Sign in as Q52").wait_for()

    assert violations(page) == []


def test_who_asks_and_for_which_campaign_is_read_in_one_transaction(base, rounds):
    home, begun = "http://127.0.0.1:8080", []
    client = TestClient(create_application(Site(base.store, address=home)), base_url=home)
    entered = client.post(
        "/enter", data={"code": rounds(raters=("R01",)).link("R01")}, follow_redirects=False
    )
    client.headers["Cookie"] = entered.headers["set-cookie"].partition(";")[0]
    client.get("/rate")

    count = begun.append
    sa.event.listen(base.store.engine, "begin", count)
    client.get("/rate")
    sa.event.remove(base.store.engine, "begin", count)

    assert len(begun) == 2  # who asks, and what the page shows


def test_a_request_looks_once_whether_its_campaign_changed():
    looked = []
    site = SimpleNamespace(campaign=lambda name: looked.append(name) or object())
    session = SimpleNamespace(link=SimpleNamespace(evaluation="claims"))
    guest = Guest(
        site=site, who="R01", form_token="", address="", session=session, client="desktop"
    )

    assert guest.campaign is guest.campaign

    assert looked == ["claims"]
