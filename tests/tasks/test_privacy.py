"""Texts leave the store after an evaluation; what was computed from them stays."""

import errno
import json
import os
import re
import shutil
import sqlite3
import time
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

import ocrjury.flows.advance_evaluation as advance
from ocrjury.campaign import settings
from ocrjury.cli import main
from ocrjury.errors import LostRaceError, RefusedError, StateError
from ocrjury.evaluation.case import at_work
from ocrjury.export.evaluation_export import attached_files
from ocrjury.retention import purge as purge_module
from ocrjury.retention import text_files
from ocrjury.retention.purge import plan_purges, purge_texts, renew_reports
from ocrjury.retention.schedule import due_evaluations, end_old_audit
from ocrjury.store.audit import add_audit, list_audit
from ocrjury.store.database import reading, writing
from ocrjury.store.documents import list_items, read_purged_at
from ocrjury.store.evaluations import list_evaluations
from ocrjury.store.files import numbers_address
from ocrjury.store.purges import begun_only, broken_rows, list_purges
from ocrjury.store.ratings import list_ratings
from ocrjury.store.reports import list_reports
from ocrjury.store.results import latest_results, latest_truths, latest_verdicts
from ocrjury.tasks import privacy as privacy_task
from ocrjury.tasks import report as report_task
from ocrjury.tasks import scoring as scoring_task
from tests.forks import at_once, exit_code_of
from tests.tasks.conftest import QUICK, closed, ended, no_pdf
from tests.tasks.purger import die_after, die_while_printing, purge_in_haste

RIGHT, READ = "quaggaright", "zebraread"
SHOWN = {"examples": "shown", "worst_items": 20}
FEW = {**QUICK, "sampling": {"n": 20}}


@pytest.fixture
def secret(small, stored_pages, monkeypatch):
    """A campaign whose texts are easily found."""
    for number, row in enumerate(small.pool):
        row["reference"] = f"{RIGHT}{number} {row['reference']}"
        row["hypothesis"] = f"{READ}{number} {row['hypothesis']}"
        row["remark"] = f"{READ} in a column of the pool's own"
    monkeypatch.setattr(advance, "purge_due", privacy_task.purge_due.fn)
    monkeypatch.setattr(settings, "real_now", now_of_the_test)
    monkeypatch.setattr(privacy_task, "write_pdf", no_pdf)
    return small


def now_of_the_test():
    """The moment at which the clock of the test stands."""
    return settings.Settings.from_environment().now()


def audit_lines():
    with at_work() as work:
        return list_audit(work.engine)


def found_in(home, *words):
    """The files of a home in which a word stands, marks inside it or not."""
    found = []
    for path in sorted(home.rglob("*")):
        body = path.read_bytes() if path.is_file() else b""
        if path.suffix == ".html":
            body += re.sub(rb"<[^>]*>|\s", b"", body)
        if any(word.encode() in body for word in words):
            found.append(path.name)
    return found


def home_of(small):
    return small.path.parent / "home"


def purge(*names, actor="J. Kim"):
    with at_work() as work:
        done = purge_texts(work.store, names, actor=actor, address="cli", now=work.now)
        enclose = partial(attached_files, work)
        for name in names:
            why = renew_reports(work.store, name, now=work.now, enclose=enclose, write=no_pdf)
            assert why is None
        return done


def numbers_of(small):
    """Everything that is a number about an evaluation."""
    return [
        small.stored(list_ratings),
        small.stored(latest_truths),
        small.stored(latest_verdicts),
        *(small.stored(latest_results, kind) for kind in ("agreement", "estimate", "bias")),
        [
            (item.item, item.scores, item.inclusion_probability, item.draw_number, item.box)
            for item in small.stored(list_items)
        ],
    ]


