"""Remove the texts of evaluations that have ended, and certify it.

What is to go is written down together with the removal from the tables; files follow, then the
bytes in the database file; the certificate comes last. A purge that was killed goes on where it
stopped. Ratings, scores, inclusion probabilities, verdicts, truths and estimates stay.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from ocrjury.errors import OcrjuryError, RefusedError
from ocrjury.report.pdf import write_pdf
from ocrjury.report.stored_files import Enclose, Write, store_report
from ocrjury.retention.text_files import (
    FileCount,
    folders_of,
    keep_pool_numbers,
    remove_folder,
    remove_halves,
)
from ocrjury.store.audit import add_audit
from ocrjury.store.database import reading, writing
from ocrjury.store.documents import TextCounts, count_texts, take_texts
from ocrjury.store.evaluations import ENDED, read_evaluation
from ocrjury.store.purges import (
    AUDIT,
    NewPurge,
    PurgeRow,
    RemovedReport,
    add_purge,
    begun_only,
    compact,
    list_purges,
    users_of_pool,
)
from ocrjury.store.reports import ReportRow, add_report, list_reports
from ocrjury.store.unused_files import lock_files
from ocrjury.store.workspace import Store


class PurgePlan(NamedTuple):
    """Plan of a purge; `pool_users` still need the snapshot, which stays as long."""

    evaluation: str
    counts: TextCounts
    pool: str | None
    pool_users: Sequence[str]
    reports: Sequence[ReportRow]
    folders: Sequence[FileCount]

    @property
    def empty(self) -> bool:
        """Whether nothing is left to remove."""
        texts = self.counts.documents or self.counts.items
        return not (texts or (self.pool and not self.pool_users) or self.reports or self.folders)

    def to_json(self) -> dict[str, Any]:
        """JSON body of the certificate."""
        return {
            "texts": self.counts._asdict(),
            "pool": self.pool,
            "reports": [
                RemovedReport(of.kind, of.language, of.version, of.html_uri, of.pdf_uri)
                for of in self.reports
            ],
            "folders": [list(folder) for folder in self.folders],
        }


def plan_purges(store: Store, evaluations: Sequence[str]) -> list[PurgePlan]:
    """Plans of what a purge of some evaluations would remove, in their order.

    Raises
    ------
    RefusedError
        If one of them has not ended.
    """
    beside = [*evaluations, *_purged(store)]
    return [plan_purge(store, name, beside=beside) for name in evaluations]


def plan_purge(store: Store, evaluation: str, *, beside: Sequence[str] = ()) -> PurgePlan:
    """Everything that a purge would remove of an evaluation.

    Parameters
    ----------
    beside
        Evaluations whose texts are removed at the same time, or were before: they need no pool.

    Raises
    ------
    RefusedError
        If the evaluation has not ended.
    """
    row = read_evaluation(store.engine, evaluation)
    if row.state not in ENDED:
        raise RefusedError(
            f"{evaluation} is {row.state}: raters may still need its texts. They can be removed "
            "once it is closed or aborted."
        )
    pool = row.pool_hash if row.pool_hash and store.files.path(row.pool_hash).exists() else None
    with reading(store.engine) as connection:
        counts = count_texts(connection, evaluation)
        users = [] if pool is None else users_of_pool(connection, pool, but=[evaluation, *beside])
    reports = _with_texts(store, evaluation)
    return PurgePlan(evaluation, counts, pool, users, reports, folders_of(store, evaluation))


def _with_texts(store: Store, evaluation: str) -> list[ReportRow]:
    """Reports that were rendered from texts and whose files are still there."""
    if read_evaluation(store.engine, evaluation).config.report.examples == "off":
        return []
    begun = [row for row in list_purges(store.engine, evaluation) if not row.finished]
    listed = {name for row in begun for report in row.reports for name in report.files}
    return [
        report
        for report in list_reports(store.engine, evaluation)
        if (not begun or report.at < begun[0].at or report.html_uri in listed)
        and any(uri and store.files.path(uri).exists() for uri in (report.html_uri, report.pdf_uri))
    ]


def purge_texts(
    store: Store, evaluations: Sequence[str], *, actor: str, address: str, now: datetime
) -> list[PurgeRow]:
    """Remove the texts of evaluations, and return the certificates; without texts there is none.

    Reports are written anew from the stored numbers, by `renew_reports`.

    Raises
    ------
    RefusedError
        If one of them has not ended; nothing was removed.
    StateError
        If the database is in use all the time, so that bytes are left in its file. Nothing is
        certified then, and the next purge goes on.
    """
    plans = plan_purges(store, evaluations)
    begun = begun_only(list_purges(store.engine))
    for plan in plans:
        if plan.evaluation not in begun and not plan.empty:
            begun[plan.evaluation] = _begin(store, plan, actor=actor, address=address, now=now)
    rows = [begun[name] for name in evaluations if name in begun]
    if not rows:
        return []
    kept = {row.subject: _remove_files(store, row) for row in rows}
    remove_halves(store, seconds=0)
    whole = compact(store.engine)
    return [
        _certify(store, row, {**kept[row.subject], "compacted": whole}, now=now) for row in rows
    ]


def renew_reports(
    store: Store,
    evaluation: str,
    *,
    now: datetime,
    enclose: Enclose,
    write: Write = write_pdf,
) -> str | None:
    """Write the reports that a purge removed anew, from the stored numbers.

    Parameters
    ----------
    enclose
        What makes the attachments of an archived one.
    write
        What makes the PDF.

    Returns
    -------
    str or None
        Why there is none, if it cannot be written; nothing is lost but the page.
    """
    for kind in _lacking(store, evaluation, list_purges(store.engine, evaluation)):
        try:
            report = store_report(
                store,
                evaluation,
                kind=kind,  # type: ignore[arg-type]  # of a row
                enclose=enclose,
                write=write,
            )
        except OcrjuryError as error:
            return str(error)
        with writing(store.engine) as connection:
            add_report(connection, evaluation, report, now=now)
    return None


def evaluations_without_report(store: Store) -> list[str]:
    """Evaluations whose reports were removed by a purge that ended before writing new ones."""
    by_subject: dict[str, list[PurgeRow]] = {}
    for row in list_purges(store.engine):
        if row.subject != AUDIT:
            by_subject.setdefault(row.subject, []).append(row)
    begun = begun_only(row for rows in by_subject.values() for row in rows)
    return [
        name
        for name, rows in sorted(by_subject.items())
        if name not in begun and _lacking(store, name, rows)
    ]


def _lacking(store: Store, evaluation: str, rows: Iterable[PurgeRow]) -> list[str]:
    """Kinds of reports of which purges removed the newest version."""
    removed: dict[str, int] = {}
    for row in rows:
        for report in row.reports:
            removed[report.kind] = max(report.version, removed.get(report.kind, 0))
    if not removed:
        return []
    stored = list_reports(store.engine, evaluation)
    return [
        kind
        for kind, version in sorted(removed.items())
        if max((report.version for report in stored if report.kind == kind), default=0) <= version
    ]


def _purged(store: Store) -> list[str]:
    """Evaluations whose texts are removed already, or being removed."""
    return list({row.subject for row in list_purges(store.engine)})


def _begin(store: Store, plan: PurgePlan, *, actor: str, address: str, now: datetime) -> PurgeRow:
    """Take the texts out of the tables, and write down what else is to go."""
    number = 1 + len(
        [purge for purge in list_purges(store.engine, plan.evaluation) if not purge.finished]
    )
    with writing(store.engine) as connection:
        lock_files(connection)
        # One may have been written since the plan was made.
        plan = plan._replace(reports=_with_texts(store, plan.evaluation))
        new = NewPurge(plan.evaluation, number, finished=False, body=plan.to_json(), actor=actor)
        row = add_purge(connection, new, now=now)
        take_texts(connection, plan.evaluation, now=now)
        add_audit(
            connection,
            "purge",
            actor=actor,
            object_=plan.evaluation,
            address=address,
            now=now,
        )
    return row


def _remove_files(store: Store, row: PurgeRow) -> dict[str, Any]:
    """Remove the files that a purge names; return what is gone, and what others still need."""
    gone = [name for report in row.reports for name in report.files]
    for uri in gone:
        store.files.path(uri).unlink(missing_ok=True)
    for folder in row.folders:
        remove_folder(store, folder)
    kept: dict[str, list[str]] = {}
    if row.pool is not None:
        keep_pool_numbers(store, row.pool)  # before anybody has to wait
        with writing(store.engine) as connection:
            lock_files(connection)
            users = users_of_pool(connection, row.pool, but=_purged(store))
            if users:
                kept[row.pool] = users
            else:
                store.files.path(row.pool).unlink(missing_ok=True)
                gone.append(row.pool)
    return {"files": gone, "kept": kept}


def _certify(store: Store, row: PurgeRow, removed: dict[str, Any], *, now: datetime) -> PurgeRow:
    body = {**row.body, **removed, "begun": row.sha256}
    done = NewPurge(row.subject, row.number, finished=True, body=body, actor=row.actor)
    with writing(store.engine) as connection:
        return add_purge(connection, done, now=now)
