"""What the form of a recalibration has chosen beforehand: what the gate advises, and no more."""

import pytest

from ocrjury.frontends.web.desk.desk_pages import _advised
from ocrjury.gate import Action
from ocrjury.store.results import VerdictRow


def recalibrate(rater, dimension):
    return Action("recalibrate", "Recalibrate.", dimension, rater)


@pytest.mark.parametrize(
    ("pairs", "raters", "dimensions"),
    [
        ([("R03", "layout"), ("R05", "meaning")], ["R03"], ["layout"]),
        ([("R03", "layout"), (None, "layout"), (None, "meaning")], ["R03"], ["layout"]),
        ([("R03", "layout"), ("R03", "meaning")], ["R03"], ["layout", "meaning"]),
        ([("R03", "layout"), ("R05", "layout")], ["R03", "R05"], ["layout"]),
        ([(None, "layout"), (None, "meaning")], [], ["layout", "meaning"]),
        ([("R03", None)], ["R03"], []),
        ([], [], []),
    ],
)
def test_no_rater_is_chosen_on_a_dimension_that_the_advice_does_not_name(pairs, raters, dimensions):
    discuss = Action("discuss", "Discuss.", "figures", "R09")
    actions = (*(recalibrate(*pair) for pair in pairs), discuss)

    chosen = _advised([VerdictRow(1, "*", "FAIL", None, [], None, actions, "p")])

    assert chosen == {"rater": raters, "dimension": dimensions}
