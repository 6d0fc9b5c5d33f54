"""Flags on items that were rated on every dimension all the same."""

import sqlalchemy as sa
from alembic import op

from ocrjury.store.schema.creation import forbid_changes

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the flags, whose rows never change."""
    op.create_table(
        "item_flags",
        sa.Column("assignment", sa.Text, nullable=False),
        sa.Column("rev", sa.Integer, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("assignment", "rev", name="pk_item_flags"),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.assignment"], name="fk_item_flags_assignment_assignments"
        ),
    )
    forbid_changes(op.get_bind(), "item_flags")
