import json
import os
import re
import socket
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

import pytest
import sqlalchemy as sa
from PIL import Image, ImageDraw

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.history import Step
from ocrjury.campaign.registry import RaterEntry
from ocrjury.store.database import reading, writing
from ocrjury.store.documents import SampledItem, add_gold, add_items
from ocrjury.store.evaluations import Opening, add_evaluation
from ocrjury.store.links import add_link
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.raters import keep_raters
from ocrjury.store.rounds import NewAssignment, RoundPlan, open_round
from ocrjury.store.workspace import open_store
from tests.frontends.web.pages_at_rest import Pages
from tests.web_servers import Child, start_serving
from tests.whole_pages import wait_until

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "korean-claims"
HOSTILE = "<script>window.hit = 1</script><img src=x onerror='window.hit = 2'> 1.200원"
SECRETS = ("SecretEngine", "0.87654", "secret-stratum", "0.43219", "secret-reason")
"""What no page may show: system, confidence, stratum, a score, why an item was drawn."""
ADDRESSES = count(1)
# What waits for the page of the next item is handed in only once that is there.
ARRIVED = """() => typeof queue === 'undefined' ||
  (queue.unsent() > 0 || !handing.leaving()) && queue.flush().then(() => true)"""
SCALE = {"kind": "likert", "low": 1, "high": 5}


def dimension(name):
    anchors = {
        str(level): {"en": f"{name} level {level}", "ko": f"{name} 수준 {level}"}
        for level in range(1, 6)
    }
    title = {"en": name.title(), "ko": f"{name} 항목"}
    return {"name": name, "title": title, "description": f"About {name}.", "anchors": anchors}


def campaign_of(folder, *, dimensions=None, report=None, **page):
    rubric = {
        "purpose": "Judge how right it is.",
        "scale": SCALE,
        "dimensions": dimensions or [dimension("meaning"), dimension("layout")],
        "field_rules": [
            {
                "rule": "amount-differs",
                "kind": "amount",
                "when": "value_differs",
                "dimension": "meaning",
                "at_most": 4,
                "sentence": {
                    "en": "Amount: if it differs, at most 4.",
                    "ko": "금액: 다르면 4점 이하.",
                },
            }
        ],
    }
    campaign = Campaign.model_validate(
        {
            "name": "claims",
            "title": "보험 청구 서류",
            "time_zone": "Asia/Seoul",
            "pool": {"path": "pool.jsonl"},
            "rubric": rubric,
            "rounds": {"frontend": "web", "page": page},
            "report": report or {},
        }
    )
    campaign._source = folder / "campaign.yaml"
    return campaign


def item(name, **changes):
    values = {
        "item": name,
        "doc_id": name,
        "page_id": name,
        "system": "SecretEngine",
        "doc_type": "bill",
        "language": "ko",
        "kind": "amount",
        "reference": "금액 1,200원",
        "hypothesis": "금액 1.200윈",
        "confidence": 0.87654,
        "image_uri": "page.png",
        "box": [0.1, 0.2, 0.8, 0.4],
        "scores": {"cer": 0.43219},
        "purpose": "sample",
        "inclusion_probability": 0.5,
        "stratum": "secret-stratum",
        "reason": "secret-reason",
        "draw_number": int(name[1:]),
    }
    return SampledItem(**{**values, **changes})


def asked(raters, items):
    return tuple(
        NewAssignment(one, rater, position)
        for rater in raters
        for position, one in enumerate(items, start=1)
    )


