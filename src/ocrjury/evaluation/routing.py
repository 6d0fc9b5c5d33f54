"""Share of the pool that needs no person at the risk that the campaign's costs allow."""

from dataclasses import replace
from functools import partial

import pandas as pd

from ocrjury.arrays import Booleans
from ocrjury.estimate import Estimate
from ocrjury.estimation import RatedSample, route_by_confidence
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import Answered, answered, evidence_on
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.findings.routing import RoutingFinding


def measure_routing(
    case: Case, pool: pd.DataFrame, sample: Sample, *, of_pool: PoolEstimates
) -> RoutingFinding | None:
    """Routing on the headline's dimension; None without costs, a confidence or a rating.

    What is proven holds for other raters like these, as the headline does.

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
    evidence = evidence_on(case, of_pool.dimension)
    shares = evidence.as_shares(lambda rating: rating < level).item_means
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
        share_wrong=partial(_share_wrong, evidence.ratings, sampled=sampled, level=level),
    )
    return RoutingFinding(
        dimension=of_pool.dimension,
        share=routing.share,
        threshold=routing.threshold,
        wrong=routing.wrong,
        risk=routing.risk,
        all_wrong=_rest(usable),
        usable_level=level,
        pool=len(pool),
        unsure=int(confidence.isna().sum()),
        error=costs.error,
        check=costs.check,
        currency=costs.currency,
    )


def _share_wrong(
    ratings: pd.DataFrame, chosen: Booleans, *, sampled: Answered, level: float
) -> Estimate:
    """Share of some of the sampled items that other raters would put below a level."""
    items = pd.DataFrame(
        {
            "item": sampled.items,
            "inclusion_probability": sampled.probability,
            "cluster": sampled.cluster,
        }
    )[chosen].reset_index(drop=True)
    rated = ratings[ratings["item"].isin(items["item"])]
    return _rest(RatedSample(rated, items).share(at_least=level))


def _rest(share: Estimate) -> Estimate:
    """Complement of a share, with its interval."""
    return replace(share, value=1 - share.value, low=1 - share.high, high=1 - share.low)
