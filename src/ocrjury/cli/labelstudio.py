"""``ocrjury labelstudio``: a round on a Label Studio server, and its ratings back."""

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ocrjury.cli.actors import login_name
from ocrjury.cli.declaring import Commands, add_command, add_group
from ocrjury.cli.printing import progress, remark, right, say, table
from ocrjury.cli.runs import round_news
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError, MissingDependencyError, StateError
from ocrjury.pages.numbers import plural

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Work
    from ocrjury.frontends.ingest import OpenRound
    from ocrjury.frontends.labelstudio import LabelStudioFrontend

    Connected = tuple[Work, OpenRound, LabelStudioFrontend]

GROUP = """let raters work in Label Studio, and fetch their ratings

ocrjury labelstudio publish claims-2026w47
ocrjury labelstudio poll claims-2026w47
ocrjury labelstudio environment"""
PUBLISH = """make a project for every rater of the open round

Make a project for every rater of the open round, its items in the stored order.

Raters are found by their email addresses. Publishing again goes on where it stopped, adds what was
assigned since, and removes what was withdrawn and nobody has rated. The campaign says where the
server is (rounds.labelstudio.url) and which environment variable holds the token
(rounds.labelstudio.token_env).

ocrjury labelstudio publish claims-2026w47"""
ENVIRONMENT = """print the variables that stop a server from contacting other hosts

Print the variables that stop a Label Studio server from contacting other hosts.

Set them before the server starts: its own switch for analytics leaves reports of failures on.

ocrjury labelstudio environment
ocrjury labelstudio environment > label-studio.env       # then: . ./label-studio.env"""
POLL = """fetch, check and store what raters did

Fetch what raters did in the open round, check all of it, and store what is right.

The rest goes to quarantine with a reason: another user's annotation, a value outside the scale, a
missing dimension, a task that nobody asked for. Polling again adds nothing that is known.

ocrjury labelstudio poll claims-2026w47
ocrjury labelstudio poll claims-2026w47 --every 60      # until the round is complete
ocrjury labelstudio poll claims-2026w47 --every 600 --hints http://127.0.0.1:8090"""
CLOSE = """fetch the last ratings and remove what nobody has rated

Take a round back: remove the tasks that nobody has rated.

A round that is still open is polled first. The projects remain, marked closed, with what was rated
in them.

ocrjury labelstudio close claims-2026w47
ocrjury labelstudio close claims-2026w47 --round 1"""
SHOWN = 20
LEAST_PAUSE, MOST_PAUSE = 1.0, 7 * 86_400.0


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "labelstudio", GROUP)
    publish = add_command(group, "publish", PUBLISH, run=run_publish)
    poll = add_command(group, "poll", POLL, run=run_poll)
    poll.add_argument(
        "--every", type=float, metavar="SECONDS", help="again and again, so many seconds apart"
    )
    poll.add_argument(
        "--hints",
        metavar="ADDRESS",
        help="with --every: listen here for webhooks, and poll at once when one comes",
    )
    close = add_command(group, "close", CLOSE, run=run_close)
    close.add_argument("--round", type=int, metavar="NUMBER", help="which round [the newest]")
    for parser in (publish, poll, close):
        parser.add_argument("evaluation", help="its name")
    add_command(group, "environment", ENVIRONMENT, run=run_environment)


def run_environment(_options: argparse.Namespace) -> None:
    """Print the variables."""
    from ocrjury.frontends.labelstudio.privacy import environment_lines

    for line in environment_lines():
        say(line)


def run_publish(options: argparse.Namespace) -> None:
    """Make the projects of a round, and say where each rater works."""
    from ocrjury.frontends.labelstudio import audit_of

    with _connected(options.evaluation) as (work, round_, frontend):
        lacking = frontend.lacking()
        planned = frontend.plan(round_)
        done = []
        with progress("Publishing", total=len(planned)) as tick:
            for wanted in planned:
                note = audit_of(round_, wanted, actor=login_name(), now=work.now)
                done.append(frontend.publish_project(round_, wanted, note=note))
                tick(1)
    rows = [
        (
            project.rater,
            *map(str, (project.open_tasks, project.new_tasks, project.removed_tasks)),
            project.address,
        )
        for project in done
    ]
    table(["rater", *right("open", "sent now", "removed"), "address"], rows)
    remark(f"Label Studio lacks {', '.join(lacking)}; the campaign allows that.")


