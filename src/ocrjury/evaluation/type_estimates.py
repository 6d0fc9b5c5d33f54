"""Mean rating of every document type, of a pool or of one OCR system's part of it."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.estimation import RatedSample, within_scale
from ocrjury.estimation.group_contrasts import less_the_pool
from ocrjury.estimation.interval import at_once
from ocrjury.findings.pool_estimates import TypeEstimate
from ocrjury.findings.record import UNKNOWN
from ocrjury.scales import Scale


def rows_of_types(pool: pd.DataFrame) -> dict[object, Integers]:
    """Rows of every document type, None for documents without one."""
    code, names = pd.factorize(pool["doc_type"], sort=True)
    rows: dict[object, Integers] = {
        str(name): np.flatnonzero(code == place) for place, name in enumerate(names)
    }
    none = np.flatnonzero(code < 0)
    return {**rows, None: none} if len(none) else rows


def type_estimates(
    rated: RatedSample,
    *,
    pool: Mapping[object, int],
    means: Mapping[object, Floats],
    scale: Scale,
    of: Booleans | None = None,
) -> tuple[TypeEstimate, ...]:
    """Mean of every type, and how far it lies from all; ranges hold at once (Bonferroni).

    Parameters
    ----------
    rated
        ``items`` have the column ``doc_type``.
    pool, means
        Number of documents of each type in the pool, and means of the auxiliaries over them.
    of
        The items whose types are asked for, such as those of one OCR system, without how far they
        lie from all; None: all.
    """
    items = rated.items if of is None else rated.items[of]
    n_types = items["doc_type"].nunique(dropna=False)
    each = at_once(n_types)
    estimates = rated.means_by("doc_type", means, of=of, confidence=each)
    several = of is None and n_types > 1
    apart = less_the_pool(rated, means, group="doc_type", confidence=each) if several else {}
    return tuple(
        TypeEstimate(
            doc_type=None if name is None else str(name),
            pool=pool[name],
            n=mean.n_items,
            estimate=within_scale(mean, low=scale.low, high=scale.high),
            few=mean.few,
            apart=apart.get(name, UNKNOWN),
        )
        for name, mean in estimates.items()
    )
