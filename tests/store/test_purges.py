"""Certificates of purges make one chain, in which a change shows."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury.store.database import open_database, writing
from ocrjury.store.purges import NewPurge, add_purge, begun_only, broken_rows, list_purges
from tests.conftest import NOW
from tests.locks import wait_for_waiting

NUMBERS = count()


def certify(engine, names, *, now):
    """Purge some subjects at one moment, as a run does: all are begun, then certified."""
    made = []
    for finished in (False, True):
        for name in names:
            new = NewPurge(name, 1, finished=finished, body={"reports": []}, actor="flow")
            with writing(engine) as connection:
                made.append(add_purge(connection, new, now=now))
    return made[len(names) :]


def test_certificates_of_one_moment_are_a_chain_in_any_order_of_names(engine, now):
    first = certify(engine, ["z", "a", "m"], now=now)
    second = certify(engine, ["k", "b"], now=now + timedelta(days=1))

    made = [*first, *second]
    assert [one.previous for one in made] == [None, *(one.sha256 for one in made[:-1])]
    assert broken_rows(list_purges(engine)) == []


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_no_two_certificates_of_one_moment_follow_the_same(engine, now):
    def add(connection, name):
        new = NewPurge(name, 1, finished=True, body={}, actor="flow")
        return add_purge(connection, new, now=now)

    def add_alone(name):
        with writing(engine) as connection:
            return add(connection, name)

    with ThreadPoolExecutor(1) as others:
        with writing(engine) as connection:
            first = add(connection, "a")
            second = others.submit(add_alone, "b")
            wait_for_waiting(engine)

        assert second.result(60).previous == first.sha256


def test_a_purge_has_ended_although_the_clock_was_set_back_before_its_certificate(engine, now):
    for number, finished, hours in ((1, False, 0), (1, True, -1), (2, False, -2)):
        new = NewPurge("a", number, finished=finished, body={"reports": []}, actor="flow")
        with writing(engine) as connection:
            add_purge(connection, new, now=now + timedelta(hours=hours))
        waiting = begun_only(list_purges(engine))
        assert [row.number for row in waiting.values()] == ([] if finished else [number])


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    engine = open_database(f"sqlite:///{tmp_path_factory.mktemp('purges')}/ocrjury.db")
    yield engine
    engine.dispose()


# Every example adds to one chain, which the later ones read whole: 30 make it some hundred long.
@settings(max_examples=30)
@given(
    runs=st.lists(st.permutations("abc"), min_size=1, max_size=3),
    days=st.lists(st.integers(0, 2), min_size=3, max_size=3),
    place=st.integers(0, 7),
)
def test_a_certificate_that_is_taken_out_or_changed_shows(kept, runs, days, place):
    made = []
    for run, day in zip(runs, days, strict=False):
        number = next(NUMBERS)
        names = [f"{name}{number}" for name in run]
        made += certify(kept, names, now=NOW + timedelta(days=day))
    rows = list_purges(kept)
    assert broken_rows(rows) == []

    victim = made[place % (len(made) - 1)]
    without = [row for row in rows if row != victim]
    changed = [row._replace(actor="nobody") if row == victim else row for row in rows]
    assert made[place % (len(made) - 1) + 1] in broken_rows(without)
    assert [row.subject for row in broken_rows(changed)] == [victim.subject]
