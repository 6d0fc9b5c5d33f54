import shutil
from datetime import UTC, datetime

import pytest

import ocrjury.flows.advance_evaluation as advance
from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.delivery import resting_evaluations
from ocrjury.delivery.resting_evaluations import find_resting
from ocrjury.errors import StateError
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.overview import overview_page
from ocrjury.evaluation.standings import was_anything_opened
from ocrjury.signals.own_server import make_password
from ocrjury.store.audit import add_audit
from ocrjury.store.database import writing
from ocrjury.store.decisions import add_request
from ocrjury.store.outbox import list_unsent
from ocrjury.store.stale_signals import drop_stale
from tests.another_version import REASON, of_another_version


def unsent(small):
    with at_work() as work:
        drop_stale(work.engine, now=work.now)
        return [signal.name for signal in list_unsent(work.engine)]


@pytest.fixture
def waiting(small):
    small.write(rounds={"frontend": "file"}, sampling={"n": 40}).open()
    return small


def test_an_evaluation_of_another_version_keeps_no_sweep_from_the_others(waiting):
    other = waiting.evaluation
    waiting.rate()
    waiting.open_only("q")
    waiting.evaluation = other

    with at_work() as work, of_another_version(work.engine, "small-q"):
        end = advance.sweep()

    assert end.is_failed()
    assert f"small-q failed; the others went on. small-q: small-q {REASON}" in end.message
    assert waiting.rows()[-1] != "7"


@pytest.mark.usefixtures("database")
def test_the_trouble_of_one_evaluation_of_whatever_kind_keeps_no_sweep_from_the_others(
    waiting,
):
    damaged = waiting.evaluation
    waiting.rate()
    waiting.monkeypatch.setitem(advance.STEPS, ("rated", "judged"), lambda *_: 1 / 0)
    waiting.pool = waiting.pool[:50]
    waiting.write(rounds={"frontend": "file"}, sampling={"n": 40}).open_only("q")

    end = advance.sweep()

    assert end.is_failed()
    assert f"{damaged} failed; the others went on. {damaged}: ZeroDivisionError" in end.message
    assert waiting.rows()[-1] == "7"


