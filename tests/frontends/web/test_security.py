"""Who may do what: over real HTTP, as somebody without good intentions."""

import asyncio
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest

from ocrjury.frontends.web import Site, create_application
from ocrjury.frontends.web.site import RateLimit
from ocrjury.store.audit import list_audit
from ocrjury.store.database import writing
from ocrjury.store.links import revoke_links
from ocrjury.store.quarantine import list_refused
from ocrjury.store.rounds import close_round
from tests.frontends.web.conftest import serving
from tests.web_servers import start_afresh


@pytest.fixture
def shared(rounds):
    """An evaluation with two raters."""
    return rounds()


@pytest.fixture
def client(shared, client_of):
    return client_of(shared, "R01")


def raw(place, method, path, headers, body=b""):
    connection = HTTPConnection("127.0.0.1", place.server.port, timeout=60)
    connection.putrequest(method, path, skip_host=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders(body or None)
    status = connection.getresponse().status
    connection.close()
    return status


def host(place):
    return f"127.0.0.1:{place.server.port}"


def test_every_answer_keeps_browsers_strict(client, shared):
    for path in ("/rate", "/enter", "/nowhere", "/api/nowhere", "/health"):
        headers = dict(client.ask("GET", path).getheaders())
        assert headers["Content-Security-Policy"].startswith(
            "default-src 'none'; script-src 'self'"
        )
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["Cache-Control"] == "no-store"
        assert "server" not in {name.lower() for name in headers}


def test_the_cookie_is_for_this_page_alone(shared):
    client = shared.client()
    answer = client.enter(shared.link("R01"))

    assert answer.getheader("Set-Cookie").split("; ")[1:] == [
        *("HttpOnly", "Path=/", "SameSite=strict", "Secure"),
    ]
    assert re.fullmatch("__Host-ocrjury-rating-[0-9a-f]{20}=[^=]+", client.cookie)


def test_looking_at_a_link_signs_nobody_in(shared):
    client = shared.client()
    code = shared.link("R01")

    client.ask("GET", f"/enter?code={code}")
    client.ask("GET", "/enter")

    assert client.cookie == ""
    assert client.ask("GET", "/rate").status == 303


def test_a_secret_is_stored_as_a_hash_only(shared, client):
    code = shared.link("R02")
    secret = client.cookie.partition("=")[2]

    stored = "\n".join(
        json.dumps(row, default=str)
        for table in ("tokens", "sessions", "audit", "visits")
        for row in shared.ask(f"select * from {table}")
    )

    assert code not in stored
    assert secret not in stored
    assert code not in (shared.home / "serve.log").read_text()


@pytest.mark.parametrize(
    "code", ["", "x", "' or 1=1 --", "a" * 5000, "%00", "#", "../../etc/passwd"]
)
def test_a_wrong_code_has_one_sentence(shared, code):
    answer = shared.client().enter(code)

    assert answer.status == 403
    assert "This link does not work" in answer.text.decode()


def test_expired_revoked_and_finished_links_open_nothing(shared):
    now = datetime.now(UTC)
    expired = shared.link("R01", expires_at=now - timedelta(seconds=1))
    other_round = shared.link("R01", number=7)
    revoked = shared.link("R02")
    with writing(shared.store.engine) as connection:
        revoke_links(connection, shared.evaluation, ["R02"], now=now)

    for code in (expired, revoked):
        client = shared.client()
        assert client.enter(code).status == 403
        assert client.cookie == ""
    client = shared.client()
    client.enter(other_round)
    assert client.open()[0] is None


def test_revoking_ends_a_session_at_once(shared, client):
    assert client.ask("GET", "/rate").status == 200

    with writing(shared.store.engine) as connection:
        revoke_links(connection, shared.evaluation, ["R01"], now=datetime.now(UTC))

    assert client.ask("GET", "/rate").status == 303
    assert client.hand_in().status in {401, 403, 404}


def test_signing_out_ends_the_session(shared, client):
    client.open()
    cookie = client.cookie
    left = client.ask("POST", "/leave", {"form_token": client.token})

    assert left.getheader("Set-Cookie").startswith(cookie.partition("=")[0])
    client.cookie = cookie
    assert client.ask("GET", "/rate").status == 303


def test_nobody_reaches_another_rater_s_item(shared, client, client_of):
    visit, rev, rubric, _ = client.open()
    other = client_of(shared, "R02")
    other.open()
    body = {"event_id": "event-12345", "base": rev, "values": {"meaning": 1, "layout": 1}}

    assert other.ask("GET", f"/rate/{visit}").status == 404
    assert other.ask("GET", f"/images/{visit}/page").status == 404
    assert other.ask("GET", f"/practice/{visit}").status == 404
    assert other.ask("GET", f"/panel/{visit}").status == 404
    assert other.ask("PUT", f"/api/drafts/{visit}", body).status == 404
    handed = other.ask("POST", f"/api/ratings/{visit}", {**body, "rubric_hash": rubric})
    assert handed.status == 404
    assert handed.getheader("Content-Type") == "application/json"
    assert shared.rows("ratings", "value") == []


@pytest.mark.parametrize(
    "path", ["/api/drafts/x", "/api/ratings/x", "/enter", "/leave", "/language"]
)
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_site_changes_nothing(shared, path, headers):
    method = "PUT" if "drafts" in path else "POST"
    status = raw(shared, method, path, {"Host": host(shared), "Content-Length": "0", **headers})

    assert status == 403


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1:1", ""])
def test_another_host_is_not_served(shared, name):
    assert raw(shared, "GET", "/enter", {"Host": name}) in {400, 421}


def test_a_change_needs_the_token_of_the_page(shared, client):
    visit = client.open()[0]
    client.token = "0" * 64

    answer = client.ask("POST", f"/api/ratings/{visit}", {"event_id": "event-12345"})

    assert answer.status == 403
    assert json.loads(answer.text)["error"]["code"] == "form_token"


def test_a_long_body_is_refused(shared, client):
    visit = client.open()[0]
    long = {"Content-Type": "application/json", "X-Form-Token": client.token}

    assert client.ask("PUT", f"/api/drafts/{visit}", b"x" * 20_001, **long).status == 413
    headers = {"Host": host(shared), "Transfer-Encoding": "chunked"}
    assert raw(shared, "POST", "/enter", headers, b"1\r\nx\r\n0\r\n\r\n") == 411


def test_a_form_of_too_many_fields_is_refused(shared):
    many = "&".join(f"f{number}=1" for number in range(101)).encode()
    kind = {"Content-Type": "application/x-www-form-urlencoded"}

    assert shared.client().ask("POST", "/enter", many, **kind).status == 413


def test_a_null_character_reaches_no_database(shared, client):
    assert raw(shared, "GET", "/rate/abc%00def", {"Host": host(shared)}) == 404
    assert raw(shared, "GET", "/previous?before=abc%00def", {"Host": host(shared)}) == 404

    assert client.hand_in(comment="a\x00b").status in {200, 201}
    assert shared.rows("comments", "body") == [{"body": "ab"}]


@pytest.mark.parametrize(
    "name",
    ["../secret.png", "../../../../etc/passwd", "/etc/passwd", "home/ocrjury.db", "note.svg"],
)
def test_only_pictures_inside_the_folder_are_shown(rounds, item, client_of, name):
    place = rounds(raters=("R01",), items=[item("d1", image_uri=name)])
    folder = place.home.parent
    (folder / "note.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder.parent / "secret.png").write_bytes((folder / "page.png").read_bytes())
    client = client_of(place, "R01")
    visit = client.open()[0]

    assert client.ask("GET", f"/images/{visit}/page").status == 404
    assert client.ask("GET", f"/images/{visit}/crop").status == 404


@pytest.mark.parametrize("path", ["/static/x/../rating.css", "/static/x/..%2f..%2fitem.html.j2"])
def test_only_files_of_the_page_are_served(shared, path):
    assert raw(shared, "GET", path, {"Host": host(shared)}) == 404


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"meaning": 9, "layout": 5}, "outside the scale"),
        ({"meaning": 3.5, "layout": 5}, "outside the scale"),
        ({"meaning": 3}, "no rating on dimension"),
        ({"meaning": 3, "layout": 3, "beauty": 3}, "no dimension"),
    ],
)
def test_what_cannot_be_a_rating_is_set_aside_with_a_reason(shared, client, values, why):
    answer = client.hand_in(values)

    assert answer.status == 422
    assert why in json.loads(answer.text)["error"]["message"]
    assert why in list_refused(shared.store.engine, shared.evaluation)[0].reason
    assert shared.rows("ratings", "value") == []


