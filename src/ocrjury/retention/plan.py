"""What a purge of an evaluation's texts would remove: from tables, files and folders."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ocrjury.errors import RefusedError
from ocrjury.retention.text_files import FileCount, folders_of
from ocrjury.store.database import reading
from ocrjury.store.documents import TextCounts, count_texts
from ocrjury.store.evaluations import ENDED, read_evaluation
from ocrjury.store.purges import list_purges, users_of_pool
from ocrjury.store.reports import ReportRow, list_reports
from ocrjury.store.workspace import Store


class PurgePlan(NamedTuple):
    """What there is to remove; `pool_users` still need the snapshot, which stays as long."""

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
                [report.kind, report.language, report.version, report.html_uri, report.pdf_uri]
                for report in self.reports
            ],
            "folders": [list(folder) for folder in self.folders],
        }


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
    prints = (row.config.get("report") or {}).get("examples", "masked") != "off"
    reports = _with_texts(store, evaluation) if prints else []
    return PurgePlan(evaluation, counts, pool, users, reports, folders_of(store, evaluation))


def _with_texts(store: Store, evaluation: str) -> list[ReportRow]:
    """Reports that were rendered from texts and whose files are still there."""
    begun = [row for row in list_purges(store.engine, evaluation) if not row.finished]
    listed = {uri for row in begun for *_, html, pdf in row.body["reports"] for uri in (html, pdf)}
    return [
        report
        for report in list_reports(store.engine, evaluation)
        if (not begun or report.at < begun[0].at or report.html_uri in listed)
        and any(uri and store.files.path(uri).exists() for uri in (report.html_uri, report.pdf_uri))
    ]
