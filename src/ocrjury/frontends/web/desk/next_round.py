"""The next round before it is opened, as it was stored last, and what it would cost."""

from typing import Final

from ocrjury.findings.preview import PlannedRound, Preview
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.frontends.web.desk.next_round_bodies import (
    NextRoundBody,
    PlannedRoundBody,
    ShareBody,
)
from ocrjury.language import said
from ocrjury.pages.next_round_words import LACKS, assumption_text, no_round_text
from ocrjury.store.database import Engine
from ocrjury.store.histories import Standing
from ocrjury.store.results import newest_findings

WAITING: Final = ("collecting", "held")
"""States in which an evaluation waits for people, so that somebody can look ahead."""


def next_round_view(engine: Engine, standing: Standing) -> NextRoundBody | None:
    """Next round of an evaluation that waits; None where none was planned since it does."""
    history = standing.history
    if history.state not in WAITING or not history.rounds:
        return None
    name = standing.evaluation.evaluation
    stored = newest_findings(engine, name, Preview, kind="preview")
    if stored is None:
        return None
    view = stored.findings[ALL_DIMENSIONS]
    if (view.state, view.number) != (history.place, history.last.number):
        return None
    few, unsure, experts = view.under_annotated, view.most_uncertain, view.experts
    return NextRoundBody(
        at=stored.at,
        assuming=assumption_text(view.assuming),
        why_none=None if view.because is None else no_round_text(view.because),
        round=None if view.round is None else shown_round(view.round),
        few_ratings=0 if few is None else few.count,
        uncertain=None if unsure is None else unsure.count,
        for_adjudicator=0 if experts is None else experts.count,
    )


def shown_round(plan: PlannedRound) -> PlannedRoundBody:
    """Round with an amount of money where the campaign gives prices and their currency."""
    return PlannedRoundBody(
        kind=plan.kind,
        rule=said(plan.rule),
        dimensions=list(plan.dimensions),
        items=plan.items,
        assignments=plan.assignments,
        gold=plan.gold,
        second=plan.second,
        hours=plan.hours,
        cost=None if plan.lacks else plan.cost,
        currency=plan.currency or None,
        why_no_cost=said(LACKS[plan.lacks]) or None,
        raters=[
            ShareBody(
                rater=share.rater,
                assignments=share.assignments,
                sessions=share.sessions,
                hours=share.minutes / 60,
                cost=None if plan.lacks else share.cost,
            )
            for share in plan.allocation
        ],
    )
