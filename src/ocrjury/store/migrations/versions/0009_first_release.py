"""The first release, from which later migrations start: its tables are those of the schema.

Stores that were made during its development have lower numbers and other tables, so that none of
them passes for one of the first release.
"""

revision = "0009"
down_revision = None
