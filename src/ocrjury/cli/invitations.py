"""``ocrjury raters invite | links | revoke``: the personal links of the rating page."""

import argparse
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.campaign.limits import TEN_YEARS
from ocrjury.campaign.settings import Settings
from ocrjury.cli.actors import login_name, note_in
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.page_address import site_address
from ocrjury.cli.printing import remark, say, table
from ocrjury.cli.rater_names import add_raters, raters_named
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.pages.moments import local_minute
from ocrjury.pages.numbers import plural
from ocrjury.ratings.csv_tables import write_table
from ocrjury.whole_files import whole_text

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Case, Work

INVITE = """make personal links to the rating page

Make personal links to the rating page for the raters of the open round.

The code of a link is shown here and nowhere else: the store keeps a hash. A new link replaces the
rater's earlier ones. It works until three days after the deadline, wherever that is moved to, and
for this round only, unless options say otherwise. Send it to that person alone.

ocrjury raters invite claims-2026w47   # everybody with something to rate
ocrjury raters invite claims-2026w47 R01 R02   # or --rater R01 --rater R02
ocrjury raters invite claims-2026w47 --out links.csv
ocrjury raters invite claims-2026w47 --every-round --days 30"""
LINKS = """who has a link, until when, and who has used it

ocrjury raters links claims-2026w47"""
REVOKE = """make links useless and end their sessions, at once

ocrjury raters revoke claims-2026w47 R01
ocrjury raters revoke claims-2026w47 --all"""


def add_to(group: Commands) -> None:
    """Declare the commands."""
    invite = add_command(group, "invite", INVITE, run=run_invite)
    invite.add_argument("evaluation", help="its name")
    add_raters(invite, about="[all with open assignments and no link]")
    invite.add_argument("--every-round", action="store_true", help="also for the rounds after this")
    invite.add_argument("--days", type=float, help="how long it works [3 days past the deadline]")
    invite.add_argument("--out", type=Path, help="write them as CSV, readable by you alone")
    links = add_command(group, "links", LINKS, run=run_links)
    links.add_argument("evaluation", help="its name")
    revoke = add_command(group, "revoke", REVOKE, run=run_revoke)
    revoke.add_argument("evaluation", help="its name")
    add_raters(revoke, about="whose")
    revoke.add_argument("--all", action="store_true", help="those of everybody")


def run_invite(options: argparse.Namespace) -> None:
    """Make links and print them."""
    if options.out is not None and options.out.exists():
        raise InputError(f"{options.out} exists; name another file.")
    if options.days is not None and not 0 < options.days <= TEN_YEARS:
        raise InputError(f"--days must be above 0 and at most {TEN_YEARS}; found {options.days:g}.")
    with open_existing() as work:
        made = _make(work, options)
    if not made:
        say("Everybody with something to rate has a link; name raters to replace theirs.")
        return
    if options.out is None:
        for rater, address in made:
            say(f"{rater}  {address}")
        return
    remark(f"{plural(len(made), 'link')} written to {options.out}.")


def run_links(options: argparse.Namespace) -> None:
    """Print the links of an evaluation, without their codes."""
    from ocrjury.store.links import list_links

    with open_existing() as work:
        row = work.case(options.evaluation).row
        zone = row.config.time_zone
        links = list_links(work.engine, row.evaluation)
        now = work.now
    if not links:
        say(f"{row.evaluation} has no links; `ocrjury raters invite {row.evaluation}` makes them.")
        return
    table(
        ("rater", "round", "state", "until", "last seen"),
        [
            (
                *(link.who, "every" if link.round is None else str(link.round), link.state(now)),
                *(_moment(link.ends_at, zone), _moment(link.last_seen, zone)),
            )
            for link in links
        ],
    )


def run_revoke(options: argparse.Namespace) -> None:
    """Revoke links."""
    raters = raters_named(options)
    if bool(raters) == options.all:
        raise InputError("name the raters whose links are to be revoked, or add --all.")
    with open_existing() as work:
        row = work.case(options.evaluation).row
        revoke(work, row.evaluation, raters, others=row.raters)


def revoke(
    work: "Work", evaluation: str | None, people: list[str], *, others: Sequence[str] = ()
) -> None:
    """Revoke links to the rating page, or without an evaluation to the desk; no people are all.

    Raises
    ------
    InputError
        If somebody never had a link and is none of the others, who need not have one.
    """
    from ocrjury.store.database import writing
    from ocrjury.store.links import list_links, revoke_links

    known = dict.fromkeys([*others, *(link.who for link in list_links(work.engine, evaluation))])
    if strange := [name for name in people if name not in known]:
        raise InputError(
            f"Nothing was revoked: nobody called {', '.join(strange)} has a link; there are "
            f"{', '.join(known) or 'none'}."
        )
    with writing(work.engine) as connection:
        count = revoke_links(connection, evaluation, people or None, now=work.now)
        whose = f"{evaluation or 'desk'} {' '.join(people) or 'all'}"
        note_in(connection, "revoke links", whose, now=work.now)
    say(f"{plural(count, 'link')} revoked.")


def _make(work: "Work", options: argparse.Namespace) -> list[tuple[str, str]]:
    from ocrjury.store.database import writing
    from ocrjury.store.invitations import make_link

    case = work.case(options.evaluation)
    number, wanted = _whom(case, raters_named(options))
    site = site_address(Settings.from_environment())
    expires = None if options.days is None else work.now + timedelta(days=options.days)
    made = []
    with writing(work.engine) as connection:
        for rater in wanted:
            secret = make_link(
                connection,
                case.name,
                rater,
                number=None if options.every_round else number,
                created_by=login_name(),
                now=work.now,
                expires_at=expires,
            )
            made.append((rater, f"{site}/enter#{secret}"))
        if made and options.out is not None:
            # A link is a key: nobody else on this machine may read it. The file comes before the
            # end of the transaction: a full disk must not end the links that people have.
            with whole_text(options.out, mode=0o600, new=True) as file:
                write_table(file, ("rater", "link"), made)
    return made


def _whom(case: "Case", named: list[str]) -> tuple[int, list[str]]:
    from ocrjury.store.invitations import list_uninvited
    from ocrjury.store.rounds import list_progress

    engine, name, number = case.work.engine, case.name, case.open_round.round
    busy = [row.rater for row in list_progress(engine, name, number) if row.open or row.done]
    if strange := [rater for rater in named if rater not in busy]:
        raise InputError(
            f"There is nothing to rate in round {number} of {name} for {', '.join(strange)}; those "
            f"who have something are {', '.join(busy)}."
        )
    return number, named or list_uninvited(engine, name, number, now=case.work.now)


def _moment(moment: object, zone: str) -> str:
    """Moment to the minute in the campaign's time zone, a dash where there is none."""
    return local_minute(moment, zone) if isinstance(moment, datetime) else "–"
