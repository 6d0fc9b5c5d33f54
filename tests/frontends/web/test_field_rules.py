"""Field rules on the rating page, in this very process."""

import re
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from ocrjury import Scale
from ocrjury.frontends.ingest import Limit
from ocrjury.frontends.web import Site, create_application
from ocrjury.frontends.web.item_view import ItemView
from ocrjury.frontends.web.limits import QUICK
from tests.store_calls import list_rule_flags

ADDRESS = "http://127.0.0.1:8080"


@pytest.fixture
def client(base):
    site = Site(base.store, address=ADDRESS)
    return TestClient(create_application(site), base_url=ADDRESS, follow_redirects=False)


def test_long_fields_are_compared_while_others_can_write(
    base, rounds, item, client, compared_beside_a_writer
):
    compared = compared_beside_a_writer(base.store.engine)
    place = rounds(raters=("R01",), items=[item("d1", hypothesis="1" * (QUICK + 1))])
    entered = client.post("/enter", data={"code": place.link("R01")})
    client.headers["Cookie"] = entered.headers["set-cookie"].partition(";")[0]
    page = client.get("/rate").text
    visit, rubric, client.headers["X-Form-Token"] = re.search(
        r'data-visit="([^"]+)" data-rev="0" data-rubric="(\w+)" data-token="(\w+)"', page
    ).groups()
    body = {"event_id": "event-12345", "base": 0, "values": {"meaning": 5, "layout": 5}}

    saved = client.put(f"/api/drafts/{visit}", json=body)
    body |= {"base": 1, "rubric_hash": rubric}
    asked = client.post(f"/api/ratings/{visit}", json={**body, "event_id": "event-67890"})
    told = {"event_id": "event-67891", "told": ["meaning"]}
    handed_in = client.post(f"/api/ratings/{visit}", json={**body, **told})

    assert [one.status_code for one in (saved, asked, handed_in)] == [200, 422, 200]
    notes = saved.json()["notes"]
    assert list(notes) == ["meaning"]
    error = asked.json()["error"]
    assert (error["code"], error["notes"]) == ("rule", notes)
    assert error["message"].startswith(notes["meaning"] + "\n")
    assert compared == ["amount"] * 3
    (flag,) = list_rule_flags(base.store.engine, f"{place.evaluation}/1/R01/0/d1")
    assert flag[-1] is True


def test_a_form_on_a_long_field_is_asked_about_once(base, rounds, item, client):
    place = rounds(raters=("R01",), items=[item("d1", hypothesis="1" * (QUICK + 1))])
    entered = client.post("/enter", data={"code": place.link("R01")})
    client.headers["Cookie"] = entered.headers["set-cookie"].partition(";")[0]
    page = client.get("/rate").text
    visit = re.search(r'data-visit="([^"]+)"', page)[1]
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page))
    form = {**hidden, "value-meaning": "5", "value-layout": "5"}

    asked = client.post(f"/rate/{visit}", data=form)
    again = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', asked.text))
    handed_in = client.post(f"/rate/{visit}", data={**form, **again})

    assert asked.status_code == 422
    assert asked.text.count("1000 of 1001 characters: at most 4") == 2  # beside the level, in all
    assert again["told-meaning"] == "1"
    assert handed_in.status_code == 303
    (flag,) = list_rule_flags(base.store.engine, f"{place.evaluation}/1/R01/0/d1")
    assert flag[-1] is True


@pytest.mark.parametrize(
    ("scale", "at_most", "is_told"),
    [
        (Scale.likert(1, 5), 5, False),
        (Scale.likert(1, 5), 4, True),
        (Scale.interval(0, 100), 100, False),
        (Scale.interval(0, 100), 99, True),
    ],
)
def test_a_limit_that_allows_every_level_is_not_told(scale, at_most, is_told):
    output = SimpleNamespace(dimensions=[SimpleNamespace(name="meaning", scale=scale)])
    view = SimpleNamespace(outputs=[output], limits={"meaning": Limit(at_most, "0 of 6 differ")})

    assert ("meaning" in ItemView.limits_told.fget(view)) is is_told
