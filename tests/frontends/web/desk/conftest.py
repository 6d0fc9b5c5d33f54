import json
import logging
import random
import sys
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from itertools import count
from urllib.parse import urlencode

import pytest
from prefect import Task

import ocrjury.flows.advance_evaluation as advance
from ocrjury.campaign.history import Step
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.preview import new_preview
from ocrjury.evaluation.progress import keep_progress
from ocrjury.gate import Action
from ocrjury.store.database import writing
from ocrjury.store.histories import read_standing
from ocrjury.store.links import add_desk_link
from ocrjury.store.moves import Mover, moving
from ocrjury.store.ratings import Submission
from ocrjury.store.reports import NewReport, add_report
from ocrjury.store.results import VerdictRow, add_results, add_verdicts
from ocrjury.store.rounds import change_round, list_assignments
from tests.covers import cover
from tests.store_calls import add_submissions

EVENTS = count(1)
RATERS = ("R01", "R02", "R03")
DAY = timedelta(days=1)
ACTION = Action("recalibrate", "Recalibrate R03 on meaning.", "meaning", "R03")


class Desk:
    """A lead without a browser: keeps the cookie and the token of the page."""

    def __init__(self, place, address="10.9.0.1"):
        self.place, self.address, self.cookie, self.token = place, address, "", ""

    def ask(self, method, path, body=None, **headers):
        connection = HTTPConnection("127.0.0.1", self.place.server.port, timeout=60)
        data = None
        if body is not None:
            machine = path.startswith("/api/")
            data = json.dumps(body) if machine else urlencode(body, doseq=True)
            kind = "json" if machine else "x-www-form-urlencoded"
            headers = {"Content-Type": f"application/{kind}", "X-Form-Token": self.token, **headers}
        headers = {"X-Forwarded-For": self.address, "Cookie": self.cookie, **headers}
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        body = answer.read()
        is_image = answer.getheader("Content-Type", "").startswith("image/")
        answer.text = body if is_image else body.decode()
        connection.close()
        if set_ := answer.getheader("Set-Cookie"):
            self.cookie = set_.partition(";")[0]
        return answer

    def json(self, path):
        return json.loads(self.ask("GET", path).text)

    def enter(self, code):
        answer = self.ask("POST", "/desk/enter", {"code": code})
        page = self.ask("GET", "/desk").text
        self.token = page.partition('name="form_token" value="')[2].partition('"')[0]
        return answer

    def post(self, path, **fields):
        return self.ask("POST", path, {"form_token": self.token, **fields})


def desk_code(place, who="J. Kim", **changes):
    now = datetime.now(UTC)
    with writing(place.store.engine) as connection:
        return add_desk_link(connection, who, **{"now": now, "expires_at": now + DAY, **changes})


def rate(place, *, seed=3, share=0.8):
    """Let raters say what they would, one of them carelessly; return how many ratings came in."""
    rng = random.Random(seed)
    asked = list_assignments(place.store.engine, place.evaluation, state="open")
    rubric = place.own("evaluations", "rubric_hash")[0]["rubric_hash"]
    sent = []
    for one in asked[: int(len(asked) * share)] if share < 1 else asked:
        truth = 1 + sum(map(ord, one.item)) % 5
        values = {
            name: float(
                rng.randint(1, 5)
                if one.rater == "R03" and name == "meaning"
                else min(max(truth + rng.choice((0, 0, 0, 1)), 1), 5)
            )
            for name in ("meaning", "layout")
        }
        event = f"desk-event-{next(EVENTS)}"
        sent.append(Submission(one.assignment, values, event, rubric, "web"))
    add_submissions(place.store.engine, place.evaluation, sent, now=datetime.now(UTC))
    return len(sent)


def hold(place, reason, *, detail="one rating is missing"):
    """Put an evaluation on hold; a late round has its deadline behind it."""
    now = datetime.now(UTC)
    position = read_standing(place.store.engine, place.evaluation, now=now).position
    step = Step("13", "held", reason)
    mover = Mover(now)
    with moving(place.store.engine, position, step, mover=mover, reason=detail) as connection:
        if reason == "overdue":
            change_round(connection, place.evaluation, deadline=now - 3 * DAY)


