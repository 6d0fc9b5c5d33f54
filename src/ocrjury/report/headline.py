"""The number that the campaign's target is about."""

from ocrjury.estimate import Estimate
from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.report.data import Headline
from ocrjury.report.stored_evaluation import Stored


def headline_of(stored: Stored) -> Headline | None:
    """Mean or share that the campaign's target is about, None before the estimates."""
    estimates = stored.estimates.get(stored.target_dimension)
    if estimates is None:
        return None
    target = stored.campaign.report.target
    chosen = estimates.target_share or estimates
    return Headline(
        dimension=stored.target_dimension,
        these=chosen.these,
        others=chosen.others,
        share_at_least=None if target is None else target.share_at_least,
        hajek=chosen.hajek,
        uncorrected=_uncorrected(estimates),
        gold_unused=estimates.gold is not None and _uncorrected(estimates) is None,
        sources=chosen.sources,
        naive=None if chosen.naive is None else chosen.naive.value,
    )


def _uncorrected(estimates: PoolEstimates) -> Estimate | None:
    """Headline without gold, None where there is no gold."""
    if estimates.target_share:
        return estimates.target_share.uncorrected
    return None if estimates.gold is None else estimates.gold.uncorrected
