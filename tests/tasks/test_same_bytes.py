"""One stored evaluation gives the same report and export, byte for byte, in any process."""

import os
import subprocess
import sys

import pytest

from ocrjury.evaluation.case import at_work
from ocrjury.export.evaluation_export import export_files
from ocrjury.report import build_report, render_html, write_pdf
from tests.tasks.conftest import QUICK

CODE = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from ocrjury.evaluation.case import Work
from ocrjury.export.evaluation_export import export_files
from ocrjury.report import build_report, render_html, write_pdf
from ocrjury.store.workspace import open_store

home, evaluation, path = sys.argv[1:]
with open_store(home=Path(home)) as store:
    data = build_report(store, evaluation)
    page, excerpt = render_html(data), render_html(data, only=["agreement", "items"])
    for name, body in export_files(Work(store, datetime.now(UTC)).case(evaluation)).items():
        (Path(path).parent / name).write_bytes(body)
Path(path).with_suffix(".html").write_text(page, "utf-8")
write_pdf(excerpt, Path(path))
"""


@pytest.mark.on_sqlite
def test_another_process_renders_a_stored_evaluation_alike(small, tmp_path):
    small.dimensions = ["meaning", "layout"]
    for number, row in enumerate(small.pool):
        row["llm"] = 1 + number % 5
    small.write(**QUICK, pool={"path": "pool.jsonl", "judges": {"LLM": {"meaning": "llm"}}}).open()
    if small.rows()[-1] in {"19", "20"}:
        small.decide("proceed")
    assert small.rows()[-1] == "30"

    here, there = tmp_path / "here.pdf", tmp_path / "there" / "there.pdf"
    there.parent.mkdir()
    with at_work() as work:
        data = build_report(work.store, small.evaluation)
        page = render_html(data)
        # The whole page is compared as HTML; for the printer some charts and pictures are enough.
        write_pdf(render_html(data, only=["agreement", "items"]), here)
        exported = export_files(work.case(small.evaluation))
    subprocess.run(
        [sys.executable, "-c", CODE, os.environ["OCRJURY_HOME"], small.evaluation, str(there)],
        check=True,
        cwd=there.parent,
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONHASHSEED": "7",
            "SOURCE_DATE_EPOCH": "1",
            "TZ": "UTC-4",
        },
        timeout=120,
    )

    assert there.with_suffix(".html").read_text("utf-8") == page
    assert there.read_bytes() == here.read_bytes()
    assert {name: (there.parent / name).read_bytes() for name in exported} == exported
