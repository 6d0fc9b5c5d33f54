"""The number on the cover."""

from ocrjury.report.assembly.stored import Stored
from ocrjury.report.data import Headline


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
        naive=None if chosen.naive is None else chosen.naive.value,
    )
