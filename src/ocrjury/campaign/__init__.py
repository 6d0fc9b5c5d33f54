"""Campaigns: a lead's configuration and decisions, and the states of an evaluation."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.campaign.config import Campaign, read_campaign
    from ocrjury.campaign.field_rules import FieldFacts, RuleResult
    from ocrjury.campaign.period import period_name
    from ocrjury.campaign.recommendation import Recommendation
    from ocrjury.campaign.recommendations import check_campaign
    from ocrjury.campaign.registry import RaterEntry, eligible, read_raters
    from ocrjury.campaign.rubric import Rubric, max_level, read_rubric
    from ocrjury.campaign.settings import Settings
    from ocrjury.campaign.starter import write_starter
    from ocrjury.campaign.state import next_step

__all__ = [
    "Campaign",
    "FieldFacts",
    "RaterEntry",
    "Recommendation",
    "Rubric",
    "RuleResult",
    "Settings",
    "check_campaign",
    "eligible",
    "max_level",
    "next_step",
    "period_name",
    "read_campaign",
    "read_raters",
    "read_rubric",
    "write_starter",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
