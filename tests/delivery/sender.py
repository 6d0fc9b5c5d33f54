"""Send some emails in a process of its own, from a given moment on."""

import time
from datetime import datetime
from functools import partial

from ocrjury.delivery import MailServer
from ocrjury.delivery.reminders import Reminder, send_reminder
from ocrjury.store.database import open_database


def reminder(number, now):
    return Reminder(
        evaluation="claims-2026w47",
        title="Claims",
        round=1,
        rater=f"R{number:02d}",
        recipient=f"r{number:02d}@example.org",
        open=3,
        minutes=5,
        deadline=now,
        overdue=False,
        page="https://rate.example.org",
        languages=("en",),
    )


def deliver(pipe, url, port, count, now):
    """Say that this process is ready, wait for the moment to send, and say how many it sent."""
    deadline = datetime.fromisoformat("2026-11-27T09:00:00+00:00")
    server = MailServer(host="127.0.0.1", port=port, sender="o@example.org", starttls=False)
    engine = open_database(url)
    send = partial(send_reminder, engine, server=server, now=now)
    pipe.send("ready")
    if not pipe.poll(120):
        raise TimeoutError("nobody said when to send")
    time.sleep(max(pipe.recv() - time.time(), 0))
    sent = [send(reminder(number, deadline)) for number in range(count)]
    engine.dispose()
    pipe.send(sum(one is not None for one in sent))