def judge(place, decision="FAIL"):
    """Keep a verdict."""
    reasons = ["On meaning, Krippendorff's alpha is 0.41; 0.667 is required."]
    rows = [
        VerdictRow(1, name, decision, None, reasons, None, (ACTION,), "p")
        for name in ("*", "meaning")
    ]
    with writing(place.store.engine) as connection:
        add_verdicts(connection, place.evaluation, rows)


@pytest.fixture
def in_store(base, monkeypatch):
    """Let tasks of this very process work in the store of the server, without Prefect."""
    for name, value in list(vars(advance).items()):
        if isinstance(value, Task):
            monkeypatch.setattr(advance, name, value.fn)
    plain = {key: getattr(step, "fn", step) for key, step in advance.STEPS.items()}
    monkeypatch.setattr(advance, "STEPS", plain)
    # Not a list: while it is made, what Python clears away may import a module.
    for name, module in sys.modules.copy().items():
        if name.startswith(("ocrjury.tasks.", "ocrjury.flows.")) and hasattr(
            module, "get_run_logger"
        ):
            monkeypatch.setattr(module, "get_run_logger", lambda: logging.getLogger("chain"))
    monkeypatch.setenv("OCRJURY_HOME", str(base.home))
    monkeypatch.setenv("OCRJURY_DATABASE_URL", base.url)
    return advance


def keep_interim(place):
    """Measure what raters said so far."""
    with at_work() as work:
        keep_progress(work.case(place.evaluation))


def keep_preview(place):
    """Keep the round that would follow a hold, as the step that holds an evaluation does."""
    with at_work() as work:
        result = new_preview(work.case(place.evaluation))
        with writing(work.engine) as connection:
            add_results(connection, place.evaluation, [result], now=work.now)


@pytest.fixture
def measured(rounds, item, hostile, in_store):
    """An evaluation whose raters are at work; what they said so far was measured."""

    def make(*, items=12, share=0.8, number=1):
        sample = [
            item(
                f"d{one}",
                doc_id=f"d{one}",
                hypothesis=hostile if one == 1 else f"금액 1.2{one:02d}윈",
                reference=f"금액 1,2{one:02d}원",
            )
            for one in range(1, items + 1)
        ]
        place = rounds(raters=RATERS, items=sample)
        rate(place, share=share)
        keep_interim(place)
        return place

    return make


@pytest.fixture
def reported():
    """A function that keeps a report of an evaluation."""

    def keep(place, body=b"<h1>report</h1>"):
        files = place.store.files
        html = files.put(body, kind="report", suffix=".html")
        pdf = files.put(b"%PDF-1.7" + body, kind="report", suffix=".pdf")
        new = NewReport(
            kind="final",
            language="en",
            html_uri=html,
            pdf_uri=pdf,
            sha256="0" * 64,
            inputs_hash="i",
            cover=cover(),
        )
        with writing(place.store.engine) as connection:
            add_report(connection, place.evaluation, new, now=datetime.now(UTC))

    return keep


@pytest.fixture
def at_desk():
    """A function that signs a lead in without a browser."""

    def enter(place, **link):
        desk = Desk(place)
        desk.enter(desk_code(place, **link))
        return desk

    return enter


@pytest.fixture(name="code_of")
def desk_code_of():
    return desk_code


@pytest.fixture(name="hold")
def holder():
    return hold


@pytest.fixture(name="judge")
def judge_of():
    return judge


@pytest.fixture(name="keep_interim")
def keeper_of_interim(in_store):
    return keep_interim


@pytest.fixture(name="keep_preview")
def keeper_of_preview(in_store):
    return keep_preview


@pytest.fixture(name="rate")
def rate_of():
    return rate


@pytest.fixture(name="desk_without_link")
def stranger():
    return Desk
