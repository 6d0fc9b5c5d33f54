"""Tables of the database; ids are text, times are UTC, human data is insert-only."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from ocrjury.campaign.history import STATES

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)


class Utc(sa.TypeDecorator[datetime]):
    """A moment in UTC, always with its time zone; SQLite alone would forget it."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: sa.Dialect) -> datetime | None:
        """Return the moment as it is stored."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: sa.Dialect) -> datetime | None:
        """Return the moment as it was given."""
        if value is None or value.tzinfo is not None:
            return value
        return value.replace(tzinfo=UTC)


def _key(name: str, kind: Any = sa.Text) -> sa.Column[Any]:
    """Return a column of the primary key."""
    return sa.Column(name, kind, primary_key=True)


def _must(name: str, kind: Any = sa.Text) -> sa.Column[Any]:
    """Return a column that always has a value."""
    return sa.Column(name, kind, nullable=False)


def _may(name: str, kind: Any = sa.Text) -> sa.Column[Any]:
    """Return a column that may be empty."""
    return sa.Column(name, kind, nullable=True)


def _among(name: str, values: tuple[str, ...]) -> sa.CheckConstraint:
    """Return a check that a column holds one of the values."""
    listed = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{name} in ({listed})", name=name)


def _only(condition: str) -> dict[str, Any]:
    """Return the options of an index over some rows, on both databases."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


evaluations = sa.Table(
    "evaluations",
    metadata,
    _key("evaluation"),
    _must("campaign"),
    _must("period"),
    _must("state"),
    _must("version", sa.Integer),
    _may("held_from"),
    _may("held_reason"),
    _may("held_detail"),
    _must("config", sa.JSON),
    _must("config_hash"),
    _must("config_path"),
    _must("rubric_hash"),
    _must("raters", sa.JSON),
    _must("pool_uri"),
    _may("pool_hash"),
    _may("pool_size", sa.Integer),
    _may("design", sa.JSON),
    _must("seed", sa.BigInteger),
    _must("package_version"),
    _must("simulated", sa.Boolean),
    _must("opened_at", Utc),
    _among("state", STATES),
    sa.CheckConstraint("(state = 'held') = (held_reason is not null)", name="held"),
)
sa.Index(
    "uq_evaluations_live",
    evaluations.c.campaign,
    evaluations.c.period,
    unique=True,
    **_only("state <> 'aborted'"),
)

moves = sa.Table(
    "moves",
    metadata,
    _key("evaluation"),
    _key("version", sa.Integer),
    _must("row"),
    _may("from_state"),
    _must("to_state"),
    _must("event"),
    _must("actor"),
    _may("reason"),
    _may("run_id"),
    _must("at", Utc),
)

decisions = sa.Table(
    "decisions",
    metadata,
    _key("decision"),
    _must("evaluation"),
    _must("version", sa.Integer),
    _must("kind"),
    _must("target", sa.JSON),
    _must("reason"),
    _must("actor"),
    _must("at", Utc),
)

rubrics = sa.Table("rubrics", metadata, _key("rubric_hash"), _must("body", sa.JSON))

documents = sa.Table(
    "documents",
    metadata,
    _key("evaluation"),
    _key("doc_id"),
    _must("page_id"),
    _may("doc_type"),
    _may("language"),
    _may("kind"),
    _may("reference"),
    _may("image_uri"),
    _may("box", sa.JSON),
    _must("scores", sa.JSON),
    _may("purged_at", Utc),
)

items = sa.Table(
    "items",
    metadata,
    _key("evaluation"),
    _key("item"),
    _must("doc_id"),
    _must("system"),
    _must("hypothesis"),
    _may("confidence", sa.Float),
    _must("purpose"),
    _may("inclusion_probability", sa.Float),
    _may("stratum"),
    _may("reason"),
    _may("draw_number", sa.Integer),
    sa.UniqueConstraint("evaluation", "doc_id", "system"),
    _among("purpose", ("sample", "gold", "pilot")),
    sa.CheckConstraint(
        "(purpose = 'sample') = (inclusion_probability is not null)", name="sampled"
    ),
    sa.CheckConstraint(
        "inclusion_probability is null or "
        "(inclusion_probability > 0 and inclusion_probability <= 1)",
        name="probability",
    ),
)

gold = sa.Table(
    "gold",
    metadata,
    _key("evaluation"),
    _key("item"),
    _key("dimension"),
    _must("value", sa.Float),
    _must("explanation"),
    _must("source"),
    sa.ForeignKeyConstraint(["evaluation", "item"], ["items.evaluation", "items.item"]),
    _among("source", ("file", "adjudicated", "consensus")),
)

raters = sa.Table(
    "raters",
    metadata,
    _key("rater"),
    _must("pseudonym"),
    _may("name"),
    _may("email"),
    _must("languages", sa.JSON),
    _must("skills", sa.JSON),
    _must("conflicts", sa.JSON),
    _must("role"),
    _must("cost", sa.Float),
    _may("minutes_per_item", sa.Float),
    _may("capacity", sa.Integer),
    _must("absences", sa.JSON),
    _must("active", sa.Boolean),
    _may("forgotten_at", Utc),
    sa.UniqueConstraint("pseudonym"),
)