@pytest.mark.on_sqlite
def test_no_byte_of_a_text_is_left_and_no_number_is_lost(secret):
    ended(secret, **FEW, report=SHOWN)
    before = numbers_of(secret)
    assert {"ocrjury.db", "ocrjury.db-wal"} & set(found_in(home_of(secret), READ))
    assert any(name.startswith("report-") for name in found_in(home_of(secret), READ))
    outside = secret.path.with_name("pool.jsonl").read_bytes()

    (done,) = purge(secret.evaluation)

    assert found_in(home_of(secret), READ, RIGHT) == []
    assert numbers_of(secret) == before
    assert secret.path.with_name("pool.jsonl").read_bytes() == outside
    assert done.finished
    assert done.body["compacted"]
    assert done.body["texts"]["documents"] == done.body["texts"]["items"] == len(before[-1])
    assert all(item.purged_at is not None for item in secret.stored(list_items))


def test_the_certificate_names_what_went_and_shows_changes(secret):
    ended(secret, **FEW, report=SHOWN)
    (done,) = purge(secret.evaluation)

    with at_work() as work:
        rows = list_purges(work.engine)
    assert [(row.subject, row.number, row.finished, row.actor) for row in rows] == [
        (secret.evaluation, 1, False, "J. Kim"),
        (secret.evaluation, 1, True, "J. Kim"),
    ]
    assert any(name.startswith("pool-") for name in done.body["files"])
    assert any(name.endswith(".html") for name in done.body["files"])
    assert broken_rows(rows) == []
    assert broken_rows([rows[0], rows[1]._replace(actor="nobody")]) == [
        rows[1]._replace(actor="nobody")
    ]
    with at_work() as work:
        (line,) = [one for one in list_audit(work.engine) if one.action == "purge"]
    assert (line.actor, line.object, line.address) == ("J. Kim", secret.evaluation, "cli")


def test_the_report_is_written_anew_and_says_that_texts_are_gone(secret):
    data, text = closed(secret, **FEW, report=SHOWN)
    assert READ in text.replace(" ", "")
    first = secret.stored(list_reports)

    purge(secret.evaluation)

    newer = [one for one in secret.stored(list_reports) if one not in first]
    assert {(one.kind, one.version + 1) for one in first} == {(n.kind, n.version) for n in newer}
    with at_work() as work:
        assert not any(work.store.files.path(one.html_uri).exists() for one in first)
        assert all(work.store.files.path(one.html_uri).exists() for one in newer)
    again, words = secret.report()
    assert "were removed on 2026-11-20, after the evaluation" in words
    assert again.items.rows
    assert again.headline.others.value == data.headline.others.value


def test_a_report_without_examples_stays_as_it_is(secret):
    closed(secret, **FEW, report={"examples": "off"})

    purge(secret.evaluation)

    reports = secret.stored(list_reports)
    assert {report.version for report in reports} == {1}
    with at_work() as work:
        assert all(work.store.files.path(report.html_uri).exists() for report in reports)


def test_purging_again_changes_nothing(secret):
    ended(secret, **FEW, report=SHOWN)
    purge(secret.evaluation)
    with at_work() as work:
        before = (list_purges(work.engine), list_reports(work.engine, secret.evaluation))

    assert purge(secret.evaluation) == []

    with at_work() as work:
        assert (list_purges(work.engine), list_reports(work.engine, secret.evaluation)) == before


def test_an_evaluation_that_goes_on_keeps_its_texts(secret):
    secret.write(rounds={"frontend": "file"}).open()

    with pytest.raises(RefusedError, match="is collecting: raters may still need its texts"):
        purge(secret.evaluation)

    assert secret.stored(list_items)[0].hypothesis.startswith(READ)


def test_a_snapshot_that_another_evaluation_needs_stays_until_that_one_goes(secret, capsys):
    ended(secret, **FEW, report=SHOWN)
    first = secret.evaluation
    secret.write(rounds={"frontend": "file"}).open("q")
    second = secret.evaluation
    assert main(["privacy", "purge", first, "--dry-run"]) == 0
    assert f"(stays: {second} needs it)" in capsys.readouterr().out

    (done,) = purge(first)

    (pool,) = {row.pool_hash for row in all_evaluations()}
    assert done.body["kept"] == {pool: [second]}
    assert pool in found_in(home_of(secret), READ)
    secret.decide("abort")
    (last,) = purge(second)
    assert last.body["kept"] == {}
    assert pool in last.body["files"]
    assert found_in(home_of(secret), READ, RIGHT) == []


