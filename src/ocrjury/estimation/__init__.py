"""Estimates for the whole pool, from a sample and from ratings with error."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.estimation.auxiliary import auxiliaries
    from ocrjury.estimation.change import compare_evaluations, trend
    from ocrjury.estimation.comparison import compare_systems
    from ocrjury.estimation.greg import cross_check, greg_mean
    from ocrjury.estimation.groups import means_by_group
    from ocrjury.estimation.hajek import hajek_mean
    from ocrjury.estimation.headline import rated_mean, rated_share
    from ocrjury.estimation.inferred_labels import inferred_mean
    from ocrjury.estimation.interval import within_scale
    from ocrjury.estimation.plain_average import plain_mean
    from ocrjury.estimation.preference import Preferences, preferred_shares
    from ocrjury.estimation.quantile import pool_quantile
    from ocrjury.estimation.rated_sample import RatedSample
    from ocrjury.estimation.response import response_probabilities
    from ocrjury.estimation.routing import Routing, route_by_confidence
    from ocrjury.estimation.sources import MeanSources, RaterPart, mean_sources

__all__ = [
    "MeanSources",
    "Preferences",
    "RatedSample",
    "RaterPart",
    "Routing",
    "auxiliaries",
    "compare_evaluations",
    "compare_systems",
    "cross_check",
    "greg_mean",
    "hajek_mean",
    "inferred_mean",
    "mean_sources",
    "means_by_group",
    "plain_mean",
    "pool_quantile",
    "preferred_shares",
    "rated_mean",
    "rated_share",
    "response_probabilities",
    "route_by_confidence",
    "trend",
    "within_scale",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
