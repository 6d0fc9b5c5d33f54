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
    items = {asked[one.assignment].item for one in stored} if rubric.field_rules else set()
    fields = read_fields(connection, evaluation, sorted(items))
    for one in stored:
        field = fields.get(asked[one.assignment].item)
        if field is not None:
            broken = broken_rules(field, one.values, rubric)
            add_rule_flags(
                connection, one.assignment, [each.flag(told=one.told) for each in broken]
            )
        if one.comment is not None:
            add_comment(connection, one.assignment, one.comment.strip(), now=now)
        add_audit(
            connection,
            "rate",
            actor=one.actor or one.rater,
            object_=one.assignment,
            address=one.address,
            now=now,
        )
