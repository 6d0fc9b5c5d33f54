"""The documents whose right rating is known, as items."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from ocrjury.campaign.gold_file import check_documents, read_gold
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.documents import documents_of, items_of, with_image_hashes
from ocrjury.evaluation.pool_frames import masks_of, unknown_pages
from ocrjury.readers import read_pool
from ocrjury.readers.masks import COLUMN as MASKS
from ocrjury.readers.masks import masked_pages, unknown_names
from ocrjury.store.documents import GoldRow, SampledItem
from ocrjury.text import TextOptions, score_texts
from ocrjury.text.metrics import METRICS


class KnownItems(NamedTuple):
    """Items outside the sample with a known rating, and all known ratings."""

    items: list[SampledItem]
    rows: list[GoldRow]

    @property
    def values(self) -> dict[str, dict[str, float]]:
        """Known ratings by dimension and item."""
        known: dict[str, dict[str, float]] = {}
        for row in self.rows:
            known.setdefault(row.dimension, {})[row.item] = row.value
        return known

    def fair_items(self, dimension: str) -> set[str]:
        """Items whose known rating nobody promoted, as in `Case.fair_gold`."""
        return {r.item for r in self.rows if r.dimension == dimension and r.source == "file"}


def known_items(case: Case, pool: pd.DataFrame, sample: Sequence[SampledItem]) -> KnownItems:
    """Gold of a campaign; a document that was drawn stays part of the sample.

    Raises `InputError` if the gold file cannot be used, or names a document that is not there.
    """
    path = case.campaign.gold_path
    if path is None:
        return KnownItems([], [])
    lines = read_gold(path, case.campaign.rubric)
    own = _own_pool(case, pool)
    documents = pool if own is None else own
    check_documents(path, lines, set(documents["doc_id"]))
    drawn = {item.doc_id for item in sample}
    outside = [name for name in dict.fromkeys(line.doc_id for line in lines) if name not in drawn]
    chosen = documents_of(case, outside) if own is None else own
    items = with_image_hashes(case, items_of(chosen, outside, purpose="gold"))
    return KnownItems(items, [GoldRow(*line) for line in lines])


def _own_pool(case: Case, pool: pd.DataFrame) -> pd.DataFrame | None:
    """Scored documents of the gold file's own pool, None if it has none."""
    where = case.campaign.gold_pool_location
    if where is None:
        return None
    documents = read_pool(where)
    both = sorted(set(documents["doc_id"]) & set(pool["doc_id"]))
    if both:
        raise InputError(
            f"{where} and the pool both hold the document {both[0]!r} ({len(both)} in all). Leave "
            "raters.gold_pool out if gold is of the pool, else give its documents other names."
        )
    scores = score_texts(
        [None if pd.isna(text) else text for text in documents["reference"]],
        documents["hypothesis"].tolist(),
        options=TextOptions.preset(case.campaign.pool.options),
        metrics=list(METRICS),
    )
    replaced = [name for name in scores if name in documents]
    own = documents.drop(columns=replaced).reset_index(drop=True)
    masks = masks_of(case.campaign)
    strange = unknown_names(masks, pool, own)
    if strange:
        raise InputError(unknown_pages(case.campaign, strange))
    whole = [case.pool()] if MASKS in pool else []  # a box there is on the page of gold too
    if masks or MASKS in own or whole:
        everywhere = pd.concat([own, *whole]).reindex(columns=["doc_id", "page_id", "image", MASKS])
        areas = masked_pages(everywhere, masks)[: len(own)]
        own[MASKS] = pd.Series(areas, index=own.index, dtype="object")
    return pd.concat([own, scores], axis=1)
