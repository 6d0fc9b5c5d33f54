"""A lead whose link opens some evaluations: of others nothing is there, at no address."""

import json

import pytest

from ocrjury.frontends.web.desk.desk_pages import router as pages
from ocrjury.frontends.web.desk.interface import router as interface

ROUTES = [
    (method, route.path)
    for router in (pages, interface)
    for route in router.routes
    for method in route.methods
    if "{name}" in route.path
]


@pytest.fixture
def places(rounds, reported):
    seen, hidden = rounds(), rounds()
    for place in (seen, hidden):
        reported(place)
    return seen, hidden


@pytest.fixture
def scoped(places, at_desk):
    return at_desk(places[0], who="M. Lee", scope=[places[0].evaluation])


def test_lists_and_charts_show_nothing_of_another(places, scoped, at_desk):
    seen, hidden = (place.evaluation for place in places)

    names = [one["evaluation"] for one in scoped.json("/api/evaluations")]
    assert names == [seen]
    for path in ("/desk", "/desk/reports", f"/desk/{seen}"):
        page = scoped.ask("GET", path).text
        assert (f"/desk/{seen}" in page, hidden in page) == (True, False)
    everything = at_desk(places[0], who="J. Kim").ask("GET", "/desk").text
    assert (seen in everything, hidden in everything) == (True, True)


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_no_address_answers_for_another(places, scoped, code_of, method, path):
    hidden = places[1].evaluation
    where = path.format(name=hidden, file="final-en-1.pdf")
    machine = path.startswith("/api/")
    body = {"decision": "abort", "version": 2, "reason": "because so", "target": {}}
    body |= {"rater": "R01", "change": "new"}
    body = {k: body[k] for k in (("rater", "change") if "links" in path else list(body)[:4])}
    body = {"assignment": "x", "text": "y"} if "remarks" in path else body
    body = {"item": "x", "reason": "because so"} if "exclusions" in path else body
    body = {"version": 2, "reason": "because so"} if "undo" in path else body
    if "cases" in path:
        body = {"item": "x", "dimension": "meaning", "level": 3, "case": "y", "reason": "so it is"}
    form = {"form_token": scoped.token, **body}

    sent = None if method == "GET" else body if machine else form
    answer = scoped.ask(method, where, sent)

    assert answer.status == 404
    if machine:
        bearer = {"Authorization": f"Bearer {code_of(places[0], scope=['other-*'])}"}
        refused = places[0].client().ask(method, where, sent, **bearer)
        assert json.loads(refused.text)["error"]["code"] == "unknown"