rounds = sa.Table(
    "rounds",
    metadata,
    _key("evaluation"),
    _key("round", sa.Integer),
    _must("kind"),
    _must("attempt", sa.Integer),
    _must("state"),
    _must("rule"),
    _must("dimensions", sa.JSON),
    _must("frontend"),
    _must("replanned", sa.Boolean),
    _must("opened_at", Utc),
    _must("deadline", Utc),
    _may("closed_at", Utc),
    _may("closed_by"),
    _among("kind", ("pilot", "main", "adaptive", "adjudication", "panel")),
    _among("state", ("planned", "open", "closed", "dropped")),
)
sa.Index("uq_rounds_open", rounds.c.evaluation, unique=True, **_only("state = 'open'"))

assignments = sa.Table(
    "assignments",
    metadata,
    _key("assignment"),
    _must("evaluation"),
    _must("round", sa.Integer),
    _must("item"),
    _must("rater"),
    _must("repeat", sa.Integer),
    _must("position", sa.Integer),
    _must("session", sa.Integer),
    _must("state"),
    _must("reason"),
    _may("gain", sa.Float),
    sa.UniqueConstraint("evaluation", "round", "item", "rater", "repeat"),
    sa.UniqueConstraint("evaluation", "round", "rater", "position"),
    sa.ForeignKeyConstraint(["evaluation", "round"], ["rounds.evaluation", "rounds.round"]),
    sa.ForeignKeyConstraint(["evaluation", "item"], ["items.evaluation", "items.item"]),
    sa.ForeignKeyConstraint(["rater"], ["raters.rater"]),
    _among("state", ("open", "done", "withdrawn")),
)
sa.Index("ix_assignments_queue", assignments.c.evaluation, assignments.c.round, assignments.c.state)

ratings = sa.Table(
    "ratings",
    metadata,
    _key("rating_id"),
    sa.Column("assignment", sa.Text, sa.ForeignKey("assignments.assignment"), nullable=False),
    _must("dimension"),
    _must("rev", sa.Integer),
    _may("value", sa.Float),
    _may("flag"),
    _may("confidence", sa.Float),
    _must("event_id"),
    _must("rubric_hash"),
    _must("source"),
    _must("at", Utc),
    sa.UniqueConstraint("assignment", "dimension", "rev"),
    sa.UniqueConstraint("event_id", "dimension"),
    sa.CheckConstraint("(value is null) <> (flag is null)", name="one"),
    _among("source", ("web", "sheet", "labelstudio", "file", "simulated")),
)

set_aside = sa.Table(
    "set_aside",
    metadata,
    _must("evaluation"),
    _key("assignment"),
    _key("dimension"),
    _must("decision"),
)

imports = sa.Table(
    "imports",
    metadata,
    _key("file_hash"),
    _must("evaluation"),
    _key("round", sa.Integer),
    _may("rater"),
    _must("rows", sa.Integer),
    _must("at", Utc),
)

verdicts = sa.Table(
    "verdicts",
    metadata,
    _key("evaluation"),
    _key("round", sa.Integer),
    _key("dimension"),
    _key("version", sa.Integer),
    _must("decision"),
    _may("grade"),
    _must("reasons", sa.JSON),
    _may("needed_items", sa.Integer),
    _must("actions", sa.JSON),
    _must("policy_hash"),
    _among("decision", ("PASS", "FAIL", "INCONCLUSIVE")),
)

results = sa.Table(
    "results",
    metadata,
    _key("evaluation"),
    _key("round", sa.Integer),
    _key("kind"),
    _key("dimension"),
    _key("version", sa.Integer),
    _must("body", sa.JSON),
    _must("inputs_hash"),
    _must("at", Utc),
)

truths = sa.Table(
    "truths",
    metadata,
    _key("evaluation"),
    _key("version", sa.Integer),
    _key("item"),
    _key("dimension"),
    _must("label", sa.JSON),
    _may("median", sa.Float),
    _may("mean", sa.Float),
    _must("confidence", sa.Float),
    _must("tied", sa.Boolean),
    _must("probabilities", sa.JSON),
    _must("n_ratings", sa.Integer),
)

reports = sa.Table(
    "reports",
    metadata,
    _key("evaluation"),
    _key("kind"),
    _key("language"),
    _key("version", sa.Integer),
    _must("html_uri"),
    _may("pdf_uri"),
    _must("sha256"),
    _must("inputs_hash"),
    _must("at", Utc),
)

deliveries = sa.Table(
    "deliveries",
    metadata,
    _key("message_id"),
    _key("attempt", sa.Integer),
    _must("evaluation"),
    _must("what"),
    _must("recipient"),
    _must("sha256"),
    _must("state"),
    _may("detail"),
    _must("at", Utc),
    _among("state", ("sent", "failed", "given_up")),
)
sa.Index("uq_deliveries_sent", deliveries.c.message_id, unique=True, **_only("state = 'sent'"))

signals = sa.Table(
    "signals",
    metadata,
    _key("signal"),
    _must("evaluation"),
    _must("name"),
    _must("payload", sa.JSON),
    _must("created_at", Utc),
    _may("sent_at", Utc),
)

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
"""Tables whose rows never change: a correction is a new row (triggers guard it)."""
