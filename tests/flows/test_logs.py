"""What a whole installation writes into its logs where they are to be JSON."""

import json
import logging

import pytest

from ocrjury.evaluation.case import at_work
from ocrjury.flows import advance_evaluation as advance
from tests.flows.conftest import EXAMPLE

pytestmark = pytest.mark.prefect


def lines_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


@pytest.mark.usefixtures("waiting_run")
def test_every_line_of_worker_page_and_supervisor_is_json(server):
    home = server.installation.home

    worker, page = (lines_of(server.installation.log(name)) for name in ("worker", "page"))
    up = lines_of(home / "up.txt")

    assert {"time", "level", "logger", "message"} <= set.intersection(*map(set, worker + page + up))
    runs = {line["run"] for line in worker if "run" in line}
    assert any(run.startswith("waiting-claims-2026w47") for run in runs)
    assert any(line["message"].startswith("Prefect is up") for line in up)


@pytest.mark.usefixtures("waiting_run")
def test_no_text_of_a_document_and_no_secret_is_in_a_log(server):
    pool = lines_of(EXAMPLE / "pool.jsonl")
    texts = {line for row in pool for line in row["reference"].splitlines() if len(line) > 12}

    written = "".join(path.read_text("utf-8") for path in server.installation.logs.glob("*.log"))

    assert len(texts) > 100
    assert [text for text in texts if text in written] == []
    assert server.key not in written


@pytest.mark.usefixtures("in_process")
def test_neither_the_page_of_a_run_nor_its_log_quotes_an_error(tmp_path, monkeypatch, caplog):
    before, text = logging.getLogRecordFactory(), "김철수 1,200원"
    monkeypatch.setattr(advance, "why_unknown", lambda _: None)
    monkeypatch.setattr(advance, "stand", lambda _: int(text))
    monkeypatch.setattr(advance, "is_requested", lambda _: False)
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path))
    with at_work(new=True):
        pass
    caplog.handler.setFormatter(logging.Formatter("%(message)s"))

    try:
        end = advance.advance_evaluation("claims-2026w47", return_state=True)
    finally:
        logging.setLogRecordFactory(before)

    assert end.message == "Flow run encountered an exception: ValueError: "
    assert "Encountered exception during execution" in caplog.text
    assert text not in caplog.text
