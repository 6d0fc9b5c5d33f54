"""Tables of rounds, assignments and ratings."""

from typing import Literal, get_args

import sqlalchemy as sa

from ocrjury.campaign.history import RoundKind, RoundState
from ocrjury.store.schema.columns import Sentence, Utc, among, key, may, must, only, table

Source = Literal["web", "sheet", "labelstudio", "file", "simulated"]

rounds = table(
    "rounds",
    key("evaluation"),
    key("round", sa.Integer),
    must("kind"),
    must("attempt", sa.Integer),
    must("state"),
    must("rule", Sentence),
    must("dimensions", sa.JSON),
    must("frontend"),
    must("replanned", sa.Boolean),
    must("opened_at", Utc),
    must("deadline", Utc),
    may("closed_at", Utc),
    may("closed_by"),
    among("kind", get_args(RoundKind)),
    among("state", get_args(RoundState)),
)
sa.Index("uq_rounds_open", rounds.c.evaluation, unique=True, **only("state = 'open'"))

assignments = table(
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
    may("postponed_at", Utc),
    may("work_name"),
    sa.UniqueConstraint("evaluation", "round", "item", "rater", "repeat"),
    sa.UniqueConstraint("evaluation", "round", "rater", "position"),
    sa.ForeignKeyConstraint(["evaluation", "round"], ["rounds.evaluation", "rounds.round"]),
    sa.ForeignKeyConstraint(["evaluation", "item"], ["items.evaluation", "items.item"]),
    sa.ForeignKeyConstraint(["rater"], ["raters.rater"]),
    among("state", ("open", "done", "withdrawn")),
)
sa.Index("ix_assignments_queue", assignments.c.evaluation, assignments.c.round, assignments.c.state)
# Holds all that the progress of a round is counted from, in the order in which it is grouped.
sa.Index(
    "ix_assignments_progress",
    *(assignments.c[name] for name in ("evaluation", "round", "item", "repeat", "state")),
)

ratings = table(
    "ratings",
    key("rating_id"),
    sa.Column("assignment", sa.Text, sa.ForeignKey("assignments.assignment"), nullable=False),
    must("dimension"),
    must("rev", sa.Integer),
    may("value", sa.Float),
    may("flag"),
    may("confidence", sa.Float),
    must("event_id"),
    must("rubric_hash"),
    must("source"),
    must("at", Utc),
    sa.UniqueConstraint("assignment", "dimension", "rev"),
    sa.UniqueConstraint("event_id", "dimension"),
    sa.CheckConstraint("(value is null) <> (flag is null)", name="one"),
    among("source", get_args(Source)),
)

set_aside = table(
    "set_aside",
    must("evaluation"),
    key("assignment"),
    key("dimension"),
    must("decision"),
)
