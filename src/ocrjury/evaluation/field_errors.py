"""Fields whose value is wrong by the rubric's rules: amounts, codes and dates."""

import numpy as np
import pandas as pd

from ocrjury.campaign.rubric import max_level
from ocrjury.estimate import Estimate
from ocrjury.estimation import auxiliaries, greg_mean, response_probabilities
from ocrjury.estimation.interval import rests_on_few
from ocrjury.evaluation.case import Case
from ocrjury.findings.field_errors import FieldErrors, KindErrors
from ocrjury.store.documents import SampledItem
from ocrjury.text import compare_field

FREE = "text"
"""The kind of field in which an error can be trivial."""


def field_errors(case: Case, pool: pd.DataFrame, dimension: str) -> FieldErrors | None:
    """Estimate the share of the pool's fields with a critical error, None without field rules.

    An error is critical where a field rule takes the best rating from a field that is not free
    text. It needs a reference; fields without one are stood for by those of their stratum.
    """
    rules = case.campaign.rubric.field_rules
    ruled = {rule.kind for rule in rules if rule.dimension in {None, dimension}} - {FREE}
    drawn = [item for item in case.sample if item.kind in ruled]
    if not drawn:
        return None
    share = _share(case, pool, drawn, dimension=dimension)
    kinds = sorted({str(item.kind) for item in drawn})
    return FieldErrors(
        dimension=dimension,
        share=share,
        by_kind=tuple(_of_kind(case, pool, drawn, dimension=dimension, kind=k) for k in kinds),
        unknown=sum(item.reference is None for item in drawn),
        few=rests_on_few(share),
    )


def _of_kind(
    case: Case, pool: pd.DataFrame, drawn: list[SampledItem], *, dimension: str, kind: str
) -> KindErrors:
    items = [item for item in drawn if item.kind == kind]
    share = _share(case, pool, items, dimension=dimension)
    return KindErrors(
        kind,
        pool=int((pool["kind"] == kind).sum()),
        n=sum(item.reference is not None for item in items),
        estimate=share,
        few=rests_on_few(share),
    )


def _share(case: Case, pool: pd.DataFrame, drawn: list[SampledItem], *, dimension: str) -> Estimate:
    within = pool[pool["kind"].isin({item.kind for item in drawn})].reset_index(drop=True)
    known = np.array([item.reference is not None for item in drawn])
    judged = [item for item in drawn if item.reference is not None]
    probability = response_probabilities(
        [item.inclusion_probability or 1.0 for item in drawn],
        responded=known,
        stratum=np.array([str(item.stratum) for item in drawn]),
    )
    matrix, _ = auxiliaries(within, n=len(judged))
    places = pd.Index(within["doc_id"]).get_indexer(pd.Index([item.doc_id for item in judged]))
    return greg_mean(
        [float(_wrong(case, item, dimension)) for item in judged],
        probability,
        auxiliary=matrix[places],
        pool_mean=matrix.mean(axis=0),
        cluster=np.array([item.draw_number for item in judged]),
    )


def _wrong(case: Case, item: SampledItem, dimension: str) -> bool:
    """Whether a rule takes the best rating from a field."""
    rubric = case.campaign.rubric
    facts = compare_field(item.reference or "", item.hypothesis, kind=item.kind)  # type: ignore[arg-type]  # of a rule
    allowed = max_level(rubric, dimension, facts)
    return allowed is not None and allowed.max_level < rubric.scale.high
