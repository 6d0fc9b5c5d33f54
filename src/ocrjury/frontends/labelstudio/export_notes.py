"""The audit log about documents that go to Label Studio."""

from collections.abc import Sequence
from datetime import datetime

from ocrjury.frontends.ingest import OpenRound
from ocrjury.frontends.labelstudio.frontend import NAME, Published
from ocrjury.store.audit import add_audit
from ocrjury.store.database import writing


def note_published(
    round_: OpenRound, published: Sequence[Published], *, actor: str, now: datetime
) -> None:
    """Write into the audit log whose documents were sent to Label Studio, and by whom."""
    with writing(round_.store.engine) as connection:
        for one in published:
            add_audit(
                connection,
                "export",
                actor=actor,
                object_=f"{round_.evaluation}/{round_.number}/{one.rater}",
                address=NAME,
                now=now,
                reason=f"{one.new_tasks} tasks sent, {one.removed_tasks} removed",
            )
