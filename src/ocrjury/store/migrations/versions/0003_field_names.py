"""Names of fields: what a form calls the place that is rated."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the name of a document's field."""
    op.add_column("documents", sa.Column("field", sa.Text))
