"""What programs that watch the page are told: over HTTP, without a session."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from ipaddress import ip_network
from threading import Event

import httpx
import pytest
import sqlalchemy as sa

from ocrjury.campaign import settings
from ocrjury.errors import InputError
from ocrjury.frontends.web import Site, create_application
from ocrjury.frontends.web.proxy import Proxy
from ocrjury.frontends.web.watching import probes
from ocrjury.store.database import writing
from ocrjury.store.workspace import Store, open_store

TOKEN = "t" * 32
NEAR, FAR = ("127.0.0.1", 1), ("10.0.0.9", 1)
BEHIND = Proxy((ip_network("127.0.0.0/8"),))


@pytest.fixture
def store(tmp_path):
    with open_store(home=tmp_path) as opened:
        yield opened


@pytest.fixture
def away(store):
    """A store whose database nobody serves."""
    engine = sa.create_engine("postgresql+psycopg://127.0.0.1:9/x")
    yield Store(engine, store.files)
    engine.dispose()


@pytest.fixture
def damaged(tmp_path):
    """A store whose database was overwritten after it had been opened."""
    with open_store(home=tmp_path / "damaged") as opened:
        opened.engine.dispose()
        for path in (tmp_path / "damaged").glob("ocrjury.db*"):
            path.write_bytes(b"no database" * 1000)
        yield opened


def ask(site, path, *, peer=NEAR, host="127.0.0.1:8080", **headers):
    """Answer to one request from an address."""

    async def asking():
        transport = httpx.ASGITransport(create_application(site), client=peer)
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            return await client.get(path, headers={"Host": host, **headers})

    return run(asking())


def run(doing):
    """Run something in a loop of its own; browsers of other tests have one in this thread."""
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, doing).result(60)


def number(text, name, **labels):
    """Value of one line of the numbers."""
    inside = ",".join(f'{key}="{value}"' for key, value in labels.items())
    start = f"{name}{{{inside}}} " if labels else f"{name} "
    [line] = [line for line in text.splitlines() if line.startswith(start)]
    return float(line.rpartition(" ")[2])


def test_a_page_with_its_store_is_ready(store):
    answer = ask(Site(store), "/ready")

    assert (answer.status_code, answer.json()) == (200, {"status": "ready"})


def test_a_page_lives_but_is_not_ready_while_its_store_is_away(away):
    site = Site(away)

    lives, ready = ask(site, "/health"), ask(site, "/ready")

    assert (lives.status_code, lives.json()) == (200, {"status": "ok"})
    assert ready.status_code == 503
    assert ready.json() == {"status": "not ready", "reason": "away"}


def test_a_page_says_what_ails_its_store(damaged):
    answer = ask(Site(damaged), "/ready")

    assert answer.status_code == 503
    assert answer.json() == {"status": "not ready", "reason": "damaged"}


def test_a_page_is_not_ready_for_tables_of_another_version(store):
    with writing(store.engine) as connection:
        connection.execute(sa.text("update alembic_version set version_num = '9999'"))

    answer = ask(Site(store), "/ready")

    assert answer.status_code == 503
    assert answer.json() == {"status": "not ready", "reason": "schema"}


@pytest.mark.parametrize("path", ["/health", "/ready", "/metrics", "/enter"])
def test_programs_that_watch_need_not_know_the_public_address(store, path):
    site = Site(store, address="https://rate.example.org", metrics_token=TOKEN)

    answer = ask(site, path, peer=FAR, host="10.1.2.3:8080", Authorization=f"Bearer {TOKEN}")

    assert answer.status_code == (421 if path == "/enter" else 200)


@pytest.mark.parametrize(
    ("changes", "asking", "status"),
    [
        ({}, {}, 200),
        ({}, {"peer": FAR}, 403),
        ({}, {"host": "evil.example:8080"}, 403),
        ({}, {"host": "[::1"}, 403),
        ({"proxy": BEHIND}, {}, 403),
        ({"proxy": Proxy(by_socket=True)}, {"peer": None}, 403),
        ({"metrics_token": TOKEN}, {}, 401),
        ({"metrics_token": TOKEN}, {"Authorization": f"Bearer {TOKEN[1:]}"}, 401),
        ({"metrics_token": TOKEN}, {"Authorization": f"Basic {TOKEN}"}, 401),
        ({"metrics_token": TOKEN, "proxy": BEHIND}, {"Authorization": f"Bearer {TOKEN}"}, 200),
        ({"metrics_token": TOKEN}, {"peer": FAR, "Authorization": f"bearer {TOKEN}"}, 200),
    ],
)
def test_who_may_read_the_numbers(store, changes, asking, status):
    site = replace(Site(store), **changes)

    answer = ask(site, "/metrics", **asking)

    assert answer.status_code == status
    assert ("ocrjury_store_up" in answer.text) == (status == 200)


def test_a_token_that_could_be_guessed_is_refused(monkeypatch):
    monkeypatch.setenv(settings.METRICS_TOKEN, "secret")

    with pytest.raises(InputError, match="OCRJURY_METRICS_TOKEN must have 32 ASCII characters"):
        settings.read_secret(settings.METRICS_TOKEN)


def test_numbers_come_from_what_is_open_and_what_was_handed_in(rounds, client_of):
    place = rounds(raters=("R01", "R02"))
    site = Site(place.store, runs=lambda: {"failed": 2, "late": 1})
    before = ask(site, "/metrics").text
    client = client_of(place, "R01")
    assert client.hand_in().status == 200
    assert client.hand_in({"meaning": 9, "layout": 1}).status == 422

    here, there = ask(site, "/metrics").text, served(place)

    owed = "ocrjury_open_assignments"
    assert number(here, owed) == number(before, owed) - 1
    assert number(here, "ocrjury_open_rounds", frontend="web") >= 1
    assert number(here, "ocrjury_evaluations", state="collecting") >= 1
    assert number(here, "ocrjury_overdue_rounds") >= 0
    assert number(here, "ocrjury_unsent_signals") >= 0
    assert number(here, "ocrjury_runs", state="failed") == 2
    assert number(here, "ocrjury_prefect_up") == number(here, "ocrjury_store_up") == 1
    assert number(there, "ocrjury_prefect_up") == 0
    assert number(there, "ocrjury_hand_ins_total", outcome="stored") >= 1
    assert number(there, "ocrjury_hand_ins_total", outcome="refused") >= 1
    route = "/api/ratings/{visit}"
    assert number(there, "ocrjury_answer_seconds_count", route=route) >= 2
    assert number(there, "ocrjury_answers_total", method="POST", route=route, status="200") >= 1


def served(place):
    """Numbers of the page's own server."""
    address, token = place.server.address, {"Authorization": f"Bearer {TOKEN}"}
    return httpx.get(f"{address}/metrics", headers=token, timeout=60).raise_for_status().text