def all_evaluations():
    with at_work() as work:
        return list_evaluations(work.engine)


def test_a_later_evaluation_reads_a_purged_one_for_its_trend(secret):
    for number, row in enumerate(secret.pool):
        row |= {"llm": 1 + number % 5, "fluency": -0.1 * (number % 7)}
    machines = {"judges": {"LLM": {"meaning": "llm"}}, "auxiliaries": ["fluency"]}
    no_more = {
        "adaptive": QUICK["adaptive"],
        "pool": {"path": "pool.jsonl", **machines},
    }
    secret.rated_by_people("p", **no_more)
    secret.at(21).reread().rated_by_people("q", severity=1, **no_more)
    kept = secret.stored(latest_results, "trend")
    secret.at(22)
    purge("small-p", "small-q")

    secret.reread().rated_by_people("r", **no_more)

    rows = secret.stored(latest_results, "trend")["meaning"]["mean"]
    assert [row["period"] for row in rows] == ["q", "r"]  # p has the same ratings as r
    assert rows[0]["mean"] == kept["meaning"]["mean"][1]["mean"]
    (judge,) = secret.stored(latest_results, "judge_bias")["meaning"]["judges"]
    assert [row["period"] for row in judge["rows"]] == ["q", "r"]


def test_the_numbers_of_a_pool_have_no_column_with_words_of_its_own(secret):
    ended(secret, **FEW, report=SHOWN)
    (pool,) = {row.pool_hash for row in all_evaluations()}
    with at_work() as work:
        whole = work.case(secret.evaluation).pool()

    purge(secret.evaluation)

    with at_work() as work:
        numbers = work.case(secret.evaluation).pool()
        assert work.store.files.path(numbers_address(pool)).exists()
    assert set(whole) - set(numbers) == {"reference", "hypothesis", "image", "remark"}
    kept = [name for name in whole if name in numbers]
    assert whole[kept].drop(columns="box").equals(numbers.drop(columns="box"))


def test_handed_out_sheets_and_half_scored_pools_go(secret):
    secret.write(rounds={"frontend": "file"}).open()
    home, name = home_of(secret), secret.evaluation
    for folder in (f"sheets/{name}/R01/images", f"scoring/{name}", "sheets/other"):
        (home / folder).mkdir(parents=True)
        (home / folder / "x.bin").write_text(READ, "utf-8")
    (home / "files" / ".report-1.html.999999999").write_text(READ, "utf-8")
    (home / "files" / f".report-2.html.{os.getpid()}").write_text("somebody writes", "utf-8")
    secret.decide("abort")

    with at_work() as work:
        (plan,) = plan_purges(work.store, [name])
    purge(name)

    assert {one.folder: one.files for one in plan.folders} == {
        f"sheets/{name}": 1,
        f"scoring/{name}": 1,
    }
    assert [path.name for path in (home / "sheets").iterdir()] == ["other"]
    assert found_in(home / "files", READ) == []
    assert (home / "files" / f".report-2.html.{os.getpid()}").exists()


def test_what_cannot_be_removed_is_not_certified_as_gone(secret, monkeypatch, tmp_path):
    secret.write(rounds={"frontend": "file"}).open()
    sheets = home_of(secret) / "sheets" / secret.evaluation
    sheets.mkdir(parents=True)
    (sheets / "R01.xlsx").write_text(READ, "utf-8")
    secret.decide("abort")
    unlink = os.unlink

    def refuse(path, **options):
        if os.fspath(path).endswith("R01.xlsx"):
            raise PermissionError(errno.EACCES, "Permission denied", path)  # root may do all
        unlink(path, **options)

    with monkeypatch.context() as refusing, pytest.raises(PermissionError):
        refusing.setattr(os, "unlink", refuse)
        purge(secret.evaluation)
    elsewhere = tmp_path / "shared"
    sheets.parent.rename(elsewhere)
    sheets.parent.symlink_to(elsewhere)
    with pytest.raises(StateError, match=r"lies outside the home, at .*shared"):
        purge(secret.evaluation)
    with at_work() as work:
        assert begun_only(list_purges(work.engine))

    shutil.rmtree(elsewhere / secret.evaluation)
    (done,) = purge(secret.evaluation)
    assert done.finished


