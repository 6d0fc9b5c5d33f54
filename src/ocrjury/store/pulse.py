"""Changes in anything that the desk shows, or in any rating, detected by a few numbers."""

from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.evaluations import ENDED
from ocrjury.store.rows import same
from ocrjury.store.schema.course import evaluations, requests, rubric_versions
from ocrjury.store.schema.findings import deliveries, reports, results, sendings, verdicts
from ocrjury.store.schema.intake import answers, comments, item_flags, quarantine, remarks
from ocrjury.store.schema.material import exclusions
from ocrjury.store.schema.people import tokens
from ocrjury.store.schema.rating import assignments, ratings, rounds, set_aside


class Pulse(NamedTuple):
    """Numbers of which one changes with everything that a page of the desk shows."""

    evaluations: int
    versions: int
    done: int
    withdrawn: int
    open: int
    others: tuple[str, ...]


def read_pulse(engine: Engine, evaluation: str | None = None) -> Pulse:
    """Pulse of an evaluation, or of all: then the ratings of those that are over are not counted.

    Rows are counted in an index; no body of a result is read.
    """
    with reading(engine) as connection:
        named = sa.true() if evaluation is None else evaluations.c.evaluation == evaluation
        counted = sa.select(sa.func.count(), sa.func.sum(evaluations.c.version)).where(named)
        number, versions = connection.execute(counted).one()
        states = _states(connection, evaluation)
        others = _of_all(connection) if evaluation is None else _others(connection, evaluation)
    return Pulse(
        number,
        versions or 0,
        states.get("done", 0),
        states.get("withdrawn", 0),
        states.get("open", 0),
        others,
    )


class RatingPulse(NamedTuple):
    """Numbers of which one changes with the ratings that count; all but `states` only ever grow.

    `ratings` are rows by round, `states` assignments by state.
    """

    ratings: dict[int, int]
    states: dict[str, int]
    set_aside: int
    exclusions: int


def read_rating_pulse(engine: Engine, evaluation: str) -> RatingPulse:
    """Pulse of the ratings of an evaluation; of a hundred thousand, none is read."""
    by_round = (
        sa.select(assignments.c.round, sa.func.count())
        .join(ratings, same(ratings, assignments, "assignment"))
        .where(assignments.c.evaluation == evaluation)
        .group_by(assignments.c.round)
    )
    with reading(engine) as connection:
        return RatingPulse(
            dict(connection.execute(by_round).tuples().all()),
            _states(connection, evaluation),
            *(
                connection.execute(
                    sa.select(sa.func.count()).where(table.c.evaluation == evaluation)
                ).scalar_one()
                for table in (set_aside, exclusions)
            ),
        )


def _states(connection: Connection, evaluation: str | None) -> dict[str, int]:
    """Number of assignments by state."""
    busy = sa.select(evaluations.c.evaluation).where(evaluations.c.state.not_in(ENDED))
    those = (
        assignments.c.evaluation.in_(busy)
        if evaluation is None
        else assignments.c.evaluation == evaluation
    )
    query = (
        sa.select(assignments.c.state, sa.func.count()).where(those).group_by(assignments.c.state)
    )
    return dict(connection.execute(query).tuples().all())


def _of_all(connection: Connection) -> tuple[str, ...]:
    """Time of the newest remark of a rater, and of the newest answer of a lead."""
    newest = (sa.select(sa.func.max(table.c.at)).scalar_subquery() for table in (remarks, answers))
    return tuple(map(str, connection.execute(sa.select(*newest)).one()))


def _others(connection: Connection, evaluation: str) -> tuple[str, ...]:
    """Time of the newest result, report, delivery, remark, link and the like of an evaluation."""
    newest = [
        sa.select(sa.func.max(column)).where(table.c.evaluation == evaluation).scalar_subquery()
        for table, column in (
            (results, results.c.at),
            (requests, requests.c.at),
            (requests, requests.c.settled_at),
            (reports, reports.c.at),
            (sendings, sendings.c.at),
            (deliveries, deliveries.c.at),
            (verdicts, verdicts.c.version),
            (rounds, rounds.c.deadline),
            (remarks, remarks.c.at),
            (quarantine, quarantine.c.at),
            (exclusions, exclusions.c.at),
            (rubric_versions, rubric_versions.c.at),
            (tokens, tokens.c.created_at),
            (tokens, tokens.c.expires_at),
            (tokens, tokens.c.revoked_at),
        )
    ]
    newest += [
        sa.select(sa.func.max(table.c.at))
        .join(remarks, same(remarks, table, "assignment"))
        .where(remarks.c.evaluation == evaluation)
        .scalar_subquery()
        for table in (comments, item_flags, answers)
    ]
    return tuple(map(str, connection.execute(sa.select(*newest)).one()))
