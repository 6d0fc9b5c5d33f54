"""Share of each rater's ratings that equal the inferred label."""

import math
from collections.abc import Hashable, Mapping
from dataclasses import replace

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.estimate import Estimate
from ocrjury.findings.measurement.pool_scores import wilson_share
from ocrjury.findings.measurement.rater_means import ratings_by_rater
from ocrjury.ratings import RatingTable
from ocrjury.text.shares import effective_size


def shares_equal_to_label(
    table: RatingTable, labels: Mapping[Hashable, Hashable]
) -> dict[str, Estimate]:
    """Share of each rater's ratings that equal the label of the item, with Wilson's interval.

    Undefined on a continuous scale, where no two ratings are expected to be equal.

    Parameters
    ----------
    labels
        Category by item, as the scale names it; an item without one has no equal rating.

    Notes
    -----
    Where items of a rater were drawn together, with the effective size of
    `ocrjury.text.shares.effective_size` in place of their number.

    Examples
    --------
    >>> from ocrjury import Scale
    >>> table = RatingTable.from_matrix([[1, 2], [2, 2]], scale=Scale.likert(1, 5))
    >>> shares = shares_equal_to_label(table, dict.fromkeys(table.items, 2))
    >>> {rater: share.value for rater, share in shares.items()}
    {'0': 0.5, '1': 1.0}
    """
    wanted = np.array(
        [table.scale.codes.get(labels.get(item), -1) for item in table.items], dtype=np.int64
    )
    draws = np.arange(table.n_items) if table.cluster is None else table.cluster
    shares: dict[str, Estimate] = {}
    for rater, mine in ratings_by_rater(table):
        item = table.item[mine]
        if table.scale.kind == "interval":
            share = Estimate(math.nan, n_items=len(mine), reason="scale_mismatch")
        else:
            share = _share((table.codes[mine] == wanted[item]).astype(float), draws[item])
        shares[str(rater)] = replace(share, n_raters=1, n_ratings=len(mine))
    return shares


def _share(equal: Floats, draws: Integers) -> Estimate:
    """Share with its interval; items of one draw count as less than as many."""
    alone = len(np.unique(draws)) == len(draws)
    size = None if alone else effective_size(equal, draws)
    return wilson_share(int(equal.sum()), len(equal), size=size)
