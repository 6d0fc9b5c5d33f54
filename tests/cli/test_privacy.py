"""``ocrjury privacy`` and ``ocrjury audit`` on a real store."""

import csv
import json
import os
from datetime import UTC, datetime, timedelta

import pytest

from ocrjury.campaign import settings
from ocrjury.campaign.history import Step
from ocrjury.cli.actors import login_name
from ocrjury.store.audit import add_audit, list_audit
from ocrjury.store.database import writing
from ocrjury.store.documents import list_items
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.purges import list_purges

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def today(monkeypatch):
    """The machine's own clock, which stands still."""
    monkeypatch.setattr(settings, "real_now", lambda: NOW)


@pytest.fixture
def ended(store, collecting):
    """An evaluation with texts that was aborted ten days ago."""
    row = read_evaluation(store.engine, collecting)
    step, mover = Step("31", "aborted", "abort"), Mover(NOW - timedelta(days=10))
    with moving(store.engine, Position(collecting, row.state, row.version), step, mover=mover):
        pass
    return collecting


def texts(store, name):
    return [(item.reference, item.hypothesis) for item in list_items(store.engine, name)]


def test_a_dry_run_lists_and_removes_nothing(run, store, ended):
    before = texts(store, ended)

    answer = run("privacy", "purge", ended, "--dry-run")

    assert answer.code == 0
    assert f"{ended} would lose" in answer.out
    assert "documents     2" in answer.out
    assert "Not touched: your pool and images" in answer.out
    assert texts(store, ended) == before
    assert list_purges(store.engine) == []


def test_a_purge_is_certified_in_the_name_that_is_given(run, store, ended):
    answer = run("privacy", "purge", ended, "--by", "J. Kim")

    assert answer.code == 0
    assert "texts of 2 documents" in answer.out
    assert f"by J. Kim, signed in as {login_name()}; certificate " in answer.out
    assert "Not touched: your pool and images" in answer.out
    assert set(texts(store, ended)) == {(None, "")}
    assert "no text is left" in run("privacy", "purge", ended).out
    certificates = run("privacy", "certificates", ended)
    assert certificates.code == 0
    assert "by J. Kim, signed in as " in certificates.out
    assert "removed 2026-11-30" in run("evaluation", "show", ended).out


def test_only_what_is_due_goes(run, store, ended):
    assert run("privacy", "purge").out == "No texts are due.\n"
    assert run("privacy", "purge", "--older-than", 11).out == "No texts are due.\n"
    assert run("privacy", "purge", ended, "--older-than", 11).code == 2
    assert list_purges(store.engine) == []

    assert "texts of 2 documents" in run("privacy", "purge", "--older-than", 10).out


def test_an_open_evaluation_is_refused(run, store, collecting):
    answer = run("privacy", "purge", collecting)

    assert answer.code == 2
    assert "is collecting: raters may still need its texts" in answer.err
    assert list_purges(store.engine) == []


def test_old_lines_of_the_audit_log_go_by_the_setting(run, store, ended, monkeypatch):
    monkeypatch.setenv("OCRJURY_AUDIT_DAYS", "30")
    for days in (31, 29):
        with writing(store.engine) as connection:
            then = NOW - timedelta(days=days)
            add_audit(connection, "view", actor="R01", object_=ended, address="-", now=then)

    assert "1 line of the audit log older than 30 days would go" in (
        run("privacy", "purge", "--dry-run").out
    )
    assert "1 line of the audit log older than 30 days removed" in run("privacy", "purge").out
    assert len(list_audit(store.engine, actor="R01")) == 1
    assert "audit log: 1 line removed" in run("privacy", "certificates").out


def test_a_clock_that_is_set_ahead_removes_and_certifies_nothing(run, store, ended, monkeypatch):
    monkeypatch.setenv("OCRJURY_CLOCK", "2099-01-01T00:00:00+00:00")
    with writing(store.engine) as connection:
        for day in (1, 0):
            then = NOW - timedelta(days=day)
            add_audit(connection, "view", actor="R01", object_=ended, address="-", now=then)

    assert run("privacy", "purge", "--older-than", 11).out == "No texts are due.\n"
    assert len(list_audit(store.engine, actor="R01")) == 2
    run("privacy", "purge", ended)

    assert {row.at for row in list_purges(store.engine)} == {NOW}


def test_the_log_shows_that_it_is_as_it_was_written(run, store, logged, monkeypatch):
    out = run("audit", "--verify").out
    lines, newest = out.splitlines()
    head = newest.split()[-1]
    assert lines == "4 lines; each follows the one before it."
    monkeypatch.setenv("OCRJURY_AUDIT_DAYS", "1")
    run("privacy", "purge")
    run("audit", "--all")
    assert run("audit", "--verify", "--head", head[:16].upper()).code == 0
    assert run("audit", "--verify", logged).code == 2
    part = run("audit", "--verify", "--since", "2026-11-01", "--actor", "R01")
    assert (part.code, part.out) == (2, "")
    assert "--verify takes no --since and no --actor: the lines of all" in part.err
    assert run("audit", logged, "--head", head).code == 2
    # A variable that was empty, or what nearly every hash begins with, shows nothing.
    for short in ("", head[:1], "g" * 16):
        assert "--head must be a hash" in run("audit", "--verify", "--head", short).err

    with writing(store.engine) as connection:
        connection.exec_driver_sql("drop trigger audit_no_delete")
        connection.exec_driver_sql("delete from audit where seq = 4")

    answer = run("audit", "--verify", "--head", head)
    gap, unknown = answer.err.splitlines()
    assert (answer.code, answer.out) == (1, "")
    assert gap.startswith(f"Line 5 (2026-11-20 09:00:00 UTC, {login_name()} view log audit log)")
    assert gap.endswith("was changed, or what stood before it is gone. 1 line before it fit.")
    assert unknown == f"No line has the hash {head}: the log was written anew or cut off."


