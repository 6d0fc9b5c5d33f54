"""Of processes that deliver at once one sends each mail, to a real mail server."""

import email
import time
from collections import Counter
from datetime import timedelta
from email.policy import default

import pytest

from ocrjury.delivery.mail import LONGEST
from ocrjury.store.database import open_database
from ocrjury.store.reports import list_deliveries
from ocrjury.store.sendings import CLAIM_LASTS, UNKNOWN
from tests.delivery.sender import deliver
from tests.forks import FORKED
from tests.mailbox import open_mailbox


@pytest.fixture
def mailbox():
    with open_mailbox() as box:
        yield box


def start(url, mailbox, *, now, emails=1):
    """A process that waits for the moment at which it sends, and our end of its pipe."""
    pipe, theirs = FORKED.Pipe()
    process = FORKED.Process(target=deliver, args=(theirs, url, mailbox.port, emails, now))
    process.start()
    theirs.close()
    assert heard(pipe) == "ready"
    return process, pipe


def heard(pipe):
    """What a process says; a dead one says nothing more, which is an error."""
    assert pipe.poll(120)
    return pipe.recv()


def go(*started, at=None):
    """Let processes send, and return how many emails each sent."""
    moment = at or time.time() + 0.2
    for _, pipe in started:
        pipe.send(moment)
    numbers = [heard(pipe) for _, pipe in started]
    for process, _ in started:
        process.join(60)
    assert [process.exitcode for process, _ in started] == [0] * len(started)
    return numbers


def ledger(url):
    engine = open_database(url)
    try:
        return [
            (delivery.recipient, delivery.attempt, delivery.state, delivery.detail)
            for delivery in list_deliveries(engine, "claims-2026w47")
        ]
    finally:
        engine.dispose()


def test_two_processes_send_every_mail_once(database_url, mailbox, now):
    open_database(database_url).dispose()
    mailbox.seconds, mailbox.least = 0.02, 2  # the first is kept until the other one sends
    processes = [start(database_url, mailbox, now=now, emails=20) for _ in range(2)]

    sent = go(*processes)

    assert sum(sent) == 20
    assert min(sent) > 0
    arrived = Counter(to for envelope in mailbox.envelopes for to in envelope.rcpt_tos)
    assert arrived == {f"r{number:02d}@example.org": 1 for number in range(20)}
    assert Counter(state for _, _, state, _ in ledger(database_url)) == {"sent": 20}


def test_what_a_killed_process_was_sending_is_sent_again_later_under_the_same_id(
    database_url, mailbox, now
):
    open_database(database_url).dispose()
    mailbox.seconds = 30
    killed, pipe = start(database_url, mailbox, now=now)
    pipe.send(0)
    assert mailbox.came.wait(60)  # the server has it, and has not said so yet
    killed.kill()
    killed.join(60)
    mailbox.seconds = 0

    at_once = go(start(database_url, mailbox, now=now + timedelta(minutes=9)), at=1)
    later = go(start(database_url, mailbox, now=now + CLAIM_LASTS), at=1)
    afterwards = go(start(database_url, mailbox, now=now + 2 * CLAIM_LASTS), at=1)

    assert (at_once, later, afterwards) == ([0], [1], [0])
    first, second = (
        email.message_from_bytes(envelope.content, policy=default) for envelope in mailbox.envelopes
    )
    assert first["Message-ID"] == second["Message-ID"]
    assert ledger(database_url) == [
        ("r00@example.org", 1, "failed", UNKNOWN),
        ("r00@example.org", 2, "sent", None),
    ]


def test_nobody_waits_for_a_mail_server_until_another_process_may_send():
    assert CLAIM_LASTS.total_seconds() > LONGEST + 60
