"""What the desk makes of stored numbers, without a server."""

import math
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from ocrjury.campaign.decisions import DECISIONS as ALL_DECISIONS
from ocrjury.campaign.history import RoundKind
from ocrjury.estimate import Estimate
from ocrjury.findings.agreement import AgreementFinding, Disagreements, Pattern, Profile
from ocrjury.findings.dimensions import MeanOver
from ocrjury.frontends.web.desk import wording
from ocrjury.frontends.web.desk.agreement_view import Stored, _judged, _metric, _patterns, _score
from ocrjury.frontends.web.desk.gate_tone import LEGEND
from ocrjury.frontends.web.desk.rater_view import _levels, _pace
from ocrjury.frontends.web.rendering import static_file
from ocrjury.gate import judge
from ocrjury.gate.policy import Condition, GatePolicy
from ocrjury.language import speaking
from ocrjury.pages.environment import environment
from ocrjury.scales import Scale
from ocrjury.store.raters import Activity
from ocrjury.store.rounds import RoundRow
from tests.frontends.web.conftest import campaign_of

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
DEFAULT = GatePolicy()
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


def measured(value=0.7, low=0.68, high=0.72, n_items=60):
    return Estimate(value, low, high, n_items=n_items, n_raters=2, n_ratings=2 * n_items)


def shown(policy=DEFAULT, decision=None, **estimates):
    return _metric(finding(**estimates), policy=policy, decision=decision, binary=False)


@pytest.mark.parametrize(
    ("alpha", "colour"),
    [
        (measured(), "green"),
        (measured(low=0.6), "yellow"),
        (measured(0.6, 0.5, 0.7), "orange"),
        (measured(0.6, 0.5, 0.65), "red"),
        (measured(n_items=3), "none"),
        (UNDEFINED, "none"),
    ],
)
def test_the_colour_is_of_the_statistic_that_the_gate_goes_by(alpha, colour):
    close = measured(0.95, 0.9, 1.0)

    found = shown(krippendorff_alpha=alpha, human_agreement=close, exact_agreement=close)

    assert found.gate_statistic == "krippendorff_alpha"
    assert found.colour == colour


def test_a_policy_by_point_asks_for_no_lower_bound():
    policy = GatePolicy("p", (Condition(("krippendorff_alpha",), 0.667, "point"),))

    found = shown(policy, krippendorff_alpha=measured(low=0.2), human_agreement=UNDEFINED)

    assert found.colour == "green"


def test_the_range_of_a_gate_that_judges_at_any_time_holds_however_often_it_is_seen():
    alpha = replace(measured(0.76, 0.69, 0.83, n_items=100), se=0.036)
    once, always = (
        shown(policy, krippendorff_alpha=alpha, human_agreement=UNDEFINED)
        for policy in (DEFAULT, GatePolicy.preset("anytime"))
    )
    verdict = judge({"meaning": {"krippendorff_alpha": alpha}}, GatePolicy.preset("anytime"))

    assert (once.colour, once.gate_low) == ("green", 0.69)
    assert (always.colour, always.gate_low) == ("yellow", verdict.by_dimension["meaning"].lower)
    assert always.gate_high > once.gate_high


@pytest.mark.parametrize(
    ("decision", "colour"), [("PASS", "green"), ("FAIL", "red"), ("INCONCLUSIVE", "yellow")]
)
def test_what_the_gate_said_is_the_colour(decision, colour):
    found = shown(decision=decision, krippendorff_alpha=measured(), human_agreement=UNDEFINED)

    assert found.colour == colour
    assert found.acceptable == (decision == "PASS")


def test_a_gate_that_saw_too_few_items_is_grey():
    few = measured(n_items=3)

    found = shown(decision="INCONCLUSIVE", krippendorff_alpha=few, human_agreement=UNDEFINED)

    assert (found.colour, found.interpretation) == ("none", "too few items to tell")


def test_nothing_is_graded_where_too_few_items_tell_anything():
    close = measured(0.95, 0.9, 1.0)

    few, enough = (
        shown(krippendorff_alpha=measured(n_items=number), human_agreement=close)
        for number in (3, 100)
    )

    assert few.grades == {}
    assert enough.grades["human_agreement"] == "excellent"


