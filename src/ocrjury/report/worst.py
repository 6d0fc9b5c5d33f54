"""The items that people rated lowest, with their evidence."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from ocrjury.errors import InputError
from ocrjury.pages.page_images import find_image
from ocrjury.readers.masks import COLUMN as MASKS
from ocrjury.readers.masks import masked_pages
from ocrjury.report.crops import crop_image
from ocrjury.report.evidence import Examples, ItemRating, Items, MarkedText, WorstItem
from ocrjury.report.marked_text import marked_text
from ocrjury.text.options import TextOptions


def worst_items(
    pool: pd.DataFrame,
    ratings: pd.DataFrame,
    *,
    dimension: str,
    count: int = 8,
    examples: Examples = "masked",
    images: Path | None = None,
    labels: Mapping[str, tuple[float, float]] | None = None,
    options: TextOptions = TextOptions(),  # noqa: B008  # frozen
) -> Items:
    """Items with the lowest mean rating, the higher error rate first among equals.

    Parameters
    ----------
    pool
        Scored pool; ``doc_id`` is the item. What its column ``masks`` names, if there, is painted
        over.
    ratings
        Long frame item, rater, dimension, rating, with numbers as ratings.
    examples
        ``shown``, ``masked`` (shapes in place of letters and digits, no images) or ``off``.
    images
        Folder that the column ``image`` is relative to; None leaves images out.
    labels
        Item to its inferred label and the label's confidence.

    Returns
    -------
    Items
        Rated items that the pool lacks are counted and not listed.
    """
    if MASKS in pool and examples == "shown" and images is not None:
        pool = pool.assign(**{MASKS: pd.Series(masked_pages(pool), index=pool.index)})
    means = ratings[ratings["dimension"] == dimension].groupby("item")["rating"].mean()
    rated = pool[pool["doc_id"].isin(means.index)]
    order = rated.assign(_mean=rated["doc_id"].map(means)).sort_values(
        ["_mean", "cer", "doc_id"], ascending=[True, False, True], na_position="last"
    )
    rows = [
        _item(
            row,
            given_ratings(ratings, row["doc_id"]),
            examples=examples,
            images=images,
            options=options,
        )
        for row in order.head(count).to_dict("records")
    ]
    found = [_labelled(row, (labels or {}).get(row["doc_id"])) for row in rows]
    return Items(
        rows=tuple(WorstItem(**row) for row in found),
        dimension=dimension,
        n_rated=len(means),
        examples=examples,
    )


def _item(
    row: Mapping[Any, Any],
    given: tuple[ItemRating, ...],
    *,
    examples: Examples,
    images: Path | None,
    options: TextOptions,
) -> dict[str, Any]:
    """Fields of one item."""
    text = MarkedText()
    if examples != "off":
        text = marked_text(
            _known(row["reference"]),
            row["hypothesis"],
            masked=examples == "masked",
            options=options,
        )
    edits = {name: _whole(row[name]) for name in ("substitutions", "deletions", "insertions")}
    names = ("page_id", "doc_type", "kind", "language", "confidence", "cer")
    return {
        "doc_id": row["doc_id"],
        **{name: _known(row[name]) for name in names},
        **edits,
        "text": text,
        "ratings": given,
        "image": _image(row, images) if examples == "shown" and images is not None else None,
    }


def _labelled(row: dict[str, Any], label: tuple[float, float] | None) -> dict[str, Any]:
    """Fields with the inferred label."""
    return row if label is None else {**row, "label": label[0], "label_confidence": label[1]}


def given_ratings(ratings: pd.DataFrame, item: str) -> tuple[ItemRating, ...]:
    """Ratings of an item by rater."""
    own = ratings[ratings["item"] == item]
    return tuple(
        ItemRating(str(rater), dict(zip(of["dimension"], of["rating"].astype(float), strict=True)))
        for rater, of in own.groupby("rater", sort=True)
    )


def _image(row: Mapping[Any, Any], images: Path) -> str | None:
    """Place on the page; a report without one picture is better than none."""
    path, box = find_image([images], _known(row["image"])), row["box"]
    if path is None:
        return None
    place = box if isinstance(box, list | tuple) else None
    try:
        return crop_image(path, place, masks=row.get(MASKS))
    except InputError:
        return None


def _known(value: Any) -> Any:
    """A value, None where it is missing."""
    return None if pd.isna(value) else value


def _whole(value: Any) -> int | None:
    """A whole number, None where it is missing."""
    return None if pd.isna(value) else round(value)
