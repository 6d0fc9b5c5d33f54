"""The course of an evaluation: state, moves, rests, a lead's decisions, signals, purges."""

from typing import Literal, get_args

import sqlalchemy as sa

from ocrjury.campaign.decision_targets import DecisionTarget, TakenTarget
from ocrjury.campaign.history import STATES
from ocrjury.store.schema.columns import Body, Sentence, Utc, among, key, may, must, only, table

Change = Literal["opening", "case", "undo"]
Outcome = Literal["taken", "refused", "overtaken"]

evaluations = table(
    "evaluations",
    key("evaluation"),
    must("campaign"),
    must("period"),
    must("state"),
    must("version", sa.Integer),
    may("held_from"),
    may("held_reason"),
    may("held_detail", Sentence),
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

moves = table(
    "moves",
    key("evaluation"),
    key("version", sa.Integer),
    must("row"),
    may("from_state"),
    must("to_state"),
    must("event"),
    must("actor"),
    may("reason", Sentence),
    may("run_id"),
    must("at", Utc),
)

decisions = table(
    "decisions",
    key("decision"),
    must("evaluation"),
    must("version", sa.Integer),
    must("kind"),
    must("target", Body(TakenTarget)),
    must("reason"),
    must("actor"),
    must("at", Utc),
)

rubrics = table("rubrics", key("rubric_hash"), must("body", sa.JSON))

rubric_versions = table(
    "rubric_versions",
    key("evaluation"),
    key("version", sa.Integer),
    must("rubric_hash"),
    must("change"),
    may("undoes", sa.Integer),
    may("item"),
    may("dimension"),
    must("reason"),
    must("actor"),
    must("at", Utc),
    among("change", get_args(Change)),
)

signals = table(
    "signals",
    key("signal"),
    must("evaluation"),
    must("name"),
    must("payload", sa.JSON),
    must("created_at", Utc),
    may("sent_at", Utc),
)

requests = table(
    "requests",
    key("request"),
    must("evaluation"),
    must("version", sa.Integer),
    must("decision"),
    must("target", Body(DecisionTarget)),
    must("reason"),
    must("actor"),
    must("at", Utc),
    may("outcome"),
    may("detail", Sentence),
    may("settled_at", Utc),
    among("outcome", get_args(Outcome)),
)
sa.Index("uq_requests_waiting", requests.c.evaluation, unique=True, **only("outcome is null"))

rests = table(
    "rests",
    key("evaluation"),
    must("version", sa.Integer),
    must("line", sa.Integer),
    must("word"),
    must("sentence"),
    must("page"),
    must("surroundings"),
    must("until", Utc),
)

purges = table(
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
