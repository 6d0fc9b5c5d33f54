"""The gate's verdict, and who released an evaluation against it."""

from typing import Any

from ocrjury.gate import GatePolicy
from ocrjury.report.assembly.stored import Stored
from ocrjury.report.data import DimensionVerdict, GateVerdict, Release


def gate_verdict(stored: Stored) -> GateVerdict:
    """Return the newest verdict."""
    overall, *dimensions = stored.verdicts
    policy = GatePolicy.preset(stored.campaign.gate.policy)
    return GateVerdict(
        decision=overall.decision,  # type: ignore[arg-type]  # a CHECK constraint guards the words
        grade=overall.grade,
        reasons=tuple(overall.reasons),
        actions=tuple(_sentence(action) for action in overall.actions),
        dimensions=tuple(
            DimensionVerdict(
                dimension=one.dimension,
                decision=one.decision,  # type: ignore[arg-type]  # as above
                grade=one.grade,
                reasons=tuple(one.reasons),
                needed_items=one.needed_items,
            )
            for one in sorted(dimensions, key=lambda v: stored.dimension_names.index(v.dimension))
        ),
        policy=stored.campaign.gate.policy,
        statistic=policy.conditions[0].estimates[0],
        floor=policy.conditions[0].floor,
        rule=policy.conditions[0].rule,
        release=_release(stored),
    )


def _release(stored: Stored) -> Release | None:
    """Return the decision that let the newest verdict through, None if none did."""
    about = {"round": stored.verdicts[0].round, "version": stored.verdicts[0].version}
    for decision in reversed(stored.decisions):
        if decision.kind == "proceed" and decision.target.get("verdict") == about:
            return Release(decision.actor, decision.reason, decision.at)
    return None


def _sentence(action: Any) -> str:
    """Return an action as people read it."""
    return str(action["text"]) if isinstance(action, dict) else str(action)
