"""OCR systems that read the same pages, compared on each dimension."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pandas as pd

from ocrjury.estimation import RatedSample, auxiliaries, compare_evaluations
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import evidence_on
from ocrjury.evaluation.pages import SIDE_BY_SIDE, page_of_documents
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.evaluation.system_pairs import paired_difference

FEWEST_ITEMS = 20
"""Rated documents of a system without which nothing is said about it."""
SAME = 0.9
"""Share of a system's pages that the others must have read too."""


def system_bodies(
    case: Case, pool: pd.DataFrame, samples: Mapping[str, Sample]
) -> dict[str, dict[str, Any]]:
    """Return the mean of each OCR system and their differences, by dimension.

    None where the pool has one system, or systems that read different pages: then a difference
    would be that of the pages. Where pages were drawn for all systems, and the same raters judged
    all outputs of a page, pages are compared one by one (`system_pairs`). Elsewhere each document
    of a system was drawn for itself, so that a page need not have been drawn for all.

    Returns
    -------
    dict
        ``systems`` with ``system``, documents in the ``pool`` and ``estimate``; ``differences``
        with ``a``, ``b``, the pages rated of ``both``, the ``estimate`` of a minus b, and whether
        it is ``paired``.
    """
    read = pool.assign(page=page_of_documents(pool))
    names = on_the_same_pages(read)
    bodies = {}
    for dimension, sample in samples.items():
        sides = {name: _side(case, read, sample, dimension=dimension, of=name) for name in names}
        known = {
            name: side
            for name, side in sides.items()
            if side.ratings["item"].nunique() >= FEWEST_ITEMS
        }
        if len(known) > 1:
            together = case.campaign.rounds.page.systems == SIDE_BY_SIDE
            bodies[dimension] = _body(read, known, together=together)
    return bodies


def on_the_same_pages(read: pd.DataFrame) -> list[str]:
    """Return the systems, in the order of their names; none unless all read the same pages."""
    pages = {str(name): set(of["page"]) for name, of in read.groupby("system", sort=True)}
    if len(pages) < 2 or read.duplicated(["page", "system"]).any():
        return []
    common = set.intersection(*pages.values())
    alike = all(len(common) >= SAME * len(own) for own in pages.values())
    return list(pages) if alike else []


def _body(
    read: pd.DataFrame, sides: Mapping[str, RatedSample], *, together: bool
) -> dict[str, Any]:
    """Return what is kept about one dimension; pages were drawn ``together`` for all or not."""
    return {
        "systems": [
            {
                "system": name,
                "pool": int((read["system"] == name).sum()),
                "estimate": side.mean().to_json(),
            }
            for name, side in sides.items()
        ],
        "differences": [
            _difference(read, sides, a, b, together=together) for a, b in combinations(sides, 2)
        ],
    }


def _difference(
    read: pd.DataFrame, sides: Mapping[str, RatedSample], *names: str, together: bool
) -> dict[str, Any]:
    """Return the difference of the first of two systems less the second."""
    a, b = names
    found = paired_difference(sides[a], sides[b], known=_known(read, a, b, n=len(sides[a].items)))
    # Drawn apart, each document has a random number of its own: these draws are independent.
    estimate = found or compare_evaluations(sides[b], sides[a], coordinated=together)
    return {
        "a": a,
        "b": b,
        "both": len({*sides[a].ratings["item"]} & {*sides[b].ratings["item"]}),
        "estimate": estimate.to_json(),
        "paired": found is not None,
    }


def _known(read: pd.DataFrame, *names: str, n: int) -> pd.DataFrame:
    """Return what is known of the outputs of some systems on each page that all read.

    ``n`` is the number of pages rated, which the systems share.
    """
    columns = []
    for name in names:
        own = read[read["system"] == name].reset_index(drop=True)
        matrix, _ = auxiliaries(own, n=n // len(names))
        columns.append(pd.DataFrame(matrix, index=pd.Index(own["page"])))
    return pd.concat(columns, axis="columns", join="inner")


def _side(
    case: Case, read: pd.DataFrame, sample: Sample, *, dimension: str, of: str
) -> RatedSample:
    """Return the ratings of one system's documents, named by their pages."""
    own = read[read["system"] == of].reset_index(drop=True)
    page_of = dict(zip(own["doc_id"], own["page"], strict=True))
    page = {item.item: page_of[item.doc_id] for item in case.sample if item.system == of}
    mine = sample.items["item"].isin(list(page))
    items = sample.items[mine].reset_index(drop=True)
    matrix, _ = auxiliaries(own, n=len(items))
    pages = items["item"].map(page)
    ratings = evidence_on(case, dimension).ratings
    rated = ratings[ratings["item"].isin(list(page))]
    return RatedSample(
        rated.assign(item=rated["item"].map(page)),
        items.assign(item=pages),
        matrix[pd.Index(own["page"]).get_indexer(pd.Index(pages))],
        matrix.mean(axis=0),
    )
