"""``ocrjury evaluation show``: one evaluation on one page."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ocrjury.campaign.decisions import AT_THE_GATE, allowed
from ocrjury.cli.decisions import COMMANDS
from ocrjury.cli.printing import Cell, Column, fields, heading, right, say, table
from ocrjury.cli.status import awaited, grade_head, not_delivered, verdict_cell
from ocrjury.evaluation.requests import why_not_taken
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.grades import common_word
from ocrjury.pages.action_words import action_texts
from ocrjury.pages.image_words import image_texts
from ocrjury.pages.left_aside_words import left_aside_texts
from ocrjury.pages.moments import local_minute
from ocrjury.pages.unread_words import unread_of
from ocrjury.store.decisions import list_decisions, list_requests, waiting_request
from ocrjury.store.documents import read_purged_at
from ocrjury.store.open_rounds import list_awaited
from ocrjury.store.purges import removed_reports
from ocrjury.store.reports import list_reports
from ocrjury.store.results import VerdictRow, latest_verdicts
from ocrjury.store.rounds import list_progress
from ocrjury.store.shown_images import changed_images

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Case


def print_evaluation(case: "Case") -> None:
    """Print state, rounds, raters, verdict, decisions and reports of an evaluation."""
    _print_state(case)
    _print_rounds(case)
    _print_progress(case)
    _print_verdict(latest_verdicts(case.work.engine, case.name), order=case.dimensions)
    _print_decisions(case)
    _print_reports(case)


def _print_state(case: "Case") -> None:
    row = case.row
    # At the gate the verdict below says it, dimension by dimension.
    at_gate = row.held_reason in AT_THE_GATE or not row.held_detail
    detail = [] if at_gate else [("because", str(row.held_detail))]
    simulated = [("ratings", "SIMULATED: no human rates")] if row.simulated else []
    purged = read_purged_at(case.work.engine, row.evaluation)
    zone = row.config.time_zone
    when = None if purged is None else local_minute(purged, zone)
    gone = [("texts", f"removed {when}; numbers are kept")] if when else []
    dropped = ", ".join(sorted(case.dropped))
    pool = f"{row.pool_uri}" + (f" ({row.pool_size:,} outputs)" if row.pool_size else "")
    engine = case.work.engine
    unread = unread_of(engine, case.name, documents=row.pool_size)
    fields(
        [
            ("evaluation", row.evaluation),
            ("state", case.standing.history.place),
            *detail,
            ("awaited", awaited(case, list_awaited(engine), waiting_request(engine, case.name))),
            *(("delivery", text) for text in not_delivered(case)),
            *simulated,
            ("campaign", f"{row.config.title} ({row.config_path})"),
            ("pool", pool),
            *([("unread", unread)] if unread else []),
            *(("images", text) for text in image_texts(changed_images(engine, case.name))),
            *(
                ("left aside", text)
                for text in left_aside_texts(
                    engine, case.name, case.rounds[-1] if case.rounds else None
                )
            ),
            *([("dropped", dropped)] if dropped else []),
            *gone,
            ("opened", local_minute(row.opened_at, zone)),
            ("seed", str(row.seed)),
        ]
    )


def _print_rounds(case: "Case") -> None:
    row = case.row
    if not case.rounds:
        return
    zone = row.config.time_zone
    heading("Rounds")
    lines = []
    for round_ in case.rounds:
        progress = list_progress(case.work.engine, row.evaluation, round_.round)
        done, left = sum(p.done for p in progress), sum(p.open for p in progress)
        ended = (
            local_minute(round_.closed_at, zone)
            if round_.closed_at
            else f"due {local_minute(round_.deadline, zone)}"
        )
        state = round_.state + (f" ({round_.closed_by})" if round_.closed_by else "")
        counts = f"{done} of {done + left}"
        lines.append((str(round_.round), round_.kind, state, counts, ended, round_.rule))
    assignments = Column("assignments", "right")
    table(("", "kind", "state", assignments, "until", "items"), lines)


def _print_progress(case: "Case") -> None:
    rounds = case.standing.history.rounds
    if not rounds or rounds[-1].state != "open":
        return
    progress = list_progress(case.work.engine, case.name, rounds[-1].number)
    heading(f"Raters in round {rounds[-1].number}, in assignments")
    table(
        ("rater", *right("done", "open", "withdrawn")),
        [
            (rater.rater, str(rater.done), str(rater.open), str(rater.withdrawn))
            for rater in progress
        ],
    )


def _print_verdict(verdicts: list[VerdictRow], *, order: Sequence[str]) -> None:
    if not verdicts:
        return
    overall, *dimensions = verdicts
    dimensions.sort(key=lambda verdict: order.index(verdict.dimension))
    heading(f"Verdict on round {overall.round}")
    first = overall if not dimensions else overall._replace(reasons=[])
    graded = any(verdict.grade for verdict in verdicts)
    table(
        ("dimension", "verdict", *([grade_head()] if graded else []), "because"),
        [line for row in (first, *dimensions) for line in _verdict_lines(row, graded=graded)],
    )
    for sentence in action_texts(overall.actions):
        say(f"- {sentence}")


def _verdict_lines(verdict: VerdictRow, *, graded: bool) -> list[tuple[Cell | str, ...]]:
    """One line for each reason; the first has the verdict."""
    name = "all" if verdict.dimension == ALL_DIMENSIONS else verdict.dimension
    first, *others = verdict.reasons or [""]
    grade = [common_word(verdict.grade)] if graded else []
    empty = [""] * len(grade)
    return [
        (name, verdict_cell(verdict.decision), *grade, first),
        *(("", "", *empty, reason) for reason in others),
    ]


def _print_decisions(case: "Case") -> None:
    row = case.row
    taken = list_decisions(case.work.engine, row.evaluation)
    if taken:
        heading("Decided")
        zone = row.config.time_zone
        table(
            ("decision", "by", "at", "reason"),
            [
                (decision.kind, decision.actor, local_minute(decision.at, zone), decision.reason)
                for decision in taken
            ],
        )
    if (untaken := _newest_untaken(case)) is not None:
        say()
        say(untaken)
    possible = allowed(case.standing.history)
    rows = [
        (command.name, command.summary)
        for command in COMMANDS
        if not command.decisions.isdisjoint(possible)
    ]
    if not rows:
        return
    heading("Possible decisions")
    table(("decision", "what it does"), rows)
    say(f"Take one: ocrjury evaluation DECISION {row.evaluation} --reason '...'")


def _newest_untaken(case: "Case") -> str | None:
    """Sentence on the newest decision if it was not taken; one that waits is told above."""
    stored = list_requests(case.work.engine, case.name)
    if not stored or stored[-1].outcome is None:
        return None
    row, why = stored[-1], why_not_taken(case.work, stored[-1].request)
    return None if why is None else f"Not taken: '{row.decision}' of {row.actor}: {why}"


def _print_reports(case: "Case") -> None:
    name, zone = case.name, case.row.config.time_zone
    reports = list_reports(case.work.engine, name)
    if not reports:
        return
    heading("Reports")
    files = case.work.store.files
    removed = removed_reports(case.work.engine, name)
    for report in reports:
        at = removed.get((report.kind, report.language, report.version))
        gone = f"removed {local_minute(at, zone)} with its texts" if at else "its file is gone"
        places = [files.path(uri) for uri in (report.pdf_uri, report.html_uri) if uri]
        paths = [str(path) for path in places if path.is_file()]
        for place in paths or [gone]:
            say(f"{report.kind} {report.language} v{report.version}  {place}")
