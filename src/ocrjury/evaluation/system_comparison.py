"""OCR systems that read the same pages, compared on each dimension."""

from collections.abc import Mapping
from itertools import combinations

import pandas as pd

from ocrjury.estimation import RatedSample, auxiliaries, compare_evaluations, within_scale
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import evidence_on
from ocrjury.evaluation.pages import SIDE_BY_SIDE, page_of_documents
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.evaluation.system_pairs import paired_difference
from ocrjury.findings.systems import SystemDifference, SystemMean, Systems

FEWEST_ITEMS = 20
"""Rated documents below which a system is not compared."""
SAME = 0.9
"""Share of a system's pages that the others must have read too."""


def compare_systems_on(
    case: Case, pool: pd.DataFrame, samples: Mapping[str, Sample]
) -> list[Systems]:
    """Estimate the mean of each OCR system and their differences, by dimension.

    Nothing where the pool has one system, or systems that read different pages: then a difference
    would be that of the pages. Where pages were drawn for all systems, and the same raters judged
    all outputs of a page, pages are compared one by one (`system_pairs`). Elsewhere each document
    of a system was drawn for itself, so that a page need not have been drawn for all.
    """
    read = pool.assign(page=page_of_documents(pool))
    names = on_the_same_pages(read)
    together = case.campaign.rounds.page.systems == SIDE_BY_SIDE
    scale = case.campaign.rubric.scale
    compared = []
    for dimension, sample in samples.items():
        sides = {name: _side(case, read, sample, dimension=dimension, of=name) for name in names}
        known = {
            name: side
            for name, side in sides.items()
            if side.ratings["item"].nunique() >= FEWEST_ITEMS
        }
        if len(known) > 1:
            means = tuple(
                SystemMean(
                    name,
                    pool=int((read["system"] == name).sum()),
                    estimate=within_scale(side.mean(), low=scale.low, high=scale.high),
                )
                for name, side in known.items()
            )
            differences = tuple(
                _difference(read, known, a=a, b=b, together=together)
                for a, b in combinations(known, 2)
            )
            compared.append(Systems(dimension, means, differences))
    return compared


def on_the_same_pages(read: pd.DataFrame) -> list[str]:
    """Systems in the order of their names; none unless all read the same pages."""
    pages = {str(name): set(of["page"]) for name, of in read.groupby("system", sort=True)}
    if len(pages) < 2 or read.duplicated(["page", "system"]).any():
        return []
    common = set.intersection(*pages.values())
    alike = all(len(common) >= SAME * len(own) for own in pages.values())
    return list(pages) if alike else []


def _difference(
    read: pd.DataFrame, sides: Mapping[str, RatedSample], *, a: str, b: str, together: bool
) -> SystemDifference:
    """Difference of the mean of system a less that of b.

    Drawn for themselves, the documents of each have random numbers of their own.
    """
    paired = paired_difference(sides[a], sides[b], known=_known(read, a, b, n=len(sides[a].items)))
    return SystemDifference(
        a,
        b,
        both=len({*sides[a].ratings["item"]} & {*sides[b].ratings["item"]}),
        estimate=paired or compare_evaluations(sides[b], sides[a], coordinated=together),
        paired=paired is not None,
    )


def _known(read: pd.DataFrame, *names: str, n: int) -> pd.DataFrame:
    """Auxiliaries of the outputs of some systems on each page that all read.

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
    """Ratings of one system's documents, named by their pages."""
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
