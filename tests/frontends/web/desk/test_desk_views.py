"""What the desk makes of stored numbers, without a server."""

import math
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign.decisions import DECISIONS as ALL_DECISIONS
from ocrjury.campaign.history import STATES, HeldReason, History, Round, RoundKind
from ocrjury.estimate import Estimate
from ocrjury.findings.agreement import AgreementFinding, Disagreements
from ocrjury.frontends.web.desk import wording
from ocrjury.frontends.web.desk.agreement_view import _metric, tone
from ocrjury.frontends.web.desk.rater_view import _pace
from ocrjury.store.raters import Activity
from ocrjury.store.rounds import RoundRow

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
UNDEFINED = Estimate(math.nan, reason="no_pairable_items")


def finding(**estimates):
    return AgreementFinding(
        dimension="meaning",
        n_items=9,
        n_raters=2,
        n_ratings=18,
        estimates=estimates,
        disagreements=Disagreements(threshold=2, n_items=9, n=0, rate=0.0),
    )


@pytest.mark.parametrize(
    ("score", "colour"),
    [
        (1.0, "green"),
        (0.75, "green"),
        (0.7499, "yellow"),
        (0.60, "yellow"),
        (0.5999, "orange"),
        (0.50, "orange"),
        (0.4999, "red"),
        (0.0, "red"),
        (None, "none"),
    ],
)
def test_colours_change_at_three_quarters_sixty_and_fifty(score, colour):
    assert tone(score).colour == colour


@given(st.floats(0, 1))
def test_every_colour_has_a_word(score):
    for statistic in ("human_agreement", "exact_agreement"):
        assert tone(score, statistic).word in {"excellent", "good", "moderate", "fair", "poor"}


def test_the_share_of_equal_pairs_stands_in_where_the_agreement_is_undefined():
    equal = Estimate(0.62, 0.5, 1.2, n_items=9, n_raters=2, n_ratings=18)
    found = _metric(finding(human_agreement=UNDEFINED, exact_agreement=equal), binary=True)

    assert (found.score, found.statistic, found.colour) == (0.62, "exact_agreement", "yellow")
    assert (found.low, found.high) == (0.5, 1.0)
    assert found.human_agreement is None
    assert found.is_binary


def test_without_any_pair_the_reason_is_said():
    found = _metric(finding(human_agreement=UNDEFINED), binary=False)

    assert (found.score, found.colour, found.interpretation) == (None, "none", "undefined")
    assert found.reason == "no item has two ratings"


@pytest.mark.parametrize(
    ("done", "left", "days_gone", "pace"),
    [
        (5, 0, 1, "done"),
        (0, 0, 1, "withdrawn"),
        (5, 5, 8, "late"),
        (5, 5, 3, "on pace"),
        (0, 10, 0.5, "on pace"),
        (0, 10, 3, "not started"),
        (1, 9, 5, "behind"),
    ],
)
def test_the_pace_is_told_by_work_and_time(done, left, days_gone, pace):
    opened = NOW - timedelta(days=days_gone)
    deadline = opened + timedelta(days=7)
    last = RoundRow(1, "main", 1, "open", "", [], "web", False, opened, deadline, None, None)  # noqa: FBT003  # a row

    assert _pace(Activity("R01", done, left, 0, None), last, now=NOW) == pace


def test_every_state_hold_decision_and_kind_of_round_has_words():
    assert set(wording.DECISIONS) == set(ALL_DECISIONS)
    assert set(wording.HELD) == set(get_args(HeldReason))
    assert set(wording.STATES) == set(STATES) - {"held", "collecting"}
    assert set(wording.KINDS) == set(get_args(RoundKind))


@pytest.mark.parametrize(
    ("round_", "words"),
    [
        (Round(1, "main", ratings=3, open=1), "Waits for 1 rating"),
        (Round(1, "main", ratings=3, open=4, overdue=True), "Overdue: 4 ratings missing"),
        (Round(1, "main", ratings=3, open=0), "All ratings are in; the next step follows"),
    ],
)
def test_a_round_says_what_it_waits_for(round_, words):
    assert wording.awaits(History("collecting", rounds=(round_,))) == words
