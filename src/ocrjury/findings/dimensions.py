"""The dimensions taken together: means over them, correlations, and one score for all."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.record import Measured, Number, Record, Sentence


@dataclass(frozen=True, slots=True)
class MeanOver(Record):
    """The mean of a statistic over the ``n`` dimensions where it is defined."""

    value: Number
    n: int


def mean_over_dimensions(findings: Iterable[AgreementFinding]) -> dict[str, MeanOver]:
    """Plain mean of every statistic over the dimensions where it is defined.

    Examples
    --------
    >>> from ocrjury.estimate import Estimate
    >>> from ocrjury.findings.agreement import Disagreements
    >>> nowhere = Disagreements(threshold=2, n_items=0, n=0, rate=math.nan)
    >>> findings = [
    ...     AgreementFinding(
    ...         dimension=name,
    ...         n_items=9,
    ...         n_raters=3,
    ...         n_ratings=27,
    ...         estimates={"icc": Estimate(value)},
    ...         disagreements=nowhere,
    ...     )
    ...     for name, value in (("a", 0.5), ("b", 0.7), ("c", math.nan))
    ... ]
    >>> mean_over_dimensions(findings)
    {'icc': MeanOver(value=0.6, n=2)}
    """
    values: dict[str, list[float]] = {}
    for finding in findings:
        for key, estimate in finding.estimates.items():
            values.setdefault(key, []).extend([estimate.value] if estimate.defined else [])
    return {
        key: MeanOver(sum(known) / len(known) if known else math.nan, len(known))
        for key, known in values.items()
    }


@dataclass(frozen=True, slots=True)
class Correlation(Record):
    """Correlation of two dimensions over ``n`` ratings of both; the interval is over items."""

    dimension_a: str
    dimension_b: str
    n: int
    estimate: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Composite(Record):
    """All dimensions as one score, made by ``method``.

    ``used`` differs from ``method`` where there is too little for a principal component or a
    regression; ``note`` then says so. It runs from ``low`` to ``high``; ``stretched`` where
    dimensions have unlike scales, which were stretched to this one. ``loadings`` are those of the
    first principal component, ``explained`` its share of the variance; of a regression, ``errors``
    are the standard errors of the weights, ``explained`` its share of the overall rating's
    variance. ``these`` and ``others`` estimate its mean as of any dimension; ``scores`` are those
    of the items, mean over raters.
    """

    method: str
    used: str
    weights: Mapping[str, Number]
    these: Measured
    others: Measured
    loadings: Mapping[str, Number] | None = None
    explained: Number = math.nan
    note: Sentence | None = None
    errors: Mapping[str, Number] | None = None
    low: Number = math.nan
    high: Number = math.nan
    stretched: bool = False
    scores: Mapping[str, Number] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Composites(Record):
    """One score over all dimensions, made in each of the ways that fit; none for categories."""

    rows: tuple[Composite, ...] = ()


@dataclass(frozen=True, slots=True)
class DimensionsFinding(Record):
    """The dimensions taken together: means of statistics over them, and their correlations."""

    means: Mapping[str, MeanOver] = field(default_factory=dict)
    correlations: tuple[Correlation, ...] = ()
