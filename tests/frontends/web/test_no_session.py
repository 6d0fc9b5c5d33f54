"""What somebody gets who is not signed in: nothing, at every address that there is."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from ocrjury.frontends.web import Site, create_application
from ocrjury.frontends.web.site import RateLimit

OPEN = {
    ("GET", "/enter"),
    ("POST", "/enter"),
    ("GET", "/desk/enter"),
    ("POST", "/desk/enter"),
    ("POST", "/enter/known"),
    ("POST", "/language"),
    ("POST", "/desk/language"),
    ("GET", "/health"),
    ("GET", "/ready"),
    ("GET", "/metrics"),
    ("GET", "/static/{version}/{name}"),
    ("GET", "/desk/static/{version}/{name}"),
}
"""What whoever comes may ask for; the tests of each say what it tells."""
REFUSED = {303, 401, 403}
TABLES = ("tokens", "sessions", "visits", "drafts", "ratings", "decisions", "requests")


def closed(base):
    """Methods and addresses that are for people who are signed in."""
    routes = [
        route
        for part in create_application(Site(base.store)).router.routes
        for route in getattr(getattr(part, "original_router", None), "routes", [part])
    ]
    return {(method, route.path) for route in routes for method in route.methods} - OPEN


def test_without_a_session_no_address_shows_or_changes_anything(base, rounds):
    place = rounds(raters=("R01",))
    asked, stranger = closed(base), place.client()
    parts = {
        "name": place.evaluation,
        "visit": "1",
        "file": "final-en-1.pdf",
        "view": "page",
        "rater": "R01",
    }
    count = " union all ".join(f"select count(*) as n from {table}" for table in TABLES)
    before = place.ask(count)

    answers = {
        (method, path): stranger.ask(
            method, path.format_map(parts), None if method == "GET" else {}
        )
        for method, path in asked
    }

    assert len(asked) > 30
    told = {where: answer.status for where, answer in answers.items()}
    assert {where: status for where, status in told.items() if status not in REFUSED} == {}
    kinds = {answer.getheader("Content-Type", "") for answer in answers.values()}
    assert {kind for kind in kinds if "charset=utf-8" not in kind} <= {"", "application/json"}
    assert stranger.ask("TRACE", "/enter", {}).status == 405
    entrances = {answer.getheader("Location") for answer in answers.values()} - {None}
    assert entrances <= {"/enter", "/desk/enter"}
    assert place.ask(count) == before


def test_whoever_guesses_from_everywhere_locks_nobody_out(base, rounds):
    site = Site(base.store, address="http://here", all_failures=RateLimit(3, seconds=600))
    code = rounds(raters=("R01",)).link("R01")

    async def enter():
        statuses = []
        for number, sent in enumerate(["wrong"] * 5 + [code]):
            client = f"198.18.{number}.1", 1
            transport = httpx.ASGITransport(create_application(site), client=client)
            async with httpx.AsyncClient(transport=transport, base_url="http://here") as person:
                statuses.append((await person.post("/enter", data={"code": sent})).status_code)
        return statuses

    with ThreadPoolExecutor(1) as elsewhere:  # browsers of other tests have a loop in this thread
        statuses = elsewhere.submit(lambda: asyncio.run(enter())).result(60)

    assert statuses == [403] * 3 + [429] * 2 + [303]


@pytest.mark.parametrize(
    ("address", "sent"),
    [("https://rate.example.org", "max-age=31536000"), ("http://127.0.0.1:8080", None)],
)
def test_a_page_that_people_reach_by_https_stays_with_it(base, address, sent):
    async def look():
        transport = httpx.ASGITransport(create_application(Site(base.store, address=address)))
        async with httpx.AsyncClient(transport=transport, base_url=address) as person:
            return [await person.get(path) for path in ("/enter", "/nowhere", "/health")]

    with ThreadPoolExecutor(1) as elsewhere:
        answers = elsewhere.submit(lambda: asyncio.run(look())).result(60)

    assert {answer.headers.get("Strict-Transport-Security") for answer in answers} == {sent}


def test_a_mistake_of_ours_tells_nothing_and_keeps_browsers_strict(base):
    def broken():
        raise RuntimeError("a text of a document")

    async def look():
        application = create_application(Site(base.store, address="http://here", now=broken))
        transport = httpx.ASGITransport(application, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as person:
            return await person.get("/rate", headers={"Cookie": f"__Host-ocrjury-rating-{0:020}=x"})

    with ThreadPoolExecutor(1) as elsewhere:
        answer = elsewhere.submit(lambda: asyncio.run(look())).result(60)

    assert (answer.status_code, answer.headers["X-Content-Type-Options"]) == (500, "nosniff")
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.text == "Something went wrong here. Tell whoever leads the evaluation."
