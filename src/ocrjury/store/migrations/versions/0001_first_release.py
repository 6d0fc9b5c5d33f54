"""Every table of the first release, and the triggers that keep rows of human data as they are."""

import sqlalchemy as sa
from alembic import op

from ocrjury.store.schema.columns import Utc, among, key, may, must, only
from ocrjury.store.triggers import forbid_changes

revision = "0001"
down_revision = None

INSERT_ONLY = (
    "moves",
    "decisions",
    "ratings",
    "set_aside",
    "verdicts",
    "results",
    "truths",
    "reports",
    "deliveries",
    "sendings",
    "quarantine",
    "purges",
)


def upgrade() -> None:
    """Create the tables, and guard those whose rows never change."""
    _course()
    _material()
    _people()
    _rating()
    _intake()
    _findings()
    _privacy()
    for table in INSERT_ONLY:
        forbid_changes(table)
    forbid_changes(
        "audit",
        deletable="exists (select 1 from purges where subject = 'audit' and before > old.at)",
    )


def _course() -> None:
    """Create the course of an evaluation: its state, moves, decisions, requests and signals."""
    op.create_table(
        "evaluations",
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
        sa.CheckConstraint("(state = 'held') = (held_reason is not null)", name="held"),
        among(
            "state",
            (
                "opened",
                "scored",
                "sampled",
                "collecting",
                "rated",
                "judged",
                "held",
                "estimated",
                "reported",
                "closed",
                "aborted",
            ),
        ),
    )
    op.create_index(
        "uq_evaluations_live",
        "evaluations",
        ["campaign", "period"],
        unique=True,
        **only("state <> 'aborted'"),
    )
    op.create_table(
        "moves",
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
    op.create_table(
        "decisions",
        key("decision"),
        must("evaluation"),
        must("version", sa.Integer),
        must("kind"),
        must("target", sa.JSON),
        must("reason"),
        must("actor"),
        must("at", Utc),
    )
    op.create_table(
        "requests",
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
    op.create_index(
        "uq_requests_waiting", "requests", ["evaluation"], unique=True, **only("outcome is null")
    )
    op.create_table(
        "rubrics",
        key("rubric_hash"),
        must("body", sa.JSON),
    )
    op.create_table(
        "signals",
        key("signal"),
        must("evaluation"),
        must("name"),
        must("payload", sa.JSON),
        must("created_at", Utc),
        may("sent_at", Utc),
    )


def _material() -> None:
    """Create what is rated: documents, items, known ratings."""
    op.create_table(
        "documents",
        key("evaluation"),
        key("doc_id"),
        must("page_id"),
        may("doc_type"),
        may("language"),
        may("kind"),
        may("reference"),
        may("image_uri"),
        may("box", sa.JSON),
        must("scores", sa.JSON),
        may("purged_at", Utc),
        may("masks", sa.JSON),
    )
    op.create_table(
        "items",
        key("evaluation"),
        key("item"),
        must("doc_id"),
        must("system"),
        must("hypothesis"),
        may("confidence", sa.Float),
        must("purpose"),
        may("inclusion_probability", sa.Float),
        may("stratum"),
        may("reason"),
        may("draw_number", sa.Integer),
        sa.CheckConstraint(
            "(purpose = 'sample') = (inclusion_probability is not null)", name="sampled"
        ),
        among("purpose", ("sample", "gold", "pilot")),
        sa.CheckConstraint(
            "inclusion_probability is null or "
            "(inclusion_probability > 0 and inclusion_probability <= 1)",
            name="probability",
        ),
        sa.UniqueConstraint("evaluation", "doc_id", "system"),
    )
    op.create_table(
        "gold",
        key("evaluation"),
        key("item"),
        key("dimension"),
        must("value", sa.Float),
        must("explanation"),
        must("source"),
        among("source", ("file", "adjudicated", "consensus")),
        sa.ForeignKeyConstraint(["evaluation", "item"], ["items.evaluation", "items.item"]),
    )


def _people() -> None:
    """Create who rates: raters, links, sessions, the audit log."""
    op.create_table(
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
    op.create_table(
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
        sa.CheckConstraint(
            "purpose <> 'rating' or (rater is not null and evaluation is not null)", name="whose"
        ),
        among("purpose", ("rating", "desk")),
    )
    op.create_index("ix_tokens_rater", "tokens", ["evaluation", "rater"])
    op.create_table(
        "sessions",
        key("session_hash"),
        sa.Column("token_hash", sa.Text, sa.ForeignKey("tokens.token_hash"), nullable=False),
        must("created_at", Utc),
        must("last_seen", Utc),
        must("working_since", Utc),
        may("ended_at", Utc),
    )
    op.create_table(
        "audit",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
        must("actor"),
        must("action"),
        must("object"),
        must("address"),
        may("reason"),
        must("at", Utc),
    )
    op.create_index("ix_audit_at", "audit", ["at"])


def _rating() -> None:
    """Create rounds, assignments, ratings."""
    op.create_table(
        "rounds",
        key("evaluation"),
        key("round", sa.Integer),
        must("kind"),
        must("attempt", sa.Integer),
        must("state"),
        must("rule"),
        must("dimensions", sa.JSON),
        must("frontend"),
        must("replanned", sa.Boolean),
        must("opened_at", Utc),
        must("deadline", Utc),
        may("closed_at", Utc),
        may("closed_by"),
        among("kind", ("pilot", "main", "adaptive", "adjudication", "panel")),
        among("state", ("planned", "open", "closed", "dropped")),
    )
    op.create_index(
        "uq_rounds_open", "rounds", ["evaluation"], unique=True, **only("state = 'open'")
    )
    op.create_table(
        "assignments",
        key("assignment"),
        must("evaluation"),
        must("round", sa.Integer),
        must("item"),
        must("rater"),
        must("repeat", sa.Integer),
        must("position", sa.Integer),
        must("session", sa.Integer),
        must("state"),
        must("reason"),
        may("gain", sa.Float),
        among("state", ("open", "done", "withdrawn")),
        sa.ForeignKeyConstraint(["evaluation", "item"], ["items.evaluation", "items.item"]),
        sa.ForeignKeyConstraint(["evaluation", "round"], ["rounds.evaluation", "rounds.round"]),
        sa.ForeignKeyConstraint(["rater"], ["raters.rater"]),
        sa.UniqueConstraint("evaluation", "round", "item", "rater", "repeat"),
        sa.UniqueConstraint("evaluation", "round", "rater", "position"),
    )
    op.create_index("ix_assignments_queue", "assignments", ["evaluation", "round", "state"])
    op.create_table(
        "ratings",
        key("rating_id"),
        must("assignment"),
        must("dimension"),
        must("rev", sa.Integer),
        may("value", sa.Float),
        may("flag"),
        may("confidence", sa.Float),
        must("event_id"),
        must("rubric_hash"),
        must("source"),
        must("at", Utc),
        among("source", ("web", "sheet", "labelstudio", "file", "simulated")),
        sa.CheckConstraint("(value is null) <> (flag is null)", name="one"),
        sa.ForeignKeyConstraint(["assignment"], ["assignments.assignment"]),
        sa.UniqueConstraint("assignment", "dimension", "rev"),
        sa.UniqueConstraint("event_id", "dimension"),
    )
    op.create_table(
        "set_aside",
        must("evaluation"),
        key("assignment"),
        key("dimension"),
        must("decision"),
    )


def _intake() -> None:
    """Create how ratings come in: files, visits, drafts, remarks, refused rows."""
    op.create_table(
        "imports",
        key("file_hash"),
        must("evaluation"),
        key("round", sa.Integer),
        may("rater"),
        must("rows", sa.Integer),
        must("at", Utc),
    )
    op.create_table(
        "visits",
        key("visit"),
        sa.Column("assignment", sa.Text, sa.ForeignKey("assignments.assignment"), nullable=False),
        must("session_hash"),
        must("first_open", Utc),
        may("submitted_at", Utc),
        may("wall_ms", sa.BigInteger),
        may("active_ms", sa.BigInteger),
        may("conditions", sa.JSON),
        may("client"),
    )
    op.create_index("ix_visits_assignment", "visits", ["assignment"])
    op.create_table(
        "drafts",
        sa.Column("assignment", sa.Text, sa.ForeignKey("assignments.assignment"), primary_key=True),
        must("rev", sa.Integer),
        must("event_id"),
        must("body", sa.JSON),
        must("locked", sa.Boolean),
        must("at", Utc),
    )
    op.create_table(
        "comments",
        sa.Column("assignment", sa.Text, sa.ForeignKey("assignments.assignment"), primary_key=True),
        key("rev", sa.Integer),
        must("body"),
        must("at", Utc),
    )
    op.create_table(
        "rule_flags",
        sa.Column("assignment", sa.Text, sa.ForeignKey("assignments.assignment"), primary_key=True),
        key("dimension"),
        key("rev", sa.Integer),
        key("rule"),
        must("level", sa.Float),
        must("max_level", sa.Float),
        must("shown", sa.Boolean),
    )
    op.create_table(
        "notes",
        key("evaluation"),
        key("round", sa.Integer),
        key("item"),
        key("kind"),
        key("rev", sa.Integer),
        must("body", sa.JSON),
        must("attendance", sa.JSON),
        must("actor"),
        must("at", Utc),
        among("kind", ("adjudication", "discussion", "consensus")),
    )
    op.create_table(
        "quarantine",
        key("evaluation"),
        key("source"),
        key("row"),
        key("payload_hash"),
        must("reason"),
        must("at", Utc),
    )


def _findings() -> None:
    """Create what is computed and handed out: verdicts, results, truths, reports, emails."""
    op.create_table(
        "verdicts",
        key("evaluation"),
        key("round", sa.Integer),
        key("dimension"),
        key("version", sa.Integer),
        must("decision"),
        may("grade"),
        must("reasons", sa.JSON),
        may("needed_items", sa.Integer),
        must("actions", sa.JSON),
        must("policy_hash"),
        among("decision", ("PASS", "FAIL", "INCONCLUSIVE")),
    )
    op.create_table(
        "results",
        key("evaluation"),
        key("round", sa.Integer),
        key("kind"),
        key("dimension"),
        key("version", sa.Integer),
        must("body", sa.JSON),
        must("inputs_hash"),
        must("at", Utc),
    )
    op.create_table(
        "truths",
        key("evaluation"),
        key("version", sa.Integer),
        key("item"),
        key("dimension"),
        must("label", sa.JSON),
        may("median", sa.Float),
        may("mean", sa.Float),
        must("confidence", sa.Float),
        must("tied", sa.Boolean),
        must("probabilities", sa.JSON),
        must("n_ratings", sa.Integer),
    )
    op.create_table(
        "reports",
        key("evaluation"),
        key("kind"),
        key("language"),
        key("version", sa.Integer),
        must("html_uri"),
        may("pdf_uri"),
        must("sha256"),
        must("inputs_hash"),
        must("at", Utc),
    )
    op.create_table(
        "deliveries",
        key("message_id"),
        key("attempt", sa.Integer),
        must("evaluation"),
        must("what"),
        must("recipient"),
        must("sha256"),
        must("state"),
        may("detail"),
        must("at", Utc),
        among("state", ("sent", "failed", "given_up")),
    )
    op.create_index(
        "uq_deliveries_sent", "deliveries", ["message_id"], unique=True, **only("state = 'sent'")
    )
    op.create_table(
        "sendings",
        key("message_id"),
        key("attempt", sa.Integer),
        must("evaluation"),
        must("what"),
        must("recipient"),
        must("sha256"),
        must("at", Utc),
    )


def _privacy() -> None:
    """Create the certificates of what was purged."""
    op.create_table(
        "purges",
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
