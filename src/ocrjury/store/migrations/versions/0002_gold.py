"""Gold: items whose right rating is known."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "gold",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Text(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("explanation", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "source in ('file', 'adjudicated', 'consensus')", name=op.f("ck_gold_source")
        ),
        sa.ForeignKeyConstraint(
            ["evaluation", "item"],
            ["items.evaluation", "items.item"],
            name=op.f("fk_gold_evaluation_item"),
        ),
        sa.PrimaryKeyConstraint("evaluation", "item", "dimension", name=op.f("pk_gold")),
    )
