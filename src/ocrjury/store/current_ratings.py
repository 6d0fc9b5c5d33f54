"""The ratings that count, of all evaluations: newest revisions, not set aside, not excluded.

Those that would count if a lead had not excluded their item have the same columns.
"""

from typing import Any

import sqlalchemy as sa

from ocrjury.store.rows import same
from ocrjury.store.schema.material import exclusions, items
from ocrjury.store.schema.rating import assignments, ratings, rounds, set_aside


def current_ratings() -> sa.Subquery:
    """Query for every rating that counts.

    Its columns are evaluation, round, kind, item, rater, dimension, value, position, session,
    repeat, source, at, assignment, rev and rubric_hash. `kind` says as what a rating counts: as one
    of its kind of round, as one of an item outside the sample in passing (``gold``), or as a second
    one by the same rater (``repeat``); in a pilot all are practice.
    """
    return _standing_ratings(~is_excluded()).subquery("current_ratings")


def excluded_ratings() -> sa.Subquery:
    """Query for every rating that counts no more because a lead excluded its item."""
    return _standing_ratings(is_excluded()).subquery("excluded_ratings")


def _standing_ratings(condition: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Newest revisions with a value that were neither withdrawn nor set aside."""
    return (
        sa.select(
            *(assignments.c[name] for name in ("evaluation", "round", "item", "rater")),
            *(assignments.c[name] for name in ("position", "session", "repeat")),
            *(ratings.c[name] for name in ("dimension", "value", "source", "at")),
            *(ratings.c[name] for name in ("assignment", "rev", "rubric_hash")),
            _kind().label("kind"),
        )
        .join(assignments, same(assignments, ratings, "assignment"))
        .join(rounds, same(rounds, assignments, "evaluation", "round"))
        .join(items, same(items, assignments, "evaluation", "item"))
        .where(assignments.c.state != "withdrawn", ratings.c.value.is_not(None))
        .where(~_is_revised(), ~is_set_aside(), condition)
    )


def _kind() -> sa.Case[str]:
    """Round kind that a rating counts towards."""
    return sa.case(
        (rounds.c.kind == "pilot", "pilot"),
        (assignments.c.repeat > 0, "repeat"),
        (items.c.purpose != "sample", "gold"),
        else_=rounds.c.kind,
    )


def _is_revised() -> sa.Exists:
    """Condition that a rating has a newer revision.

    It is looked up for each rating that is asked for; the newest revisions of all ratings, joined,
    would be found anew for every evaluation.
    """
    newer = ratings.alias("newer")
    of_it = same(newer, ratings, "assignment", "dimension")
    return sa.exists().where(of_it, newer.c.rev > ratings.c.rev)


def is_excluded() -> sa.Exists:
    """Condition that a lead excluded the item of an assignment, and did not undo that."""
    later = exclusions.alias("later")
    undone = sa.exists().where(
        same(later, exclusions, "evaluation", "item"), later.c.rev > exclusions.c.rev
    )
    return sa.exists().where(
        same(exclusions, assignments, "evaluation", "item"), exclusions.c.excluded, ~undone
    )


def is_set_aside() -> sa.Exists:
    """Condition that a rating was set aside."""
    return sa.exists().where(same(set_aside, ratings, "assignment", "dimension"))
