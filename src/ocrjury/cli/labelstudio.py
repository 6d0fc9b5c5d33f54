"""``ocrjury labelstudio``: a round on a Label Studio server, and its ratings back."""

import argparse
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import add_command, add_group

if TYPE_CHECKING:
    from ocrjury.cli.declaring import Commands

PUBLISH = ["ocrjury labelstudio publish claims-2026w47"]
POLL = [
    "ocrjury labelstudio poll claims-2026w47",
    "ocrjury labelstudio poll claims-2026w47 --every 60      # until the round is complete",
    "ocrjury labelstudio poll claims-2026w47 --every 600 --hints http://127.0.0.1:8090",
]
CLOSE = [
    "ocrjury labelstudio close claims-2026w47",
    "ocrjury labelstudio close claims-2026w47 --round 1",
]
ENVIRONMENT = [
    "ocrjury labelstudio environment",
    "ocrjury labelstudio environment > label-studio.env       # then: . ./label-studio.env",
]
ABOUT_PUBLISH = """Make a project for every rater of the open round, its items in the stored order.

Raters are found by their e-mail addresses. Publishing again goes on where it stopped, adds what was
assigned since, and removes what was withdrawn and nobody has rated. The campaign says where the
server is (rounds.labelstudio.url) and which environment variable holds the token
(rounds.labelstudio.token_env)."""
ABOUT_POLL = """Fetch what raters did in the open round, check all of it, and store what is right.

The rest goes to quarantine with a reason: another user's annotation, a value outside the scale, a
missing dimension, a task that nobody asked for. Polling again adds nothing that is known."""
ABOUT_CLOSE = """Take a round back: remove the tasks that nobody has rated.

A round that is still open is polled first. The projects remain, marked closed, with what was rated
in them."""
ABOUT_ENVIRONMENT = """Print the variables that make a Label Studio server keep its secrets.

Set them before the server starts: its own switch for analytics leaves reports of failures on."""


def add_to(commands: "Commands") -> None:
    """Declare the commands."""
    group = add_group(
        commands,
        "labelstudio",
        summary="let raters work in Label Studio, and fetch their ratings",
        examples=[PUBLISH[0], POLL[0], ENVIRONMENT[0]],
    )
    publish = add_command(
        group,
        "publish",
        summary="make a project for every rater of the open round",
        about=ABOUT_PUBLISH,
        examples=PUBLISH,
        run=run_publish,
    )
    poll, close = _add_poll(group), _add_close(group)
    for parser in (publish, poll, close):
        parser.add_argument("evaluation", help="its name")
    add_command(
        group,
        "environment",
        summary="print the variables that keep a server silent",
        about=ABOUT_ENVIRONMENT,
        examples=ENVIRONMENT,
        run=run_environment,
    )


def _add_poll(group: "Commands") -> argparse.ArgumentParser:
    """Declare the command that fetches ratings again and again."""
    poll = add_command(
        group,
        "poll",
        summary="fetch, check and store what raters did",
        about=ABOUT_POLL,
        examples=POLL,
        run=run_poll,
    )
    poll.add_argument(
        "--every", type=float, metavar="SECONDS", help="again and again, so many seconds apart"
    )
    poll.add_argument(
        "--hints",
        metavar="ADDRESS",
        help="with --every: listen here for webhooks, and poll at once when one comes",
    )
    return poll


def _add_close(group: "Commands") -> argparse.ArgumentParser:
    """Declare the command that ends a round there."""
    close = add_command(
        group,
        "close",
        summary="fetch the last ratings and remove what nobody has rated",
        about=ABOUT_CLOSE,
        examples=CLOSE,
        run=run_close,
    )
    close.add_argument("--round", type=int, metavar="NUMBER", help="[the newest]")
    return close


def run_publish(options: argparse.Namespace) -> int:
    """Make the projects."""
    from ocrjury.cli.labelstudio_rounds import publish

    return publish(options.evaluation)


def run_poll(options: argparse.Namespace) -> int:
    """Fetch ratings once, or again and again."""
    from ocrjury.cli.labelstudio_rounds import poll

    return poll(options.evaluation, every=options.every, hints=options.hints)


def run_close(options: argparse.Namespace) -> int:
    """Fetch the last ratings and take a round back."""
    from ocrjury.cli.labelstudio_rounds import close

    return close(options.evaluation, number=options.round)


def run_environment(options: argparse.Namespace) -> int:
    """Print the variables."""
    del options
    from ocrjury.cli.printing import say
    from ocrjury.frontends.labelstudio.privacy import environment_lines

    for line in environment_lines():
        say(line)
    return 0
