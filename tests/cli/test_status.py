from datetime import UTC, datetime, timedelta

import pytest

from ocrjury.cli.store_access import OTHERWISE
from ocrjury.signals.stuck_runs import StuckRun
from ocrjury.store.database import writing
from ocrjury.store.rounds import change_round
from ocrjury.store.shown_images import ShownImage, note_shown
from tests.another_version import REASON, of_another_version
from tests.cli.conftest import NOW, opened_for


@pytest.mark.parametrize("words", [("status",), ("evaluation", "list")])
def test_without_a_store_it_says_where_it_looked_and_makes_none(run, home, words):
    answer = run(*words)

    assert answer == (
        0,
        f"There is no store in {home}, which OCRJURY_HOME names. {OTHERWISE}\n",
        "",
    )
    assert not home.exists()


def test_without_a_home_it_says_that_none_is_set(run, tmp_path, monkeypatch):
    monkeypatch.delenv("OCRJURY_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    assert run("status").out == (
        f"There is no store in this folder or above it, and OCRJURY_HOME is not set. {OTHERWISE}\n"
    )
    (tmp_path / ".ocrjury").mkdir()
    assert run("status").out == (
        f"There is no store in {tmp_path / '.ocrjury'}, the one in this folder; "
        f"OCRJURY_HOME is not set. {OTHERWISE}\n"
    )


def test_a_store_that_nobody_named_is_found_from_below_and_named(
    run, store, collecting, home, monkeypatch
):
    below = home.parent / "claims" / "raters"
    below.mkdir(parents=True)
    monkeypatch.delenv("OCRJURY_HOME")
    monkeypatch.setenv("HOME", str(home.parent / "me"))
    monkeypatch.chdir(below)
    assert run("raters", "links", collecting).code == 2
    found = home.rename(home.parent / ".ocrjury")

    above = run("raters", "links", collecting)
    listed = run("evaluation", "list")
    monkeypatch.setenv("OCRJURY_HOME", str(found))

    line = f"Store: {found}, the nearest above this folder, since OCRJURY_HOME is not set\n"
    assert (above.code, above.err, listed.err) == (0, line, line)
    assert run("raters", "links", collecting).err == ""


def test_a_database_of_ones_own_is_named(run, tmp_path, monkeypatch):
    monkeypatch.setenv("OCRJURY_DATABASE_URL", f"sqlite:///{tmp_path}/x.db")

    assert run("status").out == (
        f"There is no store at {tmp_path}/x.db, which OCRJURY_DATABASE_URL names. {OTHERWISE}\n"
    )


def test_an_empty_store_has_nothing_open(run, store):
    assert run("status").out == "nothing is open\n"


def test_page_images_that_changed_since_the_draw_are_named(run, store, collecting):
    note_shown(store.engine, collecting, [ShownImage("d1", "a", "b")], now=NOW)

    sentence = "1 item was shown with a page image that had changed since the draw: d1."
    assert f"{collecting}: {sentence}" in run("status").out.splitlines()
    shown = " ".join(run("evaluation", "show", collecting).out.split())
    assert f"images {sentence}" in shown


def test_an_open_round_waits_for_its_raters(run, collecting):
    assert run("status").out.split()[2] == "assignments"
    line = [cell.strip() for cell in run("status").out.splitlines()[1].split("  ")]

    assert line[:3] == [collecting, "collecting", "0 of 4"]
    assert line[-1] == "R01, R02 until 2026-11-27 18:00 Asia/Seoul"


def test_a_late_round_says_since_when(run, store, collecting):
    with writing(store.engine) as connection:
        change_round(connection, collecting, deadline=_now() - timedelta(hours=1))

    assert "R01, R02; overdue since 2026-11-20 17:00 Asia/Seoul" in run("status").out


def test_a_held_evaluation_waits_for_a_decision(run, held):
    out = run("status").out

    assert "held (gate_failed)" in out
    assert "a decision: proceed, recalibrate, abort\n" in out


def test_one_that_can_go_on_says_how(run, opened):
    assert f"the next step: ocrjury evaluation advance {opened}" in run("status").out


def _now():
    from ocrjury.campaign.settings import Settings

    return Settings.from_environment().now()


def test_a_crash_that_a_later_run_made_up_for_is_not_shown(run, opened, monkeypatch):
    crashed = StuckRun("w47-advance", "crashed", datetime.now(UTC), over=True)
    monkeypatch.setattr("ocrjury.cli.stuck_runs.stuck_runs", lambda: [crashed])

    assert "w47-advance" not in run("status").out


def test_stuck_runs_are_shown_before_the_first_evaluation_too(run, home, monkeypatch):
    late = StuckRun("open-weekly", "late", datetime(2026, 11, 23, 9, tzinfo=UTC))
    monkeypatch.setattr("ocrjury.cli.stuck_runs.stuck_runs", lambda: [late])

    nowhere, stuck = run("status").out.splitlines()

    assert nowhere.startswith(f"There is no store in {home}")
    assert stuck.startswith("No worker has taken the run open-weekly since 2026-11-23 ")


@pytest.mark.parametrize("words", [("status",), ("evaluation", "list")])
def test_an_evaluation_of_another_version_is_told_and_hides_no_other(run, store, opened, words):
    other = opened_for(store, "2026w48")

    with of_another_version(store.engine, opened):
        answer = run(*words)
        alone = run("evaluation", "show", opened)

    assert answer.code == 0
    assert f"{opened} {REASON}" in answer.out
    assert other in answer.out
    assert alone.code == 2
    assert f"{opened} {REASON}" in alone.err
