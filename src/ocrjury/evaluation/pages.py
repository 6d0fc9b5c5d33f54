"""Pages that several OCR systems read: which documents are outputs of the same one."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from ocrjury.campaign.content_hashes import content_hash
from ocrjury.errors import InputError
from ocrjury.evaluation.frames import records
from ocrjury.store.documents import SampledItem

SIDE_BY_SIDE, APART = "side_by_side", "apart"
_TEXT = ("kind", "reference")
_PLACE = (*_TEXT, "box")


def page_of_items(items: Iterable[SampledItem], *, alike: bool = False) -> dict[str, str]:
    """Page of every item that more than one system has read.

    Parameters
    ----------
    alike
        Whether only outputs that are compared with the same text belong together.
    """
    listed = list(items)
    names = ("item", "page_id", "system", *_PLACE)
    rows = [{name: getattr(item, name) for name in names} for item in listed]
    pages = _pages(rows, alike=alike)
    several = {page for page, count in Counter(pages).items() if count > 1}
    return {item.item: page for item, page in zip(listed, pages, strict=True) if page in several}


def page_of_documents(pool: pd.DataFrame, *, alike: bool = False) -> "pd.Series[str]":
    """Page of every document of a pool, by the same rules.

    Examples
    --------
    >>> pool = pd.DataFrame({"page_id": ["p", "p", "q"], "system": ["a", "b", "a"],
    ...                      "kind": None, "reference": ["x", "x", "y"], "box": None})
    >>> page_of_documents(pool).tolist()
    ['p', 'p', 'q']
    """
    rows = records(pool[["page_id", "system", *_PLACE]])
    return pd.Series(_pages(rows, alike=alike), index=pool.index, dtype=object)


def check_pages(pool: pd.DataFrame, pages: "pd.Series[str]") -> None:
    """Raise `InputError` if no page has two outputs to compare, or a system read a page twice."""
    twice = pd.DataFrame({"page": pages, "system": pool["system"]}).duplicated()
    if twice.any():
        first = int(twice.to_numpy().argmax())
        page, system = (pool[name].iloc[first] for name in ("page_id", "system"))
        raise InputError(
            f"rounds.page.systems is side_by_side, but the pool has several documents of the "
            f"system {system!r} for one text of page {page!r}. Give every text that each system "
            "read once a page_id of its own, or take systems: apart."
        )
    if not pages.duplicated().any():
        raise InputError(
            "rounds.page.systems is side_by_side, but the pool has no page that two systems read. "
            "Give documents of the same page the same page_id and each its system, or take "
            "systems: apart."
        )


def _pages(rows: Sequence[dict[str, Any]], *, alike: bool) -> list[str]:
    """Name of the page of every row.

    That is its page_id, unless a system has several documents on a page: then they are of the same
    place if kind, reference and box are the same.
    """
    read = Counter((row["page_id"], row["system"]) for row in rows)
    finer = max(read.values(), default=0) > 1
    wanted = _PLACE if finer else _TEXT if alike else ()
    if not wanted:
        return [str(row["page_id"]) for row in rows]
    return [f"{row['page_id']} {content_hash([row[name] for name in wanted])}" for row in rows]
