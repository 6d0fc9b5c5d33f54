"""Items from the scored pool: probabilities, texts, and the next ones in draw order."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import pandas as pd

from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.draws import sampling_draw, sampling_pool
from ocrjury.evaluation.frames import records
from ocrjury.evaluation.sample_designs import describe_design
from ocrjury.findings.sampling import SampleDesign
from ocrjury.pages.page_images import find_image, image_folders, image_hash
from ocrjury.readers.masks import COLUMN as MASKS
from ocrjury.readers.masks import masked_pages
from ocrjury.store.database import Connection
from ocrjury.store.documents import SampledItem, add_items, change_probabilities, promote_items
from ocrjury.store.evaluations import replace_design
from ocrjury.text.metrics import METRICS

Purpose = Literal["sample", "gold", "pilot"]
LONGEST_NAME = 80
"""Characters of a field's name that are kept."""


class EnlargedSample(NamedTuple):
    """Sample with the next documents in draw order, and the design of all that was drawn."""

    items: list[SampledItem]
    design: SampleDesign

    def keep(self, connection: Connection, case: Case) -> None:
        """Keep the new items, and the design and inclusion probabilities of all.

        A document that was there as gold, or for a pilot, belongs to the sample once it is drawn.
        """
        before = {item.item: item.purpose for item in case.items}
        new = [item for item in self.items if item.item not in before]
        drawn = [item for item in self.items if before.get(item.item, "sample") != "sample"]
        probabilities = {item.item: float(item.inclusion_probability or 0) for item in self.items}
        add_items(connection, case.name, new)
        promote_items(connection, case.name, drawn)
        change_probabilities(connection, case.name, probabilities)
        replace_design(connection, case.name, self.design)


def undrawn(case: Case) -> int:
    """Number of documents of the pool that are not in the sample."""
    return max((case.row.pool_size or 0) - len(case.sample), 0)


def enlarge_sample(case: Case, *, more: int) -> EnlargedSample:
    """Draw the next documents; all that were drawn get new inclusion probabilities."""
    pool = sampling_pool(case)
    draw = sampling_draw(case, pool)
    enlarged = draw.enlarged(case.sample, more=more)
    return EnlargedSample(
        with_image_hashes(case, sampled_items(case, enlarged)),
        describe_design(case, pool, draw=draw, drawn=enlarged),
    )


def spare_documents(
    case: Case, sample: Sequence[SampledItem], *, count: int, taken: Collection[str]
) -> list[SampledItem]:
    """Documents outside the sample for a pilot, from well read to badly read.

    They are those that a top-up would draw last, so that the draw stays what it is; ``taken`` are
    items already.
    """
    draw = sampling_draw(case, sampling_pool(case))
    left = [name for name in draw.whole(sample)["doc_id"].tolist() if name not in taken]
    late = left[-max(count, len(left) // 2) :]
    risk = draw.frame.set_index("doc_id")["risk"]
    chosen = spread(sorted(late, key=lambda name: (float(risk[name]), name)), count)
    return with_image_hashes(case, items_of(documents_of(case, chosen), chosen, purpose="pilot"))


def drawn_soon(case: Case, sample: Sequence[SampledItem]) -> set[str]:
    """Documents that a sample of twice the size would hold.

    Raters who practise on one of them would know it when it is drawn.
    """
    order = sampling_draw(case, sampling_pool(case)).whole(sample)["doc_id"].tolist()
    return set(order[: 2 * len(sample)])


def with_image_hashes(case: Case, items: Iterable[SampledItem]) -> list[SampledItem]:
    """Items with the hashes of their images as they are now; none for those that are elsewhere."""
    folders = image_folders(case.campaign)
    return [
        replace(item, image_sha256=image_hash(find_image(folders, item.image_uri)))
        for item in items
    ]


def spread(ordered: Sequence[Any], count: int) -> list[Any]:
    """Choose `count` elements of a sequence, spread as evenly as possible from first to last.

    Examples
    --------
    >>> spread("abcdefghi", 3), spread("ab", 3)
    (['b', 'e', 'h'], ['a', 'b'])
    """
    if count >= len(ordered):
        return list(ordered)
    return [ordered[int((place + 0.5) * len(ordered) / count)] for place in range(count)]


def documents_of(case: Case, doc_ids: Iterable[str]) -> pd.DataFrame:
    """Documents of the pool with their texts; all of it where masks apply to others of a page."""
    documents = case.documents(doc_ids)
    return case.pool() if MASKS in documents else documents


def sampled_items(case: Case, drawn: pd.DataFrame) -> list[SampledItem]:
    """Drawn documents as items, with their texts, scores and inclusion probabilities."""
    documents = documents_of(case, drawn["doc_id"])
    return [_item(row, purpose="sample") for row in _rows(documents, drawn)]


def items_of(pool: pd.DataFrame, doc_ids: Sequence[str], *, purpose: Purpose) -> list[SampledItem]:
    """Documents that were not drawn as items, in the order in which they are named."""
    unknown = {"inclusion_probability": None, "stratum": None, "reason": None, "draw_number": None}
    return [
        _item({**row, **unknown}, purpose=purpose)
        for row in _rows(pool, pd.DataFrame({"doc_id": pd.Series(list(doc_ids), dtype="str")}))
    ]


def _rows(pool: pd.DataFrame, chosen: pd.DataFrame) -> list[dict[str, Any]]:
    """Chosen documents as plain values, with the columns of the choice."""
    if "hypothesis" not in pool:
        raise InputError(
            "the texts of this pool were removed with those of an earlier evaluation. "
            "Open the evaluation again."
        )
    # A pool may have columns that are called like those of a draw.
    ours = {*chosen.columns, MASKS} - {"doc_id"}
    known = pool.drop(columns=[name for name in pool.columns if name in ours])
    if MASKS in pool:
        known[MASKS] = pd.Series(masked_pages(pool), index=pool.index, dtype="object")
    return records(chosen.merge(known, on="doc_id", how="left", validate="one_to_one"))


def _item(row: dict[str, Any], *, purpose: Purpose) -> SampledItem:
    draw_number = row["draw_number"]
    return SampledItem(
        # A pool has each doc_id once; the system stays out of what raters see.
        item=row["doc_id"],
        doc_id=row["doc_id"],
        page_id=row["page_id"],
        system=row["system"],
        doc_type=row["doc_type"],
        language=row["language"],
        kind=row["kind"],
        reference=row["reference"],
        hypothesis=row["hypothesis"],
        confidence=row["confidence"],
        image_uri=row["image"],
        box=row["box"],
        scores={name: row[name] for name in METRICS},
        purpose=purpose,
        inclusion_probability=row["inclusion_probability"],
        stratum=None if row["stratum"] is None else str(row["stratum"]),
        reason=row["reason"],
        draw_number=None if draw_number is None else int(draw_number),
        masks=row.get(MASKS),
        field=_field_name(row.get("field")),
    )


def _field_name(value: object) -> str | None:
    r"""Name of a field, as raters read it; the column is the pool's own and may hold anything.

    Examples
    --------
    >>> _field_name(" total\n amount "), _field_name(7), _field_name(float("nan"))
    ('total amount', '7', None)
    """
    if value is None or value != value:  # noqa: PLR0124  # nan does not
        return None
    return " ".join(str(value).split())[:LONGEST_NAME] or None
