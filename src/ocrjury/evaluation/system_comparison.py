"""OCR systems that read the same pages, compared on each dimension."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.estimation import (
    RatedSample,
    auxiliaries,
    preferred_shares,
    within_scale,
)
from ocrjury.estimation.interval import at_once
from ocrjury.estimation.system_differences import compare_pairs
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import target_level
from ocrjury.evaluation.pages import SIDE_BY_SIDE, page_of_documents
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.evaluation.system_means import SystemSample, system_mean
from ocrjury.findings.systems import (
    FEWEST_ITEMS,
    Preferences,
    SystemDifference,
    SystemMean,
    Systems,
    SystemShare,
)
from ocrjury.scales import Scale
from ocrjury.store.decisions import list_set_aside
from ocrjury.store.outputs import BETTER, list_preferences
from ocrjury.text.averages import MetricColumn

SAME = 0.9
"""Share of a system's pages that the others must have read too."""
BY_THE_SAME = 0.9
"""Share of the rated pages that a rater must have judged for both systems."""


def compare_systems_on(
    case: Case, pool: pd.DataFrame, samples: Mapping[str, Sample]
) -> list[Systems]:
    """Estimate the mean of each OCR system and their differences, by dimension.

    Nothing where the pool has one system. Systems that read different pages have no differences:
    these would be those of the pages. Where pages were drawn for all systems, and the same raters
    judged all outputs of a page, pages are compared one by one (`paired`). Elsewhere
    each document of a system was drawn for itself, so that a page need not have been drawn for all.
    The ranges of all differences on a dimension hold at once (Bonferroni).
    """
    if pool["system"].nunique() < 2:
        return []
    read = pool.assign(page=_places(pool))
    return [
        _on_dimension(case, read, sample, dimension=dimension)
        for dimension, sample in samples.items()
    ]


def _places(pool: pd.DataFrame) -> "pd.Series[str]":
    """Page of every document; where a system read the same there several times, each is another."""
    pages = page_of_documents(pool)
    number = pages.groupby([pages, pool["system"]]).cumcount()
    return pages.where(number == 0, pages + " " + number.astype(str))


def _on_dimension(case: Case, read: pd.DataFrame, sample: Sample, *, dimension: str) -> Systems:
    """Means of the systems, and differences of those of which enough documents are rated."""
    systems = SystemSample.of(case, read, sample, dimension=dimension)
    names = sorted(map(str, read["system"].unique()))
    known = [name for name in names if systems.n_rated(name) >= FEWEST_ITEMS]
    together = case.campaign.rounds.page.systems == SIDE_BY_SIDE
    judges = case.campaign.auxiliaries_on([dimension])
    scale = case.campaign.rubric.scales[dimension]
    compared = known if on_the_same_pages(read[read["system"].isin(known)]) else []
    pairs = list(combinations(compared, 2))
    confidence = at_once(len(pairs))
    return Systems(
        dimension,
        tuple(
            system_mean(case, systems, dimension=dimension, of=name)
            if name in known
            else _too_few(case, systems, dimension=dimension, of=name)
            for name in names
        ),
        tuple(
            _within(
                scale,
                _difference(systems, judges, of=pair, together=together, confidence=confidence),
            )
            for pair in pairs
        ),
    )


def _too_few(case: Case, sample: SystemSample, *, dimension: str, of: str) -> SystemMean:
    """A system of which too few documents are rated for an estimate."""
    own, n = sample.read[sample.read["system"] == of], sample.n_rated(of)
    nothing = Estimate(math.nan, n_items=n, reason="too_few_items" if n else "no_items")
    return SystemMean(
        of,
        pool=len(own),
        estimate=nothing,
        cer=MetricColumn.of(own, "cer").micro,
        share=None if target_level(case, dimension) is None else nothing,
    )


def on_the_same_pages(read: pd.DataFrame) -> bool:
    """Return whether all systems read the same pages, with few exceptions."""
    pages = [set(of["page"]) for _, of in read.groupby("system")]
    common = set.intersection(*pages) if pages else set()
    return all(len(common) >= SAME * len(own) for own in pages)


def _difference(
    systems: SystemSample,
    judges: Sequence[str],
    *,
    of: tuple[str, str],
    together: bool,
    confidence: float,
) -> SystemDifference:
    """Difference of the mean of the first system less that of the second.

    ``judges`` are the columns of judges in the pool. Drawn for themselves, the documents of each
    system have random numbers of their own.
    """
    a, b = (systems.side(name) for name in of)
    known = _known(systems.read, judges, of=of, n=len(a.items))
    pairs = paired(a, b, known=known)
    these, others = (
        systems.difference(*of, together=together, confidence=confidence)
        if pairs is None
        else compare_pairs(pairs, confidence=confidence)
    )
    return SystemDifference(
        *of,
        both=len({*a.ratings["item"]} & {*b.ratings["item"]}),
        estimate=these,
        others=others,
        paired=pairs is not None,
    )


