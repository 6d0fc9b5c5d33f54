"""Tables of people and their access: raters, links, sessions, and the audit log."""

from typing import Literal, get_args

import sqlalchemy as sa

from ocrjury.store.schema.columns import Utc, among, key, may, must, table

Audience = Literal["rating", "desk"]

raters = table(
    "raters",
    key("rater"),
    must("pseudonym"),
    may("name"),
    may("email"),
    must("languages", sa.JSON),
    must("skills", sa.JSON),
    must("conflicts", sa.JSON),
    must("role"),
    must("cost", sa.Float),
    may("minutes_per_item", sa.Float),
    may("capacity", sa.Integer),
    must("absences", sa.JSON),
    must("active", sa.Boolean),
    may("forgotten_at", Utc),
    sa.UniqueConstraint("pseudonym"),
)

registries = table(
    "registries",
    key("evaluation"),
    sa.Column("rater", sa.Text, sa.ForeignKey("raters.rater"), primary_key=True),
    must("entry", sa.JSON),
)

tokens = table(
    "tokens",
    key("token_hash"),
    must("purpose"),
    may("rater"),
    may("evaluation"),
    may("round", sa.Integer),
    must("created_at", Utc),
    must("created_by"),
    may("expires_at", Utc),
    may("revoked_at", Utc),
    may("used_at", Utc),
    may("scope", sa.JSON(none_as_null=True)),
    among("purpose", get_args(Audience)),
    sa.CheckConstraint(
        "purpose <> 'rating' or (rater is not null and evaluation is not null)", name="whose"
    ),
)
sa.Index("ix_tokens_rater", tokens.c.evaluation, tokens.c.rater)

sessions = table(
    "sessions",
    key("session_hash"),
    sa.Column("token_hash", sa.Text, sa.ForeignKey("tokens.token_hash"), nullable=False),
    must("created_at", Utc),
    must("last_seen", Utc),
    must("working_since", Utc),
    may("ended_at", Utc),
    may("address"),
    may("client"),
)

second_factors = table(
    "second_factors",
    key("lead"),
    must("key"),
    must("created_at", Utc),
    may("last_step", sa.Integer),
)

audit = table(
    "audit",
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    must("actor"),
    must("action"),
    must("object"),
    must("address"),
    may("reason"),
    must("at", Utc),
    may("previous"),
    must("sha256"),
)
sa.Index("ix_audit_at", audit.c.at)
