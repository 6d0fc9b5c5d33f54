"""Several dimensions as one score, and how they go together."""

from collections.abc import Mapping
from dataclasses import dataclass

from ocrjury.bias.findings import BiasFinding
from ocrjury.dimensions import Method
from ocrjury.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Correlation:
    """How two dimensions go together over all ratings of both; the interval is over items."""

    dimension_a: str
    dimension_b: str
    n: int
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Composite:
    """All dimensions as one score, made by ``method``.

    ``used`` differs from ``method`` where there is too little for a principal component; ``note``
    then says so. ``loadings`` are those of the first principal component, ``explained`` its share
    of the variance. ``these`` and ``others`` estimate its mean as of any dimension.
    """

    method: Method
    used: Method
    weights: Mapping[str, float]
    these: Estimate
    others: Estimate
    loadings: Mapping[str, float] | None = None
    explained: float | None = None
    note: str | None = None
    trusted: bool = True
    """False where it uses a dimension on which agreement was not shown."""


@dataclass(frozen=True, slots=True)
class Together:
    """The dimensions taken together; ``halo`` is the test of all raters, None without one."""

    correlations: tuple[Correlation, ...] = ()
    composites: tuple[Composite, ...] = ()
    halo: BiasFinding | None = None
