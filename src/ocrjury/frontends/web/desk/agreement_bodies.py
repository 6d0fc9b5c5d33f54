"""Agreement of the raters, as the desk answers with it."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

Colour = Literal["green", "yellow", "orange", "red", "none"]
AgreementSource = Literal["none", "interim", "pilot", "judged"]


class MetricAgreement(BaseModel):
    """Agreement of the raters on one dimension.

    `score` is A^HH, or where that is undefined the share of pairs of ratings that are equal; which
    one, `statistic` says. `gate_value` is of the statistic that the gate goes by, to which `colour`
    and `interpretation` belong. `acceptable` is what the gate said, null as long as it has not
    judged. `grades` has the words that the report too puts on these values, by statistic; none
    where too few items tell anything and the gate has not judged. `reason` is why there is no
    `gate_value`.
    """

    score: float | None
    statistic: Literal["human_agreement", "exact_agreement"]
    gate_statistic: str
    gate_value: float | None
    gate_low: float | None
    gate_high: float | None
    colour: Colour
    interpretation: str
    acceptable: bool | None
    low: float | None
    high: float | None
    exact_agreement: float | None
    adjacent_agreement: float | None
    human_agreement: float | None
    krippendorff_alpha: float | None
    grades: dict[str, str]
    is_binary: bool
    num_items: int
    num_raters: int
    num_ratings: int
    reason: str | None
    suggestions: list[str]


class AgreementBody(BaseModel):
    """Agreement of the raters, as it was stored last.

    `score` and `human_agreement` are means over the dimensions; there is no `score` where the
    scores of the dimensions are of two statistics.
    `source` says of what: ``interim`` while a round is open, which is no gate; ``pilot``; or
    ``judged``. `threshold` is what the gate asks of `threshold_statistic`, by its
    lower bound or by the number itself.
    """

    evaluation: str
    source: AgreementSource
    round: int | None
    at: datetime | None
    score: float | None
    colour: Colour
    human_agreement: float | None
    ready_to_proceed: bool
    threshold: float
    threshold_statistic: str
    threshold_rule: Literal["bound", "point"]
    num_raters: int
    num_items: int
    metrics: dict[str, MetricAgreement]
    problematic_patterns: list[str]

    @property
    def suggestions(self) -> list[str]:
        """Suggestions for all dimensions, each once."""
        texts = (text for metric in self.metrics.values() for text in metric.suggestions)
        return list(dict.fromkeys(texts))
