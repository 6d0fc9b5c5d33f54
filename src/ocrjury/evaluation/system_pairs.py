"""Two systems on pages that were drawn for both: differences page by page, and preferences."""

import numpy as np
import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.estimation import (
    RatedSample,
    compare_systems,
    preferred_shares,
    response_probabilities,
)
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.pages import page_of_documents
from ocrjury.findings.systems import Preferences, SystemShare
from ocrjury.store.outputs import BETTER, list_preferences

BY_THE_SAME = 0.9
"""Share of the rated pages that a rater must have judged for both systems."""


def paired_difference(a: RatedSample, b: RatedSample, *, known: pd.DataFrame) -> Estimate | None:
    """Mean difference over the pool's pages, None where outputs do not pair up.

    Parameters
    ----------
    known
        What is known of the outputs of both, by page of the pool.
    """
    both = _both(a, b)
    if both is None:
        return None
    pages = both.groupby("item", sort=True)
    y = pages[["rating_a", "rating_b"]].mean()
    items = a.items.set_index("item")
    answered = items.index.isin(y.index)
    pi = response_probabilities(
        items["inclusion_probability"], responded=answered, stratum=items["stratum"]
    )
    y = y.loc[items.index[answered]]
    return compare_systems(
        y["rating_a"],
        y["rating_b"],
        pi,
        auxiliary=known.loc[y.index].to_numpy(),
        pool_mean=known.mean().to_numpy(),
        noise=_noise(both, y.index),
    )


def measure_preferences(case: Case, pool: pd.DataFrame) -> Preferences | None:
    """Estimate the share of pages on which each system is preferred, None without answers."""
    items = {item.item: item for item in case.sample}
    stored = [row for row in list_preferences(case.work.engine, case.name) if row.item in items]
    page_of = dict(zip(pool["doc_id"], page_of_documents(pool), strict=True))
    answers: dict[tuple[str, str], str | None] = {}
    for row in stored:
        key = page_of[items[row.item].doc_id], row.rater
        answers.setdefault(key, None)
        if row.preference == BETTER:
            answers[key] = items[row.item].system
    if not answers:
        return None
    rows = [(page, rater, system) for (page, rater), system in answers.items()]
    preferred = preferred_shares(
        pd.DataFrame(rows, columns=["item", "rater", "preferred"]),
        items=_drawn_pages(case, page_of),
        systems=sorted({items[row.item].system for row in stored}),
    )
    return Preferences(
        systems=tuple(SystemShare(str(name), share) for name, share in preferred.shares.items()),
        same=preferred.same,
        pages=preferred.n_pages,
        raters=preferred.n_raters,
        answers=preferred.n_answers,
        p_value=preferred.p_value,
    )


def _drawn_pages(case: Case, page_of: dict[str, str]) -> pd.DataFrame:
    """Pages of the sample with their inclusion probabilities."""
    rows = [
        {
            "item": page_of[item.doc_id],
            "inclusion_probability": item.inclusion_probability,
            "stratum": item.stratum,
        }
        for item in case.sample
    ]
    return pd.DataFrame(rows).drop_duplicates("item", ignore_index=True)


def _both(a: RatedSample, b: RatedSample) -> pd.DataFrame | None:
    """Ratings of those who judged both outputs of a page, side by side.

    None where pages were not drawn for both with the same probability, or too many were judged
    by other people.
    """
    probabilities = [
        side.items.set_index("item")["inclusion_probability"].sort_index() for side in (a, b)
    ]
    if not probabilities[0].index.equals(probabilities[1].index) or not np.allclose(
        probabilities[0], probabilities[1]
    ):
        return None
    both = a.ratings.merge(b.ratings, on=["item", "rater"], suffixes=("_a", "_b"))
    rated = {*a.ratings["item"]} | {*b.ratings["item"]}
    return both if both["item"].nunique() >= BY_THE_SAME * len(rated) else None


def _noise(both: pd.DataFrame, pages: "pd.Index[str]") -> "pd.Series[float]":
    """Variance of the error of each page's difference.

    Where no page has two raters, the spread between pages stands for it: too much rather than too
    little.
    """
    difference = (both["rating_a"] - both["rating_b"]).groupby(both["item"])
    count = difference.size()
    df = float((count - 1).sum())
    around = float((difference.var(ddof=0) * count).sum())
    spread = float(difference.mean().var(ddof=1)) if len(count) > 1 else 0.0
    each = around / df / count if df > 0 else pd.Series(spread, index=count.index)
    return each.loc[pages]
