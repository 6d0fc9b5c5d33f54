"""Tables of the material: documents whose text is copied here once, items, known ratings."""

import sqlalchemy as sa

from ocrjury.campaign.flags import ITEM_PROBLEMS
from ocrjury.store.schema.columns import Utc, among, key, may, must, table

documents = table(
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
    may("image_sha256"),
    may("field"),
)

shown_images = table(
    "shown_images",
    key("evaluation"),
    key("doc_id"),
    key("sha256"),
    must("at", Utc),
)

items = table(
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
    sa.UniqueConstraint("evaluation", "doc_id", "system"),
    among("purpose", ("sample", "gold", "pilot")),
    sa.CheckConstraint(
        "(purpose = 'sample') = (inclusion_probability is not null)", name="sampled"
    ),
    sa.CheckConstraint(
        "inclusion_probability is null or "
        "(inclusion_probability > 0 and inclusion_probability <= 1)",
        name="probability",
    ),
)

exclusions = table(
    "exclusions",
    key("evaluation"),
    key("item"),
    key("rev", sa.Integer),
    must("excluded", sa.Boolean),
    must("category"),
    must("reason"),
    must("withdrawn", sa.JSON),
    must("after_verdict", sa.Boolean),
    must("actor"),
    must("at", Utc),
    among("category", ITEM_PROBLEMS),
)

gold = table(
    "gold",
    key("evaluation"),
    key("item"),
    key("dimension"),
    must("value", sa.Float),
    must("explanation"),
    must("source"),
    sa.ForeignKeyConstraint(["evaluation", "item"], ["items.evaluation", "items.item"]),
    among("source", ("file", "adjudicated", "consensus")),
)
