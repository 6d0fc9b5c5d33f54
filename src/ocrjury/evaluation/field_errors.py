"""Fields whose value is wrong by the rubric's rules: amounts, codes and dates."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from ocrjury.arrays import Integers
from ocrjury.campaign.rubric import Rubric, max_level
from ocrjury.estimate import Estimate
from ocrjury.estimation import auxiliaries, greg_mean, response_probabilities
from ocrjury.estimation.auxiliary import CER
from ocrjury.evaluation.case import Case
from ocrjury.findings.field_errors import FieldErrors, KindErrors
from ocrjury.text import compare_field

FREE = "text"
"""The kind of field in which an error can be trivial."""


COUNTED = "counted over the pool"


class Field(NamedTuple):
    """Columns of the pool that are compared."""

    reference: str | None
    hypothesis: str
    kind: str | None


def field_errors(case: Case, pool: pd.DataFrame, dimension: str) -> FieldErrors | None:
    """Share of the pool's fields with a critical error, None without field rules.

    An error is critical where a field rule takes the best rating from a field that is not free
    text. Every field of the pool with a reference is counted; where some have none, the others of
    their stratum stand for them, and only that part of the share has a sampling error.
    """
    ruled = ruled_kinds(case.campaign.rubric, dimension)
    if "kind" not in pool or not pool["kind"].isin(ruled).any():
        return None
    of_kinds = {
        str(kind): _of_kind(case, fields, dimension=dimension)
        for kind, fields in pool[pool["kind"].isin(ruled)].groupby("kind", sort=True)
    }
    by_kind = [kind_errors for kind_errors in of_kinds.values() if kind_errors is not None]
    if not by_kind:
        return None
    guessed = {row.kind for row in by_kind if not row.exact}
    fields = pool[pool["kind"].isin(guessed)]
    rest = _estimated(case, fields, dimension=dimension) if guessed else None
    share = _together(by_kind, rest)
    if rest is not None:
        judged = pool[pool["kind"].isin({row.kind for row in by_kind})]
        share = _as_counted(case, share, judged, dimension=dimension)
    return FieldErrors(
        dimension=dimension,
        share=share,
        by_kind=tuple(by_kind),
        unknown=int(fields["reference"].isna().sum()),
        unlike=int(_unlike(case, fields).sum()) if guessed else 0,
        few=share.few,
        unjudged=tuple(kind for kind, kind_errors in of_kinds.items() if kind_errors is None),
    )


def ruled_kinds(rubric: Rubric, dimension: str) -> frozenset[str]:
    """Kinds of field in which a field rule may find a critical error."""
    rules = rubric.field_rules
    kinds = {rule.kind for rule in rules if rule.dimension in {None, dimension}}
    return frozenset(kinds) - {FREE}


def _of_kind(case: Case, fields: pd.DataFrame, *, dimension: str) -> KindErrors | None:
    """Fields of one kind, None where none can be judged."""
    kind, known = str(fields["kind"].iloc[0]), int(fields["reference"].notna().sum())
    if not known:
        return None
    if known == len(fields):
        wrong = _wrong(case.campaign.rubric, fields, dimension=dimension)
        share = float(np.mean(wrong))
        counted = Estimate(share, share, share, 0.0, known, method=COUNTED)
        return KindErrors(kind, pool=known, n=known, estimate=counted, exact=True)
    estimate = _estimated(case, fields, dimension=dimension)
    return KindErrors(kind, len(fields), known, estimate, few=estimate.few)


def _wrong(rubric: Rubric, fields: pd.DataFrame, *, dimension: str) -> list[float]:
    """1 for every wrong field and 0 for the others; all have a reference."""
    columns = (fields[name] for name in Field._fields)
    return [float(is_wrong(rubric, dimension, Field(*row))) for row in zip(*columns, strict=True)]


def _estimated(case: Case, fields: pd.DataFrame, *, dimension: str) -> Estimate:
    """Share of wrong fields where some have no reference: the others are a sample of all.

    Nothing is known of a stratum in which no field has one. Its share is taken to be that of the
    others, and the interval reaches from all of its fields being right to all being wrong.
    """
    unlike = _unlike(case, fields)
    share = _of_alike(case, fields[~unlike], dimension=dimension)
    apart = float(unlike.mean())
    wider = replace(share, low=share.low * (1 - apart), high=share.high * (1 - apart) + apart)
    return _as_counted(case, wider, fields, dimension=dimension)


def _as_counted(case: Case, share: Estimate, fields: pd.DataFrame, *, dimension: str) -> Estimate:
    """Share within what was counted, which is sure whatever the other fields are."""
    judged = fields[fields["reference"].notna()]
    wrong = sum(_wrong(case.campaign.rubric, judged, dimension=dimension))
    least, most = wrong / len(fields), (wrong + len(fields) - len(judged)) / len(fields)
    value, low, high = (
        min(max(number, least), most) for number in (share.value, share.low, share.high)
    )
    return replace(share, value=value, low=low, high=high)


def _unlike(case: Case, fields: pd.DataFrame) -> "pd.Series[bool]":
    """Mask of the fields for which no field of the same kind and stratum has a reference."""
    known = fields["reference"].notna()
    return ~known.groupby(_strata(case, fields)).transform("any")


def _strata(case: Case, fields: pd.DataFrame) -> Integers:
    """Number of the kind and stratum of each field, shape (n,)."""
    names = [name for name in ("kind", case.campaign.sampling.stratum) if name in fields]
    return np.asarray(fields.groupby(names, dropna=False).ngroup(), dtype=np.int64)


def _of_alike(case: Case, fields: pd.DataFrame, *, dimension: str) -> Estimate:
    """Share of wrong fields, where every kind and stratum has a field with a reference."""
    known = fields["reference"].notna().to_numpy()
    probability = response_probabilities(
        np.ones(len(fields)), responded=known, stratum=_strata(case, fields)
    )
    judged = fields[known]
    matrix, _ = auxiliaries(
        # Not by CER: it is unknown exactly where the reference is.
        fields.drop(columns=CER, errors="ignore").reset_index(drop=True),
        n=len(judged),
        judges=case.campaign.auxiliaries_on([dimension]),
    )
    return greg_mean(
        _wrong(case.campaign.rubric, judged, dimension=dimension),
        probability,
        auxiliary=matrix[known],
        pool_mean=matrix.mean(axis=0),
        cluster=judged["page_id"].to_numpy(),
    )


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
        low=value - weight * (rest.value - rest.low),
        high=value + weight * (rest.high - rest.value),
        se=weight * rest.se,
        n_items=judged,
    )


def is_wrong(rubric: Rubric, dimension: str, field: Field) -> bool:
    """Return whether a field rule excludes the best rating."""
    reference, hypothesis, kind = field
    facts = compare_field(reference or "", hypothesis, kind=kind)  # type: ignore[arg-type]  # of a rule
    allowed = max_level(rubric, dimension, facts)
    return allowed is not None and allowed.max_level < rubric.scales[dimension].high
