"""The items that people rated lowest, with their evidence."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.errors import InputError
from ocrjury.pages.page_images import find_image
from ocrjury.readers.masks import COLUMN as MASKS
from ocrjury.readers.masks import masked_pages
from ocrjury.report.crops import crop_images
from ocrjury.report.evidence import Items, MarkedText, PrintedRating, WorstItem
from ocrjury.report.marked_text import marked_text
from ocrjury.report_choices import Examples
from ocrjury.text.options import TextOptions


def worst_items(
    pool: pd.DataFrame,
    ratings: pd.DataFrame,
    *,
    dimension: str,
    count: int = 8,
    examples: Examples = "masked",
    images: Path | None = None,
    labels: Mapping[str, tuple[float, float | None]] | None = None,
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
        Item to its inferred label and the label's confidence, None where it has none.

    Returns
    -------
    Items
        Rated items that the pool lacks are counted and not listed.
    """
    if MASKS in pool and examples == "shown" and images is not None:
        pool = pool.assign(**{MASKS: pd.Series(masked_pages(pool), index=pool.index)})
    means = ratings[ratings["dimension"] == dimension].groupby("item")["rating"].mean()
    keys = pool[["doc_id", "page_id", "cer"]].reset_index(drop=True)
    rated = keys[keys["doc_id"].isin(means.index)]
    order = rated.assign(_mean=rated["doc_id"].map(means)).sort_values(
        ["_mean", "cer", "doc_id"], ascending=[True, False, True], na_position="last"
    )
    chosen = pool.iloc[_spread(order, count).index].to_dict("records")
    given = given_ratings(ratings, (row["doc_id"] for row in chosen))
    crops = _crops(chosen, images) if examples == "shown" and images is not None else {}
    return Items(
        rows=tuple(
            replace(
                _item(row, given[row["doc_id"]], examples, options=options),
                label=label,
                label_confidence=confidence,
                image=crops.get(row["doc_id"]),
            )
            for row in chosen
            for label, confidence in [(labels or {}).get(row["doc_id"], (None, None))]
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
    given: tuple[PrintedRating, ...],
    examples: Examples,
    *,
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
    )


def given_ratings(
    ratings: pd.DataFrame, items: Iterable[str]
) -> dict[str, tuple[PrintedRating, ...]]:
    """Ratings of some items by rater."""
    given: dict[str, dict[str, dict[str, float]]] = {item: {} for item in items}
    own = ratings[ratings["item"].isin(list(given))]
    columns = (own[name] for name in ("item", "rater", "dimension", "rating"))
    for item, rater, dimension, rating in zip(*columns, strict=True):
        given[item].setdefault(str(rater), {})[dimension] = float(rating)
    return {
        item: tuple(
            PrintedRating(rater, by_dimension) for rater, by_dimension in sorted(by_rater.items())
        )
        for item, by_rater in given.items()
    }


def _crops(rows: Sequence[Mapping[Any, Any]], images: Path) -> dict[str, str]:
    """Place of each item on its page; a report without one picture is better than none."""
    crops: dict[str, str] = {}
    for (name, _), on_page in groupby(sorted(rows, key=_page), key=_page):
        path, of_page = find_image([images], name), list(on_page)
        boxes = [row["box"] if isinstance(row["box"], list | tuple) else None for row in of_page]
        with suppress(InputError):
            pictures = crop_images(path, boxes, masks=of_page[0].get(MASKS)) if path else ()
            crops |= zip((row["doc_id"] for row in of_page), pictures, strict=False)
    return crops


def _page(row: Mapping[Any, Any]) -> tuple[str, str]:
    """Key of a page's picture: its file and what is painted over."""
    return _known(row["image"]) or "", repr(row.get(MASKS))


def _known(value: Any) -> Any:
    return None if pd.isna(value) else value
