"""What the whole pool is worth, from a sample and ratings with error."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.estimation.auxiliary import auxiliaries
    from ocrjury.estimation.comparison import compare_systems
    from ocrjury.estimation.consistency import cross_check
    from ocrjury.estimation.greg import greg_mean
    from ocrjury.estimation.hajek import hajek_mean
    from ocrjury.estimation.plain import plain_mean
    from ocrjury.estimation.rated import rated_mean

__all__ = [
    "auxiliaries",
    "compare_systems",
    "cross_check",
    "greg_mean",
    "hajek_mean",
    "plain_mean",
    "rated_mean",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(
        __name__,
        {
            "auxiliaries": "auxiliary",
            "compare_systems": "comparison",
            "cross_check": "consistency",
            "greg_mean": "greg",
            "hajek_mean": "hajek",
            "plain_mean": "plain",
            "rated_mean": "rated",
        },
    )
