"""The rating page: links and sessions, visits and drafts, remarks, quarantine, the audit log."""

import sqlalchemy as sa
from alembic import op

from ocrjury.store.schema import Utc
from ocrjury.store.triggers import forbid_changes

revision = "0003"
down_revision = "0002"

INSERT_ONLY = ("quarantine", "audit")


def upgrade() -> None:
    """Create the tables, and guard those whose rows never change."""
    op.create_table(
        "audit",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("object", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_at", "audit", ["at"], unique=False)
    op.create_table(
        "notes",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("attendance", sa.JSON(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.CheckConstraint(
            "kind in ('adjudication', 'discussion', 'consensus')", name=op.f("ck_notes_kind")
        ),
        sa.PrimaryKeyConstraint(
            "evaluation", "round", "item", "kind", "rev", name=op.f("pk_notes")
        ),
    )
    op.create_table(
        "quarantine",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("row", sa.Text(), nullable=False),
        sa.Column("payload_hash", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint(
            "evaluation", "source", "row", "payload_hash", name=op.f("pk_quarantine")
        ),
    )
    op.create_table(
        "tokens",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=True),
        sa.Column("evaluation", sa.Text(), nullable=True),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("expires_at", Utc(), nullable=True),
        sa.Column("revoked_at", Utc(), nullable=True),
        sa.CheckConstraint(
            "purpose <> 'rating' or (rater is not null and evaluation is not null)",
            name=op.f("ck_tokens_whose"),
        ),
        sa.CheckConstraint("purpose in ('rating', 'desk')", name=op.f("ck_tokens_purpose")),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_tokens")),
    )
    op.create_index("ix_tokens_rater", "tokens", ["evaluation", "rater"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("session_hash", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("last_seen", Utc(), nullable=False),
        sa.Column("working_since", Utc(), nullable=False),
        sa.Column("ended_at", Utc(), nullable=True),
        sa.ForeignKeyConstraint(
            ["token_hash"], ["tokens.token_hash"], name=op.f("fk_sessions_token_hash")
        ),
        sa.PrimaryKeyConstraint("session_hash", name=op.f("pk_sessions")),
    )
    op.create_table(
        "comments",
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.assignment"], name=op.f("fk_comments_assignment")
        ),
        sa.PrimaryKeyConstraint("assignment", "rev", name=op.f("pk_comments")),
    )
    op.create_table(
        "drafts",
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("locked", sa.Boolean(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.assignment"], name=op.f("fk_drafts_assignment")
        ),
        sa.PrimaryKeyConstraint("assignment", name=op.f("pk_drafts")),
    )
    op.create_table(
        "rule_flags",
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Text(), nullable=False),
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("level", sa.Float(), nullable=False),
        sa.Column("max_level", sa.Float(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.assignment"], name=op.f("fk_rule_flags_assignment")
        ),
        sa.PrimaryKeyConstraint(
            "assignment", "dimension", "rev", "rule", name=op.f("pk_rule_flags")
        ),
    )
    op.create_table(
        "visits",
        sa.Column("visit", sa.Text(), nullable=False),
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("session_hash", sa.Text(), nullable=False),
        sa.Column("first_open", Utc(), nullable=False),
        sa.Column("submitted_at", Utc(), nullable=True),
        sa.Column("wall_ms", sa.BigInteger(), nullable=True),
        sa.Column("active_ms", sa.BigInteger(), nullable=True),
        sa.Column("conditions", sa.JSON(), nullable=True),
        sa.Column("client", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.assignment"], name=op.f("fk_visits_assignment")
        ),
        sa.PrimaryKeyConstraint("visit", name=op.f("pk_visits")),
    )
    op.create_index("ix_visits_assignment", "visits", ["assignment"], unique=False)
    for table in INSERT_ONLY:
        forbid_changes(table)