@pytest.mark.parametrize(
    "changes",
    [
        {"event_id": "short"},
        {"base": -1},
        {"values": {"meaning": "five"}},
        {"comment": "x" * 2001},
        {"flag": "boring"},
        {"unknown": 1},
        {"values": {str(n): 1 for n in range(9)}},
        {"conditions": {"diff": "perhaps"}},
        {"active_ms": 10**9},
    ],
)
def test_a_body_of_another_shape_is_refused_without_an_echo(client, changes):
    answer = client.hand_in(**changes)

    assert answer.status == 422
    assert json.loads(answer.text)["error"]["code"] == "shape"
    assert b"boring" not in answer.text


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"comment": "a\ud800"}, "comment"),
        ({"values": {"meaning\udfff": 4}, "told": []}, "values"),
        ({"rubric_hash": "\udc00"}, "rubric_hash"),
        ({"b\ud800": 1}, "body"),
        ({"conditions": {"diff": ["\ud800"]}}, "conditions"),
    ],
)
def test_half_a_character_is_refused_by_its_field(client, changes, field):
    visit, rev, _, _ = client.open()

    handed_in = client.hand_in(**changes)
    saved = client.ask("PUT", f"/api/drafts/{visit}", {"event_id": "e" * 9, "base": rev, **changes})

    for answer in (handed_in, saved):
        assert answer.status == 422
        message = json.loads(answer.text)["error"]["message"]
        assert message == f"There is a broken character in {field}. Delete it and send again."


