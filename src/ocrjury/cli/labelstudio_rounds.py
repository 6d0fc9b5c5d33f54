"""What ``ocrjury labelstudio`` does with a round; see `ocrjury.cli.labelstudio`."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ocrjury.cli.printing import progress, remark, right, say, table
from ocrjury.cli.runs import round_news
from ocrjury.cli.stored import open_existing
from ocrjury.errors import InputError, StateError
from ocrjury.evaluation.case import Work
from ocrjury.frontends.ingest import OpenRound, Received, receive
from ocrjury.frontends.labelstudio import (
    LabelStudioFrontend,
    note_published,
    open_frontend,
)
from ocrjury.frontends.labelstudio.frontend import NAME
from ocrjury.frontends.labelstudio.hints import (
    Hints,
    ask_for_hints,
    listening,
    want_no_more_hints,
)
from ocrjury.pages.numbers import plural

SHOWN = 20
LEAST_PAUSE = 1.0


class Connected(NamedTuple):
    """An open round with the frontend where its raters work."""

    work: Work
    round: OpenRound
    frontend: LabelStudioFrontend


def publish(evaluation: str) -> int:
    """Make the projects of a round, and say where each rater works."""
    with _connected(evaluation) as (work, round_, frontend):
        lacking = frontend.lacking()
        planned = frontend.plan(round_)
        done = []
        with progress("Publishing", total=len(planned)) as tick:
            for wanted in planned:
                done.append(frontend.publish_project(round_, wanted))
                note_published(round_, done[-1], actor="lead", now=work.now)
                tick(1)
    rows = [
        (
            project.rater,
            str(project.open_tasks),
            str(project.new_tasks),
            str(project.removed_tasks),
            project.address,
        )
        for project in done
    ]
    table(["rater", *right("open", "sent now", "removed"), "address"], rows)
    remark(f"Label Studio lacks {', '.join(lacking)}; the campaign allows that.")
    return 0


def poll(evaluation: str, *, every: float | None, hints: str | None) -> int:
    """Fetch ratings; with `every` again so many seconds later, until the round is complete.

    Parameters
    ----------
    hints
        Where Label Studio may say that something happened, so that nobody waits longer.
    """
    if hints is not None and every is None:
        raise InputError("--hints belongs to --every; add it, or leave --hints out.")
    if every is not None and not every >= LEAST_PAUSE:
        raise InputError(f"--every is {every:g}; it must be a number of seconds of at least 1.")
    with _waiting(evaluation, hints) as wait:
        while not _poll_once(evaluation) and every is not None:
            wait(every)
    return 0


def _poll_once(evaluation: str) -> bool:
    """Fetch ratings; return whether the round is complete with them."""
    with _connected(evaluation) as (work, round_, frontend):
        received = receive(round_, frontend.poll(round_), now=work.now)
        _report(received)
        if received.complete:
            say(round_news(work, evaluation, complete=True))
    return received.complete


@contextmanager
def _waiting(evaluation: str, address: str | None) -> Iterator[Callable[[float], object]]:
    """Yield what waits so many seconds, or less where Label Studio gives hints."""
    if address is None:
        yield time.sleep
        return
    with listening(address) as hints:
        with _connected(evaluation) as (_, round_, frontend):
            webhooks = _ask_for_hints(frontend, round_, hints)

        def wait(seconds: float) -> None:
            hints.wait(seconds)
            time.sleep(LEAST_PAUSE)  # hints come in swarms

        try:
            yield wait
        finally:
            with _connected(evaluation, must_be_open=False) as (_, _, frontend):
                want_no_more_hints(frontend.server, webhooks)


def _ask_for_hints(frontend: LabelStudioFrontend, round_: OpenRound, hints: Hints) -> list[int]:
    """Webhooks that Label Studio takes; none where it does not send to this address."""
    try:
        return ask_for_hints(frontend.server, frontend.project_numbers(round_), hints)
    except InputError as error:
        remark(f"There will be no hints, and each wait is a full one: {error}")
        return []


def close(evaluation: str, *, number: int | None) -> int:
    """Fetch what is there if the round is open, and take the round back."""
    with _connected(evaluation, number=number, must_be_open=False) as (work, round_, frontend):
        rounds = work.case(evaluation).rounds
        if any(row.round == round_.number and row.state == "open" for row in rounds):
            received = receive(round_, frontend.poll(round_), now=work.now)
            _report(received)
            if received.complete:
                say(round_news(work, evaluation, complete=True))
        gone = frontend.close(round_)
    table(["rater", *right("tasks removed")], [(rater, str(count)) for rater, count in gone])
    return 0


def _report(received: Received) -> None:
    """Say what a poll brought."""
    say(
        f"{plural(len(received.accepted), 'new submission')} stored, "
        f"{received.known:,} known before, {len(received.refused):,} refused."
    )
    for problem in received.refused[:SHOWN]:
        remark(f"  {problem}")
    if len(received.refused) > SHOWN:
        remark(f"  and {len(received.refused) - SHOWN} more")
    if received.refused:
        remark(
            "What is refused stays open. Where another user's annotation blocks a task, delete it "
            "in Label Studio, so that its rater is asked again."
        )


@contextmanager
def _connected(
    evaluation: str, *, number: int | None = None, must_be_open: bool = True
) -> Iterator[Connected]:
    """Yield a round of an evaluation, connected to its Label Studio server."""
    with open_existing() as work:
        case = work.case(evaluation)
        rounds = [
            round_
            for round_ in case.rounds
            if (round_.state == "open" or not must_be_open) and number in {None, round_.round}
        ]
        if not rounds:
            which = "no open round" if number is None else f"no round {number}"
            raise StateError(f"{evaluation} has {which} (it is {case.row.state}).")
        last = rounds[-1]
        if last.frontend != NAME:
            raise InputError(
                f"The raters of round {last.round} of {evaluation} work elsewhere "
                f"({last.frontend}). The campaign says where: rounds.frontend."
            )
        round_ = OpenRound(
            work.store, evaluation, last.round, last.dimensions, case.campaign.rubric
        )
        with open_frontend(case.campaign) as frontend:
            yield Connected(work, round_, frontend)
