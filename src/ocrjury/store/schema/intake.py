"""Tables of incoming ratings: visits, drafts, remarks, files, and refused submissions."""

from typing import Literal, get_args

import sqlalchemy as sa

from ocrjury.store.draft_content import Draft
from ocrjury.store.schema.columns import Body, Utc, among, key, may, must, table

AnswerKind = Literal["answer", "read", "excluded", "restored"]

imports = table(
    "imports",
    key("file_hash"),
    must("evaluation"),
    key("round", sa.Integer),
    may("rater"),
    must("rows", sa.Integer),
    must("at", Utc),
)

visits = table(
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
    may("sent_ahead", Utc),
    sa.Index("ix_visits_assignment", "assignment"),
)

drafts = table(
    "drafts",
    sa.Column("assignment", sa.Text, sa.ForeignKey("assignments.assignment"), primary_key=True),
    must("rev", sa.Integer),
    must("event_id"),
    must("body", Body(Draft)),
    must("locked", sa.Boolean),
    must("at", Utc),
)

comments = table(
    "comments",
    sa.Column("assignment", sa.Text, sa.ForeignKey("assignments.assignment"), primary_key=True),
    key("rev", sa.Integer),
    must("letter"),
    must("body"),
    must("at", Utc),
)

item_flags = table(
    "item_flags",
    sa.Column("assignment", sa.Text, sa.ForeignKey("assignments.assignment"), primary_key=True),
    key("rev", sa.Integer),
    must("reason"),
    must("at", Utc),
)

remarks = table(
    "remarks",
    sa.Column("assignment", sa.Text, sa.ForeignKey("assignments.assignment"), primary_key=True),
    must("evaluation"),
    must("at", Utc),
    sa.Index("ix_remarks_evaluation", "evaluation"),
)

answers = table(
    "answers",
    sa.Column("assignment", sa.Text, sa.ForeignKey("assignments.assignment"), primary_key=True),
    key("rev", sa.Integer),
    must("kind"),
    must("body"),
    must("actor"),
    must("at", Utc),
    among("kind", get_args(AnswerKind)),
)

rule_flags = table(
    "rule_flags",
    sa.Column("assignment", sa.Text, sa.ForeignKey("assignments.assignment"), primary_key=True),
    key("dimension"),
    key("rev", sa.Integer),
    key("rule"),
    must("level", sa.Float),
    must("max_level", sa.Float),
    must("shown", sa.Boolean),
)

notes = table(
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

quarantine = table(
    "quarantine",
    key("evaluation"),
    key("source"),
    key("row"),
    key("payload_hash"),
    must("reason"),
    must("at", Utc),
)