def test_the_same_submission_is_stored_once(shared, client):
    visit, rev, rubric, _ = client.open()
    body = {
        "event_id": "event-12345",
        "base": rev,
        "rubric_hash": rubric,
        "values": {"meaning": 4, "layout": 5},
    }

    answers = [client.ask("POST", f"/api/ratings/{visit}", body) for _ in range(3)]

    assert [answer.status for answer in answers] == [200, 200, 200]
    assert len(shared.rows("ratings", "value")) == 2


def test_another_rubric_is_refused(shared, client):
    answer = client.hand_in(rubric_hash="0" * 64)

    assert answer.status == 422
    assert "another version of the rubric" in json.loads(answer.text)["error"]["message"]


def test_an_item_can_be_changed_for_a_while_and_no_longer(rounds, client_of):
    place = rounds(raters=("R01",), page={"change_minutes": 0})
    client = client_of(place, "R01")
    visit = client.open()[0]
    client.hand_in()

    assert client.ask("GET", f"/rate/{visit}").status == 409
    assert client.ask("GET", "/previous").getheader("Location").endswith("/rate")


def test_a_closed_round_takes_nothing(shared, client):
    visit, _, rubric, _ = client.open()
    with writing(shared.store.engine) as connection:
        close_round(connection, shared.evaluation, by="overdue", now=datetime.now(UTC))
    body = {"event_id": "event-12345", "base": 0, "rubric_hash": rubric, "values": {"meaning": 1}}
    answer = client.ask("POST", f"/api/ratings/{visit}", body)

    assert (answer.status, json.loads(answer.text)["error"]["code"]) == (409, "closed")


def test_a_link_for_one_use_works_once(rounds):
    place = rounds(raters=("R01",), page={"single_use": True})
    code = place.link("R01")

    assert place.client().enter(code).status == 303
    assert place.client().enter(code).status == 403


