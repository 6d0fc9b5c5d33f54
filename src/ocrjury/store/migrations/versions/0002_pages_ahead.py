"""Rating pages that are sent ahead, items that raters put off, and names for browsers' queues."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add when a page was sent ahead, when an item was put off, and its name in a browser."""
    moment = sa.DateTime(timezone=True)
    op.add_column("visits", sa.Column("sent_ahead", moment))
    op.add_column("assignments", sa.Column("postponed_at", moment))
    op.add_column("assignments", sa.Column("work_name", sa.Text))
