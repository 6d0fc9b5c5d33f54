"""Items that a lead excluded and why; a later row of an item undoes or renews an exclusion."""

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.exclusions import what_follows
from ocrjury.errors import StateError
from ocrjury.language import phrase
from ocrjury.store.audit import add_audit
from ocrjury.store.current_ratings import excluded_ratings
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.decisions import add_request, check_nothing_waits, dropped_raters
from ocrjury.store.histories import Standing
from ocrjury.store.inbox import add_answer, remarked
from ocrjury.store.outbox import add_signal
from ocrjury.store.ratings import lock_open_round
from ocrjury.store.rows import columns_of, has_row, list_rows
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.material import exclusions, items
from ocrjury.store.schema.rating import assignments

if TYPE_CHECKING:
    from ocrjury.store.schema.intake import AnswerKind


class Exclusion(NamedTuple):
    """Decision of a lead to exclude an item, or to undo that.

    Attributes
    ----------
    excluded
        False: an earlier exclusion is undone.
    category, reason
        Why, as a flag of raters and in words.
    withdrawn
        Assignments that were open and are asked for no longer.
    after_verdict
        Whether the gate had judged a main round before.
    """

    item: str
    rev: int
    excluded: bool
    category: str
    reason: str
    withdrawn: list[str]
    after_verdict: bool
    actor: str
    at: datetime


class NewExclusion(NamedTuple):
    """An exclusion or its undoing before it is stored."""

    item: str
    excluded: bool
    category: str
    reason: str
    actor: str


def list_exclusions(source: Engine | Connection, evaluation: str) -> list[Exclusion]:
    """Every row about the items of an evaluation, in the order of items and revisions."""
    query = (
        sa.select(*columns_of(exclusions, Exclusion))
        .where(exclusions.c.evaluation == evaluation)
        .order_by(exclusions.c.item, exclusions.c.rev)
    )
    return list_rows(source, Exclusion, query)


def excluded_items(source: Engine | Connection, evaluation: str) -> dict[str, Exclusion]:
    """Exclusions in force, by item."""
    newest = {row.item: row for row in list_exclusions(source, evaluation)}
    return {item: row for item, row in newest.items() if row.excluded}


def list_excluded_ratings(engine: Engine, evaluation: str) -> list[tuple[int, str]]:
    """Round and item of every rating that counts no more because its item was excluded."""
    lost = excluded_ratings()
    query = (
        sa.select(lost.c.round, lost.c.item)
        .where(lost.c.evaluation == evaluation)
        .order_by(lost.c.round, lost.c.item)
    )
    with reading(engine) as connection:
        return [(row.round, row.item) for row in connection.execute(query)]


def add_exclusion(
    connection: Connection,
    evaluation: str,
    new: NewExclusion,
    *,
    after_verdict: bool,
    now: datetime,
) -> None:
    """Exclude an item or undo that: its open assignments are withdrawn, or open again.

    Those of raters who were dropped meanwhile stay withdrawn: a round would wait for them in vain.
    Raters who reported the item are told.

    Raises
    ------
    StateError
        If there is no such item, or it is excluded already, or is not.
    """
    number = None
    with suppress(StateError):  # without an open round nobody is asked for it now
        number = lock_open_round(connection, evaluation)
    if not has_row(connection, items, evaluation=evaluation, item=new.item):
        raise StateError(phrase("There is no item '{item}'; nothing was stored.", item=new.item))
    rows = [row for row in list_exclusions(connection, evaluation) if row.item == new.item]
    if new.excluded == (bool(rows) and rows[-1].excluded):
        if new.excluded:
            raise StateError(phrase("'{item}' is excluded already.", item=new.item))
        raise StateError(phrase("'{item}' is not excluded.", item=new.item))
    if new.excluded:
        withdrawn = _change(connection, evaluation, number, item=new.item, state="withdrawn")
    else:
        _change(connection, evaluation, number, item=new.item, state="open", of=rows[-1].withdrawn)
        withdrawn = []
    connection.execute(
        sa.insert(exclusions).values(
            evaluation=evaluation,
            rev=len(rows) + 1,
            withdrawn=withdrawn,
            after_verdict=after_verdict,
            at=now,
            **new._asdict(),
        )
    )
    kind: AnswerKind = "excluded" if new.excluded else "restored"
    for assignment in remarked(connection, evaluation, new.item):
        add_answer(connection, assignment, kind=kind, body="", actor=new.actor, now=now)
    if number is not None and withdrawn and not _is_open(connection, evaluation, number):
        event = "ocrjury.round.complete"
        add_signal(connection, evaluation, name=event, about=str(number), now=now)


def decide_exclusion(
    connection: Connection,
    standing: Standing,
    new: NewExclusion,
    *,
    address: str,
    now: datetime,
) -> bool:
    """Take a lead's decision about an item, and return whether the gate is asked to judge again.

    The evaluation gets its next version: a step that was planned with the item, or without it,
    loses the race and is planned again.

    Raises
    ------
    RefusedError
        If the evaluation does not take it now, see `ocrjury.campaign.exclusions`.
    StateError
        If it does not fit the item, the evaluation has moved, or another decision waits.
    """
    name, position = standing.evaluation.evaluation, standing.position
    follows = what_follows(standing.history)
    query = sa.select(evaluations.c.version).where(evaluations.c.evaluation == name)
    if connection.execute(query.with_for_update()).scalar() != position.version:
        raise StateError(
            phrase("the evaluation has moved at this moment; nothing was stored. Try again.")
        )
    check_nothing_waits(connection, name)
    add_exclusion(connection, name, new, after_verdict=follows is not None, now=now)
    position = position._replace(version=position.version + 1)
    changed = sa.update(evaluations).where(evaluations.c.evaluation == name)
    connection.execute(changed.values(version=position.version))
    verb = "exclude" if new.excluded else "restore"
    add_audit(
        connection,
        f"{verb} item",
        actor=new.actor,
        object_=f"{name} {new.item}",
        address=address,
        reason=f"{new.category}: {new.reason}",
        now=now,
    )
    if follows is not None:
        add_request(
            connection,
            position,
            decision=follows,
            target=DecisionTarget(),
            reason=f"{verb} item: {new.reason}",
            actor=new.actor,
            now=now,
        )
    return follows is not None


def _change(
    connection: Connection,
    evaluation: str,
    number: int | None,
    *,
    item: str,
    state: str,
    of: list[str] | None = None,
) -> list[str]:
    """Withdraw the open assignments of an item in the open round, or open some of them again."""
    if number is None:
        return []
    mine = [
        assignments.c.evaluation == evaluation,
        assignments.c.round == number,
        assignments.c.item == item,
        assignments.c.state == ("open" if state == "withdrawn" else "withdrawn"),
    ]
    if of is not None:
        mine.append(assignments.c.assignment.in_(of))
        mine.append(assignments.c.rater.not_in(dropped_raters(connection, evaluation)))
    query = sa.select(assignments.c.assignment).where(*mine).order_by(assignments.c.assignment)
    names = list(connection.execute(query).scalars())
    connection.execute(sa.update(assignments).where(*mine).values(state=state))
    return names


def _is_open(connection: Connection, evaluation: str, number: int) -> bool:
    return has_row(connection, assignments, evaluation=evaluation, round=number, state="open")
