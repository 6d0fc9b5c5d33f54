"""The report names raters who submitted many items too soon, as the desk does."""

from datetime import UTC, datetime

import sqlalchemy as sa

from ocrjury.evaluation.case import at_work
from ocrjury.store.database import writing
from ocrjury.store.rounds import list_assignments
from ocrjury.store.schema.intake import visits


def work_in(small, *, hasty):
    """Let everybody have submitted on the rating page, some of them in half a second."""
    now = datetime(2026, 11, 20, 9, tzinfo=UTC)
    rows = [
        {
            "visit": row.assignment,
            "assignment": row.assignment,
            "session_hash": "s",
            "first_open": now,
            "submitted_at": now,
            "active_ms": 500 if row.rater in hasty else 20_000,
            "conditions": {"hasty": row.rater in hasty},
        }
        for row in small.stored(list_assignments)
    ]
    with at_work() as work, writing(work.store.engine) as connection:
        connection.execute(sa.insert(visits), rows)


def test_who_rushed_is_named_with_the_share_of_items(small):
    assert small.write().open().name == "Closed"
    _, before = small.report()

    work_in(small, hasty={"R02"})
    data, after = small.report()

    flags = {row.rater: row.flags for row in data.sections["raters"].rows}
    assert "100% of items submitted in under 3 s" in flags.pop("R02")
    assert "submitted in under" not in before + str(flags)
    assert "R02 100% of items submitted in under 3 s" in after
