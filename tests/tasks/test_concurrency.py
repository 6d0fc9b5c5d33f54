"""Some processes on one evaluation come to what one would."""

import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

import ocrjury.flows.advance_evaluation as advance
from ocrjury.errors import InputError, LostRaceError
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.progress import keep_progress
from ocrjury.frontends.ingest import OpenRound
from ocrjury.store import results
from ocrjury.store.database import reading, writing
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.ratings import list_ratings
from ocrjury.store.reports import DeliveryRow, add_delivery, list_reports
from ocrjury.store.results import latest_results
from ocrjury.store.rounds import close_round, list_assignments
from ocrjury.tasks import collecting as collecting_task
from ocrjury.tasks import hold_if_refused
from tests.forks import at_once
from tests.locks import wait_for_waiting
from tests.tasks.racer import race


def raced(small, home, *, count, url=None):
    """What is stored after some processes opened and advanced at the same moment."""
    small.monkeypatch.setenv("OCRJURY_HOME", str(home))
    if url is not None:
        small.monkeypatch.setenv("OCRJURY_DATABASE_URL", url)
    ends = at_once(race, str(small.path), count=count)
    small.evaluation = "small-p"
    return {
        "ends": ends,
        "state": small.stored(read_evaluation).state,
        "rows": small.rows(),
        "ratings": [tuple(one)[:6] for one in small.stored(list_ratings)],
        "assignments": small.stored(list_assignments),
        "estimates": small.stored(latest_results, "estimate"),
        "reports": [(one.kind, one.version) for one in small.stored(list_reports)],
    }


def test_processes_at_once_end_like_one_on_both_databases(small, tmp_path, postgres_url):
    """The drill `tests.drill.race` does so many times, with more of them on PostgreSQL."""
    small.write(sampling={"n": 58, "floor": 0})

    alone = raced(small, tmp_path / "one", count=1)
    together = [
        raced(small, tmp_path / "sqlite", count=4),
        raced(small, tmp_path / "postgresql", count=2, url=postgres_url),
    ]

    assert alone.pop("ends") == ["Closed"]
    assert [one.pop("ends") for one in together] == [["Closed"] * 4, ["Closed"] * 2]
    assert together == [alone, alone]


def test_a_rehearsal_that_lost_the_race_reads_again(small, monkeypatch):
    small.write().open_only()
    rate = collecting_task.rate_open_assignments
    once = []

    def late(*evaluation, **options):
        if not once:
            once.append(rate(*evaluation, **options))
        return rate(*evaluation, **options)

    monkeypatch.setattr(collecting_task, "rate_open_assignments", late)

    assert small.advance().name in {"Closed", "Held"}


def test_ratings_of_a_round_that_another_process_closed_are_a_lost_race(small, monkeypatch, now):
    small.write().open_only()
    monkeypatch.setattr(advance, "rate_by_simulation", lambda _: False)
    small.advance()
    assignments = OpenRound.assignments

    def closed_meanwhile(round_, state):
        rows = assignments(round_, state)
        with writing(round_.store.engine) as connection:
            close_round(connection, round_.evaluation, by="test", now=now)
        return rows

    monkeypatch.setattr(OpenRound, "assignments", closed_meanwhile)

    with pytest.raises(LostRaceError, match="the round is closed"):
        collecting_task.rate_by_simulation.fn(small.evaluation)
    with pytest.raises(LostRaceError, match="another process rated it first"):
        collecting_task.rate_by_simulation.fn(small.evaluation)


def test_a_step_refused_after_another_process_moved_is_a_lost_race(small):
    small.write(rounds={"frontend": "file"}).open()
    with at_work() as work:
        position = work.case(small.evaluation).standing.position

    @hold_if_refused
    def refuse(_prospects, _step):
        raise InputError("what was planned is no more")

    with pytest.raises(LostRaceError, match="another process moved it"):
        refuse(SimpleNamespace(position=position._replace(version=position.version - 1)), None)
    assert small.stored(read_evaluation).state == "collecting"


def test_a_step_that_misses_something_has_lost_a_race_only_if_the_evaluation_moved(small):
    small.write(rounds={"frontend": "file"}).open()
    with at_work() as work:
        position = work.case(small.evaluation).standing.position
    earlier = position._replace(version=position.version - 1)

    @hold_if_refused
    def read_between_two_moves(_prospects, _step):
        raise KeyError(1)

    with pytest.raises(LostRaceError, match="another process moved small-p"):
        read_between_two_moves(SimpleNamespace(position=earlier, evaluation="small-p"), None)
    with pytest.raises(KeyError):
        read_between_two_moves(SimpleNamespace(position=position, evaluation="small-p"), None)


def test_nothing_is_told_of_the_progress_of_a_round_that_another_process_closed(small, monkeypatch):
    small.write(rounds={"frontend": "file"}).open()
    small.rate()
    assert collecting_task.is_progress(small.evaluation)
    monkeypatch.setitem(advance.STEPS, ("rated", "judged"), lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        small.advance()

    collecting_task.measure_progress.fn(small.evaluation)

    assert small.stored(read_evaluation).state == "rated"
    assert not collecting_task.is_progress(small.evaluation)
    assert small.stored(latest_results, "preview") == {}


def test_two_deliveries_at_once_are_noted_once(small, now):
    small.write(rounds={"frontend": "file"}).open()
    sent = DeliveryRow("<m>", 1, "report", "a@example.org", "0", "sent", None, now)
    with at_work() as work:
        add_delivery(work.engine, small.evaluation, sent)

        with pytest.raises(LostRaceError, match="another process delivered <m>"):
            add_delivery(work.engine, small.evaluation, sent._replace(attempt=2))


def test_files_arrive_while_the_evaluation_is_advanced(small):
    small.write(rounds={"frontend": "file"}, sampling={"n": 58, "floor": 0}).open()
    failures = []

    def hand_in():
        try:
            for rater in ("R01", "R02", "R03", "R04"):
                for _ in range(3):
                    small.rate([rater], count=10)
        except Exception as error:  # noqa: BLE001  # whatever a thread dies of
            failures.append(error)

    thread = threading.Thread(target=hand_in)
    thread.start()
    while thread.is_alive():
        small.advance()
    thread.join(60)
    small.advance()

    assert failures == []
    assert len(small.stored(list_ratings)) == 116
    assert "9" in small.rows()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
@pytest.mark.usefixtures("database")
def test_two_runs_keep_the_agreement_so_far_once(small, monkeypatch):
    small.write(rounds={"frontend": "file"}).open()
    small.rate(count=20)
    add, others, second = results._add_version, ThreadPoolExecutor(1), []

    def keep():
        with at_work() as work:
            keep_progress(work.case(small.evaluation))

    def add_beside_another(connection, *given, **values):
        add(connection, *given, **values)
        if not second:
            second.append(others.submit(keep))
            wait_for_waiting(connection.engine)

    monkeypatch.setattr(results, "_add_version", add_beside_another)
    with others:
        keep()
        second[0].result(60)

    query = sa.select(results.results.c.kind, results.results.c.version)
    with at_work() as work, reading(work.engine) as connection:
        kept = connection.execute(query.where(results.results.c.round == 1)).tuples().all()
    assert sorted(kept) == [("interim", 1), ("preview", 1)]
