"""``ocrjury desk``: the links that open the lead's desk, which no rater's link does."""

import argparse
from datetime import timedelta

from ocrjury.campaign.limits import MOST_DAYS
from ocrjury.campaign.settings import Settings
from ocrjury.cli.actors import name_given, note_in
from ocrjury.cli.declaring import Commands, add_command, add_group
from ocrjury.cli.invitations import revoke
from ocrjury.cli.page_address import site_address
from ocrjury.cli.printing import remark, say, table
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.pages.moments import local_minute

GROUP = """links to the lead's desk

ocrjury desk link
ocrjury desk links
ocrjury desk second-factor --name 'J. Kim'
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
SECOND = """ask a lead for digits of an app too

Ask a lead for six digits of an app on their phone (TOTP) whenever they open the desk. The key
is shown here once; they type it into the app. Open sessions of theirs end. A program cannot do
this: make a link of another name for it.

ocrjury desk second-factor --name 'J. Kim'
ocrjury desk second-factor --name 'J. Kim' --remove"""


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "desk", GROUP)
    link = add_command(group, "link", LINK, run=run_link)
    link.add_argument("--name", help="who decides with it [your login name]")
    link.add_argument(
        "--only",
        metavar="EVALUATION",
        action="append",
        help="open this evaluation, or those of a pattern like 'claims-*' [all]; may be repeated",
    )
    link.add_argument(
        "--days", type=int, default=7, help=f"how long it works, 1 to {MOST_DAYS} [7]"
    )
    add_command(group, "links", LINKS, run=run_links)
    revoke = add_command(group, "revoke", REVOKE, run=run_revoke)
    revoke.add_argument("--name", help="whose")
    revoke.add_argument("--all", action="store_true", help="those of everybody")
    _add_second(group)


def _add_second(group: Commands) -> None:
    second = add_command(group, "second-factor", SECOND, run=run_second_factor)
    second.add_argument("--name", help="whose [your login name]")
    second.add_argument("--remove", action="store_true", help="ask for it no more")


def run_link(options: argparse.Namespace) -> None:
    """Make a link and print it."""
    from ocrjury.store.database import writing
    from ocrjury.store.evaluations import usual_zone
    from ocrjury.store.links import add_desk_link

    if not 1 <= options.days <= MOST_DAYS:
        raise InputError(
            f"--days must be a whole number from 1 to {MOST_DAYS}; found {options.days}."
        )
    if not all(pattern.strip() for pattern in options.only or ()):
        raise InputError("--only must name an evaluation, or a pattern like 'claims-*'.")
    who = name_given(options.name, "--name")
    site = site_address(Settings.from_environment())
    with open_existing() as work:
        ends = work.now + timedelta(days=options.days)
        until = local_minute(ends, usual_zone(work.engine))
        with writing(work.engine) as connection:
            secret = add_desk_link(
                connection, who, now=work.now, expires_at=ends, scope=options.only
            )
            of = " ".join(["desk", who, *(options.only or ())])
            note_in(connection, "make link", of, now=work.now)
    say(f"{site}/desk/enter#{secret}")
    opened = f"It opens {', '.join(options.only)} only. " if options.only else ""
    remark(f"{opened}It works until {until}, for {who}. `ocrjury serve` serves the desk.")


def run_links(_options: argparse.Namespace) -> None:
    """Print the links, without their codes."""
    from ocrjury.store.evaluations import usual_zone
    from ocrjury.store.links import list_links

    with open_existing() as work:
        links, now, zone = list_links(work.engine, None), work.now, usual_zone(work.engine)
    if not links:
        say("There is no link to the desk; `ocrjury desk link` makes one.")
        return
    lines = [
        (
            link.who,
            link.state(now),
            "" if link.ends_at is None else local_minute(link.ends_at, zone),
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
        revoke(work, None, [] if options.all else [name_given(options.name, "--name")])


def run_second_factor(options: argparse.Namespace) -> None:
    """Make a key and print it, or remove one."""
    from ocrjury.store.database import writing
    from ocrjury.store.one_time_codes import key_address
    from ocrjury.store.second_factors import remove_key, set_key
    from ocrjury.store.sessions import end_sessions_at_desk

    who = name_given(options.name, "--name")
    with open_existing() as work, writing(work.engine) as connection:
        if options.remove and not remove_key(connection, who):
            raise InputError(f"{who} has no second factor.")
        key = None if options.remove else set_key(connection, who, now=work.now)
        end_sessions_at_desk(connection, who, now=work.now)
        done = "remove second factor" if options.remove else "set second factor"
        note_in(connection, done, f"desk {who}", now=work.now)
    if key is None:
        say(f"{who} comes in by a link alone.")
        return
    say(key)
    say(key_address(key, who))
    remark(f"{who} types the key into an app now; it is shown nowhere else. Their sessions ended.")
