"""Limits of the field rules on an item, computed and stated in one sentence for its rater.

Every frontend says it in the words of the rating page, and none before the rater chose.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ocrjury.campaign.field_rules import FieldFacts, RuleResult
from ocrjury.campaign.rating_sections import RatingPage
from ocrjury.campaign.rubric import Rubric
from ocrjury.frontends.ingest.rule_breaks import rule_limits
from ocrjury.pages.catalogues import Say, speaker


class Limit(NamedTuple):
    """The highest level that the field rules allow, and why."""

    at_most: float
    sentence: str


def limits_told(
    facts: FieldFacts | None,
    dimensions: Iterable[str],
    rubric: Rubric,
    *,
    page: RatingPage,
    language: str,
) -> dict[str, Limit]:
    """Limits by dimension; characters are counted only where `page` lets raters see them."""
    if facts is None:
        return {}
    say = speaker("rating", language)
    rules = rule_limits(facts, dimensions, rubric, language=language)
    ends = {band.up_to for rule in rubric.field_rules for band in rule.bands}
    return {
        name: Limit(
            rule.max_level,
            _sentence(rule, facts, say, ends=ends) if page.countable else rule.sentence,
        )
        for name, rule in rules.items()
    }


def bound_dimensions(dimensions: Iterable[str], rubric: Rubric) -> tuple[str, ...]:
    """Dimensions that some field rule of the rubric may bind."""
    bound = {rule.dimension for rule in rubric.field_rules}
    return tuple(name for name in dimensions if None in bound or name in bound)


def told_distance(distance: float, ends: Iterable[float]) -> str:
    """Distance with two decimals, or as many as keep it on its side of 0 and of each band's end.

    Examples
    --------
    >>> told_distance(0.25, [0.05]), told_distance(0.0512, [0.05]), told_distance(1 / 400, [0.05])
    ('0.25', '0.051', '0.003')
    """
    sides = [distance <= end for end in (0.0, *ends)]
    texts = [f"{distance:.{decimals}f}" for decimals in range(2, 9)]
    on_its_side = (text for text in texts if [float(text) <= end for end in (0.0, *ends)] == sides)
    return next(on_its_side, texts[-1])


def _sentence(rule: RuleResult, facts: FieldFacts, say: Say, *, ends: Iterable[float]) -> str:
    """Rule with what was computed about the field."""
    suffix = "_one" if facts.distance == 1 else ""
    key = "limit_format" if rule.when == "only_format_differs" else f"limit_{rule.when}{suffix}"
    return say(
        key,
        distance=facts.distance,
        longer=facts.longer,
        ned=told_distance(facts.ned, ends),
        level=f"{rule.max_level:g}",
    )