def test_a_sign_of_trouble_names_the_dimension_by_its_title(tmp_path):
    found = replace(finding(), patterns=(Pattern("wide", (), "Ratings lie apart."),))
    stored = Stored("interim", 1, None, {"meaning": found})

    with speaking("ko"):
        shown = _patterns(stored, campaign_of(tmp_path))

    assert shown == ["meaning 항목: Ratings lie apart."]


def test_every_colour_of_the_legend_is_drawn():
    style = static_file("desk", "desk.css").body.decode()

    drawn = {tone.colour for tone in LEGEND if re.search(rf"\.{tone.colour} {{[^}}]*--bar", style)}

    assert drawn == {tone.colour for tone in LEGEND}


@pytest.mark.parametrize(
    ("severity", "reach", "words"),
    [
        (-0.004, 0.3, "like the others"),
        (-0.2, 0.04, "like the others"),
        (0.2, 0.1, "rates higher by 0.20, not sure"),
        (-0.4, 0.3, "rates lower by 0.40, not sure"),
        (-0.4, 0.1, "rates lower by 0.40"),
        (0.4, 0.1, "rates higher by 0.40"),
    ],
)
def test_the_desk_names_whom_the_report_names(severity, reach, words):
    severity_of_all = Estimate(severity, severity - reach, severity + reach)
    profiles = tuple(
        Profile(
            rater=f"R{number}",
            rank=1,
            count=60,
            mean=Estimate(3.0, 2.8, 3.2),
            severity=severity_of_all,
            **dict.fromkeys(("sd", "median", "skew", "kurtosis", "low", "high"), 1.0),
        )
        for number in range(6)
    )
    stored = Stored("judged", 1, NOW, {"meaning": replace(finding(), profiles=profiles)})
    [body] = _levels(stored, {"meaning": Scale.likert(1, 5)})["R0"]

    macro = '{% from "desk/parts.html.j2" import severity %}{{ severity(profile) }}'
    words_shown = environment().from_string(macro).render(profile=body)

    assert words_shown.strip() == words


def test_the_share_of_equal_pairs_stands_in_where_the_agreement_is_undefined():
    equal = Estimate(0.62, 0.5, 1.2, n_items=9, n_raters=2, n_ratings=18)

    found = shown(krippendorff_alpha=measured(), human_agreement=UNDEFINED, exact_agreement=equal)

    assert (found.score, found.statistic) == (0.62, "exact_agreement")
    assert (found.low, found.high) == (0.5, 1.0)
    assert found.human_agreement is None


def test_scores_of_two_statistics_have_no_mean():
    agreed = shown(
        krippendorff_alpha=UNDEFINED, human_agreement=Estimate(0.9), exact_agreement=Estimate(0.7)
    )
    equal = shown(
        krippendorff_alpha=UNDEFINED, human_agreement=UNDEFINED, exact_agreement=Estimate(0.6)
    )
    means = {"human_agreement": MeanOver(0.9, 1), "exact_agreement": MeanOver(0.65, 2)}

    assert _score({"meaning": agreed, "layout": agreed}, means) == 0.9
    assert _score({"meaning": equal}, means) == 0.65
    assert _score({"meaning": agreed, "layout": equal}, means) is None


def test_without_any_pair_the_reason_is_said():
    found = shown(krippendorff_alpha=UNDEFINED, human_agreement=UNDEFINED)

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


def test_every_decision_and_kind_of_round_has_words():
    assert set(wording.DECISIONS) == set(ALL_DECISIONS)
    assert set(wording.KINDS) == set(get_args(RoundKind))


def test_the_floor_is_of_the_statistic_that_fits_the_scale():
    policy = GatePolicy.preset("gdpval")
    nothing = replace(UNDEFINED, reason="scale_mismatch")

    usable = shown(policy, adjacent_agreement=nothing, exact_agreement=measured(0.9, 0.85, 0.95))

    assert _judged({"usable": usable}, policy.primary) == "exact_agreement"
    assert _judged({}, policy.primary) == "adjacent_agreement"
