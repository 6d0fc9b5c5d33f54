"""Ratings above what a field rule of the rubric allows, as the report prints them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBreak:
    """How often one rater broke one rule on one dimension.

    ``levels`` are the ratings given and to how many items, the highest first; ``told`` counts the
    ratings whose rater was told of the rule while rating.
    """

    dimension: str
    rater: str
    ratings: int
    items: int
    told: int
    levels: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRow:
    """One field rule with who broke it.

    ``kind`` and ``when`` are those of `ocrjury.campaign.field_rules.FieldRule`; ``at_most`` is
    the level that it allows, None where that depends on the distance. ``sentence`` is the rule as
    raters read it.
    """

    rule: str
    kind: str
    when: str
    sentence: str
    at_most: float | None = None
    breaks: tuple[RuleBreak, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBreaks:
    """All field rules. ``checked`` counts the ratings of fields that some rule is about."""

    rows: tuple[RuleRow, ...]
    checked: int

    @property
    def broken(self) -> int:
        """Return how many ratings lie above what a rule allows."""
        return sum(one.ratings for row in self.rows for one in row.breaks)

    @property
    def told(self) -> int:
        """Return of how many their rater was told."""
        return sum(one.told for row in self.rows for one in row.breaks)