def test_who_came_looked_and_rated_is_written_down(shared, client):
    client.hand_in()

    log = [row for row in list_audit(shared.store.engine) if shared.evaluation in row.object]
    assert [row.action for row in reversed(log)] == ["sign-in", "view", "rate"]
    assert {row.actor for row in log} == {"R01"}
    assert {row.address for row in log} == {client.address}


def test_a_long_session_rests_if_the_lead_wants_it(rounds, client_of, now):
    place = rounds(raters=("R01",), page={"stop_minutes": 1e-9})
    client = client_of(place, "R01")
    assert "Time for a break" in client.ask("GET", "/rate").text.decode()


def save_often(site, code, *, count, peer=("127.0.0.1", 1)):
    """Save a draft so many times from one address, until the site ends; return the answers."""

    async def save():
        application = create_application(site)
        transport = httpx.ASGITransport(application, client=peer)
        async with (
            application.router.lifespan_context(application),
            httpx.AsyncClient(transport=transport, base_url="http://here") as client,
        ):
            entered = await client.post("/enter", data={"code": code})
            headers = {"Cookie": entered.headers["Set-Cookie"].partition(";")[0]}
            page = (await client.get("/rate", headers=headers)).text
            visit = re.search(r'data-visit="([^"]+)"', page)[1]
            headers["X-Form-Token"] = re.search(r'data-token="(\w+)"', page)[1]
            path, body = f"/api/drafts/{visit}", {"base": 10**6, "values": {}}
            bodies = [{**body, "event_id": f"event-{number:05}"} for number in range(count)]
            return [
                (await client.put(path, json=one, headers=headers)).status_code for one in bodies
            ]

    with ThreadPoolExecutor(1) as elsewhere:  # browsers of other tests have a loop in this thread
        return elsewhere.submit(lambda: asyncio.run(save())).result(60)


def test_too_many_changes_are_slowed_down(base, rounds):
    site = Site(base.store, address="http://here", saves=RateLimit(3, seconds=600))

    assert save_often(site, rounds().link("R02"), count=5) == [409] * 3 + [429] * 2
    usual = Site(base.store).saves
    assert (usual.tries, usual.seconds) == (240, 60)


def test_too_many_wrong_codes_are_slowed_down(own_server):
    entries = [own_server.client().enter(f"wrong-{number}").status for number in range(11)]

    assert entries == [403] * 10 + [429]
    assert own_server.client().enter(own_server.link("R01")).status == 303