def test_an_evaluation_whose_stored_pool_is_damaged_is_held_and_goes_on_when_it_is_restored(
    waiting,
):
    waiting.rate()
    with at_work() as work:
        files = work.store.files.folder
    [pool] = files.glob("pool-*")
    whole = pool.read_bytes()
    pool.write_bytes(whole[: len(whole) // 2])

    held = advance.sweep()

    assert held.is_completed(), held.message
    assert f"error: {pool}, the scored pool of an evaluation, is damaged. Put back" in held.message
    pool.write_bytes(whole)
    assert waiting.decide("retry").name == "WaitingForRatings"


@pytest.mark.usefixtures("database")
def test_what_breaks_while_it_is_kept_that_nothing_is_due_keeps_no_sweep_from_the_others(waiting):
    broken, idle_until = waiting.evaluation, resting_evaluations.idle_until
    waiting.open_only("q")

    def idle(case):
        return {}[case.name] if case.name == broken else idle_until(case)

    waiting.monkeypatch.setattr(resting_evaluations, "idle_until", idle)

    end, looked = sweep_and_look(waiting)

    assert looked == [broken, waiting.evaluation]
    assert end.is_completed(), end.message


def test_a_sweep_that_finds_nothing_new_leaves_no_task(waiting):
    for look in ("read_prospects", "hand_out", "fetch_ratings", "measure_progress"):
        waiting.monkeypatch.setattr(advance, look, lambda *_: 1 / 0)

    end = advance.sweep()

    assert end.is_completed(), end.message
    assert end.message.startswith(f"{waiting.evaluation}: 0 of ")


def sweep_and_look(small):
    """Sweep; return how it ended, and which evaluations it looked at."""
    looked, look = [], advance.advance_until_waiting
    with small.monkeypatch.context() as patch:
        patch.setattr(
            advance, "advance_until_waiting", lambda name: looked.append(name) or look(name)
        )
        return advance.sweep(), looked


@pytest.mark.usefixtures("database")
def test_where_nothing_is_new_a_sweep_looks_at_nothing_however_much_is_open(waiting, statements):
    waiting.open_only("q")
    first = advance.sweep()
    assert "0 of 80" in sweep_and_look(waiting)[0].message  # the other one has moved before
    del statements[:]

    end, looked = sweep_and_look(waiting)

    assert (end.name, end.message, looked) == ("Swept", first.message, [])
    assert len(statements) < 40  # a look takes more for each evaluation


def note(small, action):
    """Write a line about one assignment into the audit log."""
    who = {"actor": "Kim", "address": "cli", "object_": f"{small.evaluation}/1/R01/0/d001"}
    now = datetime(2026, 11, 20, 9, tzinfo=UTC)
    with at_work() as work, writing(work.engine) as connection:
        add_audit(connection, action, **who, now=now)


def test_who_only_looks_at_items_gives_a_sweep_nothing_to_do(waiting):
    advance.sweep()

    note(waiting, "view")

    assert sweep_and_look(waiting)[1] == []


@pytest.mark.usefixtures("database")
def test_an_evaluation_that_came_to_rest_while_the_clock_was_ahead_is_looked_at_again(small):
    small.write(rounds={"frontend": "file", "deadline_days": 60}).open()
    small.at(28)
    advance.sweep()
    assert sweep_and_look(small)[1] == []
    small.at(20)

    _, looked = sweep_and_look(small)

    assert looked == [small.evaluation]


@pytest.mark.usefixtures("database")
def test_a_rating_that_comes_in_while_a_sweep_looks_is_seen_by_the_next_one(waiting):
    def rate_meanwhile(name):
        waiting.rate(count=1)
        return [] if name else None

    with waiting.monkeypatch.context() as patch:
        patch.setattr(advance, "has_news", rate_meanwhile)
        advance.sweep()

    assert "1 of 80" in advance.sweep().message


def test_a_page_that_is_not_as_it_was_left_is_put_anew(waiting):
    advance.sweep()
    with at_work() as work:
        page = overview_page(work.case(waiting.evaluation)).markdown

    def at_rest(shown):
        return [*find_resting(lambda _: shown).rests]

    [name] = at_rest({waiting.evaluation: page})
    assert at_rest({}) == at_rest({name: "an hour ago"}) == []
    assert at_rest(None) == [name]  # Prefect does not answer


@pytest.mark.usefixtures("database")
def test_a_signal_is_posted_only_while_there_is_something_to_do(waiting):
    waiting.rate()
    assert unsent(waiting) == ["ocrjury.round.complete"]

    waiting.advance()

    assert unsent(waiting) == []


@pytest.mark.usefixtures("database")
def test_a_decision_is_announced_until_it_was_taken(small, now):
    small.write(rounds={"frontend": "file"}, pool={"path": "nowhere.jsonl"}).open()
    asked = {"decision": "abort", "target": DecisionTarget(), "reason": "enough", "actor": "Kim"}
    with at_work() as work, writing(work.engine) as connection:
        add_request(connection, work.case(small.evaluation).standing.position, **asked, now=now)
    assert unsent(small) == ["ocrjury.decision.requested"]

    small.advance()

    assert "ocrjury.decision.requested" not in unsent(small)


@pytest.mark.on_sqlite
def test_a_home_that_is_gone_is_said_to_be_gone_and_gets_no_new_store(waiting, tmp_path):
    home = tmp_path / "home"
    shutil.rmtree(home)

    with pytest.raises(StateError, match="is gone, or not mounted: there is no store in it"):
        was_anything_opened()
    with pytest.raises(StateError, match="is gone, or not mounted"), at_work():
        pass

    assert not home.exists()


def test_a_home_that_is_gone_is_missed_though_the_database_is_elsewhere(small, tmp_path):
    home = tmp_path / "home"
    small.monkeypatch.setenv("OCRJURY_DATABASE_URL", f"sqlite:///{tmp_path}/x.db")
    small.write(rounds={"frontend": "file"}).open()
    shutil.rmtree(home)

    with pytest.raises(StateError, match="is gone, or not mounted: there are no files in it"):
        advance.sweep()
    assert not home.exists()
    home.mkdir()  # where nothing is mounted
    with pytest.raises(StateError, match="there are no files in it"):
        small.open_only("q")

    assert [*home.iterdir()] == []


def test_a_new_home_is_not_one_that_is_gone(tmp_path, monkeypatch):
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path))
    make_password(tmp_path)

    assert not was_anything_opened()
