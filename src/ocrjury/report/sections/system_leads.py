"""OCR systems that are clearly better than others: to these raters, and to other raters too."""

from dataclasses import replace
from typing import NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.findings.systems import SystemDifference, Systems
from ocrjury.language import phrase, tr
from ocrjury.pages.document_text import cut
from ocrjury.pages.numbers import capital, decimal, has_interval, range_text, signed


class Lead(NamedTuple):
    """A system that is clearly better than another to these raters, and by how many points.

    ``others`` is the same for other raters.
    """

    better: str
    worse: str
    by: Estimate
    others: Estimate

    @property
    def holds(self) -> bool:
        """Whether the lead is clear for other raters too."""
        return _is_clear(self.others)


def leads(row: Systems) -> list[Lead]:
    """Differences between the ratings of these raters that chance does not explain."""
    return [_ahead(pair) for pair in row.differences if _is_clear(pair.estimate)]


def _is_clear(by: Estimate) -> bool:
    return has_interval(by) and not by.low <= 0 <= by.high


def _ahead(pair: SystemDifference) -> Lead:
    if pair.estimate.low > 0:
        return Lead(pair.a, pair.b, pair.estimate, pair.others)
    return Lead(pair.b, pair.a, _turned(pair.estimate), _turned(pair.others))


def _turned(by: Estimate) -> Estimate:
    """Difference of the second system less the first."""
    return replace(by, value=-by.value, low=-by.high, high=-by.low)


def text(lead: Lead, dimension: str) -> str:
    """Better system and its lead, without a full stop: for other raters, if it holds for them."""
    names = {
        "better": cut(lead.better, 40),
        "worse": cut(lead.worse, 40),
        "dimension": dimension,
        "by": decimal(lead.by.value),
    }
    if lead.holds:
        pattern = phrase("{better} is better than {worse} on {dimension} by {by} points ({others})")
    elif has_interval(lead.others):
        pattern = phrase(
            "These raters find {better} better than {worse} on {dimension} by {by} points "
            "({these}); other raters might not ({others})"
        )
    else:
        pattern = phrase(
            "The only rater finds {better} better than {worse} on {dimension} by {by} points "
            "({these})"
        )
    return capital(tr(pattern, these=_range(lead.by), others=_range(lead.others), **names))


def _range(by: Estimate) -> str:
    """Range of a lead, with plus and minus where it goes below 0."""
    number = decimal if by.low > 0 else signed
    return range_text(number(by.low), number(by.high))
