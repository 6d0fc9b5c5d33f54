"""Fields whose value is wrong by the rubric's rules: amounts, codes and dates."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from ocrjury.campaign.rubric import Rubric, max_level
from ocrjury.estimate import Estimate
from ocrjury.estimation import auxiliaries, greg_mean, response_probabilities
from ocrjury.estimation.interval import rests_on_few
from ocrjury.evaluation.case import Case
from ocrjury.findings.field_errors import FieldErrors, KindErrors
from ocrjury.store.documents import SampledItem
from ocrjury.text import compare_field

FREE = "text"
"""The kind of field in which an error can be trivial."""


COUNTED = "counted over the pool"


class Field(NamedTuple):
    """What is compared: columns of the pool."""

    reference: str | None
    hypothesis: str
    kind: str | None


def field_errors(case: Case, pool: pd.DataFrame, dimension: str) -> FieldErrors | None:
    """Share of the pool's fields with a critical error, None without field rules.

    An error is critical where a field rule takes the best rating from a field that is not free
    text. Where every field of a kind has a reference, the share is counted over the pool. Where
    some have none, it is estimated from the drawn fields, and those without a reference are stood
    for by the others of their stratum.
    """
    ruled = ruled_kinds(case.campaign.rubric, dimension)
    drawn = [item for item in case.sample if item.kind in ruled]
    if "kind" not in pool or not pool["kind"].isin(ruled).any():
        return None
    by_kind = [
        kind_errors
        for kind, fields in pool[pool["kind"].isin(ruled)].groupby("kind", sort=True)
        if (kind_errors := _of_kind(case, fields, drawn, dimension=dimension)) is not None
    ]
    if not by_kind:
        return None
    guessed = {row.kind for row in by_kind if not row.exact}
    rest = None
    if guessed:
        fields = pool[pool["kind"].isin(guessed)]
        items = [item for item in drawn if item.kind in guessed]
        rest = _estimated(case, fields, items, dimension=dimension)
    share = _together(by_kind, rest)
    return FieldErrors(
        dimension=dimension,
        share=share,
        by_kind=tuple(by_kind),
        unknown=sum(item.reference is None for item in drawn),
        few=rest is not None and rests_on_few(share),
    )


def ruled_kinds(rubric: Rubric, dimension: str) -> frozenset[str]:
    """Kinds of field in which a field rule may find a critical error."""
    rules = rubric.field_rules
    kinds = {rule.kind for rule in rules if rule.dimension in {None, dimension}}
    return frozenset(kinds) - {FREE}


def _of_kind(
    case: Case, fields: pd.DataFrame, drawn: Sequence[SampledItem], *, dimension: str
) -> KindErrors | None:
    """Fields of one kind, None where they can neither be counted nor estimated."""
    kind = str(fields["kind"].iloc[0])
    if fields["reference"].notna().all():
        share = _counted(case.campaign.rubric, fields, dimension=dimension)
        return KindErrors(kind, pool=len(fields), n=len(fields), estimate=share, exact=True)
    items = [item for item in drawn if item.kind == kind]
    known = sum(item.reference is not None for item in items)
    if not items:
        return None
    share = _estimated(case, fields, items, dimension=dimension)
    return KindErrors(kind, len(fields), known, share, few=rests_on_few(share))


def _counted(rubric: Rubric, fields: pd.DataFrame, *, dimension: str) -> Estimate:
    """Share of wrong fields where all can be judged; it has no sampling error."""
    columns = (fields[name] for name in Field._fields)
    wrong = [is_wrong(rubric, dimension, Field(*row)) for row in zip(*columns, strict=True)]
    share = float(np.mean(wrong))
    return Estimate(share, share, share, 0.0, len(wrong), method=COUNTED)


def _estimated(
    case: Case, fields: pd.DataFrame, drawn: Sequence[SampledItem], *, dimension: str
) -> Estimate:
    """Share of wrong fields among some of the pool's, from those that were drawn."""
    within = fields.reset_index(drop=True)
    known = np.array([item.reference is not None for item in drawn])
    judged = [item for item in drawn if item.reference is not None]
    probability = response_probabilities(
        [item.inclusion_probability or 1.0 for item in drawn],
        responded=known,
        stratum=np.array([str(item.stratum) for item in drawn]),
    )
    matrix, _ = auxiliaries(within, n=len(judged), judges=case.campaign.auxiliaries_on([dimension]))
    places = pd.Index(within["doc_id"]).get_indexer(pd.Index([item.doc_id for item in judged]))
    rubric = case.campaign.rubric
    return greg_mean(
        [float(is_wrong(rubric, dimension, _field(item))) for item in judged],
        probability,
        auxiliary=matrix[places],
        pool_mean=matrix.mean(axis=0),
        cluster=np.array([item.draw_number for item in judged]),
    )


def _field(item: SampledItem) -> Field:
    return Field(item.reference, item.hypothesis, item.kind)


def _together(by_kind: Sequence[KindErrors], rest: Estimate | None) -> Estimate:
    """Share over all kinds: the sum of theirs, with the error of the estimated ones together."""
    n, judged = sum(row.pool for row in by_kind), sum(row.n for row in by_kind)
    value = sum(row.pool * row.estimate.value for row in by_kind) / n
    if rest is None:
        return Estimate(value, value, value, 0.0, judged, method=COUNTED)
    weight = sum(row.pool for row in by_kind if not row.exact) / n
    return replace(
        rest,
        value=value,
        low=max(value - weight * (rest.value - rest.low), 0.0),
        high=min(value + weight * (rest.high - rest.value), 1.0),
        se=weight * rest.se,
        n_items=judged,
    )


def is_wrong(rubric: Rubric, dimension: str, field: Field) -> bool:
    """Whether a rule takes the best rating from a field."""
    reference, hypothesis, kind = field
    facts = compare_field(reference or "", hypothesis, kind=kind)  # type: ignore[arg-type]  # of a rule
    allowed = max_level(rubric, dimension, facts)
    return allowed is not None and allowed.max_level < rubric.scales[dimension].high
