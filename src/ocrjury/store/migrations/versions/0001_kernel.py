"""The kernel: evaluations, people, rounds, ratings, and what is computed from them."""

import sqlalchemy as sa
from alembic import op

from ocrjury.store.schema import Utc
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
)


def upgrade() -> None:
    """Create the tables, and guard those whose rows never change."""
    op.create_table(
        "decisions",
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("target", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("at", Utc(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("decision", name=op.f("pk_decisions")),
    )
    op.create_table(
        "deliveries",
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("at", Utc(timezone=True), nullable=False),
        sa.CheckConstraint(
            "state in ('sent', 'failed', 'given_up')", name=op.f("ck_deliveries_state")
        ),
        sa.PrimaryKeyConstraint("message_id", "attempt", name=op.f("pk_deliveries")),
    )
    op.create_index(
        "uq_deliveries_sent",
        "deliveries",
        ["message_id"],
        unique=True,
        sqlite_where=sa.text("state = 'sent'"),
        postgresql_where=sa.text("state = 'sent'"),
    )
    op.create_table(
        "documents",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("doc_id", sa.Text(), nullable=False),
        sa.Column("page_id", sa.Text(), nullable=False),
        sa.Column("doc_type", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=True),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("image_uri", sa.Text(), nullable=True),
        sa.Column("box", sa.JSON(), nullable=True),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("purged_at", Utc(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("evaluation", "doc_id", name=op.f("pk_documents")),
    )
    op.create_table(
        "evaluations",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("campaign", sa.Text(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("held_from", sa.Text(), nullable=True),
        sa.Column("held_reason", sa.Text(), nullable=True),
        sa.Column("held_detail", sa.Text(), nullable=True),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("config_hash", sa.Text(), nullable=False),
        sa.Column("config_path", sa.Text(), nullable=False),
        sa.Column("rubric_hash", sa.Text(), nullable=False),
        sa.Column("raters", sa.JSON(), nullable=False),
        sa.Column("pool_uri", sa.Text(), nullable=False),
        sa.Column("pool_hash", sa.Text(), nullable=True),
        sa.Column("pool_size", sa.Integer(), nullable=True),
        sa.Column("design", sa.JSON(), nullable=True),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("package_version", sa.Text(), nullable=False),
        sa.Column("simulated", sa.Boolean(), nullable=False),
        sa.Column("opened_at", Utc(timezone=True), nullable=False),
        sa.CheckConstraint(
            "(state = 'held') = (held_reason is not null)", name=op.f("ck_evaluations_held")
        ),
        sa.CheckConstraint(
            "state in ('opened', 'scored', 'sampled', 'collecting', 'rated', 'judged', 'held', 'estimated', 'reported', 'closed', 'aborted')",
            name=op.f("ck_evaluations_state"),
        ),
        sa.PrimaryKeyConstraint("evaluation", name=op.f("pk_evaluations")),
    )
    op.create_index(
        "uq_evaluations_live",
        "evaluations",
        ["campaign", "period"],
        unique=True,
        sqlite_where=sa.text("state <> 'aborted'"),
        postgresql_where=sa.text("state <> 'aborted'"),
    )
    op.create_table(
        "imports",
        sa.Column("file_hash", sa.Text(), nullable=False),
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=True),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("at", Utc(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("file_hash", "round", name=op.f("pk_imports")),
    )
    op.create_table(
        "items",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("doc_id", sa.Text(), nullable=False),
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("hypothesis", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("inclusion_probability", sa.Float(), nullable=True),
        sa.Column("stratum", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("draw_number", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "(purpose = 'sample') = (inclusion_probability is not null)",
            name=op.f("ck_items_sampled"),
        ),
        sa.CheckConstraint("purpose in ('sample', 'gold', 'pilot')", name=op.f("ck_items_purpose")),
        sa.CheckConstraint(
            "inclusion_probability is null or (inclusion_probability > 0 and inclusion_probability <= 1)",
            name=op.f("ck_items_probability"),
        ),
        sa.PrimaryKeyConstraint("evaluation", "item", name=op.f("pk_items")),
        sa.UniqueConstraint(
            "evaluation", "doc_id", "system", name=op.f("uq_items_evaluation_doc_id_system")
        ),
    )
    op.create_table(
        "moves",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("row", sa.Text(), nullable=False),
        sa.Column("from_state", sa.Text(), nullable=True),
        sa.Column("to_state", sa.Text(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("at", Utc(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("evaluation", "version", name=op.f("pk_moves")),
    )
    op.create_table(
        "raters",
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("pseudonym", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("languages", sa.JSON(), nullable=False),
        sa.Column("skills", sa.JSON(), nullable=False),
        sa.Column("conflicts", sa.JSON(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("minutes_per_item", sa.Float(), nullable=True),
        sa.Column("capacity", sa.Integer(), nullable=True),
        sa.Column("absences", sa.JSON(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("forgotten_at", Utc(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("rater", name=op.f("pk_raters")),
        sa.UniqueConstraint("pseudonym", name=op.f("uq_raters_pseudonym")),
    )
    op.create_table(
        "reports",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("html_uri", sa.Text(), nullable=False),
        sa.Column("pdf_uri", sa.Text(), nullable=True),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("inputs_hash", sa.Text(), nullable=False),
        sa.Column("at", Utc(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint(
            "evaluation", "kind", "language", "version", name=op.f("pk_reports")
        ),
    )
    op.create_table(
        "results",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("inputs_hash", sa.Text(), nullable=False),
        sa.Column("at", Utc(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint(
            "evaluation", "round", "kind", "dimension", "version", name=op.f("pk_results")
        ),
    )
    op.create_table(
        "rounds",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("dimensions", sa.JSON(), nullable=False),
        sa.Column("frontend", sa.Text(), nullable=False),
        sa.Column("replanned", sa.Boolean(), nullable=False),
        sa.Column("opened_at", Utc(timezone=True), nullable=False),
        sa.Column("deadline", Utc(timezone=True), nullable=False),
        sa.Column("closed_at", Utc(timezone=True), nullable=True),
        sa.Column("closed_by", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "kind in ('pilot', 'main', 'adaptive', 'adjudication', 'panel')",
            name=op.f("ck_rounds_kind"),
        ),
        sa.CheckConstraint(
            "state in ('planned', 'open', 'closed', 'dropped')", name=op.f("ck_rounds_state")
        ),
        sa.PrimaryKeyConstraint("evaluation", "round", name=op.f("pk_rounds")),
    )
    op.create_index(
        "uq_rounds_open",
        "rounds",
        ["evaluation"],
        unique=True,
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )
    op.create_table(
        "rubrics",
        sa.Column("rubric_hash", sa.Text(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("rubric_hash", name=op.f("pk_rubrics")),
    )
    op.create_table(
        "set_aside",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Text(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("assignment", "dimension", name=op.f("pk_set_aside")),
    )
    op.create_table(
        "signals",
        sa.Column("signal", sa.Text(), nullable=False),
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("created_at", Utc(timezone=True), nullable=False),
        sa.Column("sent_at", Utc(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("signal", name=op.f("pk_signals")),
    )
    op.create_table(
        "truths",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Text(), nullable=False),
        sa.Column("label", sa.JSON(), nullable=False),
        sa.Column("median", sa.Float(), nullable=True),
        sa.Column("mean", sa.Float(), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("tied", sa.Boolean(), nullable=False),
        sa.Column("probabilities", sa.JSON(), nullable=False),
        sa.Column("n_ratings", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "evaluation", "version", "item", "dimension", name=op.f("pk_truths")
        ),
    )
    op.create_table(
        "verdicts",
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("dimension", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("grade", sa.Text(), nullable=True),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("needed_items", sa.Integer(), nullable=True),
        sa.Column("actions", sa.JSON(), nullable=False),
        sa.Column("policy_hash", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "decision in ('PASS', 'FAIL', 'INCONCLUSIVE')", name=op.f("ck_verdicts_decision")
        ),
        sa.PrimaryKeyConstraint(
            "evaluation", "round", "dimension", "version", name=op.f("pk_verdicts")
        ),
    )
    op.create_table(
        "assignments",
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("evaluation", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("gain", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "state in ('open', 'done', 'withdrawn')", name=op.f("ck_assignments_state")
        ),
        sa.ForeignKeyConstraint(
            ["evaluation", "item"],
            ["items.evaluation", "items.item"],
            name=op.f("fk_assignments_evaluation_item"),
        ),
        sa.ForeignKeyConstraint(
            ["evaluation", "round"],
            ["rounds.evaluation", "rounds.round"],
            name=op.f("fk_assignments_evaluation_round"),
        ),
        sa.ForeignKeyConstraint(["rater"], ["raters.rater"], name=op.f("fk_assignments_rater")),
        sa.PrimaryKeyConstraint("assignment", name=op.f("pk_assignments")),
        sa.UniqueConstraint(
            "evaluation",
            "round",
            "item",
            "rater",
            "repeat",
            name=op.f("uq_assignments_evaluation_round_item_rater_repeat"),
        ),
        sa.UniqueConstraint(
            "evaluation",
            "round",
            "rater",
            "position",
            name=op.f("uq_assignments_evaluation_round_rater_position"),
        ),
    )
    op.create_index(
        "ix_assignments_queue", "assignments", ["evaluation", "round", "state"], unique=False
    )
    op.create_table(
        "ratings",
        sa.Column("rating_id", sa.Text(), nullable=False),
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Text(), nullable=False),
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("flag", sa.Text(), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("rubric_hash", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("at", Utc(timezone=True), nullable=False),
        sa.CheckConstraint(
            "source in ('web', 'sheet', 'labelstudio', 'file', 'simulated')",
            name=op.f("ck_ratings_source"),
        ),
        sa.CheckConstraint("(value is null) <> (flag is null)", name=op.f("ck_ratings_one")),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.assignment"], name=op.f("fk_ratings_assignment")
        ),
        sa.PrimaryKeyConstraint("rating_id", name=op.f("pk_ratings")),
        sa.UniqueConstraint(
            "assignment", "dimension", "rev", name=op.f("uq_ratings_assignment_dimension_rev")
        ),
        sa.UniqueConstraint("event_id", "dimension", name=op.f("uq_ratings_event_id_dimension")),
    )
    for table in INSERT_ONLY:
        forbid_changes(table)
