"""Texts of documents stay in the store: not in artifacts, logs, holds or masked reports."""

import logging
import re

import pytest

import ocrjury.flows.advance_evaluation as advance
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.overview import overview_page
from ocrjury.store.moves import list_moves
from ocrjury.tasks import collecting as collecting_task
from ocrjury.tasks import estimation as estimation_task
from ocrjury.tasks import gate as gate_task
from ocrjury.tasks import report as report_task
from ocrjury.tasks import sampling as sampling_task
from ocrjury.tasks import scoring as scoring_task
from tests.tasks.conftest import QUICK

STEPS = (
    *(collecting_task, estimation_task, gate_task),
    *(report_task, sampling_task, scoring_task),
)
READ, RIGHT = "zebraread", "quaggaright"


@pytest.fixture
def published(monkeypatch):
    """What the steps publish as artifacts."""
    found = []
    for module in STEPS:
        monkeypatch.setattr(
            module, "publish", lambda name, step, markdown: found.append((name, step, markdown))
        )

    def show(name):
        with at_work() as work:
            found.append((name, "page", overview_page(work.case(name)).markdown))

    monkeypatch.setattr(advance, "show_page", show)
    return found


@pytest.fixture
def secret(small, stored_pages):
    """A campaign whose texts are easily found."""
    for number, row in enumerate(small.pool):
        row["reference"] = f"{RIGHT}{number} {row['reference']}"
        row["hypothesis"] = f"{READ}{number} {row['hypothesis']}"
    return small


@pytest.mark.parametrize(("examples", "careless"), [("masked", 0.9), ("off", 0.0)])
def test_no_text_leaves_the_store(secret, published, caplog, examples, careless):
    caplog.set_level(logging.DEBUG)
    report = {"examples": examples, "worst_items": 20}

    secret.write(report=report, simulation={"default": {"careless": careless}}).open()
    if secret.rows()[-1] in {"19", "20"}:
        secret.decide("proceed")

    assert secret.rows()[-1] == "30"
    with at_work() as work:
        pages = [path.read_text("utf-8") for path in work.store.files.folder.glob("*.html")]
        # Marks split a text.
        pages += [re.sub(r"<[^>]+>", "", page) for page in pages]
    assert pages
    assert {"pool", "sample-design", "report"} <= {step for _, step, _ in published}
    moved = [move.reason or "" for move in secret.stored(list_moves)]
    said = [record.getMessage() for record in caplog.records]
    for text in (*pages, *(markdown for *_, markdown in published), *moved, *said):
        assert READ not in text
        assert RIGHT not in text


def test_shown_examples_show_them(secret):
    secret.write(**QUICK, report={"examples": "shown", "worst_items": 2}).open()

    assert READ in secret.report()[1].replace(" ", "")


def test_progress_and_late_rounds_name_no_text(secret, published):
    secret.write(rounds={"frontend": "file"}).open()
    secret.rate(["R01"])
    secret.advance()
    secret.monkeypatch.setattr("ocrjury.evaluation.next_rounds._takeover", lambda _: ())
    held = secret.at(29).advance()

    assert held.name == "Held"
    assert {"r01-main", "page"} <= {step for _, step, _ in published}
    assert not any(READ in markdown or RIGHT in markdown for *_, markdown in published)
