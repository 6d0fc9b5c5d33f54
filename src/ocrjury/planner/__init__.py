"""Plans of studies and rounds, before they are opened."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.planner.double_rating import double_rated_items
    from ocrjury.planner.forecast import forecast_study, usual_spreads
    from ocrjury.planner.pairs import plan_side_by_side
    from ocrjury.planner.rounds import (
        Controls,
        clip_demand,
        items_left,
        main_demand,
        plan_assignments,
        queue_gains,
    )
    from ocrjury.planner.study import StudyPlan, plan_study
    from ocrjury.planner.variances import VarianceComponents, variance_components

__all__ = [
    "Controls",
    "StudyPlan",
    "VarianceComponents",
    "clip_demand",
    "double_rated_items",
    "forecast_study",
    "items_left",
    "main_demand",
    "plan_assignments",
    "plan_side_by_side",
    "plan_study",
    "queue_gains",
    "usual_spreads",
    "variance_components",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
