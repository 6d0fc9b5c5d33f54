"""What a round asks for, before it is opened."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.planner.rounds import (
        clip_demand,
        items_left,
        main_demand,
        plan_assignments,
        queue_gains,
    )

__all__ = ["clip_demand", "items_left", "main_demand", "plan_assignments", "queue_gains"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__, dict.fromkeys(__all__, "rounds"))
