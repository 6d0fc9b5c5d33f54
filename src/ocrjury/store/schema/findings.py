"""Tables of computed findings and deliveries: verdicts, results, truths, reports."""

from typing import get_args

import sqlalchemy as sa

from ocrjury.findings.cover import Cover
from ocrjury.gate.verdict import Decision
from ocrjury.store.schema.columns import (
    Actions,
    Kept,
    Said,
    Utc,
    among,
    key,
    may,
    must,
    only,
    table,
)

verdicts = table(
    "verdicts",
    key("evaluation"),
    key("round", sa.Integer),
    key("dimension"),
    key("version", sa.Integer),
    must("decision"),
    may("grade"),
    must("reasons", Said),
    may("needed_items", sa.Integer),
    must("actions", Actions),
    must("policy_hash"),
    among("decision", get_args(Decision)),
)

results = table(
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

truths = table(
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

reports = table(
    "reports",
    key("evaluation"),
    key("kind"),
    key("language"),
    key("version", sa.Integer),
    must("html_uri"),
    may("pdf_uri"),
    must("sha256"),
    must("inputs_hash"),
    must("cover", Kept(Cover)),
    must("main", sa.Boolean),
    must("at", Utc),
)

deliveries = table(
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
sa.Index("uq_deliveries_sent", deliveries.c.message_id, unique=True, **only("state = 'sent'"))

link_requests = table(
    "link_requests",
    key("evaluation"),
    key("round", sa.Integer),
    key("rater"),
    key("number", sa.Integer),
    must("actor"),
    must("at", Utc),
)

sendings = table(
    "sendings",
    key("message_id"),
    key("attempt", sa.Integer),
    must("evaluation"),
    must("what"),
    must("recipient"),
    must("sha256"),
    must("at", Utc),
)
