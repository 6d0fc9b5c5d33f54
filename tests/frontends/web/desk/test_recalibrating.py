"""What the form of a recalibration says before it is sent: whom it is for, and why not others."""

import re
from datetime import UTC, datetime

import pytest

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.errors import InputError
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.recalibration import plan_recalibration
from ocrjury.store.database import writing
from ocrjury.store.decisions import add_decision
from ocrjury.store.moves import Mover, Position

FORM = re.compile(r'name="decision" value="recalibrate">(.*?)</form>', re.DOTALL)
ALONE = (
    "Only together with others: R01 and R03. A rater alone is compared with gold items that are "
    "new to them, and fewer than 10 of those are left."
)


@pytest.fixture
def held(measured, judge, hold):
    """An evaluation that failed the gate; R02 was dropped from it."""
    place = measured()
    dropped = Position(place.evaluation, "collecting", 2)
    with writing(place.store.engine) as connection:
        add_decision(
            connection,
            dropped,
            kind="drop",
            target=DecisionTarget(raters=("R02",)),
            reason="on leave",
            mover=Mover(datetime.now(UTC), actor="lead"),
        )
    judge(place)
    hold(place, "gate_failed")
    return place


def test_only_those_who_can_be_recalibrated_are_offered_and_why_not_the_others(held, at_desk):
    page = at_desk(held).ask("GET", f"/desk/{held.evaluation}").text
    (form,) = FORM.findall(page)

    assert re.findall(r'name="raters" value="(\w+)"', form) == ["R01", "R03"]
    assert "A01 cannot be recalibrated: an adjudicator." in form
    assert "R02 cannot be recalibrated: dropped from this evaluation." in form
    assert ALONE in form


def test_whom_the_form_leaves_out_is_refused_for_the_same_reason(held):
    with at_work() as work:
        case = work.case(held.evaluation)
        with pytest.raises(InputError) as refused:
            plan_recalibration(case, raters=("A01", "R02", "R09"))

    sentence = str(refused.value)
    assert "A01 (an adjudicator), R02 (dropped from this evaluation) and R09 who" in sentence
    assert sentence.endswith("there are R01, R03.")
