"""How much of the pool needs no person at the risk that the campaign's costs allow."""

from dataclasses import replace

import pandas as pd

from ocrjury.estimation import route_by_confidence
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import answered, evidence_on
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.findings.routing import RoutingFinding


def measure_routing(
    case: Case, pool: pd.DataFrame, sample: Sample, *, of_pool: PoolEstimates
) -> RoutingFinding | None:
    """Routing on the headline's dimension; None without costs, a confidence or a rating.

    Parameters
    ----------
    of_pool
        Estimates on that dimension.
    """
    costs, level = case.campaign.report.costs, of_pool.usable_level
    # Routing knows the ratings without gold, and so must what it is compared with.
    usable = (of_pool.gold and of_pool.gold.usable) or of_pool.usable
    if costs is None or usable is None or not pool["confidence"].notna().any():
        return None
    below = evidence_on(case, of_pool.dimension).as_shares(lambda rating: rating < level)
    shares = below.item_means
    if not len(shares):
        return None
    sampled = answered(sample, shares.index)
    confidence = pool.set_index("doc_id")["confidence"].astype(float)
    routing = route_by_confidence(
        shares[sampled.items].to_numpy(dtype=float),
        sampled.probability,
        confidence=confidence.reindex(sampled.items).to_numpy(),
        pool_confidence=confidence.to_numpy(),
        risk=costs.risk,
        cluster=sampled.cluster,
    )
    return RoutingFinding(
        dimension=of_pool.dimension,
        share=routing.share,
        threshold=routing.threshold,
        wrong=routing.wrong,
        risk=routing.risk,
        all_wrong=replace(usable, value=1 - usable.value, low=1 - usable.high, high=1 - usable.low),
        usable_level=level,
        pool=len(pool),
        unsure=int(confidence.isna().sum()),
        error=costs.error,
        check=costs.check,
        currency=costs.currency,
    )