def long_ago(path, seconds=3600):
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_what_a_killed_report_leaves_lies_in_the_home_and_goes(secret, tmp_path, monkeypatch):
    ended(secret, **FEW, report=SHOWN)
    temporary, files = tmp_path / "temporary", home_of(secret) / "files"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    assert exit_code_of(die_while_printing, secret.evaluation) == -9
    (left,) = files.glob(".report-*")
    assert READ in re.sub(r"<[^>]*>|\s", "", (left / "report.pdf").read_text("utf-8"))
    running = files / f".report-x.{os.getpid()}"
    running.mkdir()

    assert advance.sweep().message == "nothing is open"  # it may be a process elsewhere
    for path in (left, running):
        long_ago(path)
    end = advance.sweep()

    assert end.message == "texts that are due: 1 half-written file of killed processes"
    assert list(files.glob(".report-*")) == [running]
    assert list(temporary.iterdir()) == []
    assert secret.stored(read_purged_at) is None
    long_ago(running, seconds=2 * 86_400)
    advance.sweep()
    assert list(files.glob(".report-*")) == []


def test_the_sweep_purges_what_is_due_and_nothing_else(secret):
    closed(secret, **FEW, privacy={"retention_days": 5})

    secret.at(24)
    advance.sweep()
    assert secret.stored(read_purged_at) is None
    secret.at(25)
    end = advance.sweep()

    assert secret.stored(read_purged_at) is not None
    assert "texts that are due: 1 evaluation: small-p" in end.message
    assert advance.sweep().message == "nothing is open"
    with at_work() as work:
        assert {row.actor for row in list_purges(work.engine)} == {"flow"}


def test_a_clock_that_jumps_ahead_for_hours_removes_nothing(secret, monkeypatch):
    ended(secret, **FEW, privacy={"retention_days": 5})
    monkeypatch.setenv("OCRJURY_AUDIT_DAYS", "1")
    lines = len(audit_lines())

    secret.at(29, hour=1)  # it is the 20th
    ends = [advance.sweep().message]
    secret.at(29, hour=23)
    ends += [advance.sweep().message]
    secret.at(21)
    ends += [advance.sweep().message]

    said = "texts that are due: in a day, if the clock of this machine is right: small-p"
    late = "not yet, as the clock was wrong when they were announced: small-p"
    assert ends == [said, "nothing is open", f"texts that are due: {late}"]
    assert advance.sweep().message == "nothing is open"
    assert secret.stored(read_purged_at) is None
    assert len(audit_lines()) == lines + 2
    secret.at(24)
    assert advance.sweep().message == said
    secret.at(25)
    assert "texts that are due: 1 evaluation: small-p" in advance.sweep().message


def test_a_clock_that_jumps_ahead_on_several_days_removes_nothing(secret):
    ended(secret, **FEW, privacy={"retention_days": 5})

    for ahead, right in ((27, 21), (29, 22), (30, 23)):
        for day in (ahead, right):
            secret.at(day)
            advance.sweep()

    assert secret.stored(read_purged_at) is None
    noted = [line.action for line in reversed(audit_lines()) if line.actor == "flow"]
    assert noted[-6:] == 3 * ["purge announced", "purge withdrawn"]
    for day in (24, 25):
        secret.at(day)
        advance.sweep()
    assert secret.stored(read_purged_at) is not None


def test_an_evaluation_that_ended_while_the_clock_was_behind_is_kept_as_long(secret):
    secret.write(rounds={"frontend": "file"}, privacy={"retention_days": 5}).open()
    secret.at(1).decide("abort")

    ends = []
    for day in (20, 23, 24):
        secret.at(day)
        ends.append(advance.sweep().message)

    assert ends[:2] == ["nothing is open"] * 2
    assert "in a day, if the clock of this machine is right: small-p" in ends[2]


def test_what_was_not_swept_in_time_goes_a_day_after_the_first_sweep(secret):
    ended(secret, **FEW, privacy={"retention_days": 5})

    purged = []
    for day, hour in ((28, 9), (29, 8), (29, 9)):
        secret.at(day, hour)
        advance.sweep()
        purged.append(secret.stored(read_purged_at) is not None)

    assert purged == [False, False, True]


