"""``ocrjury privacy``: remove texts after an evaluation, and show what was removed."""

import argparse
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from ocrjury.campaign import settings
from ocrjury.cli.actors import ADDRESS, name_signed
from ocrjury.cli.declaring import Commands, add_command, add_group
from ocrjury.cli.printing import fields, remark, say
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.pages.numbers import plural

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Work
    from ocrjury.retention.purge import PurgePlan
    from ocrjury.store.purges import PurgeRow

GROUP = """remove texts after an evaluation, and show what was removed

ocrjury privacy purge --dry-run                     # what is due, and what would go
ocrjury privacy purge claims-2026w47 --by 'J. Kim'  # this one, now
ocrjury privacy certificates"""
PURGE = """remove texts and pages of documents; numbers stay

Remove the texts and pages of documents of evaluations that have ended.

References, OCR output, explanations, comments and notes leave the database; snapshots of the pool
keep their numbers only; reports that printed texts, sheets and half-scored pools leave the home.
Ratings, scores, inclusion probabilities, verdicts, truths and estimates stay, and reports are
written anew from them. Every purge leaves a certificate. Lines of the audit log that are older than
OCRJURY_AUDIT_DAYS go, too. Killed at any point, the same command goes on. Nothing outside the home
and the database is touched: your pool, your images, files that you exported, emails, published
reports, backups.

ocrjury privacy purge --dry-run                     # what is due, and what would go
ocrjury privacy purge                               # what the campaigns' retention_days ask
ocrjury privacy purge --older-than 90               # all that ended 90 days ago or earlier
ocrjury privacy purge claims-2026w47 --by 'J. Kim'  # this one, now"""
CERTIFICATES = """what was removed, when and by whom

ocrjury privacy certificates
ocrjury privacy certificates claims-2026w47"""
MOST_DAYS = 100_000
OUTSIDE = (
    "Not touched: your pool and images, exported, emailed or published files, "
    "Label Studio's projects, backups."
)
VACUUM = (
    "PostgreSQL keeps the bytes of removed rows until its files are written anew: "
    "VACUUM FULL documents, items, gold, comments, answers, notes, drafts, rubrics;"
)


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "privacy", GROUP)
    purge = add_command(group, "purge", PURGE, run=run_purge)
    purge.add_argument("evaluation", nargs="?", help="[all that are due]")
    purge.add_argument(
        "--older-than", type=int, metavar="DAYS", help="ended so long ago [by each campaign]"
    )
    purge.add_argument("--by", metavar="NAME", help="on the certificate [your login name]")
    purge.add_argument("--dry-run", action="store_true", help="list what would go; remove nothing")
    shown = add_command(group, "certificates", CERTIFICATES, run=run_certificates)
    shown.add_argument("evaluation", nargs="?", help="its name [all]")


def run_purge(options: argparse.Namespace) -> int:
    """Remove what is due, or what is named; or list it."""
    from ocrjury.retention.purge import plan_purges
    from ocrjury.retention.text_files import find_halves

    if options.older_than is not None and not 0 <= options.older_than <= MOST_DAYS:
        raise InputError(
            f"--older-than must be from 0 to {MOST_DAYS:,} days; found {options.older_than}."
        )
    with open_existing() as work:
        names = _names(work, options)
        if options.dry_run:
            for plan in plan_purges(work.store, names):
                _print_plan(plan)
            _print_halves(len(find_halves(work.store)), "would go")
            _print_old_audit(work)
            say(OUTSIDE if names else "No texts are due.")
            return 0
        return _purge(work, names, by=options.by)


def _names(work: "Work", options: argparse.Namespace) -> list[str]:
    from ocrjury.retention.schedule import due_evaluations
    from ocrjury.store.purges import list_ended

    if options.evaluation is None:
        due = due_evaluations(work.store, now=settings.real_now(), older_than=options.older_than)
        return [evaluation.evaluation for evaluation in due]
    name = work.case(options.evaluation).name
    ended = [evaluation for evaluation in list_ended(work.engine) if evaluation.evaluation == name]
    for evaluation in ended if options.older_than is not None else []:
        days = (settings.real_now() - evaluation.ended_at).days
        if days < options.older_than:
            raise InputError(f"{name} ended {days} days ago, less than {options.older_than}.")
    return [name]


