"""The first release, from which later migrations start: its tables are those of the schema."""

revision = "0001"
down_revision = None
