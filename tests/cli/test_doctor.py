import os
import socket
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from ocrjury.cli import doctor
from ocrjury.errors import MissingDependencyError, OcrjuryError
from ocrjury.signals.server import NoAnswerError
from ocrjury.signals.stuck_runs import StuckRun

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "korean-claims"
NO_CJK = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>{fonts}<cachedir>{cache}</cachedir></fontconfig>"""


def words(findings):
    return {finding.what: finding.word for finding in findings}


def test_this_machine_has_what_is_needed(run):
    answer = run("doctor")

    assert answer.code == 0
    assert "Everything that is needed is here." in answer.out
    assert "note  Prefect server" in answer.out


def test_missing_fonts_are_noticed_by_rendering(tmp_path, monkeypatch):
    config = tmp_path / "fonts.conf"
    config.write_text(NO_CJK.format(fonts="", cache=tmp_path / "cache"), encoding="utf-8")
    monkeypatch.setenv("FONTCONFIG_FILE", str(config))

    findings = doctor.check_pdf()

    assert words(findings) == {"PDF": "ok", "fonts": "problem"}
    assert findings[1].found == "there is no font at all"
    assert "fonts-noto-cjk" in findings[1].fix


def test_latin_fonts_alone_do_not_suffice(tmp_path, monkeypatch, run):
    config = tmp_path / "fonts.conf"
    fonts = "<dir>/usr/share/fonts/truetype/dejavu</dir>"
    config.write_text(NO_CJK.format(fonts=fonts, cache=tmp_path / "cache"), encoding="utf-8")
    monkeypatch.setenv("FONTCONFIG_FILE", str(config))
    troubles = ("blocked", "crashed")
    stuck = [StuckRun(f"claims-{word}", word, datetime.now(UTC)) for word in troubles]
    stuck.append(StuckRun("pay-open", "crashed", datetime.now(UTC), command="ocrjury x"))
    monkeypatch.setattr(doctor, "stuck_runs", lambda: stuck)

    answer = run("doctor")

    assert answer.code == 1
    assert "no font has 한 (U+D55C)" in answer.out
    assert "To fix:\n  fonts: apt-get install fonts-noto-cjk" in answer.out
    said = " ".join(answer.out.split())
    assert "The run claims-blocked has waited for another run since" in said
    assert "run: Cancel the run that is in its way in the Prefect UI, or restart" in said
    assert "note run The process of the run claims-crashed ended in the middle" in said
    assert "problem run The process of the run pay-open ended in the middle" in said


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (
            MissingDependencyError("no PDF was written to x. WeasyPrint needs Pango and fonts."),
            "WeasyPrint or Pango is missing",
        ),
        (
            OcrjuryError("no PDF was written to x: it took over 120 s."),
            "no PDF was written to x: it took over 120 s.",
        ),
    ],
)
def test_a_pdf_that_cannot_be_written_is_a_problem(monkeypatch, error, found):
    def fail(*_):
        raise error

    monkeypatch.setattr(doctor, "write_pdf", fail)

    pdf, fonts = doctor.check_pdf()

    assert (pdf.word, pdf.found, fonts.word) == ("problem", found, "note")
    assert "libpango" in pdf.fix


def test_a_home_that_cannot_be_written_is_a_problem(run, home):
    home.parent.mkdir(exist_ok=True)
    home.write_text("a file", encoding="utf-8")

    answer = run("doctor")

    assert answer.code == 1
    assert "database: set OCRJURY_HOME to a folder that you may write to" in answer.out


def test_without_the_driver_of_postgresql_the_extra_that_has_it_is_named(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.setenv("OCRJURY_DATABASE_URL", "postgresql://u@127.0.0.1:1/without-driver")

    asked, examined = run("status"), run("doctor")

    assert asked.code == 2
    assert asked.err.startswith("the driver of PostgreSQL cannot be loaded: ")
    assert asked.err.endswith('Run: pip install "ocrjury[postgres]"\n')
    assert 'database: pip install "ocrjury[postgres]"' in examined.out


def test_a_version_outside_its_pins_is_a_problem(monkeypatch):
    monkeypatch.setattr(doctor, "version", lambda name: "2.1.9" if name == "sqlalchemy" else "0")

    found = {version.what: version for version in doctor.check_versions()}

    assert found["sqlalchemy"].word == "problem"
    assert "2.1.9, but" in found["sqlalchemy"].found
    assert "pip install 'sqlalchemy" in found["sqlalchemy"].fix


@pytest.mark.parametrize(
    ("error", "word"), [(MissingDependencyError, "problem"), (NoAnswerError, "ok")]
)
def test_a_server_that_wants_another_key_is_a_problem(monkeypatch, error, word):
    def refuse(*_, **__):
        raise error("The Prefect server refuses this key (401).")

    monkeypatch.setattr(doctor, "server_answers", lambda _: True)
    monkeypatch.setattr("ocrjury.signals.server.request", refuse)

    finding = doctor.check_prefect()

    assert finding.word == word
    assert finding.fix == ("The Prefect server refuses this key (401)." if word != "ok" else "")


def test_the_pins_of_this_project_are_read():
    assert words(doctor.check_versions()) == dict.fromkeys(doctor.PINNED, "ok")
    assert all("<" in version.found for version in doctor.check_versions())


@pytest.mark.parametrize(
    ("found", "clauses", "fits"),
    [
        ("3.8.8", ">=3.8.8,<3.9", True),
        ("3.9.0", ">=3.8.8,<3.9", False),
        ("3.9.0rc1", "<3.9", False),
        ("0.150.0", "<0.151", True),
        ("70.0", "==70", True),
        ("70.1", "!=70.1", True),
        ("1", "", True),
    ],
)
def test_versions_are_compared_by_their_numbers(found, clauses, fits):
    assert doctor.within(found, clauses) is fits


@pytest.fixture
def campaign_with_mail(tmp_path):
    """A function that writes the bundled campaign with a mail server."""

    def write(**mail):
        body = yaml.safe_load((EXAMPLE / "campaign.yaml").read_text(encoding="utf-8"))
        body["rubric"] = str(EXAMPLE / "rubric.yaml")
        body["report"]["mail"] = {"sender": "jury@example.org", **mail} if mail else None
        path = tmp_path / "campaign.yaml"
        path.write_text(yaml.safe_dump(body, allow_unicode=True), encoding="utf-8")
        return path

    return write


def test_a_campaign_without_mail_is_only_noted(campaign_with_mail):
    (found,) = doctor.check_mail(campaign_with_mail())

    assert found.word == "note"


def test_a_mail_server_that_is_not_there_is_a_problem(campaign_with_mail):
    path = campaign_with_mail(host="127.0.0.1", port=1, starttls=False)

    (found,) = doctor.check_mail(path)

    assert found.word == "problem"
    assert found.found.startswith("127.0.0.1:1: ")


def test_a_password_that_is_not_set_is_a_problem(campaign_with_mail, monkeypatch):
    monkeypatch.delenv("JURY_PASSWORD", raising=False)
    path = campaign_with_mail(host="127.0.0.1", username="jury", password_env="JURY_PASSWORD")

    (found,) = doctor.check_mail(path)

    assert found.found == "JURY_PASSWORD is not set"


def test_a_mail_server_that_answers_is_fine(campaign_with_mail):
    aiosmtpd = pytest.importorskip("aiosmtpd.controller")

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    controller = aiosmtpd.Controller(object(), hostname="127.0.0.1", port=port)
    controller.start()
    try:
        (found,) = doctor.check_mail(
            campaign_with_mail(host="127.0.0.1", port=port, starttls=False)
        )
    finally:
        controller.stop()

    assert found == ("ok", "email", f"127.0.0.1:{port} takes email from jury@example.org", "")


def test_a_home_that_others_can_read_is_closed(run, home):
    home.mkdir(mode=0o755)
    (home / "report.html").touch(mode=0o644)
    home.chmod(0o755)
    (home / "report.html").chmod(0o644)

    first, second = run("doctor"), run("doctor")

    assert "(was mode 755); 2 files or folders are closed to others now" in first.out
    assert "for this account only" in second.out
    assert ((home.stat().st_mode | (home / "report.html").stat().st_mode) & 0o077) == 0


def test_one_folder_that_was_open_is_counted_as_one(run, home):
    home.mkdir(mode=0o755)
    home.chmod(0o755)

    answer = run("doctor")

    assert "(was mode 755); 1 file or folder is closed to others now" in answer.out


def test_a_home_that_cannot_be_closed_is_a_problem(tmp_path, monkeypatch):
    def refuse(_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(doctor, "close_open", refuse)

    [finding] = doctor.check_home(tmp_path)

    assert (finding.word, finding.fix) == (
        "problem",
        f"chmod -R go= {tmp_path}, as the account that owns it",
    )


def test_what_a_command_writes_is_for_one_account(run, tmp_path):
    before = os.umask(0o022)
    try:
        assert run("campaign", "new", tmp_path / "claims").code == 0
    finally:
        after = os.umask(before)

    modes = {path.stat().st_mode & 0o077 for path in (tmp_path / "claims").iterdir()}
    assert (modes, after) == ({0}, 0o022)
