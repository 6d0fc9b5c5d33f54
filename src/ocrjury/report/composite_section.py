"""Several dimensions as one score, and how they go together."""

from dataclasses import dataclass

from ocrjury.bias.findings import BiasFinding
from ocrjury.findings.dimensions import Composite, Correlation


@dataclass(frozen=True, slots=True)
class Together:
    """The dimensions taken together; ``halo`` is the test of all raters, None without one."""

    correlations: tuple[Correlation, ...] = ()
    composites: tuple[Composite, ...] = ()
    halo: BiasFinding | None = None
