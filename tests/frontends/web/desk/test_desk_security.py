"""Who may do what at the desk, over real HTTP."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from ocrjury.store.audit import list_audit
from ocrjury.store.database import writing
from ocrjury.store.links import revoke_links

CHANGES = (
    "/desk/enter",
    "/desk/leave",
    "/desk/{}/decisions",
    "/desk/{}/links",
    "/api/evaluations/{}/decisions",
    "/api/evaluations/{}/links",
)
FOREIGN = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
)


@pytest.fixture
def place(rounds):
    return rounds()


@pytest.fixture
def desk(place, at_desk):
    return at_desk(place)


def link(desk, change="new", rater="R01", **more):
    path = f"/api/evaluations/{desk.place.evaluation}/links"
    answer = desk.ask("POST", path, {"rater": rater, "change": change, **more})
    return answer.status, json.loads(answer.text)


@pytest.mark.parametrize("headers", FOREIGN)
def test_another_site_changes_nothing(place, desk, headers):
    for path in CHANGES:
        answer = desk.post(path.format(place.evaluation), decision="abort", version=2)
        assert answer.status != 200
        where = path.format(place.evaluation)
        body = {"form_token": desk.token, "rater": "R01", "change": "new"}
        assert desk.ask("POST", where, body, **headers).status == 403
    assert place.own("tokens", "token_hash") == []


def test_every_changing_address_of_the_document_refuses_another_site(place, desk):
    document = desk.json("/openapi.json")
    changing = [
        (method.upper(), path)
        for path, methods in document["paths"].items()
        for method in methods
        if method not in {"get", "head"}
    ]
    assert len(changing) >= 6

    for method, path in changing:
        where = path.format(name=place.evaluation, visit="x")
        answer = desk.ask(method, where, {}, Origin="https://evil.example")
        assert (path, answer.status) == (path, 403)


def test_a_change_needs_the_token_of_the_page(place, desk):
    desk.token = "0" * 64

    assert link(desk)[0] == 403
    assert desk.post(f"/desk/{place.evaluation}/links", rater="R01", change="new").status == 403
    assert desk.post("/desk/leave").status == 403


def test_a_rater_opens_nothing_of_the_desk(place, desk_without_link, client_of):
    rater = client_of(place, "R01")
    secret = rater.cookie.partition("=")[2]
    stranger = desk_without_link(place)

    for cookie in (rater.cookie, f"__Host-ocrjury-desk={secret}"):
        stranger.cookie = cookie
        assert stranger.ask("GET", f"/desk/{place.evaluation}").status == 303
        assert stranger.ask("GET", "/desk/reports").status == 303
        assert stranger.ask("GET", f"/api/evaluations/{place.evaluation}").status == 401
        assert stranger.ask("GET", f"/desk/{place.evaluation}/reports/final-en-1.pdf").status == 303
    assert stranger.ask("POST", "/desk/enter", {"code": place.link("R01")}).status == 403
    key = {"Authorization": f"Bearer {place.link('R02')}"}
    assert stranger.ask("GET", "/api/evaluations", **key).status == 401


def test_a_lead_rates_nothing(place, desk, code_of):
    secret = desk.cookie.partition("=")[2]

    stolen = f"__Host-ocrjury-rating-{0:020}={secret}"
    for cookie in (desk.cookie, stolen):
        answer = desk.ask("GET", "/rate", Cookie=cookie)
        assert (answer.status, answer.getheader("Location")) == (303, "/enter")
    body = {"event_id": "event-12345", "base": 0, "values": {"meaning": 5}, "rubric_hash": "x"}
    assert desk.ask("POST", "/api/ratings/x", body, Cookie=stolen).status == 401
    assert place.client().enter(code_of(place)).status == 403


def test_a_link_expires_and_is_revoked_with_its_sessions(
    place, at_desk, desk_without_link, code_of
):
    now = datetime.now(UTC)
    old = code_of(place, expires_at=now - timedelta(seconds=1))
    assert desk_without_link(place, "10.9.1.1").enter(old).status == 403
    desk = at_desk(place, who="someone else")
    assert desk.ask("GET", "/desk").status == 200

    with writing(place.store.engine) as connection:
        assert revoke_links(connection, None, ["someone else"], now=now) == 1

    assert desk.ask("GET", "/desk").status == 303


def test_the_code_and_the_cookie_are_stored_as_hashes_only(place, at_desk, code_of):
    code, desk = code_of(place), at_desk(place)
    desk.enter(code)

    stored = json.dumps(
        [place.ask(f"select * from {table}") for table in ("tokens", "sessions", "audit")],
        default=str,
    )
    assert code not in stored
    assert desk.cookie.partition("=")[2] not in stored
    set_ = desk.enter(code).getheader("Set-Cookie").split("; ")
    assert set_[0].startswith("__Host-ocrjury-desk=")
    assert {"HttpOnly", "Secure", "SameSite=strict", "Path=/"} == set(set_[1:])


def test_guessing_is_slowed_down(place, own_server, desk_without_link):
    guesser = desk_without_link(own_server)

    seen = {guesser.ask("POST", "/desk/enter", {"code": f"x{n}"}).status for n in range(12)}

    assert seen == {403, 429}


def test_links_are_made_extended_and_revoked(place, desk, client_of):
    status, made = link(desk)
    assert (status, made["changed"]) == (200, 1)
    code = made["address"].partition("#")[2]
    rater = place.client()
    assert rater.enter(code).status == 303

    assert link(desk, "extend", days=30)[1] == {"changed": 1, "address": None}
    ends = place.own("tokens", "expires_at")[0]["expires_at"]
    assert str(ends) > str(datetime.now(UTC) + timedelta(days=29))
    assert link(desk, "revoke")[1] == {"changed": 1, "address": None}

    assert rater.ask("GET", "/rate").status == 303
    assert link(desk, "new", "R99")[0] == 422
    assert link(desk, "new", "A01")[0] == 409
    about = {"evaluation": place.evaluation, "actor": "J. Kim"}
    actions = [row.action for row in list_audit(place.store.engine, **about)]
    assert [action for action in actions if "link" in action] == [
        "revoke link",
        "extend link",
        "make link",
    ]
    assert actions[0] == "refused"


def test_a_new_link_is_shown_once_on_the_page(place, desk):
    first = desk.post(f"/desk/{place.evaluation}/links", rater="R01", change="new")
    again = desk.ask("GET", f"/desk/{place.evaluation}/raters")

    code = first.text.partition("/enter#")[2].partition('"')[0]
    assert len(code) > 40
    assert code not in again.text
    assert "until" in again.text


def test_too_many_fields_are_refused(place, desk):
    fields = {f"a{number}": 1 for number in range(900)}

    for path in ("/desk/enter", "/desk/leave", f"/desk/{place.evaluation}/decisions"):
        assert desk.ask("POST", path, fields).status == 413


def test_a_sign_that_no_database_keeps_is_refused(place, desk):
    assert desk.ask("GET", "/api/evaluations/%00").status == 404
    reason = {"decision": "abort", "version": 2, "reason": "a \x00 reason"}
    assert desk.ask("POST", f"/api/evaluations/{place.evaluation}/decisions", reason).status == 422


def test_a_program_with_a_code_comes_in_whoever_guesses_beside_it(
    place, own_server, desk_without_link, code_of
):
    guesser, program = desk_without_link(own_server), desk_without_link(own_server)
    path = f"/api/evaluations/{place.evaluation}/agreement"
    for number in range(11):
        guesser.ask("GET", path, Authorization=f"Bearer x{number}")

    wrong = guesser.ask("GET", path, Authorization="Bearer x")
    right = program.ask("GET", path, Authorization=f"Bearer {code_of(place)}")

    assert (wrong.status, right.status) == (429, 200)


def test_at_the_desk_a_link_of_somebody_else_asks_first(place, at_desk, code_of):
    desk = at_desk(place, who="J. Kim")
    mine, code = desk.cookie, code_of(place, who="M. Lee")

    asked = desk.ask("POST", "/desk/enter", {"code": code})
    said = asked.text.partition('name="instead" value="')[2].partition('"')[0]
    assert (asked.status, desk.cookie) == (200, mine)
    assert "The link that you opened is M. Lee&#39;s." in asked.text

    assert desk.ask("POST", "/desk/enter", {"code": code, "instead": said}).status == 303
    assert "(M. Lee)" in desk.ask("GET", "/desk").text


def test_the_interface_is_described_to_leads_only(place, desk, client_of, code_of):
    rater = client_of(place, "R01")
    bearer = {"Authorization": f"Bearer {code_of(place)}"}

    answers = [
        place.client().ask("GET", "/openapi.json"),
        rater.ask("GET", "/openapi.json"),
        place.client().ask("GET", "/openapi.json", **bearer),
        desk.ask("GET", "/openapi.json"),
    ]

    assert [answer.status for answer in answers] == [401, 401, 200, 200]
