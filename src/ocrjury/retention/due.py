"""What is due by time: texts, half-done purges and reports, old audit rows."""

import logging
from datetime import datetime
from typing import NamedTuple

from ocrjury.pages.numbers import plural
from ocrjury.report.stored_files import Enclose, Write
from ocrjury.retention.purge import evaluations_without_report, purge_texts, renew_reports
from ocrjury.retention.schedule import due_evaluations, end_old_audit
from ocrjury.retention.text_files import find_halves, remove_halves
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.workspace import Store

ACTOR = "flow"
log = logging.getLogger(__name__)


class Removed(NamedTuple):
    """Evaluations whose texts went, those that lacked a report, and half-written files."""

    evaluations: list[str]
    without_report: list[str]
    halves: int

    def __str__(self) -> str:
        """Say what went, in words."""
        many = plural(len(self.evaluations), "evaluation")
        sentences = {
            f"{many}: {', '.join(self.evaluations)}": self.evaluations,
            f"a new report was due for {', '.join(self.without_report)}": (
                self.without_report and not self.evaluations
            ),
            f"{plural(self.halves, 'half-written file')} of killed processes": self.halves,
        }
        return "; ".join(sentence for sentence, true in sentences.items() if true)


def is_purge_due(store: Store, *, now: datetime) -> bool:
    """Whether texts are due, or a killed process left a purge, report or file half done."""
    return bool(
        due_evaluations(store, now=now) or find_halves(store) or evaluations_without_report(store)
    )


def purge_due(
    store: Store,
    *,
    now: datetime,
    audit_days: int,
    enclose: Enclose,
    write: Write,
    tick: Tick = unwatched,
) -> Removed:
    """Remove the texts that are due and audit rows that are old enough, and renew reports.

    Parameters
    ----------
    enclose
        What makes the attachments of an archived report.
    write
        What makes a PDF of HTML.
    """
    halves = remove_halves(store)
    names = [row.evaluation for row in due_evaluations(store, now=now)]
    purges = purge_texts(store, names, actor=ACTOR, address=ACTOR, now=now)
    # Also those of purges that were killed before they wrote them.
    lacking = evaluations_without_report(store)
    parts = Parts(tick, len(lacking))
    for name in parts.each(lacking, "new report of"):
        if why := renew_reports(store, name, now=now, enclose=enclose, write=write):
            log.warning("the report of %s was not written anew: %s", name, why)
    end_old_audit(store, days=audit_days, actor=ACTOR, now=now)
    return Removed([row.subject for row in purges], lacking, halves)