def test_the_numbers_name_nobody(rounds, client_of):
    place = rounds(raters=("R01", "R02"))
    client = client_of(place, "R01")
    visit = client.open()[0]
    client.ask("GET", f"/rate/{visit}")
    client.ask("GET", "/nowhere/R01")
    client.ask("BREW", "/rate")

    text = served(place)

    assert place.evaluation not in text
    for secret in ("R01", visit, "claims", client.address, "BREW", "nowhere", "d1"):
        assert secret not in text
    assert number(text, "ocrjury_answer_seconds_count", route="/rate/{visit}") >= 1
    assert number(text, "ocrjury_answer_seconds_count", route="other") >= 1


def test_a_store_that_is_away_leaves_the_other_numbers(away):
    text = ask(Site(away), "/metrics").text

    assert number(text, "ocrjury_store_up") == 0
    assert "ocrjury_open_rounds" not in text
    assert number(text, "ocrjury_hand_ins_total", outcome="stored") == 0


def test_whoever_watches_takes_no_thread_of_raters(store, monkeypatch):
    monkeypatch.setattr(probes, "SECONDS", 60)
    asked, answer = Event(), Event()

    def hang():
        asked.set()
        answer.wait(60)

    async def visiting():
        application = create_application(Site(store, runs=hang))
        transport = httpx.ASGITransport(application, client=NEAR)
        base = "http://127.0.0.1:8080"
        async with (
            application.router.lifespan_context(application),
            httpx.AsyncClient(transport=transport, base_url=base) as client,
        ):
            watching = [asyncio.create_task(client.get("/metrics")) for _ in range(5)]
            await asyncio.to_thread(asked.wait, 60)
            pages = [await client.get(path) for path in ("/enter", "/health")]
            waiting = [each.done() for each in watching]
            answer.set()
            return pages, waiting, await asyncio.gather(*watching)

    pages, waiting, numbers = run(visiting())

    assert [page.status_code for page in pages] == [200, 200]
    assert waiting == [False] * 5
    assert [each.status_code for each in numbers] == [200] * 5


def test_a_store_that_hangs_is_reported_as_such_and_asked_once(store, monkeypatch):
    asked, answer = [], Event()

    def hang(_engine):
        asked.append(True)
        return answer.wait(60)

    monkeypatch.setattr(probes, "has_current_tables", hang)
    monkeypatch.setattr(probes, "SECONDS", 0.1)

    async def visiting():
        transport = httpx.ASGITransport(create_application(Site(store)), client=NEAR)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            hanging = [await client.get(path) for path in ("/ready", "/ready", "/metrics")]
            answer.set()
            monkeypatch.setattr(probes, "SECONDS", 60)
            return hanging, await client.get("/ready")

    hanging, later = run(visiting())

    assert {each.status_code for each in hanging} == {503}
    assert hanging[0].json() == {"status": "not ready", "reason": "busy"}
    assert later.json() == {"status": "ready"}
    assert len(asked) == 2


def test_prefect_is_asked_every_few_seconds_only(store):
    asked = []
    site = Site(store, runs=lambda: asked.append(1) or {"failed": len(asked)})
    application = create_application(site)

    async def asking():
        transport = httpx.ASGITransport(application, client=NEAR)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return [(await client.get("/metrics")).text for _ in range(2)]

    first, second = run(asking())

    assert number(first, "ocrjury_runs", state="failed") == 1
    assert number(second, "ocrjury_runs", state="failed") == 1
    assert asked == [1]
