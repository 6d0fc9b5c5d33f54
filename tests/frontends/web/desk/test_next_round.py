"""The next round and its cost, at the desk before it is opened."""

import math
from dataclasses import replace

import pytest

from ocrjury.findings.preview import Assumption, NoRound, PlannedRound, Preview, Share
from ocrjury.frontends.web.desk.next_round import shown_round
from ocrjury.language import languages, speaking
from ocrjury.pages.next_round_words import assumption_text, no_round_text

PLAN = PlannedRound(
    kind="main",
    rule="the sample",
    dimensions=("meaning",),
    items=40,
    assignments=90,
    gold=6,
    second=4,
    raters=1,
    hours=1.5,
    cost=27.0,
    currency="EUR",
    lacks="",
    expected_gain=math.nan,
    allocation=(Share(rater="R01", assignments=90, minutes=90.0, sessions=2, cost=27.0),),
)


def test_the_desk_tells_the_next_round_while_people_rate_and_at_the_gate(
    measured, hold, keep_preview, at_desk
):
    place = measured()
    desk = at_desk(place)
    path = f"/api/evaluations/{place.evaluation}"

    while_rating = desk.json(path)["next_round"]
    hold(place, "gate_failed")
    unplanned = desk.json(path)["next_round"]
    keep_preview(place)
    at_the_gate = desk.json(path)["next_round"]

    assert while_rating["assuming"] == (
        "This assumes that round 1 closes as it is, and that the gate passes."
    )
    assert (while_rating["round"] is None) != (while_rating["why_none"] is None)
    assert unplanned is None  # what was planned while people rated no longer holds
    assert at_the_gate["assuming"] == "This assumes that a lead proceeds."
    assert at_the_gate["assuming"] in desk.ask("GET", f"/desk/{place.evaluation}").text


@pytest.mark.parametrize(
    ("lacks", "cost", "why"),
    [
        ("", 27.0, None),
        ("no price", None, "raters.csv has no price for some of these raters"),
        ("no currency", None, "the campaign names no currency (raters.currency)"),
    ],
)
def test_a_cost_needs_a_price_and_a_currency(lacks, cost, why):
    shown = shown_round(replace(PLAN, lacks=lacks))

    assert (shown.cost, shown.raters[0].cost, shown.why_no_cost) == (cost, cost, why)
    assert (shown.hours, shown.raters[0].hours) == (1.5, 1.5)


def test_a_preview_survives_the_store():
    view = Preview(
        evaluation="claims-2026w47",
        state="held (gate_failed)",
        number=1,
        assuming=Assumption(event="proceed"),
        round=PLAN,
    )

    again = Preview.from_json(view.to_json())

    assert replace(again, round=None) == replace(view, round=None)
    assert replace(again.round, expected_gain=0.0) == replace(PLAN, expected_gain=0.0)


@pytest.mark.parametrize("language", languages())
def test_every_assumption_and_cause_has_words(language):
    assumed = [
        Assumption(event="close", number=1, kind=kind) for kind in ("pilot", "main", "panel")
    ]
    causes = "estimated", "not drawn", "no ratings", "nothing pays", "refused", "elsewhere"
    with speaking(language):
        texts = {
            *map(assumption_text, [*assumed, Assumption(event="proceed")]),
            *(no_round_text(NoRound(cause=cause)) for cause in (*causes, "other step")),
        }

    assert len(texts) == 11
    assert all(texts)
