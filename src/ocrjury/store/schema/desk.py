"""What a lead asked for at the desk, until a flow has done or refused it."""

import sqlalchemy as sa

from ocrjury.store.schema.columns import Utc, among, key, may, metadata, must, only

requests = sa.Table(
    "requests",
    metadata,
    key("request"),
    must("evaluation"),
    must("version", sa.Integer),
    must("decision"),
    must("target", sa.JSON),
    must("reason"),
    must("actor"),
    must("at", Utc),
    may("outcome"),
    may("detail"),
    may("settled_at", Utc),
    among("outcome", ("taken", "refused", "overtaken")),
)
sa.Index("uq_requests_waiting", requests.c.evaluation, unique=True, **only("outcome is null"))
