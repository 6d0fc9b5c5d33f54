"""``ocrjury status``: what is open, and who or what is awaited."""

import argparse
from datetime import timedelta
from typing import TYPE_CHECKING

from ocrjury.campaign.capabilities import RATING_PAGE
from ocrjury.campaign.decisions import allowed
from ocrjury.campaign.history import FINAL_STATES, History
from ocrjury.campaign.settings import Settings
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import BAD, GOOD, QUIET, WARNING, Cell, remark, say, table
from ocrjury.cli.store_access import chosen_store, no_store, open_at
from ocrjury.cli.stuck_runs import say_stuck
from ocrjury.gate.verdict import GRADED
from ocrjury.pages.moments import local_minute
from ocrjury.statistics import statistic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ocrjury.evaluation.case import Case, Work
    from ocrjury.store.database import Engine
    from ocrjury.store.decisions import RequestRow
    from ocrjury.store.evaluations import Evaluation
    from ocrjury.store.open_rounds import AwaitedRound

STATUS = """every unfinished evaluation: state, progress, what is awaited

ocrjury status
OCRJURY_HOME=/srv/ocrjury ocrjury status"""
LATELY = timedelta(days=7)
"""So long after its end an evaluation is listed whose report was given up for somebody."""
_STYLES = {"held": WARNING, "closed": GOOD, "aborted": BAD}


def add_to(commands: Commands) -> None:
    """Declare the command."""
    add_command(commands, "status", STATUS, run=run_status)


def run_status(_options: argparse.Namespace) -> None:
    """Print one screen about what is open, and runs that are stuck."""
    settings = Settings.from_environment()
    if settings.store_exists:
        _say_open(settings)
    else:
        say(no_store(settings))
    say_stuck()


def _say_open(settings: Settings) -> None:
    from ocrjury.store.decisions import waiting_requests
    from ocrjury.store.evaluations import ENDED, list_with_unreadable
    from ocrjury.store.open_rounds import list_awaited

    with open_at(settings) as work:
        remark(f"Store: {chosen_store(settings)}")
        rows, unreadable = list_with_unreadable(work.engine)
        for row in unreadable:
            say(row.reason)
        cases = work.cases([row for row in rows if row.state not in ENDED])
        if not cases:
            say(f"nothing is open ({len(rows)} finished)" if rows else "nothing is open")
            _say_undelivered(work, rows)
            return
        rounds, requests = list_awaited(work.engine), waiting_requests(work.engine)
        cases.sort(key=lambda case: case.standing.history.urgency)
        table(
            ("evaluation", "state", "assignments", "awaited"),
            [
                (
                    case.name,
                    state_cell(case.standing.history),
                    assignments_done(case.standing.history),
                    awaited(case, rounds, requests.get(case.name)),
                )
                for case in cases
            ],
        )
        _say_images(work.engine, [case.name for case in cases])
        _say_undelivered(work, rows)


def _say_undelivered(work: "Work", rows: "Sequence[Evaluation]") -> None:
    """Say whom a report has not reached, of evaluations that are reported or were closed lately."""
    from ocrjury.store.evaluations import list_moved

    lately = set(list_moved(work.engine, since=work.now - LATELY))
    listed = [
        row
        for row in rows
        if row.state == "reported" or (row.state == "closed" and row.evaluation in lately)
    ]
    for case in work.cases(listed):
        for text in not_delivered(case):
            say(f"{case.name}: {text}")


def not_delivered(case: "Case") -> list[str]:
    """Sentences on each receiver whom the newest report has not reached."""
    from ocrjury.pages.delivery_words import undelivered_texts

    config, now = case.row.config, case.work.now
    return undelivered_texts(
        case.work.engine, case.name, config.report, zone=config.time_zone, now=now
    )


def _say_images(engine: "Engine", names: "Sequence[str]") -> None:
    """Say which page images raters saw otherwise than they were drawn."""
    from ocrjury.pages.image_words import image_texts
    from ocrjury.store.shown_images import UNCHANGED, list_changed_images

    changed = list_changed_images(engine)
    for name in names:
        for text in image_texts(changed.get(name, UNCHANGED)):
            say(f"{name}: {text}")


def state_cell(history: History) -> Cell:
    """State with the reason of a hold."""
    return Cell(history.place, _STYLES.get(history.state, ""))


def grade_head() -> str:
    """Head of the column with the grades of verdicts, which names the statistic they are of."""
    return f"grade of {statistic(GRADED).label}"


def verdict_cell(decision: str) -> Cell:
    """Word of a verdict."""
    return Cell(decision, {"PASS": GOOD, "FAIL": BAD}.get(decision, WARNING))


def assignments_done(history: History) -> Cell:
    """Finished assignments of the last round, a dash before the first round."""
    if not history.rounds:
        return Cell("-", QUIET)
    last = history.last
    return Cell(f"{last.ratings} of {last.ratings + last.open}")


def awaited(
    case: "Case", rounds: "Mapping[str, AwaitedRound]", request: "RequestRow | None"
) -> str:
    """Person or step that an evaluation waits for, with the command that goes on.

    ``rounds`` are those that are open, ``request`` is the decision that waits to be taken.
    """
    history, name = case.standing.history, case.name
    if request is not None:
        return (
            f"'{request.decision}' of {request.actor} to be taken: ocrjury evaluation advance "
            f"{name}"
        )
    if history.state in FINAL_STATES:
        return "nothing"
    if history.state == "held":
        return f"a decision: {', '.join(allowed(history))}"
    if name in rounds and not history.last.complete:
        return _raters(case, rounds[name])
    if history.state == "reported" and history.deliveries_pending:
        return "the next attempt to deliver the report"
    return f"the next step: ocrjury evaluation advance {name}"


def _raters(case: "Case", last: "AwaitedRound") -> str:
    from ocrjury.store.single_sign_on import list_shut_out

    engine = case.work.engine
    deadline = local_minute(last.deadline, case.row.config.time_zone)
    overdue = case.standing.history.last.overdue
    raters = ", ".join(last.raters) + (
        f"; overdue since {deadline}" if overdue else f" until {deadline}"
    )
    if last.frontend != RATING_PAGE:
        return raters
    without = list_shut_out(
        engine,
        case.name,
        last.round,
        now=case.work.now,
        sign_on=Settings.from_environment().sign_in_header is not None,
    )
    if not without:
        return raters
    return f"{raters}; {', '.join(without)} without a link: ocrjury raters invite {case.name}"
