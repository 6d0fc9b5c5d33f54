"""Evaluations at which a sweep need not look again."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the table, whose rows may be lost without harm."""
    op.create_table(
        "rests",
        sa.Column("evaluation", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("sentence", sa.Text, nullable=False),
        sa.Column("page", sa.Text, nullable=False),
        sa.Column("surroundings", sa.Text, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("evaluation", name="pk_rests"),
    )