@pytest.mark.parametrize("days", ["-1", "1000000000000"])
def test_an_age_that_nothing_can_have_is_refused(run, ended, days):
    answer = run("privacy", "purge", "--older-than", days)

    assert answer.code == 2
    assert answer.err.startswith("--older-than must be from 0 to 100,000 days; found ")


@pytest.mark.parametrize("days", ["0", "x", "-1", "99999"])
def test_a_setting_that_is_no_number_of_days_is_refused(run, ended, monkeypatch, days):
    monkeypatch.setenv("OCRJURY_AUDIT_DAYS", days)

    answer = run("privacy", "purge")

    assert answer.code == 2
    assert "OCRJURY_AUDIT_DAYS is" in answer.err


@pytest.fixture
def logged(store, collecting):
    """An evaluation with lines of its own, and lines of another with a like name."""
    lines = [
        ("sign-in", "R01", collecting, 3),
        ("view", "R01", f"{collecting}-2", 2),
        ("export", "=cmd", f"{collecting}, sheet of R01", 1),
        ("sign-in refused", "?", "?", 0),
    ]
    for action, actor, object_, days in lines:
        with writing(store.engine) as connection:
            then = NOW - timedelta(days=days)
            add_audit(connection, action, actor=actor, object_=object_, address="::1", now=then)
    return collecting


def test_the_log_of_an_evaluation_holds_its_own_lines(run, logged):
    answer = run("audit", logged)

    lines = answer.out.splitlines()[1:]
    assert [line.split()[0] for line in lines] == ["2026-11-27", "2026-11-29"]
    assert "::1" in lines[0]
    assert len(run("audit", "--all").out.splitlines()) > 4


def test_the_log_can_be_narrowed(run, logged):
    assert "sheet of R01" not in run("audit", logged, "--actor", "R01").out
    since = run("audit", logged, "--since", "2026-11-28", "--actor", "=cmd").out
    assert "sheet of R01" in since
    assert run("audit", logged, "--since", "soon").code == 2
    assert run("audit", logged, "--since", "0001-01-01T00:00+23:00").code == 2
    assert run("audit").code == 2
    assert run("audit", logged, "--all").code == 2
    assert run("audit", "nobody").code == 2


def test_the_log_goes_out_as_json_and_as_csv_without_formulas(run, logged, tmp_path):
    told = json.loads(run("audit", logged, "--json").out)
    assert [one["action"] for one in told] == ["sign-in", "export"]
    assert told[0]["at"] == "2026-11-27T09:00:00+00:00"

    run("audit", logged, "--out", tmp_path / "log.csv")

    with (tmp_path / "log.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["actor"] for row in rows][:2] == ["R01", "'=cmd"]
    assert rows[0]["address"] == "::1"


def test_reading_and_exporting_the_log_are_lines_of_it(run, store, logged, tmp_path):
    run("audit", logged)
    run("audit", logged, "--csv", tmp_path / "log.csv")
    run("audit", "--all", "--json")

    newest = list_audit(store.engine)[:3]
    assert [(one.action, one.object) for one in newest] == [
        ("export", "audit log"),
        ("export", f"{logged} audit log"),
        ("view log", f"{logged} audit log"),
    ]


def test_exports_of_ratings_are_written_down(run, store, logged, tmp_path):
    run("ratings", "export", logged)
    run("ratings", "export", logged, "--history")
    run("ratings", "export", logged, "--open", "--each", tmp_path / "to-rate")

    found = {one.object for one in list_audit(store.engine) if one.address == "cli"}
    assert found >= {
        f"{logged} ratings",
        f"{logged} history of ratings",
        f"{logged}, open assignments of R01",
    }


def test_a_control_sign_in_the_log_reaches_no_terminal(run, store, logged):
    with writing(store.engine) as connection:
        hostile = f"{logged} /x\x1b[2J\ny"
        add_audit(connection, "refused", actor="R01", object_=hostile, address="-", now=NOW)

    out = run("audit", logged).out

    assert "\x1b" not in out
    [line] = [line for line in out.splitlines() if "refused" in line]
    assert f"{logged} /x�[2J�y" in line


def test_half_written_files_go_though_no_texts_are_due(run, store, logged):
    store.files.folder.mkdir(exist_ok=True)
    left = store.files.folder / ".report-1.html.999999999"
    left.write_text("half", "utf-8")
    os.utime(left, (1.6e9, 1.6e9))

    assert (
        "1 half-written file of killed processes would go."
        in run("privacy", "purge", "--dry-run").out
    )
    assert left.exists()
    out = run("privacy", "purge").out

    assert out.splitlines() == [
        "1 half-written file of killed processes removed.",
        "No texts are due.",
    ]
    assert not left.exists()
