"""Links that leads asked to have mailed again."""

import sqlalchemy as sa
from alembic import op

from ocrjury.store.schema.creation import forbid_changes

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the requests, whose rows never change."""
    op.create_table(
        "link_requests",
        sa.Column("evaluation", sa.Text, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("rater", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("evaluation", "round", "rater", "number", name="pk_link_requests"),
    )
    forbid_changes(op.get_bind(), "link_requests")
