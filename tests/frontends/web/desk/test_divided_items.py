"""Items that divide raters: what the page says of their ratings."""

import html
import re
from datetime import UTC, datetime

import pytest

from ocrjury.findings.agreement import AgreementFinding, Disagreements, ItemSpread
from ocrjury.findings.pilots import PilotCriterion, PilotFinding
from ocrjury.store.database import writing
from ocrjury.store.ratings import Submission
from ocrjury.store.results import Result, add_results
from ocrjury.store.rounds import list_assignments
from tests.frontends.web.conftest import dimension, enter_desk
from tests.frontends.web.looks import PHONE
from tests.store_calls import add_submissions

OWN = {
    "ease": {"kind": "interval", "low": 0, "high": 1},
    "fault": {"kind": "nominal", "categories": ["<b>none</b>", "sign", "word"]},
}
UNLIKE = [
    dimension("meaning"),
    *({"name": name, "title": name, "description": "?", "scale": OWN[name]} for name in OWN),
]


def rate(place, **values):
    """Let every rater say what is at the rater's place, of every item."""
    rubric = place.own("evaluations", "rubric_hash")[0]["rubric_hash"]
    sent = [
        Submission(
            assignment.assignment,
            {name: given[int(assignment.rater[1:]) - 1] for name, given in values.items()},
            f"divided-{assignment.assignment}",
            rubric,
            "web",
        )
        for assignment in list_assignments(place.store.engine, place.evaluation, state="open")
    ]
    add_submissions(place.store.engine, place.evaluation, sent, now=datetime.now(UTC))


def shown(desk, place):
    """What the page says of the first item, dimension by dimension."""
    page = desk.ask("GET", f"/desk/{place.evaluation}/items").text
    rows = re.findall(r"<dt>(\w+)</dt>\s*<dd>(.*?)</dd>", page, re.DOTALL)
    words = {name: re.sub(r"<[^>]+>", " ", cells).split() for name, cells in reversed(rows)}
    return {name: html.unescape(" ".join(cells)) for name, cells in words.items()}


def test_on_a_phone_no_text_and_no_rating_hides_behind_a_scrollbar(measured, visitor, code_of):
    place = measured()
    page = visitor(place.server)
    page.set_viewport_size({"width": PHONE["width"], "height": 640})
    enter_desk(page, code_of(place), f"/desk/{place.evaluation}/items")

    hidden = page.locator(".pairing").first.evaluate("one => one.scrollHeight - one.clientHeight")

    assert hidden == 0


AS_PAGE = """async one => {
    one.loading = "eager";
    one.src += "&view=page";
    await one.decode();
    const {width, height} = one.getBoundingClientRect();
    return [one.naturalHeight / one.naturalWidth, height / width, height];
}"""


def test_the_picture_of_a_whole_page_leaves_no_empty_room_beside_it(measured, visitor, code_of):
    place = measured()
    page = visitor(place.server)
    enter_desk(page, code_of(place), f"/desk/{place.evaluation}/items")

    natural, shown, height = page.locator(".picture img").first.evaluate(AS_PAGE)

    assert shown == pytest.approx(natural, rel=0.02)
    assert height > 200


def test_ratings_are_shown_as_they_were_given_on_each_scale(rounds, item, at_desk, keep_interim):
    long = item("d2", reference="금액 1,200" * 3000, hypothesis="금액 1.200" * 3000)
    place = rounds(items=[item("d1"), long], dimensions=UNLIKE)
    rate(place, meaning=(4.0, 1.0), ease=(0.25, 0.8), fault=(2.0, 0.0))
    keep_interim(place)
    desk = at_desk(place)

    assert shown(desk, place) == {
        "Meaning": "R01 4 R02 1 3 apart",
        "ease": "R01 0.25 R02 0.8 0.55 apart",
        "fault": "R01 word R02 <b>none</b>",
    }
    page = desk.ask("GET", f"/desk/{place.evaluation}/items").text
    assert page.count("The texts are too long for their differences to be marked.") == 1
    ratings = desk.json(f"/api/evaluations/{place.evaluation}/items")["items"][0]["ratings"]
    assert {rating["value"] for rating in ratings if rating["dimension"] == "fault"} == {0.0, 2.0}


@pytest.fixture
def practised(rounds, item):
    """A pilot whose agreement was measured."""
    items = [item(f"d{n}", purpose="pilot", inclusion_probability=None) for n in (1, 2)]
    place = rounds(items=items, kind="pilot")
    rate(place, meaning=(5.0, 2.0), layout=(4.0, 4.0))
    wide = ItemSpread(item="d1", n_ratings=2, lowest=2, highest=5, mean=3.5, range=3)
    divided = Disagreements(threshold=2, n_items=2, n=1, rate=0.5, rows=(wide,))
    agreement = AgreementFinding(
        dimension="meaning", n_items=2, n_raters=2, n_ratings=4, estimates={}, disagreements=divided
    )
    found = PilotFinding(PilotCriterion("exact", 0, 0.7, 5), (), {"meaning": agreement})
    with writing(place.store.engine) as connection:
        number = place.own("rounds", "round")[0]["round"]
        rows = [Result(number, "pilot", "*", found, "i")]
        add_results(connection, place.evaluation, rows, now=datetime.now(UTC))
    return place


def test_the_ratings_of_a_pilot_are_beside_the_items_that_divided_it(practised, at_desk):
    desk = at_desk(practised)

    assert shown(desk, practised) == {"Meaning": "R01 5 R02 2 3 apart", "Layout": "R01 4 R02 4"}
    page = desk.json(f"/api/evaluations/{practised.evaluation}/items")
    assert (page["source"], page["total"], len(page["items"][0]["ratings"])) == ("pilot", 1, 4)
