"""Removals that are due by time: texts, half-done purges and reports, old audit rows.

The sweep goes by the machine's clock, and what it removes is gone. So it announces every purge a
day before: a clock that jumps ahead and is set right within a day removes nothing. An announcement
to come was made while the clock was wrong; it is withdrawn, so that no later jump goes by it.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from ocrjury.pages.numbers import plural
from ocrjury.report.stored_files import Enclose, Write
from ocrjury.retention.purge import evaluations_without_report, purge_texts, renew_reports
from ocrjury.retention.schedule import due_evaluations, end_old_audit
from ocrjury.retention.text_files import find_halves, remove_halves
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.audit import add_lines, last_noted
from ocrjury.store.database import writing
from ocrjury.store.purges import PurgeRow, begun_only, list_ended, list_purges
from ocrjury.store.workspace import Store

ACTOR = "flow"
ANNOUNCED, WITHDRAWN = "purge announced", "purge withdrawn"
NOTICE = timedelta(days=1)
log = logging.getLogger(__name__)


class Removed(NamedTuple):
    """Evaluations whose texts went, those that lacked a report, and half-written files.

    `announced` are those whose texts go in a day, `withdrawn` those of which a clock that was wrong
    said so.
    """

    evaluations: list[str]
    without_report: list[str]
    halves: int
    announced: list[str]
    withdrawn: list[str]

    def __str__(self) -> str:
        """Say what went, in words."""
        many = plural(len(self.evaluations), "evaluation")
        soon, late = ", ".join(self.announced), ", ".join(self.withdrawn)
        sentences = {
            f"{many}: {', '.join(self.evaluations)}": self.evaluations,
            f"a new report was due for {', '.join(self.without_report)}": (
                self.without_report and not self.evaluations
            ),
            f"{plural(self.halves, 'half-written file')} of killed processes": self.halves,
            f"in a day, if the clock of this machine is right: {soon}": self.announced,
            f"not yet, as the clock was wrong when they were announced: {late}": self.withdrawn,
        }
        return "; ".join(sentence for sentence, true in sentences.items() if true)


def is_purge_due(store: Store, *, now: datetime) -> bool:
    """Return whether texts are due, or a killed process left a purge, report or file half done."""
    return bool(
        any(_due(store, now=now)) or find_halves(store) or evaluations_without_report(store)
    )


class _Due(NamedTuple):
    """Evaluations whose texts go now, of which that is announced, or withdrawn."""

    now: Sequence[str]
    unannounced: Sequence[str]
    untimely: Sequence[str]


def _due(store: Store, *, now: datetime) -> _Due:
    """Purges that are due now, or within the time of notice; what was begun needs none."""
    purges = list_purges(store.engine)
    begun, kept = begun_only(purges), _kept(store, purges)
    if not (kept or begun):
        return _Due([], [], [])
    announced = _announced(store, kept)
    timely = {name: at for name, at in announced.items() if at <= now}
    noticed = {name for name, at in timely.items() if at <= now - NOTICE}
    due, soon = (
        [row.evaluation for row in due_evaluations(store, now=moment)]
        for moment in (now, now + NOTICE)
    )
    return _Due(
        now=[name for name in due if name in begun or name in noticed],
        unannounced=[name for name in soon if name not in begun and name not in timely],
        untimely=[name for name in announced if name not in timely],
    )


def _kept(store: Store, purges: Sequence[PurgeRow]) -> list[str]:
    """Evaluations that have ended, whose texts are all there and go after so many days."""
    purged = {row.subject for row in purges}
    return [
        row.evaluation
        for row in list_ended(store.engine)
        if row.retention_days is not None and row.evaluation not in purged
    ]


def _announced(store: Store, names: Sequence[str]) -> dict[str, datetime]:
    """Moments of the announcements in force."""
    newest = last_noted(store.engine, ANNOUNCED, WITHDRAWN, objects=names)
    return {name: at for name, (action, at) in newest.items() if action == ANNOUNCED}


def _announce(store: Store, due: _Due, *, now: datetime) -> None:
    with writing(store.engine) as connection:
        for action, names in ((WITHDRAWN, due.untimely), (ANNOUNCED, due.unannounced)):
            add_lines(connection, action, [(ACTOR, name, ACTOR) for name in names], now=now)


def purge_due(
    store: Store,
    *,
    now: datetime,
    audit_days: int,
    enclose: Enclose,
    write: Write,
    tick: Tick = unwatched,
) -> Removed:
    """Remove the texts that are due, with them audit rows that are old enough; renew reports.

    Parameters
    ----------
    enclose
        What makes the attachments of an archived report.
    write
        What makes a PDF of HTML.
    """
    halves = remove_halves(store)
    due = _due(store, now=now)
    if due.unannounced or due.untimely:
        _announce(store, due, now=now)
    purges = purge_texts(store, due.now, actor=ACTOR, address=ACTOR, now=now)
    # Also those of purges that were killed before they wrote them.
    lacking = evaluations_without_report(store)
    parts = Parts(tick, len(lacking))
    for name in parts.each(lacking, "new report of"):
        if why := renew_reports(store, name, now=now, enclose=enclose, write=write):
            log.warning("the report of %s was not written anew: %s", name, why)
    if purges:
        end_old_audit(store, days=audit_days, actor=ACTOR, now=now)
    return Removed(
        [row.subject for row in purges],
        lacking,
        halves,
        list(due.unannounced),
        [name for name in due.untimely if name not in due.unannounced],
    )