def test_the_process_is_light_and_loads_nothing_heavy(base, rounds, client_of):
    with serving(base, start=start_afresh) as server:
        for rater in ("R01", "R02"):
            client = client_of(replace(rounds(), server=server), rater)
            for _ in range(3):
                visit = client.open()[0]
                client.ask("GET", f"/images/{visit}/page")
                client.hand_in()
        status = Path(f"/proc/{server.child.pid}/status").read_text()
    resident = int(status.split("VmRSS:")[1].split()[0])

    assert resident <= 120_000
    heavy = ("numpy", "pandas", "scipy", "prefect", "weasyprint", "alembic")
    code = (
        "import sys, ocrjury.cli.serve, ocrjury.frontends.web, uvicorn, ocrjury.signals.events, "
        "ocrjury.evaluation.overview;"
        f"print(*[m for m in {heavy} if m in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert out.stdout.strip() == ""


def test_wrong_codes_of_a_neighbourhood_count_together_and_lock_nobody_out(rounds):
    place = rounds(raters=("R01",))
    clients = [place.client() for _ in range(12)]
    for number, client in enumerate(clients):
        client.address = f"203.0.113.{number}"

    statuses = [client.enter("wrong").status for client in clients]

    assert statuses == [403] * 10 + [429] * 2
    assert clients[0].enter(place.link("R01")).status == 303
    elsewhere = place.client()
    elsewhere.address = "203.0.114.1"
    assert elsewhere.enter("wrong").status == 403


def test_the_last_line_of_forwarded_addresses_counts(rounds):
    place = rounds(raters=("R01",))

    statuses = [enter_with_two_lines(place, f"6.6.{number}.6") for number in range(12)]

    assert statuses == [403] * 10 + [429] * 2


def enter_with_two_lines(place, forged):
    """The status of a wrong code, after a line that the client made up."""
    connection = HTTPConnection("127.0.0.1", place.server.port, timeout=60)
    connection.putrequest("POST", "/enter")
    connection.putheader("X-Forwarded-For", forged)
    connection.putheader("X-Forwarded-For", "198.51.100.77")
    connection.putheader("Content-Length", "7")
    connection.endheaders(b"code=no")
    status = connection.getresponse().status
    connection.close()
    return status


def test_of_45_who_use_a_link_for_one_use_at_once_one_comes_in(rounds):
    place = rounds(raters=("R01",), page={"single_use": True})
    code, clients = place.link("R01"), [place.client() for _ in range(45)]

    with ThreadPoolExecutor(45) as people:
        answers = people.map(lambda client: client.enter(code), clients, timeout=60)
        statuses = [answer.status for answer in answers]

    assert statuses.count(303) == 1
    assert set(statuses) <= {303, 403, 429}
    of = f"select token_hash from tokens where evaluation = '{place.evaluation}'"
    sessions = place.ask(f"select count(*) as n from sessions where token_hash in ({of})")
    assert sessions == [{"n": 1}]


def test_a_link_of_somebody_else_signs_in_only_whoever_says_so(rounds, client_of):
    place = rounds()
    client, other = client_of(place, "R01"), place.link("R02")
    mine = client.cookie

    asked = client.enter(other)
    page = asked.text.decode()
    assert (asked.status, client.cookie) == (200, mine)
    assert "You are signed in as R01. The link that you opened is for R02" in page
    assert client.ask("POST", "/enter", {"code": other, "instead": "forged"}).status == 200
    assert client.open()[1] != 303

    said = page.partition('name="instead" value="')[2].partition('"')[0]
    assert client.ask("POST", "/enter", {"code": other, "instead": said}).status == 303
    assert client.cookie != mine
    for cookie in (mine, client.cookie):
        client.cookie = cookie
        assert client.open()[0] is not None


def test_a_new_link_of_the_same_rater_needs_no_question(rounds, client_of):
    place = rounds()
    client = client_of(place, "R01")

    assert client.enter(place.link("R01")).status == 303


@pytest.mark.parametrize("origin", ["http://[", "null", "//", "https://127.0.0.1:1"])
def test_an_origin_that_is_none_is_another_site(shared, client, origin):
    answer = client.ask("POST", "/leave", {"form_token": client.token}, Origin=origin)

    assert answer.status == 403
    assert answer.getheader("Content-Security-Policy")
    assert client.open()[1] != 303


def test_a_form_token_of_other_letters_is_a_wrong_one(shared, client):
    visit = client.open()[0]
    body = json.dumps({"event_id": "event-12345", "base": 0, "values": {}}).encode()
    headers = {"Content-Type": "application/json", "X-Form-Token": "é".encode("latin-1")}

    assert client.ask("PUT", f"/api/drafts/{visit}", body, **headers).status == 403
    assert client.ask("POST", "/leave", {"form_token": "한글"}).status == 403


def test_whoever_looks_too_fast_is_slowed_down(base, rounds):
    site = Site(base.store, address="http://here", requests=RateLimit(3, seconds=600))
    code = rounds().link("R01")

    async def look():
        transport = httpx.ASGITransport(create_application(site))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            entered = await client.post("/enter", data={"code": code})
            cookie = {"Cookie": entered.headers["Set-Cookie"].partition(";")[0]}
            return [(await client.get("/rate", headers=cookie)).status_code for _ in range(5)]

    with ThreadPoolExecutor(1) as elsewhere:  # browsers of other tests have a loop in this thread
        assert elsewhere.submit(lambda: asyncio.run(look())).result(60) == [200] * 3 + [429] * 2