@dataclass
class Place:
    """An evaluation that collects, in a store with a server on it."""

    store: object
    home: Path
    url: str
    evaluation: str
    server: object = None

    def client(self):
        return Client(self.server)

    def link(self, rater, *, number=None, now=None, **changes):
        with writing(self.store.engine) as connection:
            return add_link(
                connection,
                self.evaluation,
                rater,
                number=number,
                created_by="lead",
                now=now or datetime.now(UTC),
                **changes,
            )

    def rows(self, table, *columns, order="1"):
        """Columns of what a table holds about this evaluation's assignments."""
        mine = f"select assignment from assignments where evaluation = '{self.evaluation}'"
        of = f"assignment in ({mine})"
        return self.ask(f"select {', '.join(columns)} from {table} where {of} order by {order}")

    def own(self, table, *columns, order="1"):
        """Columns of what a table holds about this evaluation."""
        where = f"evaluation = '{self.evaluation}'"
        return self.ask(f"select {', '.join(columns)} from {table} where {where} order by {order}")

    def ask(self, statement):
        with reading(self.store.engine) as connection:
            return [dict(row._mapping) for row in connection.execute(sa.text(statement))]


@contextmanager
def store_in(folder, *, url=None):
    picture(folder / "page.png")
    home = folder / "home"
    url = url or f"sqlite:///{home}/ocrjury.db"
    with open_store(home=home, database_url=url) as store:
        yield Place(store, home, url, "")


def open_place(
    base,
    *,
    items=None,
    raters=("R01", "R02"),
    kind="main",
    plan=None,
    gold=(),
    people=(),
    page=None,
    dimensions=None,
    period="p",
):
    """An evaluation of its own with an open round."""
    campaign = campaign_of(base.home.parent, dimensions=dimensions, **(page or {}))
    now = datetime.now(UTC)
    entries = [RaterEntry(rater, languages=("en",)) for rater in raters]
    entries += [RaterEntry("A01", role="adjudicator"), *people]
    items = items or [item(f"d{number}") for number in range(1, 4)]
    with writing(base.store.engine) as connection:
        keep_raters(connection, entries)
        period = (
            f"{period}{connection.execute(sa.text('select count(*) from evaluations')).scalar()}"
        )
        opening = opening_of(campaign, entries, period)
        name, _ = add_evaluation(connection, opening, now=now, actor="lead", run_id=None)
    asks = plan or asked(raters, [one.item for one in items])
    dimensions = tuple(dimension.name for dimension in campaign.rubric.dimensions)
    round_ = RoundPlan(kind, "the sample", dimensions, "web", now + timedelta(days=7), asks)
    step = Step("7", "collecting", "main")
    position = Position(name, "opened", 1)
    with moving(base.store.engine, position, step, mover=Mover(now)) as connection:
        add_items(connection, name, items)
        add_gold(connection, name, gold)
        open_round(connection, name, round_, now=now)
    return replace(base, evaluation=name)


def opening_of(campaign, entries, period):
    raters = [entry.pseudonym for entry in entries]
    return Opening(campaign, period, raters, seed=7, package_version="0.1.0")


def picture(path):
    image = Image.new("RGB", (900, 600), "white")
    ImageDraw.Draw(image).text((120, 160), "1,200 won", fill="black")
    image.save(path)


@contextmanager
def serving(place, *options, port=None, start=start_serving, **environment):
    """Yield the address of a real server process on a real port."""
    port = port or free_port()
    given = {
        "OCRJURY_HOME": str(place.home),
        "OCRJURY_DATABASE_URL": place.url,
        "PREFECT_API_URL": "http://127.0.0.1:9/api",
    }
    child = start(
        *("--port", str(port), *options),
        environment=os.environ | given | environment,
        log=place.home / "serve.log",
    )
    try:
        wait_for(port, child)
        yield Server(f"http://127.0.0.1:{port}", port, child)
    finally:
        child.terminate()
        child.wait(60)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, child):
    end = time.monotonic() + 90
    while time.monotonic() < end:
        assert child.poll() is None, "the server ended"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not answer")


@dataclass
class Server:
    address: str
    port: int
    child: Child


