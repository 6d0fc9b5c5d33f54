"""Tables of the database; ids are text, times are UTC, human data is insert-only."""

from ocrjury.store.schema.columns import Utc, metadata
from ocrjury.store.schema.course import (
    decisions,
    evaluations,
    moves,
    purges,
    requests,
    rubrics,
    signals,
)
from ocrjury.store.schema.creation import INSERT_ONLY, create_tables
from ocrjury.store.schema.findings import (
    deliveries,
    reports,
    results,
    sendings,
    truths,
    verdicts,
)
from ocrjury.store.schema.intake import (
    comments,
    drafts,
    imports,
    notes,
    quarantine,
    rule_flags,
    visits,
)
from ocrjury.store.schema.material import documents, gold, items
from ocrjury.store.schema.people import audit, raters, sessions, tokens
from ocrjury.store.schema.rating import assignments, ratings, rounds, set_aside

__all__ = [
    "INSERT_ONLY",
    "Utc",
    "assignments",
    "audit",
    "comments",
    "create_tables",
    "decisions",
    "deliveries",
    "documents",
    "drafts",
    "evaluations",
    "gold",
    "imports",
    "items",
    "metadata",
    "moves",
    "notes",
    "purges",
    "quarantine",
    "raters",
    "ratings",
    "reports",
    "requests",
    "results",
    "rounds",
    "rubrics",
    "rule_flags",
    "sendings",
    "sessions",
    "set_aside",
    "signals",
    "tokens",
    "truths",
    "verdicts",
    "visits",
]
