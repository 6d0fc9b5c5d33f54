"""The items that people rated lowest, with their evidence."""

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image

from ocrjury.errors import InputError
from ocrjury.pages.page_images import cut_out, find_image, jpeg_bytes, open_page
from ocrjury.readers.masks import COLUMN as MASKS
from ocrjury.readers.masks import masked_pages
from ocrjury.report.evidence import Examples, ItemRating, Items, MarkedText, WorstItem
from ocrjury.report.marked_text import marked_text
from ocrjury.text.options import TextOptions

WIDTH = 720
HEIGHT = 480
BYTES = 60_000


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

    Each page comes once as long as there are others: what went wrong with a page is told by one of
    its items.

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
    return Items(
        rows=tuple(
            _item(
                row,
                given_ratings(ratings, row["doc_id"]),
                (labels or {}).get(row["doc_id"], (None, None)),
                examples=examples,
                images=images,
                options=options,
            )
            for row in _spread(order, count).to_dict("records")
        ),
        dimension=dimension,
        n_rated=len(means),
        examples=examples,
    )


def _spread(order: pd.DataFrame, count: int) -> pd.DataFrame:
    """First items, each page once; a page again only where there are not enough."""
    again = (order["page_id"].notna() & order.duplicated("page_id")).to_numpy(dtype=bool)
    places = np.argsort(again, kind="stable")[:count]
    return order.iloc[np.sort(places)]


def _item(
    row: Mapping[Any, Any],
    given: tuple[ItemRating, ...],
    label: tuple[float | None, float | None],
    *,
    examples: Examples,
    images: Path | None,
    options: TextOptions,
) -> WorstItem:
    text = MarkedText()
    if examples != "off":
        masked = examples == "masked"
        reference, hypothesis = _known(row["reference"]), row["hypothesis"]
        text = marked_text(reference, hypothesis, masked=masked, options=options)
    names = ("page_id", "doc_type", "kind", "language", "confidence", "cer")
    edits = ("substitutions", "deletions", "insertions")
    return WorstItem(
        doc_id=row["doc_id"],
        **{name: _known(row[name]) for name in names},
        **{name: None if pd.isna(row[name]) else round(row[name]) for name in edits},
        text=text,
        ratings=given,
        label=label[0],
        label_confidence=label[1],
        image=_image(row, images) if examples == "shown" and images is not None else None,
    )


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
    return None if pd.isna(value) else value


def crop_image(
    path: str | Path,
    box: Sequence[float] | None = None,
    *,
    masks: Sequence[Sequence[float]] | None = None,
    margin: float = 0.6,
) -> str:
    """Place of a page image, in a frame, as a data URI (JPEG of at most 60 kB, 720 by 480 pixels).

    The picture is decoded and encoded anew: whatever else the file held does not reach the report.

    Parameters
    ----------
    path
        The page image.
    box
        Left, top, right and bottom relative to the image, 0 to 1; None takes the whole page.
    masks
        Places of the page that are painted over, as relative boxes.
    margin
        Surroundings to show, as a share of the box's height on every side.

    Raises
    ------
    InputError
        If there is no such image, or it is none, or larger than 40 million pixels.
    """
    page = open_page(path, masks=masks)
    picture = cut_out(
        page, [0, 0, 1, 1] if box is None else box, margin=margin, framed=box is not None
    )
    picture.thumbnail((WIDTH, HEIGHT))
    return "data:image/jpeg;base64," + base64.b64encode(_encoded(picture)).decode()


def _encoded(picture: Image.Image) -> bytes:
    """JPEG: first coarser, then smaller, until it takes little enough room."""
    for scale, quality in ((1.0, 85), (1.0, 65), (0.75, 60), (0.5, 55), (0.25, 50)):
        jpeg = _jpeg(picture, scale=scale, quality=quality)
        if len(jpeg) <= BYTES:
            return jpeg
    return _jpeg(picture, scale=0.1, quality=50)


def _jpeg(picture: Image.Image, *, scale: float, quality: int) -> bytes:
    size = max(round(picture.width * scale), 1), max(round(picture.height * scale), 1)
    return jpeg_bytes(picture.resize(size), quality=quality)