def test_a_report_that_a_killed_purge_did_not_write_anew_comes_with_the_next_sweep(secret):
    ended(secret, **FEW, report=SHOWN)
    with at_work() as work:
        purge_texts(work.store, [secret.evaluation], actor="flow", address="flow", now=work.now)
    before = secret.stored(list_reports)

    ends = [advance.sweep().message for _ in range(2)]

    said = f"texts that are due: a new report was due for {secret.evaluation}"
    assert ends == [said, "nothing is open"]
    after = secret.stored(list_reports)
    assert {(one.kind, one.version) for one in after} == {
        (one.kind, version) for one in before for version in (1, 2)
    }


def test_a_sweep_beside_another_that_removes_the_same_texts_has_not_failed(secret, monkeypatch):
    def lose():
        raise LostRaceError("another process purged small-p at the same time.")

    secret.write(rounds={"frontend": "file"}).open()
    monkeypatch.setattr(advance, "is_purge_due", lambda: True)
    monkeypatch.setattr(advance, "purge_due", lose)

    end = advance.sweep()

    assert end.is_completed()
    assert "another run is at it: another process purged small-p" in end.message


def test_without_a_limit_nothing_is_ever_due(secret):
    ended(secret, **FEW)

    with at_work() as work:
        later = work.now + timedelta(days=5000)
        assert due_evaluations(work.store, now=later) == []
        (named,) = due_evaluations(work.store, now=later, older_than=4000)
    assert named.evaluation == secret.evaluation


def test_old_audit_rows_go_with_a_certificate_and_no_others(secret):
    secret.write(rounds={"frontend": "file"}).open()
    with at_work() as work:
        for days in (800, 731, 729, 0):
            with writing(work.engine) as connection:
                then = work.now - timedelta(days=days)
                add_audit(connection, "view", actor="R01", object_=f"{days}", address="-", now=then)

        done = end_old_audit(work.store, days=730, actor="flow", now=work.now)

        assert (done.body["rows"], done.body["days"]) == (2, 730)
        assert [one.object for one in list_audit(work.engine, actor="R01")] == ["0", "729"]
        with pytest.raises(sa.exc.DatabaseError, match="rows of audit never change"):
            with writing(work.engine) as connection:
                connection.execute(sa.text("delete from audit"))
        assert end_old_audit(work.store, days=730, actor="flow", now=work.now) is None


@pytest.mark.on_sqlite
def test_a_reader_holds_up_the_certificate_and_not_the_removal(secret):
    ended(secret, **FEW, report=SHOWN)
    with at_work() as work, reading(work.engine) as connection:
        connection.execute(sa.text("select count(*) from items")).scalar()
        assert at_once(purge_in_haste, secret.evaluation, count=1) == ["StateError"]

    with at_work() as work:
        assert begun_only(list_purges(work.engine))
        (due,) = due_evaluations(work.store, now=work.now)
    assert due.evaluation == secret.evaluation
    (done,) = purge(secret.evaluation)
    assert done.actor == "J. Kim"
    assert found_in(home_of(secret), READ, RIGHT) == []


STEPS = ("_begin", "take_texts", "_remove_files", "remove_halves", "compact", "_certify")


@pytest.mark.on_sqlite
def test_a_purge_that_is_killed_after_any_step_goes_on(secret):
    ended(secret, **FEW, report=SHOWN)
    before, home = numbers_of(secret), home_of(secret)

    for step in STEPS:
        copy = home.with_name(f"after-{step}")
        shutil.copytree(home, copy)
        secret.monkeypatch.setenv("OCRJURY_HOME", str(copy))
        assert exit_code_of(die_after, step, secret.evaluation) == -9

        purge(secret.evaluation)

        assert found_in(copy, READ, RIGHT) == [], step
        assert numbers_of(secret) == before
        versions = [one.version for one in secret.stored(list_reports) if one.kind == "final"]
        assert versions == [1, 2], step
        with at_work() as work:
            rows = list_purges(work.engine)
        assert [row.finished for row in rows] == [False, True], step
        assert broken_rows(rows) == []


