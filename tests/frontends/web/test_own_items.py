"""The way back to what a rater handed in, as long as the round is open."""

import re

import pytest
from starlette.testclient import TestClient

from ocrjury.frontends.web import Site, create_application, own_items

ADDRESS = "http://127.0.0.1:8080"
CHANGE = re.compile(r"Change item (\d+)\"")
POSITIONS = re.compile(r"<b>Item (\d+)</b>")


@pytest.fixture
def seven(rounds, item):
    """A function that opens a round of seven items for one rater."""

    def make(**page):
        items = [item(f"d{n}") for n in range(1, 8)]
        return rounds(raters=("R01",), items=items, page=page)

    return make


def work(place, client_of, *, items=7):
    client = client_of(place, "R01")
    for _ in range(items):
        assert client.hand_in().status == 200
    return client


def mine(client):
    return client.ask("GET", "/mine").text.decode()


def test_every_item_of_the_open_round_can_be_changed(seven, client_of):
    client = work(seven(), client_of)
    page = mine(client)

    assert CHANGE.findall(page) == ["7", "6", "5", "4", "3", "2", "1"]
    assert "All items can be changed as long as this round is open." in page
    seen, back = [], "/previous"
    while "/rate/" in (where := client.ask("GET", back).getheader("Location")):
        visit = where.rpartition("/")[2]
        seen.append(visit)
        back = f"/previous?before={visit}"
    assert len({*seen}) == len(seen) == 7
    answer = client.hand_in({"meaning": 1, "layout": 1}, path=f"/rate/{seen[-1]}")
    assert answer.status == 200
    assert "Meaning <b>1</b>" in mine(client)


@pytest.mark.parametrize(
    ("page", "changed", "sentence"),
    [
        ({"change_items": 2}, ["7", "6"], "The last 2 of your items can be changed as long as"),
        ({"change_minutes": 0}, [], "An item can be changed for 0 min after it was"),
        (
            {"change_items": 3, "change_minutes": 10},
            ["7", "6", "5"],
            "The last 3 of your items can be changed for 10 min after they were submitted.",
        ),
    ],
)
def test_a_campaign_limits_what_can_be_changed(seven, client_of, page, changed, sentence):
    shown = mine(work(seven(**page), client_of))

    assert CHANGE.findall(shown) == changed
    assert sentence in shown


def test_what_is_older_stands_on_further_pages(base, seven, client_of, monkeypatch):
    monkeypatch.setattr(own_items, "MOST", 3)
    place = seven()
    work(place, client_of)
    site = create_application(Site(base.store, address=ADDRESS))
    client = TestClient(site, base_url=ADDRESS)
    client.headers["Cookie"] = (
        client.post("/enter", data={"code": place.link("R01")}, follow_redirects=False)
        .headers["set-cookie"]
        .partition(";")[0]
    )

    pages = [client.get(f"/mine?page={number}").text for number in (1, 2, 3)]

    assert [POSITIONS.findall(page) for page in pages] == [["7", "6", "5"], ["4", "3", "2"], ["1"]]
    assert [("Older items" in page, "Newer items" in page) for page in pages] == [
        (True, False),
        (True, True),
        (False, True),
    ]
