"""The gate: whether the raters agree well enough for their ratings to be used."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.gate.actions import Diagnosis, suggest_actions
    from ocrjury.gate.judgement import judge
    from ocrjury.gate.policy import Condition, GatePolicy
    from ocrjury.gate.verdict import Action, DimensionVerdict, Verdict

__all__ = [
    "Action",
    "Condition",
    "Diagnosis",
    "DimensionVerdict",
    "GatePolicy",
    "Verdict",
    "judge",
    "suggest_actions",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
