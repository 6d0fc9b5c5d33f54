"""Versions of the rubric of an evaluation."""

import sqlalchemy as sa
from alembic import op

from ocrjury.store.schema.creation import forbid_changes

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the versions, whose rows never change."""
    op.create_table(
        "rubric_versions",
        sa.Column("evaluation", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("rubric_hash", sa.Text, nullable=False),
        sa.Column("change", sa.Text, nullable=False),
        sa.Column("undoes", sa.Integer),
        sa.Column("item", sa.Text),
        sa.Column("dimension", sa.Text),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("evaluation", "version", name="pk_rubric_versions"),
        sa.CheckConstraint("change in ('opening', 'case', 'undo')", name="change"),
    )
    forbid_changes(op.get_bind(), "rubric_versions")