def _purge(work: "Work", names: list[str], *, by: str | None) -> int:
    from ocrjury.export.evaluation_export import attached_files
    from ocrjury.retention.purge import purge_texts, renew_reports
    from ocrjury.retention.schedule import end_old_audit
    from ocrjury.retention.text_files import remove_halves

    actor, now = name_signed(by, "--by"), settings.real_now()
    halves = remove_halves(work.store)
    done = purge_texts(work.store, names, actor=actor, address=ADDRESS, now=now)
    enclose = partial(attached_files, work)
    for row in done:
        _print_certificate(row)
    for name in names:
        if name not in {row.subject for row in done}:
            say(f"{name}: no text is left.")
        why = renew_reports(work.store, name, now=now, enclose=enclose)
        if why is not None:
            remark(f"{name}: its report was not written anew: {why}")
    _print_halves(halves, "removed")
    days = settings.Settings.from_environment().audit_days
    old = end_old_audit(work.store, days=days, actor=actor, now=now)
    if old is not None:
        say(f"{plural(old.lines, 'line')} of the audit log older than {days} days removed.")
    say(OUTSIDE if names else "No texts are due.")
    if any(not row.compacted for row in done):
        remark(VACUUM)
    return 0


def _print_plan(plan: "PurgePlan") -> None:
    if plan.empty:
        say(f"{plan.evaluation}: no text is left.")
        return
    say(f"{plan.evaluation} would lose")
    lines = [(f"  {name}", f"{count:,}") for name, count in plan.counts._asdict().items()]
    if plan.pool is not None:
        stays = f" (stays: {_need(plan.pool_users)})" if plan.pool_users else ""
        lines.append(("  pool snapshot", f"{plan.pool}{stays}"))
    again = "written anew without texts"
    lines += [
        ("  report", f"{report.kind} version {report.version}, {again}") for report in plan.reports
    ]
    lines += [("  folder", f"{folder.folder} ({folder.files:,} files)") for folder in plan.folders]
    fields(lines)


def _print_halves(number: int, what: str) -> None:
    if number:
        say(f"{plural(number, 'half-written file')} of killed processes {what}.")


def _print_old_audit(work: "Work") -> None:
    from ocrjury.store.audit_chain import find_old
    from ocrjury.store.database import reading

    days = settings.Settings.from_environment().audit_days
    with reading(work.engine) as connection:
        count = find_old(connection, settings.real_now() - timedelta(days=days)).rows
    if count:
        say(f"{plural(count, 'line')} of the audit log older than {days} days would go.")


def _print_certificate(row: "PurgeRow") -> None:
    say(_sentence(row))
    for name, users in row.kept.items():
        say(f"  kept: {name}, with the texts of the whole pool, as {_need(users)}")
    if row.folders:
        lost = plural(sum(row.folders.values()), "file")
        say(f"  removed: {lost} of sheets and scoring")


def _need(evaluations: Sequence[str]) -> str:
    """Clause that says whose pool it is too."""
    return f"{', '.join(evaluations)} {'needs' if len(evaluations) == 1 else 'need'} it"


def _sentence(row: "PurgeRow") -> str:
    from ocrjury.store.purges import AUDIT

    when = f"{row.at:%Y-%m-%d %H:%M} UTC by {row.actor}; certificate {row.sha256[:16]}"
    if row.subject == AUDIT:
        return f"audit log: {plural(row.lines, 'line')} removed {when}"
    texts = plural(row.documents, "document")
    files = plural(len(row.files), "file")
    return f"{row.subject}: texts of {texts} and {files} removed {when}"


def run_certificates(options: argparse.Namespace) -> int:
    """Print every certificate, and whether it is as it was written."""
    from ocrjury.store.purges import begun_only, broken_rows, list_purges

    with open_existing() as work:
        if options.evaluation is not None:
            work.case(options.evaluation)
        rows = list_purges(work.engine)
    wanted = [row for row in rows if options.evaluation in (None, row.subject)]
    for row in wanted:
        if row.finished:
            say(_sentence(row))
    for subject in begun_only(wanted):
        remark(f"{subject}: a purge was begun and not ended; `ocrjury privacy purge` goes on.")
    if not wanted:
        say("Nothing was removed yet.")
    broken = broken_rows(rows)
    for row in broken:
        remark(f"{row.subject}, number {row.number}: this row is not as it was written.")
    return 1 if broken else 0