def _within(scale: Scale, difference: SystemDifference) -> SystemDifference:
    """Difference with ranges that end where the scale does."""
    most = scale.high - scale.low
    return replace(
        difference,
        estimate=within_scale(difference.estimate, low=-most, high=most),
        others=within_scale(difference.others, low=-most, high=most),
    )


def _known(read: pd.DataFrame, judges: Sequence[str], *, of: Sequence[str], n: int) -> pd.DataFrame:
    """Auxiliaries of the outputs of some systems on each page that all read.

    ``n`` is the number of pages rated, which the systems share.
    """
    columns = []
    for name in of:
        own = read[read["system"] == name].reset_index(drop=True)
        matrix, _ = auxiliaries(own, n=n // len(of), judges=judges)
        columns.append(pd.DataFrame(matrix, index=pd.Index(own["page"])))
    return pd.concat(columns, axis="columns", join="inner")


def paired(a: RatedSample, b: RatedSample, *, known: pd.DataFrame) -> RatedSample | None:
    """Ratings of the first output of a page less those of the second, None if they do not pair up.

    They do not where pages were not drawn for both with the same probability, or too many were
    judged by other people. ``known`` is what is known of the outputs of both, by page of the pool.
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
    if both["item"].nunique() < BY_THE_SAME * len(rated):
        return None
    change = both["rating_a"].to_numpy() - both["rating_b"].to_numpy()
    return RatedSample(
        both[["item", "rater"]].assign(rating=change),
        a.items,
        known.loc[a.items["item"]].to_numpy(),
        known.mean().to_numpy(),
    )


def measure_preferences(case: Case, pool: pd.DataFrame) -> Preferences | None:
    """Estimate the share of pages on which each system is preferred, None without answers.

    An answer counts only if the ratings of all outputs that it compares do.
    """
    items = {item.item: item for item in case.sample}
    stored = [row for row in list_preferences(case.work.engine, case.name) if row.item in items]
    if not stored:  # the pool may have been read without what tells its pages
        return None
    # A page whose outputs are compared with different texts is shown, and drawn, text by text.
    page_of = dict(zip(pool["doc_id"], page_of_documents(pool, alike=True), strict=True))
    aside, void = _wholly_aside(case), set[tuple[str, str]]()
    answers: dict[tuple[str, str], str | None] = {}
    for row in stored:
        key = page_of[items[row.item].doc_id], row.rater
        answers.setdefault(key, None)
        if row.preference == BETTER:
            answers[key] = items[row.item].system
        if row.item in case.excluded or (row.round, row.item, row.rater) in aside:
            void.add(key)
    answers = {key: system for key, system in answers.items() if key not in void}
    if not answers:
        return None
    rows = [(page, rater, system) for (page, rater), system in answers.items()]
    preferred = partial(
        preferred_shares,
        pd.DataFrame(rows, columns=["item", "rater", "preferred"]),
        items=_drawn_pages(case, page_of),
        systems=sorted({items[row.item].system for row in stored}),
    )
    these, others = preferred(raters="these"), preferred(raters="others")
    return Preferences(
        systems=tuple(
            SystemShare(str(name), share, others.shares[name])
            for name, share in these.shares.items()
        ),
        same=these.same,
        pages=these.n_pages,
        raters=these.n_raters,
        answers=these.n_answers,
        p_value=these.p_value,
    )


def _wholly_aside(case: Case) -> set[tuple[int, str, str]]:
    """Round, item and rater of ratings that were set aside on every dimension of their round."""
    dimensions = {round_.round: set(round_.dimensions) for round_ in case.rounds}
    aside: dict[str, set[str]] = {}
    for assignment, dimension, _ in list_set_aside(case.work.engine, case.name):
        aside.setdefault(assignment, set()).add(dimension)
    return {
        (row.round, row.item, row.rater)
        for row in case.assignments
        if row.assignment in aside and aside[row.assignment] >= dimensions[row.round]
    }


def _drawn_pages(case: Case, page_of: dict[str, str]) -> pd.DataFrame:
    """Pages drawn that have several outputs to compare."""
    rows = [
        {
            "item": page_of[item.doc_id],
            "inclusion_probability": item.inclusion_probability,
            "stratum": item.stratum,
        }
        for item in case.sample
    ]
    outputs = pd.DataFrame(rows)
    several = outputs["item"].duplicated(keep=False)
    return outputs[several].drop_duplicates("item", ignore_index=True)
