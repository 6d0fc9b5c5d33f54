"""What is kept beside ratings, whichever way they came: comments, broken rules, who did it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from ocrjury.campaign.rubric import Rubric
from ocrjury.frontends.ingest.port import RawRating
from ocrjury.frontends.ingest.rule_breaks import broken_rules
from ocrjury.store.audit import add_audit
from ocrjury.store.database import Connection
from ocrjury.store.queue import AskedRow, read_fields
from ocrjury.store.remarks import add_comment, add_rule_flags


def keep_beside(
    connection: Connection,
    evaluation: str,
    stored: Sequence[RawRating],
    *,
    asked: Mapping[str, AskedRow],
    rubric: Rubric,
    now: datetime,
) -> None:
    """Keep what belongs to ratings that were stored just now."""
    items = {asked[rating.assignment].item for rating in stored} if rubric.field_rules else set()
    fields = read_fields(connection, evaluation, sorted(items))
    for rating in stored:
        field = fields.get(asked[rating.assignment].item)
        if field is not None:
            broken = broken_rules(field, rating.values, rubric)
            add_rule_flags(
                connection, rating.assignment, [each.flag(told=rating.told) for each in broken]
            )
        if rating.comment is not None:
            add_comment(connection, rating.assignment, rating.comment.strip(), now=now)
        add_audit(
            connection,
            "rate",
            actor=rating.actor or rating.rater,
            object_=rating.assignment,
            address=rating.address,
            now=now,
        )
