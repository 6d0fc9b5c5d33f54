"""Items that deserve another rating, and items that only a person's decision can settle."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.adaptive.experts import price_experts
    from ocrjury.adaptive.gold_check import GainCheck, check_gain
    from ocrjury.adaptive.policies import POLICIES, Policy
    from ocrjury.adaptive.rater_choice import choose_raters
    from ocrjury.adaptive.round_plan import NextRound, plan_next_round
    from ocrjury.adaptive.selection import next_ratings
    from ocrjury.adaptive.settlement import disputed_items, settled_values, unsettled_items
    from ocrjury.adaptive.votes import adjudication_steps

__all__ = [
    "POLICIES",
    "GainCheck",
    "NextRound",
    "Policy",
    "adjudication_steps",
    "check_gain",
    "choose_raters",
    "disputed_items",
    "next_ratings",
    "plan_next_round",
    "price_experts",
    "settled_values",
    "unsettled_items",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
