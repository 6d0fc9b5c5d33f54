"""Mails that a process has begun to send, so that no two processes send the same one."""

import sqlalchemy as sa
from alembic import op

from ocrjury.store.schema import Utc
from ocrjury.store.triggers import forbid_changes

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "sendings",
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("message_id", "attempt", name=op.f("pk_sendings")),
    )
    forbid_changes("sendings")