def test_the_whole_works_on_postgresql(secret, postgres_url, monkeypatch):
    monkeypatch.setenv("OCRJURY_DATABASE_URL", postgres_url)
    ended(secret, **FEW, report=SHOWN)
    before = json.dumps(numbers_of(secret), default=str)

    (done,) = purge(secret.evaluation)

    assert done.body["compacted"] is False
    assert json.dumps(numbers_of(secret), default=str) == before
    assert found_in(home_of(secret), READ, RIGHT) == []
    for table in ("documents", "items", "gold", "comments", "notes", "drafts", "results"):
        assert READ not in table_text(table)
    assert Path(postgres_url.partition("host=")[2]).is_dir()


def table_text(table):
    with at_work() as work, reading(work.engine) as connection:
        return str(connection.execute(sa.text(f"select * from {table}")).all())


def interrupted(monkeypatch, module, name, act):
    """Let something happen as soon as a function of a module has returned, the first time."""
    function, happened = getattr(module, name), []

    def interrupting(*arguments, **options):
        found = function(*arguments, **options)
        if not happened:
            happened.append(True)
            act()
        return found

    monkeypatch.setattr(module, name, interrupting)


@pytest.mark.on_sqlite
@pytest.mark.parametrize(
    ("settings", "task", "step"),
    [({}, scoring_task, "snapshot_of"), ({"report": SHOWN}, report_task, "render")],
    ids=["scored", "reported"],
)
def test_an_evaluation_that_is_aborted_in_a_step_leaves_no_texts(
    secret, monkeypatch, settings, task, step
):
    secret.write(**FEW, **settings).open_only()
    interrupted(monkeypatch, task, step, lambda: secret.decide_only("abort"))

    assert secret.advance_now().name == "Aborted"

    purge(secret.evaluation)
    assert found_in(home_of(secret), READ, RIGHT) == []


@pytest.mark.on_sqlite
def test_a_report_that_is_written_again_while_texts_are_removed_is_not_kept(secret, monkeypatch):
    ended(secret, **FEW, report=SHOWN)
    interrupted(monkeypatch, report_task, "render", lambda: purge(secret.evaluation))

    with pytest.raises(LostRaceError, match="were removed while this report was written"):
        report_task.write_report_again.fn(secret.evaluation)

    assert found_in(home_of(secret), READ, RIGHT) == []
    newest = secret.stored(list_reports)[-1]
    assert (home_of(secret) / "files" / newest.html_uri).exists()


@pytest.mark.on_sqlite
def test_a_pool_that_is_removed_while_it_is_scored_for_another_is_scored_once_more(
    secret, monkeypatch
):
    ended(secret, **FEW)
    first = secret.evaluation
    secret.open_only("q")
    interrupted(monkeypatch, scoring_task, "snapshot_of", lambda: purge(first))

    assert secret.advance_now().name == "Closed"


@pytest.mark.on_sqlite
def test_a_report_that_is_written_again_just_before_a_purge_begins_goes_with_it(
    secret, monkeypatch
):
    ended(secret, **FEW, report=SHOWN)
    again = partial(report_task.write_report_again.fn, secret.evaluation)
    interrupted(monkeypatch, purge_module, "plan_purges", again)

    (done,) = purge(secret.evaluation)

    assert [report.version for report in done.reports] == [1, 2]
    assert found_in(home_of(secret), READ, RIGHT) == []


@pytest.mark.on_sqlite
def test_raters_go_on_while_the_numbers_of_a_pool_are_kept(secret, monkeypatch):
    ended(secret, **FEW)
    kept, keep = [], text_files.keep_numbers

    def keep_beside_a_writer(*arguments, **options):
        keep(*arguments, **options)
        with sqlite3.connect(home_of(secret) / "ocrjury.db", timeout=0.1) as writer:
            writer.execute("BEGIN IMMEDIATE")
            kept.append(arguments[1])
        writer.close()

    monkeypatch.setattr(text_files, "keep_numbers", keep_beside_a_writer)

    (done,) = purge(secret.evaluation)

    assert kept == [done.pool]
    assert done.pool in done.files
