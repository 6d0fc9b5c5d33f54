"""A report in several languages: one version, each reader gets theirs."""

import email
import hashlib
import json
from email.policy import default

import pytest

from ocrjury.cli import main
from ocrjury.evaluation.case import at_work
from ocrjury.store.reports import list_issued, list_reports
from ocrjury.tasks import report as report_task
from tests.mailbox import open_mailbox
from tests.tasks.conftest import QUICK, write_sketch
from tests.tasks.desk_pages import page_of_the_desk
from tests.tasks.test_delivery import mail

PEOPLE = [
    {"address": "seoul@example.org"},
    {"address": "london@example.org", "language": "en"},
    {"address": "beijing@example.org", "language": "zh"},  # in which nothing is written
]


@pytest.fixture
def reported(small, monkeypatch):
    """An evaluation whose report is written in Korean and English, with what was mailed."""
    monkeypatch.setattr(report_task, "write_pdf", write_sketch)
    with open_mailbox() as box:
        sections = mail(box.port, *PEOPLE)
        sections["report"] |= {"languages": ["ko", "en"], "publish": {"to": "reports"}}
        assert small.write(**QUICK, **sections, sampling={"n": 20}).open().name == "Closed"
        yield box.envelopes


def test_a_report_in_two_languages_is_one_version_with_the_first_as_the_main_one(reported, small):
    english, korean = small.stored(list_reports)
    assert (korean.language, english.language) == ("ko", "en")
    assert korean.version == english.version == 1
    assert korean.inputs_hash != english.inputs_hash
    (issued,) = small.stored(lambda engine, _: list_issued(engine, limit=9))
    assert issued.sha256 == korean.sha256

    # Every recipient gets theirs.
    got = {}
    for envelope in reported:
        letter = email.message_from_bytes(envelope.content, policy=default)
        (pdf,) = letter.iter_attachments()
        got[envelope.rcpt_tos[0]] = hashlib.sha256(pdf.get_content()).hexdigest()
    assert got == {
        "seoul@example.org": korean.sha256,
        "london@example.org": english.sha256,
        "beijing@example.org": korean.sha256,
    }

    # Both are published side by side.
    folder = small.path.parent / "reports" / "small"
    latest = json.loads((folder / "latest.json").read_text("utf-8"))
    manifest = json.loads((folder / latest["manifest"]).read_text("utf-8"))
    assert manifest["language"] == "ko"
    hashes = {file["name"]: file["sha256"] for file in manifest["files"]}
    assert set(hashes) == {"report.html", "report.pdf", "report.en.html", "report.en.pdf"}
    assert (hashes["report.pdf"], hashes["report.en.pdf"]) == (korean.sha256, english.sha256)


def test_the_command_finds_a_language_that_was_written_and_writes_another(
    reported, small, tmp_path, monkeypatch, capsys
):
    english, _ = small.stored(list_reports)
    assert main(["report", small.evaluation, "--language", "en"]) == 0
    assert english.pdf_uri.rpartition(":")[2][:8] in capsys.readouterr().out

    assert main(["report", small.evaluation, "--language", "zh"]) == 2
    assert "was not written in zh; give --out FOLDER" in capsys.readouterr().err

    monkeypatch.setattr("ocrjury.report.write_pdf", write_sketch)
    assert main(["report", small.evaluation, "--language", "zh", "--out", str(tmp_path)]) == 0
    written = tmp_path / f"{small.evaluation}-final-v1-zh.html"
    assert capsys.readouterr().out.split() == [str(written), str(written.with_suffix(".pdf"))]
    assert '<html lang="zh">' in written.read_text("utf-8")


def test_a_language_that_reports_do_not_speak_is_refused(small):
    end = small.write(report={"languages": ["fr"]})
    with pytest.raises(Exception, match="one of en, ko, zh"):
        end.open()


def test_why_an_evaluation_is_held_is_said_in_the_language_of_whoever_looks(small):
    titles = [{"name": "meaning", "title": {"en": "Sense", "ko": "의미"}, "description": "?"}]
    careless = {"default": {"careless": 0.9}}
    sections = {"rubric": {"dimensions": titles}, "rounds": {"top_ups": 0}}
    held = small.write(**sections, simulation=careless).open()

    with at_work() as work:
        row = work.case(small.evaluation).row
    korean, english = (page_of_the_desk(small.evaluation, language=of) for of in ("ko", "en"))

    assert held.message.startswith("gate_failed: On meaning, Krippendorff's alpha is ")
    assert str(row.held_detail) in held.message
    # Dimensions bear their titles there.
    for words in ("On Sense, Krippendorff", "Rewrite the anchors of Sense"):
        assert words in english
    for words in ("Krippendorff", "Rewrite the anchors", "On meaning"):
        assert words not in korean
    assert "의미 차원에서 크리펜도르프 알파" in korean


def test_an_overdue_round_is_told_in_the_language_of_whoever_looks(small):
    small.write(rounds={"frontend": "file"}).open()
    held = small.at(29).advance()

    korean = page_of_the_desk(small.evaluation, language="ko")

    assert (
        held.message
        == "no_ratings: 0 of 80 assignments are done; "
        + ", ".join(f"R0{number} has 20 open" for number in range(1, 5))
        + "."
    )
    assert "assignments are done" not in korean
    assert "배정 80건 중 0건이 완료되었습니다" in korean
