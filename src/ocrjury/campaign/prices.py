"""Currency of the prices of a campaign's raters."""

from ocrjury.campaign.config import Configuration


def currency_of(config: Configuration) -> str:
    """Currency of a campaign's prices: that of the raters, else that of the costs of an error."""
    costs = config.report.costs
    return config.raters.currency or (costs.currency if costs else None) or ""
