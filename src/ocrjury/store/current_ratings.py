"""The ratings that count, of all evaluations: the newest revisions that nobody set aside."""

import sqlalchemy as sa

from ocrjury.store.schema import assignments, items, ratings, rounds, set_aside


def current_ratings() -> sa.Subquery:
    """Query for every rating that counts.

    Its columns are evaluation, round, kind, item, rater, dimension, value, position, session,
    repeat, source, at, assignment and rev. `kind` says as what a rating counts: as one of its kind
    of round, as one of an item outside the sample in passing (``gold``), or as a second one by the
    same rater (``repeat``).
    """
    newest = _newest_revisions()
    same_rating = [newest.c[name] == ratings.c[name] for name in ("assignment", "dimension", "rev")]
    same_round = [rounds.c[name] == assignments.c[name] for name in ("evaluation", "round")]
    same_item = [items.c[name] == assignments.c[name] for name in ("evaluation", "item")]
    return (
        sa.select(
            assignments.c.evaluation,
            assignments.c.round,
            _kind().label("kind"),
            assignments.c.item,
            assignments.c.rater,
            ratings.c.dimension,
            ratings.c.value,
            assignments.c.position,
            assignments.c.session,
            assignments.c.repeat,
            ratings.c.source,
            ratings.c.at,
            ratings.c.assignment,
            ratings.c.rev,
        )
        .join(newest, sa.and_(*same_rating))
        .join(assignments, assignments.c.assignment == ratings.c.assignment)
        .join(rounds, sa.and_(*same_round))
        .join(items, sa.and_(*same_item))
        .where(assignments.c.state != "withdrawn", ratings.c.value.is_not(None), ~_set_aside())
        .subquery("current_ratings")
    )


def _kind() -> sa.Case[str]:
    """Round kind that a rating counts towards."""
    return sa.case(
        (assignments.c.repeat > 0, "repeat"),
        (sa.and_(rounds.c.kind != "pilot", items.c.purpose != "sample"), "gold"),
        else_=rounds.c.kind,
    )


def _newest_revisions() -> sa.Subquery:
    """Newest revision of every assignment and dimension."""
    return (
        sa.select(
            ratings.c.assignment, ratings.c.dimension, sa.func.max(ratings.c.rev).label("rev")
        )
        .group_by(ratings.c.assignment, ratings.c.dimension)
        .subquery("newest_revisions")
    )


def _set_aside() -> sa.Exists:
    """Condition that a rating was set aside."""
    return sa.exists().where(
        set_aside.c.assignment == ratings.c.assignment, set_aside.c.dimension == ratings.c.dimension
    )
