"""Lines of the audit log make one chain, in which every change shows."""

from datetime import timedelta
from threading import Thread

import pytest
import sqlalchemy as sa

from ocrjury.retention.schedule import end_old_audit
from ocrjury.store.audit import add_audit, add_lines
from ocrjury.store.audit_chain import verify_chain
from ocrjury.store.database import reading, writing
from ocrjury.store.schema.people import audit
from ocrjury.store.workspace import Store

UNGUARDED = {
    "sqlite": ("drop trigger audit_no_update", "drop trigger audit_no_delete"),
    "postgresql": ("alter table audit disable trigger all",),
}
COPIED = (
    "insert into audit (seq, actor, action, object, address, at, previous, sha256) "
    "select 9, actor, action, object, address, at, previous, sha256 from audit where seq = 4"
)


def add(engine, *actors, now):
    for actor in actors:
        with writing(engine) as connection:
            add_audit(connection, "view", actor=actor, object_="한글", address="::1", now=now)


def tamper(engine, statement):
    """Change the log as somebody would who owns the database."""
    with writing(engine) as connection:
        for unguard in UNGUARDED[engine.dialect.name]:
            connection.exec_driver_sql(unguard)
        connection.exec_driver_sql(statement)


def stored(engine):
    with reading(engine) as connection:
        return connection.execute(sa.select(audit.c.actor).order_by(audit.c.seq)).scalars().all()


@pytest.mark.parametrize(
    ("statement", "broken", "fitting"),
    [
        ("update audit set actor = 'R09' where seq = 2", 2, 1),
        ("update audit set reason = 'x' where seq = 4", 4, 3),
        ("delete from audit where seq = 1", 2, 0),
        ("delete from audit where seq = 3", 4, 2),
        ("update audit set seq = 9 where seq = 2", 3, 1),
        (COPIED, 9, 4),
    ],
)
def test_the_first_line_that_does_not_fit_is_named(engine, now, statement, broken, fitting):
    add(engine, "R01", "R02", "R03", "R04", now=now)
    whole = verify_chain(engine)
    assert (whole.broken, whole.lines, whole.head.seq) == (None, 4, 4)

    tamper(engine, statement)

    chain = verify_chain(engine)
    assert (chain.broken.seq, chain.lines) == (broken, fitting)


def test_an_end_that_was_cut_off_is_seen_by_who_noted_its_hash(engine, now):
    add(engine, "R01", "R02", now=now)
    head = verify_chain(engine).head.sha256
    add(engine, "R03", now=now)
    assert verify_chain(engine, head=head[:12]).known

    tamper(engine, "delete from audit where seq > 1")

    assert verify_chain(engine).broken is None
    assert not verify_chain(engine, head=head[:12]).known


def test_old_lines_leave_the_chain_whole_wherever_they_stand(engine, now, tmp_path):
    store = Store(engine, tmp_path)
    for day, actor in ((9, "R01"), (8, "R02"), (0, "R03"), (7, "R04"), (0, "R05"), (1, "R06")):
        add(engine, actor, now=now - timedelta(days=day))
    first = verify_chain(engine).head.sha256

    certificate = end_old_audit(store, days=5, actor="J. Kim", now=now)

    assert (certificate.body["rows"], len(certificate.body["ends"])) == (3, 2)
    assert stored(engine) == ["R03", "R05", "R06"]
    add(engine, "R07", now=now)
    assert verify_chain(engine, head=first)[::3] == (4, True)

    end_old_audit(store, days=5, actor="J. Kim", now=now + timedelta(days=9))

    # The newest line stays: the next one follows it.
    assert stored(engine) == ["R07"]
    add(engine, "R08", now=now)
    chain = verify_chain(engine)
    assert (chain.broken, chain.lines) == (None, 2)
    assert end_old_audit(store, days=5, actor="J. Kim", now=now) is None


def test_lines_of_an_undone_transaction_are_not_there(engine, now):
    with pytest.raises(ZeroDivisionError), writing(engine) as connection:
        add_audit(connection, "view", actor="R01", object_="a", address="-", now=now)
        _ = 1 / 0
    add(engine, "R02", now=now)

    assert stored(engine) == ["R02"]


def test_many_writers_at_once_make_one_chain(engine, now):
    def write(actor):
        for _ in range(5):
            with writing(engine) as connection:
                add_lines(connection, "rate", [(actor, "a", "-"), (actor, "b", "-")], now=now)

    threads = [Thread(target=write, args=(f"R{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    chain = verify_chain(engine)
    assert (chain.broken, chain.lines) == (None, 40)
