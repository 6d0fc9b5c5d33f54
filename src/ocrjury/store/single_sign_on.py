"""Raters whom a proxy has signed in: who they are, what they have to rate, and their own link."""

from collections import Counter
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.capabilities import RATING_PAGE
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.evaluations import ENDED
from ocrjury.store.invitations import list_uninvited
from ocrjury.store.links import Link, add_link, find_link
from ocrjury.store.rows import same
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.people import raters, tokens
from ocrjury.store.schema.rating import assignments, rounds

MAKER = "proxy"


class OpenWork(NamedTuple):
    """An evaluation in which a rater has something to rate, or has just rated, on the page."""

    evaluation: str
    title: str
    round: int
    open: int


def find_rater(connection: Connection, name: str) -> str | None:
    """Pseudonym of whom an address or a pseudonym names; None if of nobody, or of two.

    Upper and lower case do not matter in an address.
    """
    named = sa.or_(
        raters.c.pseudonym == name,
        sa.and_(raters.c.email != "", sa.func.lower(raters.c.email) == name.lower()),
    )
    pseudonyms = connection.execute(sa.select(raters.c.pseudonym).where(named)).scalars().all()
    return str(pseudonyms[0]) if len(pseudonyms) == 1 else None


def list_open_work(connection: Connection, rater: str) -> list[OpenWork]:
    """Open rounds in which a rater has items, the nearest deadline first."""
    number = sa.func.sum(sa.case((assignments.c.state == "open", 1), else_=0))
    query = (
        sa.select(evaluations.c.evaluation, evaluations.c.campaign, rounds.c.round, number)
        .select_from(assignments)
        .join(rounds, same(rounds, assignments, "evaluation", "round"))
        .join(evaluations, same(evaluations, assignments, "evaluation"))
        .where(
            assignments.c.rater == rater,
            assignments.c.state != "withdrawn",
            rounds.c.state == "open",
            rounds.c.frontend == RATING_PAGE,
            evaluations.c.state.not_in(ENDED),
        )
        .group_by(
            evaluations.c.evaluation, evaluations.c.campaign, rounds.c.round, rounds.c.deadline
        )
        .order_by(rounds.c.deadline, evaluations.c.evaluation)
    )
    rows = connection.execute(query).all()
    titles = _titles(connection, [row[0] for row in rows])
    return [OpenWork(name, titles[name] or campaign, at, int(n)) for name, campaign, at, n in rows]


def link_of_work(
    connection: Connection, rater: str, work: OpenWork, *, now: datetime
) -> Link | None:
    """Link by which a proxy lets a rater in; it is made where there is none.

    None if a lead took the rater's newest link away, or let it end.
    """
    query = (
        sa.select(tokens.c.token_hash, tokens.c.created_by)
        .where(
            tokens.c.purpose == "rating",
            tokens.c.evaluation == work.evaluation,
            tokens.c.rater == rater,
            sa.or_(tokens.c.round.is_(None), tokens.c.round == work.round),
        )
        .order_by(tokens.c.created_at.desc(), tokens.c.revoked_at.is_not(None))
        .limit(1)
    )
    newest = connection.execute(query).one_or_none()
    if newest is not None:
        return find_link(connection, newest.token_hash, now=now)
    # Nobody ever sees the code of this link.
    add_link(connection, work.evaluation, rater, number=work.round, created_by=MAKER, now=now)
    return link_of_work(connection, rater, work, now=now)


def list_shut_out(
    engine: Engine, evaluation: str, number: int, *, now: datetime, sign_on: bool
) -> list[str]:
    """Raters with something open in a round whom neither link nor proxy lets in.

    A proxy lets in who came by it earlier in this evaluation. Beyond that it is taken to know who
    has an email address of their own, or came by it in any evaluation; never whose link of this
    round a lead took away, or let end.

    Parameters
    ----------
    sign_on
        Whether a proxy before the rating page signs people in at all.
    """
    waiting = list_uninvited(engine, evaluation, number, now=now)
    if not waiting:
        return []
    query = sa.select(tokens.c.rater, tokens.c.evaluation, tokens.c.round, tokens.c.created_by)
    people = sa.select(raters.c.pseudonym, sa.func.lower(raters.c.email)).where(
        raters.c.email != ""
    )
    with reading(engine) as connection:
        given = connection.execute(
            query.where(tokens.c.purpose == "rating", tokens.c.rater.in_(waiting))
        ).all()
        addresses = dict(connection.execute(people).tuples().all())
    own = [link for link in given if link.evaluation == evaluation]
    barred = {link.rater for link in own if link.round in {None, number}}
    let_in = {link.rater for link in own if link.created_by == MAKER}
    if sign_on:
        times = Counter(addresses.values())
        let_in |= {link.rater for link in given if link.created_by == MAKER}
        let_in |= {rater for rater, address in addresses.items() if times[address] == 1}
    return [rater for rater in waiting if rater in barred or rater not in let_in]


def _titles(connection: Connection, names: list[str]) -> dict[str, str]:
    """Titles of evaluations, as their campaigns give them."""
    title = evaluations.c.config["title"].as_string()
    query = sa.select(evaluations.c.evaluation, title).where(evaluations.c.evaluation.in_(names))
    return dict(connection.execute(query).tuples().all())
