"""Commands run in this process, on a store of their own, with no Prefect server around."""

import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from ocrjury.campaign.config import read_campaign
from ocrjury.campaign.history import Step
from ocrjury.campaign.registry import read_raters
from ocrjury.cli import main
from ocrjury.store.database import writing
from ocrjury.store.documents import SampledItem, add_items
from ocrjury.store.evaluations import Opening, add_evaluation
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.raters import keep_raters
from ocrjury.store.rounds import NewAssignment, RoundPlan, open_round
from ocrjury.store.workspace import open_store

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "korean-claims"
NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
NAME = "korean-claims-2026w47"


class Answer(NamedTuple):
    """What a command returned and printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys):
    """A function that runs one command."""

    def call(*arguments):
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Answer(code, printed.out, printed.err)

    return call


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """An empty home, a clock that stands still, and a port at which nobody answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    for name in ("OCRJURY_DATABASE_URL", "PREFECT_API_URL", "PREFECT_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OCRJURY_PREFECT_PORT", str(port))
    monkeypatch.setenv("OCRJURY_CLOCK", NOW.isoformat())
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path / "home"


@pytest.fixture
def store(home):
    with open_store(home=home) as store:
        yield store


@pytest.fixture
def opened(store):
    """An evaluation of the bundled campaign with people as raters, just opened."""
    return opened_for(store, "2026w47")


def opened_for(store, period):
    """Open the bundled campaign's evaluation of a period, which people rate."""
    bundled = read_campaign(EXAMPLE / "campaign.yaml")
    rounds = bundled.rounds.model_copy(update={"frontend": "file"})
    campaign = bundled.model_copy(update={"rounds": rounds})
    people = read_raters(campaign.raters_path)
    opening = Opening(
        campaign,
        period=period,
        raters=[person.pseudonym for person in people],
        seed=campaign.seed,
        package_version="0.1.0",
    )
    with writing(store.engine) as connection:
        keep_raters(connection, people)
        name, _ = add_evaluation(connection, opening, now=NOW, actor="lead", run_id=None)
    return name


@pytest.fixture
def collect(store, opened):
    """A function that opens a round in which R01 and R02 rate some items."""

    def call(*items, evaluation=opened):
        plan = RoundPlan(
            kind="main",
            rule="the sample",
            dimensions=("meaning", "layout", "readability"),
            frontend="file",
            deadline=NOW + timedelta(days=7),
            assignments=tuple(
                NewAssignment(one.item, rater, position)
                for rater in ("R01", "R02")
                for position, one in enumerate(items, start=1)
            ),
        )
        step = Step("7", "collecting", "main")
        position = Position(evaluation, "opened", 1)
        with moving(store.engine, position, step, mover=Mover(NOW)) as connection:
            add_items(connection, evaluation, items)
            open_round(connection, evaluation, plan, now=NOW)
        return evaluation

    return call


@pytest.fixture
def collecting(collect):
    """The evaluation with an open round: items d1 and d2, rated by R01 and R02."""
    return collect(an_item("d1"), an_item("d2"))


@pytest.fixture
def held(store, opened):
    """The same held at the gate, after a round that two raters have finished."""
    step = Step("20", "held", "gate_failed")
    with moving(
        store.engine, Position(opened, "opened", 1), step, mover=Mover(NOW), reason="alpha is 0.41"
    ):
        pass
    return opened


def an_item(name, *, called=None):
    return SampledItem(
        item=called or name,
        doc_id=called or name,
        page_id="p1",
        system="default",
        doc_type="form",
        language=None,
        kind=None,
        reference="금액",
        hypothesis="금맥",
        confidence=0.5,
        image_uri=None,
        box=[0, 0, 1, 1],
        scores={"cer": 0.5},
        purpose="sample",
        inclusion_probability=0.5,
        stratum="form",
        reason="random",
        draw_number=int(name[1:]),
    )


@pytest.fixture
def sketched(monkeypatch):
    """A sketch stands for PDFs of ratings; `test_bare_ratings_become_html_and_pdf` prints one."""
    monkeypatch.setattr(
        "ocrjury.report.pdf.write_pdf", lambda _page, path: path.write_bytes(b"%PDF")
    )
