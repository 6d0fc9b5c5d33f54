"""A report for an archive has the evaluation's tables inside."""

import json
import re
import subprocess
from hashlib import sha256

import pytest
from jsonschema import Draft202012Validator

import ocrjury.flows.advance_evaluation as advance
from ocrjury.evaluation.case import at_work
from ocrjury.report import write_pdf
from ocrjury.store.reports import list_reports
from ocrjury.tasks import privacy as privacy_task
from ocrjury.tasks import report as report_task
from tests.tasks.conftest import closed

TABLES = ("ratings", "labels", "agreement", "estimates", "bias", "documents")
NAMES = {*(f"{name}.csv" for name in TABLES), "evaluation.json", "evaluation.schema.json"}


def write_short(html, path, **options):
    """Print the language instead of the page, with all that is to be inside."""
    [opening] = re.findall(r"<html[^>]*>", html)
    write_pdf(f"{opening}<title>t</title><p>x", path, **options)


@pytest.fixture
def archived(small, monkeypatch):
    """A closed evaluation with texts that are easily found; its reports are for an archive."""
    for row in small.pool:
        row["hypothesis"] = f"=zebra {row['hypothesis']}"
    monkeypatch.setattr(report_task, "write_pdf", write_short)
    monkeypatch.setattr(privacy_task, "write_pdf", write_short)
    monkeypatch.setattr(advance, "purge_due", privacy_task.purge_due.fn)
    wanted = {"archive": True, "languages": ["ko", "en"], "examples": "shown"}
    closed(small, report=wanted, privacy={"retention_days": 1})
    return small


def newest_pdfs(small):
    """Return the files of the newest version, one for each language."""
    reports = small.stored(list_reports)
    with at_work() as work:
        return [
            work.store.files.path(row.pdf_uri)
            for row in reports
            if row.version == reports[-1].version
        ]


def detached(pdf, folder):
    """Return the files inside a PDF by name."""
    folder.mkdir()
    subprocess.run(["pdfdetach", "-saveall", "-o", folder, pdf], check=True, timeout=60)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_language_has_the_tables_inside_and_a_purge_takes_the_texts_out(archived, tmp_path):
    first = newest_pdfs(archived)
    korean, english = (detached(pdf, tmp_path / str(n)) for n, pdf in enumerate(first))

    assert korean == english
    assert set(english) == NAMES
    body = json.loads(english["evaluation.json"])
    Draft202012Validator(json.loads(english["evaluation.schema.json"])).validate(body)
    assert body["kind"] == "final"
    for name in TABLES:
        assert body["tables"][name]["csv_sha256"] == sha256(english[f"{name}.csv"]).hexdigest()
    assert b"'=zebra" in english["documents.csv"]
    assert b",=zebra" not in english["documents.csv"]
    _a_purge_takes_the_texts_out(archived, first, tmp_path)


def _a_purge_takes_the_texts_out(archived, first, tmp_path):
    archived.at(25)
    advance.sweep()

    assert not any(pdf.exists() for pdf in first)
    for number, pdf in enumerate(newest_pdfs(archived)):
        files = detached(pdf, tmp_path / f"purged-{number}")
        assert set(files) == NAMES
        assert json.loads(files["evaluation.json"])["texts"]["reason"] == "purged"
        assert not any(b"zebra" in body for body in files.values())
