"""A report for an archive has the evaluation's tables inside."""

import json
import re
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import ocrjury.flows.advance_evaluation as advance
from ocrjury.campaign import settings
from ocrjury.campaign.settings import Settings
from ocrjury.cli import main
from ocrjury.evaluation.case import at_work
from ocrjury.export.evaluation_export import export_files
from ocrjury.report import write_pdf
from ocrjury.store.audit import list_audit
from ocrjury.store.reports import list_reports
from ocrjury.tasks import privacy as privacy_task
from ocrjury.tasks import report as report_task
from tests.tasks.conftest import QUIET, closed

TABLES = ("ratings", "labels", "agreement", "estimates", "bias", "documents")
NAMES = {*(f"{name}.csv" for name in TABLES), "evaluation.json", "evaluation.schema.json"}


def write_order(html, path, *, variant, attachments, dated):
    """Write what would be printed, and with what inside."""
    files = {name: body.decode() for name, body in attachments.items()}
    order = {"variant": variant, "dated": dated.isoformat(), "files": files, "html": html}
    path.write_text(json.dumps(order), "utf-8")


def write_short(html, path, **options):
    """Print the language instead of the page, with all that is to be inside."""
    assert "PDF 附件" in html
    [opening] = re.findall(r"<html[^>]*>", html)
    write_pdf(f"{opening}<title>t</title><p>x", path, **options)


@pytest.fixture
def archived(small, stored_pages, monkeypatch):
    """A closed evaluation with texts that are easily found; its reports are for an archive."""
    for row in small.pool:
        row["hypothesis"] = f"=zebra {row['hypothesis']}"
    monkeypatch.setattr(report_task, "write_pdf", write_order)
    monkeypatch.setattr(privacy_task, "write_pdf", write_order)
    monkeypatch.setattr(advance, "purge_due", privacy_task.purge_due.fn)
    monkeypatch.setattr(settings, "real_now", lambda: Settings.from_environment().now())
    wanted = {"archive": True, "languages": ["ko", "en"], "examples": "shown"}
    closed(small, **QUIET, report=wanted, privacy={"retention_days": 1})
    return small


def newest_pdfs(small):
    """The files of the newest final version, one for each language."""
    final = [row for row in small.stored(list_reports) if row.kind == "final"]
    newest = [row for row in final if row.version == final[-1].version]
    with at_work() as work:
        return [work.store.files.path(row.pdf_uri) for row in newest]


def test_every_language_has_the_tables_inside_and_a_purge_takes_the_texts_out(archived):
    first = newest_pdfs(archived)
    one, other = (json.loads(pdf.read_text("utf-8")) for pdf in first)
    files = one["files"]

    assert "PDF에 첨부된 파일" in one["html"] + other["html"]
    assert "Attached to the PDF" in one["html"] + other["html"]
    assert files == other["files"]
    assert set(files) == NAMES
    body = json.loads(files["evaluation.json"])
    assert (one["variant"], one["dated"], body["kind"]) == ("pdf/a-3a", body["issued_at"], "final")
    for name in TABLES:
        digest = sha256(files[f"{name}.csv"].encode()).hexdigest()
        assert body["tables"][name]["csv_sha256"] == digest
    assert "'=zebra" in files["documents.csv"]
    assert ",=zebra" not in files["documents.csv"]
    _a_purge_takes_the_texts_out(archived, first)


def _a_purge_takes_the_texts_out(archived, first):
    for day in (25, 26):  # the first sweep announces it
        archived.at(day)
        advance.sweep()

    assert not any(pdf.exists() for pdf in first)
    for pdf in newest_pdfs(archived):
        files = json.loads(pdf.read_text("utf-8"))["files"]
        assert set(files) == NAMES
        assert json.loads(files["evaluation.json"])["texts"]["reason"] == "purged"
        assert not any("zebra" in body for body in files.values())


def test_the_command_writes_one_without_the_setting_and_the_same_twice(
    small, tmp_path, monkeypatch, capsys
):
    closed(small, **QUIET)
    monkeypatch.setattr("ocrjury.report.write_pdf", write_short)
    words = ["report", small.evaluation, "--archive", "--language", "zh", "--out"]

    for day, folder in enumerate(("first", "second"), start=21):
        assert main([*words, str(small.at(day).path.with_name(folder))]) == 0

    first, second = map(Path, capsys.readouterr().out.split())
    assert first.name == f"{small.evaluation}-final-v1-zh-archive.pdf"
    assert first.read_bytes() == second.read_bytes()
    subprocess.run(["pdfdetach", "-saveall", "-o", tmp_path, first], check=True, timeout=60)
    with at_work() as work:
        whole = export_files(work.case(small.evaluation))
        noted = [line.object for line in list_audit(work.engine) if line.action == "export"]
    for name in NAMES:
        assert (tmp_path / name).read_bytes() == whole[name]
    schema = json.loads((tmp_path / "evaluation.schema.json").read_bytes())
    Draft202012Validator(schema).validate(json.loads((tmp_path / "evaluation.json").read_bytes()))
    assert noted == 2 * [f"{small.evaluation} report in zh, archive copy"]
