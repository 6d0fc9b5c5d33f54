"""Number of ratings by the version of the rubric under which they were given."""

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Connection, Engine
from ocrjury.store.rows import list_rows, same
from ocrjury.store.rubric_versions import RubricVersion, cases_in_force, list_rubric_versions
from ocrjury.store.schema.rating import assignments, ratings


class RubricCount(NamedTuple):
    """Ratings that count, of a round, by the hash of the rubric they know.

    `on_cases` counts those of items that were a boundary case of that rubric.
    """

    round: int
    kind: str
    rubric_hash: str
    ratings: int
    on_cases: int = 0


class RubricHistory(NamedTuple):
    """Versions of the rubric, and the ratings that know them."""

    versions: Sequence[RubricVersion]
    counts: Sequence[RubricCount]


def rubric_history(engine: Engine, evaluation: str) -> RubricHistory:
    """Versions and counts; neither where the rubric was never changed."""
    versions = list_rubric_versions(engine, evaluation)
    return RubricHistory(versions, count_by_rubric(engine, evaluation) if versions else [])


def rubric_known_last(connection: Connection, evaluation: str, rater: str) -> str | None:
    """Hash of the rubric that a rater's newest rating knows; None before the first."""
    query = (
        sa.select(ratings.c.rubric_hash)
        .join(assignments, same(assignments, ratings, "assignment"))
        .where(assignments.c.evaluation == evaluation, assignments.c.rater == rater)
        .order_by(ratings.c.at.desc())
        .limit(1)
    )
    return connection.execute(query).scalar()


def count_by_rubric(engine: Engine, evaluation: str) -> list[RubricCount]:
    """Ratings by round and by the rubric that they know."""
    versions = list_rubric_versions(engine, evaluation)
    on_cases = {
        row.rubric_hash: {case.item for case in cases_in_force(versions[:number])}
        for number, row in enumerate(versions, start=1)
    }
    rated = current_ratings()
    keys = [rated.c[name] for name in ("round", "kind", "rubric_hash")]
    on_case = sa.or_(
        sa.false(),
        *(
            sa.and_(rated.c.rubric_hash == of, rated.c.item.in_(sorted(filter(None, those))))
            for of, those in on_cases.items()
        ),
    )
    query = (
        sa.select(*keys, sa.func.count(), sa.func.sum(sa.case((on_case, 1), else_=0)))
        .where(rated.c.evaluation == evaluation)
        .group_by(*keys)
        .order_by(*keys)
    )
    return list_rows(engine, RubricCount, query)
