"""What happened in which round."""

from itertools import pairwise

from ocrjury.campaign.capabilities import missing_capabilities
from ocrjury.report.assembly.stored import Stored
from ocrjury.report.round_section import Round, Rounds
from ocrjury.store.rounds import RoundRow


def rounds_part(stored: Stored) -> Rounds:
    """Return the rounds in order, with the share of items that was uncertain after each."""
    held = [row for row in stored.rounds if row.state != "dropped"]
    # A main round right after another one tops it up; after a pilot it starts anew.
    top_ups = {b.round for a, b in pairwise(held) if a.kind == b.kind == "main"}
    return Rounds(
        rows=tuple(_round(stored, row, top_up=row.round in top_ups) for row in held),
        target_confidence=stored.campaign.truth.target_confidence,
        truth_method=stored.campaign.truth.method,
        unresolved=_uncertain(stored, stored.rounds[-1].round)[0],
        calibrated=_calibrated(stored),
    )


def _round(stored: Stored, row: RoundRow, *, top_up: bool) -> Round:
    """Return one round."""
    done = [a for a in stored.assignments if a.round == row.round and a.state == "done"]
    cost = {person.pseudonym: person.cost for person in stored.people}
    uncertain, n_items = _uncertain(stored, row.round)
    return Round(
        number=row.round,
        kind=row.kind,
        rule=row.rule,
        frontend=row.frontend,
        lacking=missing_capabilities(row.frontend),
        top_up=top_up,
        items=len({a.item for a in done}),
        assignments=len(done),
        ratings=sum(rating.round == row.round for rating in stored.ratings),
        raters=len({a.rater for a in done}),
        cost=sum(cost[a.rater] for a in done),
        uncertain=uncertain / n_items if n_items else None,
    )


def _calibrated(stored: Stored) -> bool:
    """Whether the newest labels' confidence was checked, on every dimension."""
    inferred = [row.round for row in stored.rounds if row.round in stored.truth_by_round]
    return bool(inferred) and stored.truth_by_round[inferred[-1]].calibrated


def _uncertain(stored: Stored, number: int) -> tuple[int, int]:
    """Items below the target confidence after a round, and of how many."""
    summary = stored.truth_by_round.get(number)
    return (0, 0) if summary is None else (summary.overall.uncertain_items, summary.overall.n_items)
