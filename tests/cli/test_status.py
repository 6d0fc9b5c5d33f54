from datetime import timedelta

from ocrjury.store.database import writing
from ocrjury.store.rounds import change_round


def test_without_a_store_nothing_is_open_and_none_is_made(run, home):
    answer = run("status")

    assert answer.code == 0
    assert answer.out == f"nothing is open (there is no store at {home / 'ocrjury.db'} yet)\n"
    assert not home.exists()


def test_an_empty_store_has_nothing_open(run, store):
    assert run("status").out == "nothing is open\n"


def test_an_open_round_waits_for_its_raters(run, collecting):
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
    assert "a decision: proceed, recalibrate, abort" in out


def test_one_that_can_go_on_says_how(run, opened):
    assert f"the next step: ocrjury evaluation advance {opened}" in run("status").out


def _now():
    from ocrjury.campaign.settings import Settings

    return Settings.from_environment().now()
