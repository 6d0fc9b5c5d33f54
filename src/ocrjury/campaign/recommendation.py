"""A recommendation for human evaluation, and those that every campaign meets."""

from dataclasses import dataclass

from ocrjury.language import phrase


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A recommendation, beside what the campaign does.

    ``advice`` is empty where the recommendation is met.
    """

    topic: str
    recommended: str
    actual: str
    met: bool
    advice: str = ""


ORDER_SHUFFLED = Recommendation(
    phrase("Order of items"),
    phrase("shuffled for every rater"),
    phrase("shuffled by the seed"),
    met=True,
)
AGREEMENT_PRINTED = Recommendation(
    phrase("Agreement in the report"),
    phrase("always printed"),
    phrase("always printed"),
    met=True,
)
