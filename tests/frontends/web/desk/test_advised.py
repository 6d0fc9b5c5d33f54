"""What the gate advises, in words, and as the form of a recalibration has it chosen beforehand."""

import pytest

from ocrjury.frontends.web.desk.desk_pages import _advised
from ocrjury.gate import Action
from ocrjury.language import phrase
from ocrjury.store.database import writing
from ocrjury.store.results import VerdictRow, add_verdicts


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


def test_advice_that_is_alike_on_several_dimensions_is_given_once(rounds, at_desk):
    place = rounds()
    actions = tuple(
        Action("rewrite_anchors", phrase("Rewrite {dimension}.", dimension=name), name)
        for name in ("meaning", "layout")
    )
    verdict = VerdictRow(1, "*", "FAIL", None, [], None, actions, "p")
    with writing(place.store.engine) as connection:
        add_verdicts(connection, place.evaluation, [verdict])

    page = at_desk(place).ask("GET", f"/desk/{place.evaluation}").text

    assert page.count("<li>Rewrite ") == page.count("<li>Rewrite Meaning and Layout.</li>") == 1


def test_the_desk_counts_assignments_and_calls_them_so(rounds, at_desk):
    page = at_desk(place := rounds()).ask("GET", f"/desk/{place.evaluation}").text

    assert '<th scope="col">Assignments</th>' in page
    assert '<th scope="col">Ratings</th>' not in page
