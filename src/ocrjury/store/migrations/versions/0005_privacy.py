"""Privacy: masks over pages, certificates of purges, and an end for old audit rows."""

import sqlalchemy as sa
from alembic import op

from ocrjury.store.schema import Utc
from ocrjury.store.triggers import forbid_changes, let_old_rows_go

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table and the column; let audit rows go that a certificate names."""
    op.add_column("documents", sa.Column("masks", sa.JSON(), nullable=True))
    op.create_table(
        "purges",
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("finished", sa.Boolean(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("before", Utc(), nullable=True),
        sa.Column("previous", sa.Text(), nullable=True),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "number", "finished", name=op.f("pk_purges")),
    )
    forbid_changes("purges")
    let_old_rows_go("audit")
