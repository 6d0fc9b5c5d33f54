"""Fields whose value is wrong by the rubric's rules: amounts, codes and dates."""

from typing import Any

import numpy as np
import pandas as pd

from ocrjury.campaign.rubric import max_level
from ocrjury.estimate import Estimate
from ocrjury.estimation import auxiliaries, greg_mean, response_probabilities
from ocrjury.evaluation.case import Case
from ocrjury.store.documents import SampledItem
from ocrjury.text import compare_field

FREE = "text"
"""The kind of field in which an error can be trivial."""


def field_errors(case: Case, pool: pd.DataFrame, dimension: str) -> dict[str, Any] | None:
    """Return the share of the pool's fields with a critical error, None without rules for fields.

    An error is critical where a field rule takes the best rating from a field that is not free
    text. It needs a reference; fields without one are stood for by those of their stratum.

    Returns
    -------
    dict
        ``kinds`` of field that have a rule, ``share`` over all of them, ``by_kind`` with ``kind``,
        fields in the ``pool``, ``n`` judged and ``estimate``, and ``unknown``, the fields drawn
        that have no reference.
    """
    rules = case.campaign.rubric.field_rules
    ruled = {rule.kind for rule in rules if rule.dimension in {None, dimension}} - {FREE}
    drawn = [item for item in case.sample if item.kind in ruled]
    if not drawn:
        return None
    kinds = sorted({str(item.kind) for item in drawn})
    return {
        "dimension": dimension,
        "kinds": kinds,
        "share": _share(case, pool, drawn, dimension=dimension).to_json(),
        "unknown": sum(item.reference is None for item in drawn),
        "by_kind": [
            {
                "kind": kind,
                "pool": int((pool["kind"] == kind).sum()),
                "n": sum(item.reference is not None for item in of),
                "estimate": _share(case, pool, of, dimension=dimension).to_json(),
            }
            for kind in kinds
            if (of := [item for item in drawn if item.kind == kind])
        ],
    }


def _share(case: Case, pool: pd.DataFrame, drawn: list[SampledItem], *, dimension: str) -> Estimate:
    """Return the share of the pool's fields of these kinds that are wrong."""
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
    """Return whether a rule takes the best rating from a field."""
    rubric = case.campaign.rubric
    facts = compare_field(item.reference or "", item.hypothesis, kind=item.kind)  # type: ignore[arg-type]  # of a rule
    found = max_level(rubric, dimension, facts)
    return found is not None and found.max_level < rubric.scale.high
