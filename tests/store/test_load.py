"""What whoever watches an installation asks of its store, on both databases."""

from datetime import timedelta

import sqlalchemy as sa

from ocrjury.store.database import writing
from ocrjury.store.load import Load, count_load, has_current_tables
from ocrjury.store.outbox import add_signal, mark_sent
from ocrjury.store.rounds import close_round


def test_what_is_open_is_counted(engine, evaluation, now):
    with writing(engine) as connection:
        add_signal(connection, evaluation, name="ocrjury.round.complete", about="1", now=now)
        add_signal(connection, evaluation, name="ocrjury.round.complete", about="2", now=now)
    mark_sent(engine, [f"{evaluation}.1.ocrjury.round.complete"], now=now)

    in_time, late = (count_load(engine, now=now + timedelta(days=days)) for days in (1, 8))

    assert in_time == Load({"collecting": 1}, {"file": 1}, 0, 4, 1)
    assert late.overdue == 1


def test_a_round_that_is_closed_owes_nothing(engine, evaluation, now):
    with writing(engine) as connection:
        close_round(connection, evaluation, by="lead", now=now)

    load = count_load(engine, now=now + timedelta(days=8))

    assert load == Load({"collecting": 1}, {}, 0, 0, 0)


def test_tables_of_another_version_are_told_apart(engine):
    current = has_current_tables(engine)
    with writing(engine) as connection:
        connection.execute(sa.text("update alembic_version set version_num = '9999'"))

    assert current
    assert not has_current_tables(engine)
