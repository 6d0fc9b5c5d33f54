"""Samples of pages read by several OCR systems: all outputs of a page are drawn, or none."""

import math

import pandas as pd

from ocrjury.columns import check_columns
from ocrjury.errors import InputError


def page_frame(pool: pd.DataFrame, *, page: str, stratum: str | None = None) -> pd.DataFrame:
    """Frame of pages for `draw_sample`, with the risk and stratum of each.

    Parameters
    ----------
    pool
        One row per output: ``doc_id``, the column ``page``, and optionally ``risk`` and the column
        ``stratum``.

    Returns
    -------
    DataFrame
        ``doc_id``, in the order of the pool; ``risk``, the mean over the page's outputs; the
        stratum of the output whose ``doc_id`` comes first.

    Examples
    --------
    >>> pool = pd.DataFrame({"doc_id": list("abc"), "page": [1, 1, 2], "risk": [0.2, 0.4, 0.1]})
    >>> page_frame(pool, page="page")["risk"].round(9).tolist()
    [0.3, 0.1]
    """
    check_columns(pool, ["doc_id", page, *([stratum] if stratum else [])])
    if pool[page].isna().any():
        raise InputError(f"{int(pool[page].isna().sum())} document(s) have no {page!r}.")
    of_page = pool.assign(doc_id=pool["doc_id"].astype(str)).groupby(page, sort=False)
    frame = pd.DataFrame({"doc_id": list(of_page.groups)})
    if "risk" in pool.columns:
        # Sorted, so that the order of rows does not matter, not even to the last digit.
        sums = of_page["risk"].agg(lambda risks: math.fsum(risks) / len(risks))
        frame["risk"] = sums.loc[frame["doc_id"]].to_numpy()
    if stratum is not None:
        first = pool.loc[of_page["doc_id"].idxmin()].set_index(page)[stratum]
        frame[stratum] = first.loc[frame["doc_id"]].to_numpy()
    frame.attrs.update(pool.attrs)
    return frame


def outputs_of(drawn: pd.DataFrame, pool: pd.DataFrame, *, page: str) -> pd.DataFrame:
    """Outputs of the drawn pages, each with the inclusion probability of its page.

    Parameters
    ----------
    drawn
        Result of `draw_sample` for a `page_frame`.
    pool
        One row per output: ``doc_id`` and the column ``page``.

    Returns
    -------
    DataFrame
        As for `draw_sample`, ordered by the page's ``draw_number`` and ``doc_id``.

    Examples
    --------
    >>> from ocrjury.sampling import draw_sample
    >>> names = [(f"{page}-{system}", page) for page in range(9) for system in "ab"]
    >>> pool = pd.DataFrame(names, columns=["doc_id", "page"])
    >>> drawn = draw_sample(page_frame(pool, page="page"), n=3, stratum=None, risk=None, seed=1)
    >>> outputs = outputs_of(drawn, pool, page="page")
    >>> outputs["draw_number"].tolist(), float(outputs["weight"].sum().round(9))
    ([1, 1, 2, 2, 3, 3], 18.0)
    """
    named = drawn.rename(columns={"doc_id": page})
    outputs = pool[["doc_id", page]].merge(named, on=page, how="inner", validate="many_to_one")
    outputs = outputs.sort_values(["draw_number", "doc_id"], ignore_index=True).drop(columns=page)
    outputs.attrs.update(drawn.attrs)
    return outputs


def pages_for(n: int, *, documents: int, pages: int) -> int:
    """Number of pages with about ``n`` documents.

    Examples
    --------
    >>> pages_for(81, documents=200, pages=100)
    41
    """
    return min(max(math.ceil(n * pages / documents - 1e-9), 1), pages)
