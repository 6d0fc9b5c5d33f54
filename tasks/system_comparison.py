"""OCR systems that read the same pages, compared on each dimension."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pandas as pd

from ocrjury.estimation import RatedSample, auxiliaries, compare_evaluations
from tasks.evidence import evidence_on
from tasks.rated_sample import Sample
from tasks.work import Case

FEWEST_ITEMS = 20
"""Rated documents of a system without which nothing is said about it."""
SAME = 0.9
"""Share of a system's pages that the others must have read too."""


def system_bodies(
    case: Case, pool: pd.DataFrame, samples: Mapping[str, Sample]
) -> dict[str, dict[str, Any]]:
    """Return the mean of each OCR system and their differences, by dimension.

    None where the pool has one system, or systems that read different pages: then a difference
    would be that of the pages. Each document of a system was drawn for itself, so that a page need
    not have been drawn for all of them.

    Returns
    -------
    dict
        ``systems`` with ``system``, documents in the ``pool`` and ``estimate``; ``differences``
        with ``a``, ``b``, the pages rated of ``both`` and the ``estimate`` of a minus b.
    """
    names = _on_the_same_pages(pool)
    bodies = {}
    for dimension, sample in samples.items():
        sides = {name: _side(case, pool, sample, dimension=dimension, of=name) for name in names}
        known = {
            name: side
            for name, side in sides.items()
            if side.ratings["item"].nunique() >= FEWEST_ITEMS
        }
        if len(known) > 1:
            bodies[dimension] = _body(pool, known)
    return bodies


def _body(pool: pd.DataFrame, sides: Mapping[str, RatedSample]) -> dict[str, Any]:
    """Return what is kept about one dimension."""
    return {
        "systems": [
            {
                "system": name,
                "pool": int((pool["system"] == name).sum()),
                "estimate": side.mean().to_json(),
            }
            for name, side in sides.items()
        ],
        "differences": [
            {
                "a": a,
                "b": b,
                "both": len({*sides[a].ratings["item"]} & {*sides[b].ratings["item"]}),
                # Each document has a random number of its own, so the draws are independent.
                "estimate": compare_evaluations(sides[b], sides[a], coordinated=False).to_json(),
            }
            for a, b in combinations(sides, 2)
        ],
    }


def _on_the_same_pages(pool: pd.DataFrame) -> list[str]:
    """Return the systems, in the order of their names; none unless all read the same pages."""
    pages = {str(name): set(of["page_id"]) for name, of in pool.groupby("system", sort=True)}
    if len(pages) < 2 or pool.duplicated(["page_id", "system"]).any():
        return []
    common = set.intersection(*pages.values())
    alike = all(len(common) >= SAME * len(own) for own in pages.values())
    return list(pages) if alike else []


def _side(
    case: Case, pool: pd.DataFrame, sample: Sample, *, dimension: str, of: str
) -> RatedSample:
    """Return the ratings of one system's documents, named by their pages."""
    page = {item.item: item.page_id for item in case.sample if item.system == of}
    mine = sample.items["item"].isin(list(page))
    items = sample.items[mine].reset_index(drop=True)
    own = pool[pool["system"] == of].reset_index(drop=True)
    matrix, _ = auxiliaries(own, n=len(items))
    pages = items["item"].map(page)
    ratings = evidence_on(case, dimension).ratings
    rated = ratings[ratings["item"].isin(list(page))]
    return RatedSample(
        rated.assign(item=rated["item"].map(page)),
        items.assign(item=pages),
        matrix[pd.Index(own["page_id"]).get_indexer(pd.Index(pages))],
        matrix.mean(axis=0),
    )
