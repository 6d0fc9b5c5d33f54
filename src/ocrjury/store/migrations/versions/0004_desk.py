"""The lead's desk: decisions that wait for a flow to take them."""

import sqlalchemy as sa
from alembic import op

from ocrjury.store.schema import Utc

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "requests",
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("target", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("settled_at", Utc(), nullable=True),
        sa.CheckConstraint(
            "outcome in ('taken', 'refused', 'overtaken')", name=op.f("ck_requests_outcome")
        ),
        sa.PrimaryKeyConstraint("request", name=op.f("pk_requests")),
    )
    op.create_index(
        "uq_requests_waiting",
        "requests",
        ["evaluation"],
        unique=True,
        sqlite_where=sa.text("outcome is null"),
        postgresql_where=sa.text("outcome is null"),
    )
