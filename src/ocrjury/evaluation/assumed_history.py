"""The history from which the next round would follow, if people were done and the gate passed."""

from dataclasses import replace

from ocrjury.campaign.decisions import AT_THE_GATE, LATE
from ocrjury.campaign.history import History


def assume_done(history: History) -> tuple[History | None, str]:
    """History from which the next round follows, and what it assumes; None and why, without one."""
    if history.state in {"sampled", "judged"}:
        return history, ""
    if history.state == "held" and history.held_reason in AT_THE_GATE:
        judged = replace(history, state="judged", held_reason=None, held_from=None, released=True)
        return judged, "a lead proceeds"
    late = history.state == "held" and history.held_reason in LATE
    if not late and history.state != "collecting":
        return None, f"it is {history.place}"
    if not history.last.ratings:
        return None, f"nobody has rated anything in round {history.last.number}"
    last = replace(history.last, state="closed", open=0)
    judged = replace(
        history,
        state="judged",
        held_reason=None,
        held_from=None,
        rounds=(*history.rounds[:-1], last),
        verdict="PASS" if last.kind == "main" else history.verdict,
        pilot_met=True,
    )
    gate = {"pilot": ", and all meet its criterion", "main": ", and the gate passes"}
    return judged, f"round {last.number} closes as it is{gate.get(last.kind, '')}"