class Client:
    """A rater without a browser: keeps the cookie, sends what a page would send."""

    def __init__(self, server):
        self.server, self.cookie, self.token = server, "", ""
        self.address = f"10.0.{next(ADDRESSES) % 250}.7"

    def ask(self, method, path, body=None, **headers):
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        data = None
        if isinstance(body, dict) and path.startswith("/api/"):
            data, headers = (
                json.dumps(body).encode(),
                {"Content-Type": "application/json", "X-Form-Token": self.token, **headers},
            )
        elif isinstance(body, dict):
            data, headers = (
                urlencode(body).encode(),
                {"Content-Type": "application/x-www-form-urlencoded", **headers},
            )
        elif body is not None:
            data = body
        headers["X-Forwarded-For"] = f"6.6.6.6, {self.address}"
        if self.cookie:
            headers["Cookie"] = self.cookie
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        answer.text = answer.read()
        connection.close()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie" and value.startswith("__Host-ocrjury-rating-"):
                self.cookie = value.partition(";")[0]
        return answer

    def enter(self, code):
        return self.ask("POST", "/enter", {"code": code})

    def open(self, path="/rate"):
        """Visit, number of the draft and rubric of the page, and its text."""
        answer = self.ask("GET", path)
        page = answer.text.decode()
        found = re.search(
            r'data-visit="([^"]+)" data-rev="(\d+)" data-rubric="(\w+)" data-token="(\w+)"', page
        )
        if found is None:
            return None, answer.status, None, page
        self.token = found[4]
        return found[1], int(found[2]), found[3], page

    def hand_in(self, values=None, event=None, path="/rate", **changes):
        visit, rev, rubric, _ = self.open(path)
        values = {"meaning": 4, "layout": 5} if values is None else values
        body = {
            "event_id": event or f"event-{time.monotonic_ns()}",
            "base": rev,
            "rubric_hash": rubric,
            "values": values,
            "told": list(values),
            **changes,
        }
        return self.ask("POST", f"/api/ratings/{visit}", body)


@pytest.fixture(scope="session")
def pages(browser):
    """Pages of the browser that go from test to test."""
    pages = Pages(browser)
    yield pages
    pages.close()


@pytest.fixture
def visitor(pages):
    """A function that opens an empty page with cookies of its own, or a new browser's."""
    used = []

    def visit(server, code=None, *, path="/rate", new=False, watched=False, **options):
        page = (pages.open if new else pages.take)(**options)
        used.append(page)
        page.home, page.wrong = server.address, []
        if watched:
            pages.watch(page)
        if code is not None:
            enter(page, code, path)
        return page

    yield visit
    for page in used:
        pages.give_back(page)


def enter(page, code, path="/rate"):
    """Come in by the code of a link, posted as the page of the entrance posts it."""
    page.goto(f"{page.home}{entered(page, '/enter', code, path)}")


def enter_desk(page, code, path="/desk"):
    """Come to a page of the desk in the same way."""
    entered(page, "/desk/enter", code, "/desk")
    page.goto(f"{page.home}{path}")


def entered(page, entrance, code, path):
    """Sign a browser in without a page; return where it is sent, which ends with a path."""
    address = f"{page.home}{entrance}"
    answer = page.context.request.post(address, form={"code": code}, max_redirects=0)
    where = answer.headers["location"]
    assert where.endswith(path)
    return where


def settle(page):
    """Let what was handed in arrive at once; return when it has."""
    wait_until(page, ARRIVED)


@pytest.fixture(scope="session")
def base(tmp_path_factory):
    """A store with a server on it; every test opens an evaluation of its own."""
    with (
        store_in(tmp_path_factory.mktemp("web")) as place,
        serving(place, "--behind-proxy", OCRJURY_METRICS_TOKEN="t" * 32) as server,
    ):
        yield replace(place, server=server)


@pytest.fixture
def own_server(base):
    """A server of its own on the same store, for a test that wears out its patience."""
    with serving(base) as server:
        yield replace(open_place(base), server=server)


@pytest.fixture
def rounds(base):
    """A function that opens a round of an evaluation of its own."""
    return partial(open_place, base)


@pytest.fixture(name="item")
def item_maker():
    return item


@pytest.fixture
def hostile():
    return HOSTILE


@pytest.fixture
def secrets_of_items():
    return SECRETS


@pytest.fixture
def client_of():
    """A function that signs a rater in without a browser."""

    def enter(place, rater, **link):
        client = Client(place.server)
        client.enter(place.link(rater, **link))
        return client

    return enter
