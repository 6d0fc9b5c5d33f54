"""Ratings above what a field rule allows: who gave how many, and how many were told."""

from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Engine, reading
from ocrjury.store.schema import rule_flags


class RuleBreakRow(NamedTuple):
    """What a rater gave on one level against one rule; ratings that count, as they were given.

    Attributes
    ----------
    rater
        Pseudonym.
    level
        What was given.
    ratings, items
        How often, and to how many items.
    told
        Of the ratings, those whose rater was told of the rule while rating.
    """

    rule: str
    dimension: str
    rater: str
    level: float
    ratings: int
    items: int
    told: int


def list_rule_breaks(engine: Engine, evaluation: str) -> list[RuleBreakRow]:
    """Return how often each rater broke each rule, the highest level first.

    A flag on a rating that was since changed, withdrawn or set aside does not count.
    """
    rated = current_ratings()
    same_rating = [rule_flags.c[name] == rated.c[name] for name in ("assignment", "dimension")]
    keys = (rule_flags.c.rule, rule_flags.c.dimension, rated.c.rater, rule_flags.c.level)
    query = (
        sa.select(
            *keys,
            sa.func.count(),
            sa.func.count(sa.distinct(rated.c.item)),
            sa.func.sum(sa.case((rule_flags.c.shown, 1), else_=0)),
        )
        .join(rated, sa.and_(*same_rating, rule_flags.c.rev == rated.c.rev))
        .where(rated.c.evaluation == evaluation)
        .group_by(*keys)
        .order_by(*keys[:3], rule_flags.c.level.desc())
    )
    with reading(engine) as connection:
        return [RuleBreakRow(*row) for row in connection.execute(query)]
