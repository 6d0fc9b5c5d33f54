"""``ocrjury audit``: who did what, when and from where."""

import argparse
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.actors import note
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import remark, say, table, tell_replaced
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.pages.numbers import plural
from ocrjury.ratings.csv_tables import write_table
from ocrjury.whole_files import whole_text

if TYPE_CHECKING:
    from ocrjury.store.audit import AuditRow
    from ocrjury.store.audit_chain import ChainedLine

AUDIT = """the audit log: who signed in, looked, rated, exported

Print the audit log: who, when (UTC), what, on what, from where; no text of a document.

It tells of sign-ins and refused ones, refused requests, looks at items and pages, ratings, exports
and downloads, links, decisions and purges. That it was read or exported is a line of it, too.

Each line holds a hash of the line before it. --verify walks along all lines, names the first that
was changed or whose predecessor is gone, and prints the newest hash. Keep that one elsewhere: with
--head it shows later that the log was not written anew, nor its end cut off.

ocrjury audit claims-2026w47                                  # the newest lines last
ocrjury audit claims-2026w47 --actor R01 --since 2026-11-16
ocrjury audit claims-2026w47 --out audit.csv
ocrjury audit --all --json > audit.json
ocrjury audit --verify
ocrjury audit --verify --head 3f1c0a55e2b94d17                # noted earlier"""
_HASH = re.compile("[0-9a-fA-F]{16,64}")
COLUMNS = ("seq", "at", "actor", "action", "object", "address", "reason")


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "audit", AUDIT, run=run_audit)
    parser.add_argument("evaluation", nargs="?", help="its name")
    parser.add_argument("--all", action="store_true", help="of all evaluations, and of the desk")
    parser.add_argument("--since", metavar="DATE", help="from this day or ISO time on, in UTC")
    parser.add_argument("--actor", metavar="NAME", help="only a rater's pseudonym or a lead's name")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--out", "--csv", type=Path, metavar="FILE", help="write a CSV file")
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--verify", action="store_true", help="whether the whole log is as written")
    parser.add_argument("--head", metavar="HASH", help="with --verify: must be in it")


def run_audit(options: argparse.Namespace) -> int:
    """Print or write the lines that are asked for, or verify all of them."""
    if options.head is not None and not options.verify:
        raise InputError("--head belongs to --verify; add it, or leave it out.")
    if options.head is not None and not _HASH.fullmatch(options.head.strip()):
        raise InputError(
            "--head must be a hash that was noted, or its beginning of 16 characters or more; "
            f"found {options.head!r}."
        )
    if options.verify:
        return _verify(options)
    _list(options)
    return 0


def _verify(options: argparse.Namespace) -> int:
    """Check that every line is as it was written; print the first that is not."""
    from ocrjury.store.audit_chain import verify_chain
    from ocrjury.store.purges import broken_rows, list_purges

    given = {
        "evaluation": options.evaluation,
        "--since": options.since,
        "--actor": options.actor,
    }
    if aside := [name for name, value in given.items() if value is not None]:
        raise InputError(
            f"--verify takes no {' and no '.join(aside)}: the lines of all make one chain."
        )
    with open_existing() as work:
        chain = verify_chain(work.engine, head=(options.head or "").strip().lower())
        broken = broken_rows(list_purges(work.engine))
    if chain.broken is not None:
        line = chain.broken
        words = " ".join(map(_shown, _words(line)[:3]))
        remark(
            f"Line {line.seq} ({line.at:%Y-%m-%d %H:%M:%S} UTC, {words}) was changed, or what "
            f"stood before it is gone. {plural(chain.lines, 'line')} before it fit."
        )
    if not chain.known:
        remark(f"No line has the hash {options.head}: the log was written anew or cut off.")
    for row in broken:
        remark(f"The certificate {row.subject}, number {row.number}, is not as it was written.")
    if chain.broken is None and chain.head is not None:
        say(f"{plural(chain.lines, 'line')}; each follows the one before it.")
        say(f"The newest is line {chain.head.seq}: {chain.head.sha256}")
    return 1 if chain.broken or broken or not chain.known else 0


def _list(options: argparse.Namespace) -> None:
    from ocrjury.store.audit import list_audit

    if (options.evaluation is None) != options.all:
        raise InputError("audit takes either the name of an evaluation, or --all.")
    since = None if options.since is None else _moment(options.since)
    with open_existing() as work:
        if options.evaluation is not None:
            work.case(options.evaluation)
        lines = list_audit(
            work.engine,
            evaluation=options.evaluation,
            actor=options.actor,
            since=since,
        )
        lines.reverse()
        about = f"{options.evaluation} audit log" if options.evaluation else "audit log"
        note(work, "export" if options.out or options.json else "view log", about)
        _give(lines, options)
    if options.out is not None:
        remark(f"{plural(len(lines), 'line')} written to {options.out}.")


def _give(lines: "list[AuditRow]", options: argparse.Namespace) -> None:
    if options.json:
        body = [
            {name: getattr(line, name) for name in COLUMNS} | {"at": line.at.isoformat()}
            for line in lines
        ]
        say(json.dumps(body, ensure_ascii=False, indent=1))
    elif options.out is not None:
        cells = ((line.seq, line.at.isoformat(), *_words(line)) for line in lines)
        tell_replaced(options.out)
        with whole_text(options.out, encoding="utf-8-sig") as file:
            write_table(file, COLUMNS, cells)
    elif not lines:
        say("The audit log has no such line.")
    else:
        rows = [(f"{line.at:%Y-%m-%d %H:%M:%S}", *map(_shown, _words(line))) for line in lines]
        table(("at (UTC)", "who", "what", "on", "from", "because"), rows)


def _words(line: "AuditRow | ChainedLine") -> tuple[str, ...]:
    return (line.actor, line.action, line.object, line.address, line.reason or "")


def _shown(text: str) -> str:
    """Text in one line, without control characters of a terminal."""
    return "".join(char if char.isprintable() else "�" for char in text)


def _moment(text: str) -> datetime:
    """Day or an ISO time, in UTC unless it says otherwise."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"--since must be a day such as 2026-11-16 or an ISO time; found {text!r}."
        ) from error
