"""Simulated raters for rehearsals and benchmarks; never a substitute for people."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.simulation.answers import RaterProfile, simulate_ratings
    from ocrjury.simulation.levels import true_scores

__all__ = ["RaterProfile", "simulate_ratings", "true_scores"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
