"""Take a sheet back: report first, then all of it or nothing."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError, StateError
from ocrjury.frontends.ingest import (
    Facts,
    RawRating,
    bound_dimensions,
    find_facts,
    problem_with,
    receive_on,
)
from ocrjury.frontends.sheets.assigned_rows import read_assigned_rounds
from ocrjury.frontends.sheets.checking import Checked, HandedOut, check_sheet
from ocrjury.frontends.sheets.columns import sheet_columns
from ocrjury.frontends.sheets.notes import SheetNote, SheetReport
from ocrjury.frontends.sheets.returned_workbook import FoundWorkbook, read_workbook
from ocrjury.frontends.sheets.signatures import MANIFEST, Manifest, signing_key
from ocrjury.frontends.sheets.upload import read_upload
from ocrjury.frontends.sheets.words import words_of
from ocrjury.pages.numbers import plural
from ocrjury.store.audit import add_audit
from ocrjury.store.database import Connection, reading, writing
from ocrjury.store.evaluations import read_evaluation, read_rubric
from ocrjury.store.files import content_hash
from ocrjury.store.item_ratings import latest_answers
from ocrjury.store.quarantine import QuarantineRow, add_refused
from ocrjury.store.queue import read_asked
from ocrjury.store.ratings import file_known, lock_open_round, note_file
from ocrjury.store.workspace import Store


class ReturnedSheet(NamedTuple):
    """A sheet that came back, checked by itself: who sent it, and what it says."""

    file: str
    digest: str
    manifest: Manifest
    title: str
    rubric: Rubric
    checked: Checked

    def report(self) -> SheetReport:
        """Report as far as the file alone can tell."""
        facts = self.manifest
        gone = facts.rows - len(self.checked.keys)
        findings = self.checked.findings
        if gone > 0:
            what = f"{gone} of {facts.rows} rows are gone; their items stay as they were"
            findings = (*findings, SheetNote(what, level="note"))
        return SheetReport(
            file=self.file,
            evaluation=facts.evaluation,
            round=facts.round,
            rater=facts.rater,
            sheet=self.title,
            handed_out=facts.rows,
            answered=len(self.checked.answers),
            findings=findings,
        )


class _Change(NamedTuple):
    """Answers that the store does not have yet, and how many of each kind there are."""

    raw: list[RawRating]
    new: int
    changed: int
    same: int
    replaced: int


def import_sheet(
    store: Store, path: Path, *, now: datetime, actor: str = "lead", dry_run: bool = False
) -> SheetReport:
    """Store the ratings of a sheet, all or none, unless it is a `dry_run`; return what was found.

    Parameters
    ----------
    actor
        Who imports it, as the audit log says it; whose it is, its signed sheet says.

    Raises
    ------
    InputError
        If the file is no sheet of this store; what is wrong inside of one is in the report.
    StateError
        If its round is closed.
    """
    returned = read_returned(store, path)
    report = returned.report()
    with reading(store.engine) as connection:
        if file_known(connection, returned.digest, report.round):
            return report._replace(again=True, same=report.answered)
        change = _compare(connection, returned)
        refused = _refusals(connection, change, returned)
    report = report._replace(
        new=change.new,
        changed=change.changed,
        same=change.same,
        replaced=change.replaced,
        findings=(*report.findings, *refused),
    )
    if dry_run:
        return report
    names = [raw.assignment for raw in change.raw]
    facts = find_facts(store.engine, report.evaluation, names, rubric=returned.rubric)
    with writing(store.engine) as connection:
        if report.problems:
            _set_aside(connection, returned, report, now=now)
            return report
        lock_open_round(connection, report.evaluation)
        if file_known(connection, returned.digest, report.round):  # by somebody else, meanwhile
            return report._replace(again=True)
        complete = _store(connection, returned, actor=actor, facts=facts, now=now)
    return report._replace(stored=True, complete=complete)


def read_returned(store: Store, path: Path) -> ReturnedSheet:
    """Sheet that came back, checked against what was handed out."""
    key = signing_key(store)
    upload = read_upload(path)
    book = read_workbook(upload, source=path.name)
    manifest = _manifest_of(book, path.name, key=key)
    row = read_evaluation(store.engine, manifest.evaluation)
    rounds = read_assigned_rounds(store, row.evaluation, key=key)
    round_ = rounds[manifest.round]
    if round_.round.state != "open":
        raise StateError(
            f"{path.name} is for round {manifest.round} of {row.evaluation}, which is "
            f"{round_.round.state}; nothing was stored."
        )
    rubric = read_rubric(store.engine, row.rubric_hash)
    handed = HandedOut(
        sheet_columns(
            rubric,
            round_.round.dimensions,
            language=manifest.language,
            sessions=manifest.sessions,
            reference=row.shows_reference,
        ),
        {row.key: row for row in round_.of(manifest.rater)},
        {row.key: row for each in rounds.values() for row in each.rows},
        rubric.scales,
        words_of(manifest.language),
        bound_dimensions(round_.round.dimensions, rubric),
    )
    return ReturnedSheet(
        path.name,
        content_hash(f"{row.evaluation}\n".encode() + upload.body),
        manifest,
        book.sheet.title,
        rubric,
        check_sheet(book.sheet, handed),
    )


def _manifest_of(book: FoundWorkbook, source: str, *, key: bytes) -> Manifest:
    """Manifest of a workbook; it must be there, and ours."""
    if not book.manifest:
        raise InputError(
            f"{source} has lost its hidden sheet {MANIFEST!r}, which says whose it is. Copy the "
            "ratings into a fresh sheet of `ocrjury sheets export`."
        )
    try:
        return Manifest.read(book.manifest, key=key)
    except InputError as error:
        raise InputError(f"{source}: {error}. Nothing was stored.") from None


def changed_answers(store: Store, returned: ReturnedSheet) -> list[RawRating]:
    """Answers of a sheet that the store does not have, as every frontend sends them."""
    with reading(store.engine) as connection:
        return _compare(connection, returned).raw


def _compare(connection: Connection, returned: ReturnedSheet) -> _Change:
    """Answers that the store does not have."""
    facts = returned.manifest
    known = latest_answers(connection, facts.evaluation, number=facts.round, rater=facts.rater)
    answers = returned.checked.answers
    fresh = [answer for answer in answers if known.get(answer.assignment) != answer.latest]
    new = sum(answer.assignment not in known for answer in fresh)
    raw = [
        RawRating(
            assignment=answer.assignment,
            rater=facts.rater,
            values=answer.values,
            event_id=f"sheet/{returned.digest[:16]}/{answer.assignment}",
            rubric_hash=facts.rubric_hash,
            source="sheet",
            where=f"row {answer.row}",
            flags=answer.flags,
            confidence=answer.confidence,
            comment=answer.comment,
            told=answer.told,
        )
        for answer in fresh
    ]
    replaced = sum(
        known[each.assignment].changed_by(each.values, each.flags)
        for each in raw
        if each.assignment in known
    )
    return _Change(raw, new, len(fresh) - new, len(answers) - len(fresh), replaced)


def _refusals(connection: Connection, change: _Change, returned: ReturnedSheet) -> list[SheetNote]:
    """Problems that the validator of all frontends would report."""
    names = [raw.assignment for raw in change.raw]
    rows = read_asked(connection, returned.manifest.evaluation, names)
    row_of = {answer.assignment: answer.row for answer in returned.checked.answers}
    return [
        SheetNote(why, row_of[raw.assignment])
        for raw in change.raw
        if (why := problem_with(raw, rows.get(raw.assignment), rubric=returned.rubric)) is not None
    ]


def _store(
    connection: Connection, returned: ReturnedSheet, *, actor: str, facts: Facts, now: datetime
) -> bool:
    """Store the answers; return whether the round is complete with them.

    `StateError` if somebody closed the round or took an item back this very moment; nothing is
    stored then.
    """
    sheet, answers = returned.manifest, returned.checked.answers
    change = _compare(connection, returned)
    received = receive_on(
        connection,
        sheet.evaluation,
        change.raw,
        rubric=returned.rubric,
        facts=facts,
        now=now,
    )
    if received.refused:
        raise StateError(f"{returned.file}, {received.refused[0]}; nothing was stored.")
    note_file(
        connection,
        returned.digest,
        evaluation=sheet.evaluation,
        number=sheet.round,
        rows=len(answers),
        now=now,
    )
    add_audit(
        connection,
        "import",
        actor=actor,
        object_=f"{sheet.evaluation}, round {sheet.round}, sheet of {sheet.rater}",
        address="cli",
        now=now,
    )
    return received.complete


def _set_aside(
    connection: Connection, returned: ReturnedSheet, report: SheetReport, *, now: datetime
) -> None:
    """Keep a note of a sheet that was refused, without what it says."""
    count, first = plural(len(report.problems), "problem"), report.problems[0].where
    add_refused(
        connection,
        QuarantineRow(
            evaluation=report.evaluation,
            source="sheet",
            row=f"round {report.round}, sheet of {report.rater}",
            payload_hash=returned.digest,
            reason=f"{count}, the first at {first or 'the whole sheet'}",
            at=now,
        ),
    )
