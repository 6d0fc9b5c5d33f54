"""``ocrjury desk``: the links that open the lead's desk, which no rater's link does."""

import argparse
from datetime import timedelta

from ocrjury.campaign.settings import Settings
from ocrjury.cli.actors import login_name, name_given
from ocrjury.cli.declaring import Commands, add_command, add_group
from ocrjury.cli.invitations import revoke
from ocrjury.cli.printing import remark, say, table
from ocrjury.cli.stored import open_existing
from ocrjury.errors import InputError

GROUP = """links to the lead's desk

ocrjury desk link
ocrjury desk links
ocrjury desk revoke --all"""
LINK = """make a link to the desk

Make a link to the lead's desk: all evaluations, the agreement so far, decisions, links.

The code is shown here and nowhere else: the store keeps a hash. Whoever has it decides in the name
given here, which the report prints. A program sends it as `Authorization: Bearer CODE`. The desk is
part of `ocrjury serve`.

ocrjury desk link
ocrjury desk link --name 'J. Kim' --days 30
ocrjury desk link --name 'M. Lee' --only 'claims-*'"""
LINKS = """whose links there are, and until when they work

ocrjury desk links"""
REVOKE = """make links to the desk useless and end their sessions, at once

ocrjury desk revoke --name 'J. Kim'
ocrjury desk revoke --all"""
MOST_DAYS = 90


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "desk", GROUP)
    link = add_command(group, "link", LINK, run=run_link)
    link.add_argument("--name", help="who decides with it [your login name]")
    link.add_argument(
        "--only",
        metavar="EVALUATION",
        action="append",
        help="open this evaluation, or those of a pattern such as 'claims-*' [all]; repeatable",
    )
    link.add_argument("--days", type=int, default=7, help="how long it works, 1 to 90 [7]")
    add_command(group, "links", LINKS, run=run_links)
    revoke = add_command(group, "revoke", REVOKE, run=run_revoke)
    revoke.add_argument("--name", help="whose")
    revoke.add_argument("--all", action="store_true", help="those of everybody")


def run_link(options: argparse.Namespace) -> None:
    """Make a link and print it."""
    from ocrjury.store.audit import add_audit
    from ocrjury.store.database import writing
    from ocrjury.store.links import add_desk_link

    if not 1 <= options.days <= MOST_DAYS:
        raise InputError(
            f"--days must be a whole number from 1 to {MOST_DAYS}; found {options.days}."
        )
    who = name_given(options.name, "--name")
    site = Settings.from_environment().rating_url or "http://127.0.0.1:8080"
    with open_existing() as work:
        ends = work.now + timedelta(days=options.days)
        with writing(work.engine) as connection:
            secret = add_desk_link(
                connection, who, now=work.now, expires_at=ends, scope=options.only
            )
            target = " ".join(["desk", *(options.only or ())])
            add_audit(
                connection, "make link", actor=who, object_=target, address="cli", now=work.now
            )
    say(f"{site.rstrip('/')}/desk/enter#{secret}")
    opened = f"It opens {', '.join(options.only)} only. " if options.only else ""
    until = f"{ends:%Y-%m-%d %H:%M} UTC"
    remark(f"{opened}It works until {until}, for {who}. `ocrjury serve` serves the desk.")


def run_links(_options: argparse.Namespace) -> None:
    """Print the links, without their codes."""
    from ocrjury.store.links import list_links

    with open_existing() as work:
        links, now = list_links(work.engine, None), work.now
    if not links:
        say("There is no link to the desk; `ocrjury desk link` makes one.")
        return
    lines = [
        (
            link.who,
            link.state(now),
            f"{link.ends_at:%Y-%m-%d %H:%M} UTC",
            ", ".join(link.scope or ("all",)),
        )
        for link in links
    ]
    table(("who", "state", "until", "opens"), lines)


def run_revoke(options: argparse.Namespace) -> None:
    """Revoke links."""
    if bool(options.name) == options.all:
        raise InputError("name whose links are to be revoked with --name, or add --all.")
    with open_existing() as work:
        revoke(work, None, [] if options.all else [options.name], actor=login_name())
