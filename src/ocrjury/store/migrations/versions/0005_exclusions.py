"""Items that a lead excluded."""

import sqlalchemy as sa
from alembic import op

from ocrjury.store.schema.creation import forbid_changes

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the exclusions, whose rows never change."""
    op.create_table(
        "exclusions",
        sa.Column("evaluation", sa.Text, nullable=False),
        sa.Column("item", sa.Text, nullable=False),
        sa.Column("rev", sa.Integer, nullable=False),
        sa.Column("excluded", sa.Boolean, nullable=False),
        sa.Column("category", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("withdrawn", sa.JSON, nullable=False),
        sa.Column("after_verdict", sa.Boolean, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("evaluation", "item", "rev", name="pk_exclusions"),
        sa.CheckConstraint(
            "category in ('unreadable', 'wrong_image', 'wrong_reference', 'privacy', 'other')",
            name="category",
        ),
    )
    forbid_changes(op.get_bind(), "exclusions")
