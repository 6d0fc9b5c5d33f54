"""What was removed by plan: a certificate for every purge, of texts or of old audit rows."""

import sqlalchemy as sa

from ocrjury.store.schema.columns import Utc, key, may, metadata, must

purges = sa.Table(
    "purges",
    metadata,
    key("subject"),
    key("number", sa.Integer),
    key("finished", sa.Boolean),
    must("body", sa.JSON),
    must("actor"),
    may("before", Utc),
    may("previous"),
    must("sha256"),
    must("at", Utc),
)
