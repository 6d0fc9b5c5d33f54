"""How an evaluation goes: its state, its moves, what a lead decided, what it announces."""

import sqlalchemy as sa

from ocrjury.campaign.history import STATES
from ocrjury.store.schema.columns import Utc, among, key, may, metadata, must, only

evaluations = sa.Table(
    "evaluations",
    metadata,
    key("evaluation"),
    must("campaign"),
    must("period"),
    must("state"),
    must("version", sa.Integer),
    may("held_from"),
    may("held_reason"),
    may("held_detail"),
    must("config", sa.JSON),
    must("config_hash"),
    must("config_path"),
    must("rubric_hash"),
    must("raters", sa.JSON),
    must("pool_uri"),
    may("pool_hash"),
    may("pool_size", sa.Integer),
    may("design", sa.JSON),
    must("seed", sa.BigInteger),
    must("package_version"),
    must("simulated", sa.Boolean),
    must("opened_at", Utc),
    among("state", STATES),
    sa.CheckConstraint("(state = 'held') = (held_reason is not null)", name="held"),
)
sa.Index(
    "uq_evaluations_live",
    evaluations.c.campaign,
    evaluations.c.period,
    unique=True,
    **only("state <> 'aborted'"),
)

moves = sa.Table(
    "moves",
    metadata,
    key("evaluation"),
    key("version", sa.Integer),
    must("row"),
    may("from_state"),
    must("to_state"),
    must("event"),
    must("actor"),
    may("reason"),
    may("run_id"),
    must("at", Utc),
)

decisions = sa.Table(
    "decisions",
    metadata,
    key("decision"),
    must("evaluation"),
    must("version", sa.Integer),
    must("kind"),
    must("target", sa.JSON),
    must("reason"),
    must("actor"),
    must("at", Utc),
)

rubrics = sa.Table("rubrics", metadata, key("rubric_hash"), must("body", sa.JSON))

signals = sa.Table(
    "signals",
    metadata,
    key("signal"),
    must("evaluation"),
    must("name"),
    must("payload", sa.JSON),
    must("created_at", Utc),
    may("sent_at", Utc),
)
