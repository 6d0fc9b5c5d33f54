"""The highest level that field rules allow on an item, computed and said in one sentence."""

from collections.abc import Mapping
from typing import NamedTuple

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.field_rules import FieldFacts, RuleResult
from ocrjury.campaign.rating_sections import Page
from ocrjury.frontends.ingest import Facts, facts_about, rule_limits
from ocrjury.frontends.web.places import Place, lettered
from ocrjury.pages.catalogues import Say, speaker
from ocrjury.store.queue import RatingTask

QUICK = 1000
"""Characters of texts that are compared in no time, so that nobody waits while a page is made."""


class Limit(NamedTuple):
    """The highest level that the field rules allow, and why."""

    at_most: float
    sentence: str


def limits_shown(place: Place, campaign: Campaign, *, language: str) -> dict[str, Limit]:
    """Limits that a rating page brings with it, by dimension; it tells them after a first choice.

    Without a reference to look at there are none: they would tell what it says.
    """
    if campaign.rounds.page.reference == "hidden":
        return {}
    facts = facts_about([task for task in place.tasks if _quick(task)], campaign.rubric)
    return limits_of(place, facts, campaign, language=language)


def limits_of(place: Place, facts: Facts, campaign: Campaign, *, language: str) -> dict[str, Limit]:
    """Limits on all outputs of a place, by dimension, as far as there are facts about them."""
    say = speaker("rating", language)
    limits = {}
    for letter, task in place.by_letter.items():
        fact = facts.get(task.item)
        rules = rule_limits(fact, task.dimensions, campaign.rubric, language=language)
        for name, rule in rules.items():
            sentence = rule.sentence
            if fact is not None and _countable(campaign.rounds.page):
                sentence = _sentence(rule, fact, say)
            limits[lettered(letter, name)] = Limit(rule.max_level, sentence)
    return limits


def broken(limits: Mapping[str, Limit], values: Mapping[str, float]) -> dict[str, str]:
    """Sentences of the limits that some values exceed, by dimension.

    Examples
    --------
    >>> broken({"meaning": Limit(4, "At most 4.")}, {"meaning": 5, "layout": 5})
    {'meaning': 'At most 4.'}
    """
    return {
        name: limit.sentence
        for name, limit in limits.items()
        if values.get(name, limit.at_most) > limit.at_most
    }


def _quick(task: RatingTask) -> bool:
    """Whether a comparison of both texts takes no time."""
    return max(len(task.reference or ""), len(task.hypothesis)) <= QUICK


def _countable(page: Page) -> bool:
    """Whether raters see the characters that differ, so that they may be counted for them."""
    return page.reference == "shown" and page.diff != "hidden"


def _sentence(rule: RuleResult, facts: FieldFacts, say: Say) -> str:
    """Rule with what was computed about the field."""
    one = "_one" if facts.distance == 1 else ""
    key = "limit_format" if rule.when == "only_format_differs" else f"limit_{rule.when}{one}"
    return say(
        key,
        distance=facts.distance,
        longer=facts.longer,
        ned=f"{facts.ned:.2f}",
        level=f"{rule.max_level:g}",
    )