def run_poll(options: argparse.Namespace) -> None:
    """Fetch ratings once, or again and again until the round is complete."""
    every = options.every
    if options.hints is not None and every is None:
        raise InputError("--hints belongs to --every; add it, or leave --hints out.")
    if every is not None and not LEAST_PAUSE <= every <= MOST_PAUSE:
        raise InputError(f"--every is {every:g}; it must be from 1 to {MOST_PAUSE:,.0f} seconds.")
    with _waiting(options.evaluation, options.hints) as wait:
        complete = _poll_once(options.evaluation)
        while not complete and every is not None:
            wait(every)
            complete = _poll_again(options.evaluation)


def _poll_once(evaluation: str) -> bool:
    """Fetch ratings; return whether the round is complete with them."""
    with _connected(evaluation) as connected:
        return _fetch(*connected)


def _poll_again(evaluation: str) -> bool:
    """Fetch ratings of a server that has answered before, and may be away for a while."""
    try:
        return _poll_once(evaluation)
    except MissingDependencyError as error:
        remark(f"{error} Polling goes on.")
        return False


@contextmanager
def _waiting(evaluation: str, address: str | None) -> Iterator[Callable[[float], object]]:
    """Yield what waits so many seconds, or less where Label Studio gives hints."""
    if address is None:
        yield time.sleep
        return
    from ocrjury.frontends.labelstudio.hints import ask_for_hints, listening, want_no_more_hints

    with listening(address) as hints:
        webhooks: list[int] = []
        with _connected(evaluation) as (_, round_, frontend):
            try:
                numbers = frontend.project_numbers(round_)
                webhooks = ask_for_hints(frontend.server, numbers, hints)
            except InputError as error:  # Label Studio does not send to this address
                remark(f"There will be no hints, and each wait is a full one: {error}")

        def wait(seconds: float) -> None:
            hints.wait(seconds)
            time.sleep(LEAST_PAUSE)  # hints come in swarms

        try:
            yield wait
        finally:
            with _connected(evaluation, must_be_open=False) as (_, _, frontend):
                want_no_more_hints(frontend.server, webhooks)


def run_close(options: argparse.Namespace) -> None:
    """Fetch what is there if the round is open, and take the round back."""
    name = options.evaluation
    with _connected(name, number=options.round, must_be_open=False) as connected:
        work, round_, frontend = connected
        rounds = work.case(name).rounds
        is_open = any(row.round == round_.number and row.state == "open" for row in rounds)
        if is_open:
            _fetch(*connected)
        # An open round may be published again: the flow takes it back for good.
        gone = frontend.close(round_, now=None if is_open else work.now)
    table(["rater", *right("tasks removed")], [(rater, str(count)) for rater, count in gone])


def _fetch(work: "Work", round_: "OpenRound", frontend: "LabelStudioFrontend") -> bool:
    """Store what raters did, and say what that was; return whether the round is complete."""
    from ocrjury.frontends.ingest import receive

    received = receive(round_, frontend.poll(round_), now=work.now)
    say(
        f"{plural(len(received.accepted), 'new submission')} stored, "
        f"{received.known:,} known before, {len(received.refused):,} refused."
    )
    if received.replaced:
        say(f"{plural(received.replaced, 'earlier value')} replaced.")
    for problem in received.refused[:SHOWN]:
        remark(f"  {problem}")
    if len(received.refused) > SHOWN:
        remark(f"  and {len(received.refused) - SHOWN} more")
    if received.refused:
        remark(
            "What is refused stays open. Where another user's annotation blocks a task, delete it "
            "in Label Studio, so that its rater is asked again."
        )
    if received.complete:
        say(round_news(work, round_.evaluation, complete=True))
    return received.complete


@contextmanager
def _connected(
    evaluation: str, *, number: int | None = None, must_be_open: bool = True
) -> "Iterator[Connected]":
    """Yield a round of an evaluation, connected to its Label Studio server."""
    from ocrjury.frontends.ingest import OpenRound
    from ocrjury.frontends.labelstudio import open_frontend
    from ocrjury.frontends.labelstudio.frontend import NAME

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
            yield work, round_, frontend
