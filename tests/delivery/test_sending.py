"""Of processes that deliver at once one sends each mail, to a real mail server."""

import email
import subprocess
import sys
import time
from collections import Counter
from datetime import timedelta
from email.policy import default
from pathlib import Path

import pytest

from ocrjury.store.database import open_database
from ocrjury.store.reports import list_deliveries
from ocrjury.store.sendings import CLAIM_LASTS, UNKNOWN
from tests.mailbox import open_mailbox

ROOT = Path(__file__).resolve().parents[2]
SENDER = Path(__file__).with_name("sender.py")


@pytest.fixture
def mailbox():
    with open_mailbox() as box:
        yield box


def start(url, mailbox, *, now, mails=1):
    """Return a process that waits for the moment at which it sends."""
    process = subprocess.Popen(
        [sys.executable, str(SENDER), url, str(mailbox.port), str(mails), now.isoformat()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout.readline() == "ready\n"
    return process


def go(*processes, at=None):
    """Let processes send, and return how many mails each sent."""
    moment = at or time.time() + 0.2
    for process in processes:
        process.stdin.write(f"{moment}\n")
        process.stdin.flush()
    said = [process.communicate(timeout=120)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes)
    return [int(one) for one in said]


def ledger(url):
    engine = open_database(url)
    try:
        return [
            (one.recipient, one.attempt, one.state, one.detail)
            for one in list_deliveries(engine, "claims-2026w47")
        ]
    finally:
        engine.dispose()


def test_two_processes_send_every_mail_once(database_url, mailbox, now):
    open_database(database_url).dispose()
    mailbox.seconds, mailbox.least = 0.02, 2  # the first is kept until the other one sends
    processes = [start(database_url, mailbox, now=now, mails=20) for _ in range(2)]

    sent = go(*processes)

    assert sum(sent) == 20
    assert min(sent) > 0
    arrived = Counter(to for one in mailbox.envelopes for to in one.rcpt_tos)
    assert arrived == {f"r{number:02d}@example.org": 1 for number in range(20)}
    assert Counter(state for _, _, state, _ in ledger(database_url)) == {"sent": 20}


def test_what_a_killed_process_was_sending_is_sent_again_later_under_the_same_id(
    database_url, mailbox, now
):
    open_database(database_url).dispose()
    mailbox.seconds = 30
    killed = start(database_url, mailbox, now=now)
    killed.stdin.write("0\n")
    killed.stdin.flush()
    assert mailbox.came.wait(60)  # the server has it, and has not said so yet
    killed.kill()
    killed.communicate(timeout=120)
    mailbox.seconds = 0

    at_once = go(start(database_url, mailbox, now=now + timedelta(minutes=9)), at=1)
    later = go(start(database_url, mailbox, now=now + CLAIM_LASTS), at=1)
    afterwards = go(start(database_url, mailbox, now=now + 2 * CLAIM_LASTS), at=1)

    assert (at_once, later, afterwards) == ([0], [1], [0])
    first, second = (
        email.message_from_bytes(one.content, policy=default) for one in mailbox.envelopes
    )
    assert first["Message-ID"] == second["Message-ID"]
    assert ledger(database_url) == [
        ("r00@example.org", 1, "failed", UNKNOWN),
        ("r00@example.org", 2, "sent", None),
    ]
