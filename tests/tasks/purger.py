"""Remove the texts of an evaluation in a process of its own, which is killed or has no time."""

import os
import signal
from pathlib import Path

from ocrjury.errors import OcrjuryError
from ocrjury.evaluation.case import at_work
from ocrjury.report.stored_files import store_report
from ocrjury.retention import purge
from ocrjury.store import database


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def die_after(step, evaluation):
    """Remove the texts, and die after a step, which is a function of `ocrjury.retention.purge`."""
    take = getattr(purge, step)

    def dying(*arguments, **options):
        take(*arguments, **options)
        die()

    setattr(purge, step, dying)
    with at_work() as work:
        purge.purge_texts(work.store, [evaluation], actor="J. Kim", address="cli", now=work.now)


def die_while_printing(evaluation):
    """Write a report whose PDF is half done when the process is killed."""

    def dying(html, path):
        Path(path).write_text(html, "utf-8")
        die()

    with at_work() as work:
        store_report(work.store, evaluation, kind="final", enclose=dying, write=dying)


def purge_in_haste(evaluation, start):
    """The name of the error that a purge without patience for others ends with."""
    keep = database._set_pragmas
    database._set_pragmas = lambda connection, record: (
        keep(connection, record),
        connection.execute("PRAGMA busy_timeout=300").close(),
    )
    start.wait(60)
    try:
        with at_work() as work:
            purge.purge_texts(work.store, [evaluation], actor="J. Kim", address="cli", now=work.now)
    except OcrjuryError as error:
        return type(error).__name__
    return None
