"""A rater's own page: how much, how fast, until when; of gold nothing that tells an item."""

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from ocrjury.store.database import writing
from ocrjury.store.documents import GoldRow
from ocrjury.store.schema.rating import rounds as rounds_table
from tests.frontends.web.looks import too_small, violations, wider_than_window
from tests.whole_pages import follow

GOLD = 11


@pytest.fixture
def rated(rounds, item, client_of):
    """A function that rates twelve items, of which eleven are gold, and the client."""

    def rate(*, shown):
        items = [item(f"d{number}") for number in range(1, GOLD + 1)]
        gold = [GoldRow(one.item, "meaning", 4.0, "so", "file") for one in items]
        place = rounds(
            raters=("R01",), items=[*items, item("d99")], gold=gold, page={"gold_feedback": shown}
        )
        client = client_of(place, "R01")
        for number in range(GOLD + 1):
            # Two of them are further off than one level.
            values = {"meaning": 2 if number < 2 else 3, "layout": 5}
            assert client.hand_in(values, active_ms=40_000).status == 200
        return place, client

    return rate


def close(place):
    values = {"state": "closed", "closed_at": datetime.now(UTC)}
    mine = rounds_table.c.evaluation == place.evaluation
    with writing(place.store.engine) as connection:
        connection.execute(sa.update(rounds_table).where(mine).values(**values))


def page_of(client):
    return client.ask("GET", "/work").text.decode()


def test_of_gold_nothing_is_said_before_the_round_is_over(rated):
    place, client = rated(shown=True)

    during = page_of(client)
    close(place)

    assert "on every dimension" not in during
    assert "9 of 11 items close to the known rating" in page_of(client)
    assert "52% to 95%" in page_of(client)


def test_of_gold_nothing_is_said_unless_the_campaign_says_so(rated):
    place, client = rated(shown=False)
    close(place)

    assert "known rating" not in page_of(client)


@pytest.mark.parametrize(
    ("hours", "left"), [(50, "2 days"), (30, "1 day"), (5.5, "5 hours"), (1.5, "1 hour")]
)
def test_one_day_or_hour_is_left_in_the_singular(rounds, item, client_of, hours, left):
    place = rounds(raters=("R01",), items=[item("d1")])
    deadline = datetime.now(UTC) + timedelta(hours=hours)
    with writing(place.store.engine) as connection:
        connection.execute(sa.update(rounds_table).values(deadline=deadline))

    assert f"<b>{left}</b>" in page_of(client_of(place, "R01"))


def test_a_rater_sees_items_time_and_what_is_left(rounds, item, client_of, visitor):
    place = rounds(raters=("R01", "R02"), items=[item(f"d{n}") for n in range(1, 13)])
    client_of(place, "R02").hand_in()
    client = client_of(place, "R01")
    for _ in range(10):
        client.hand_in(active_ms=1)
    page = visitor(place.server, place.link("R01"), viewport={"width": 390, "height": 844})

    page.locator(".menu summary").click()
    follow(page, page.get_by_role("link", name="My work"))
    words = page.inner_text("main")

    assert "10 of 12 done" in words
    assert "6 days" in words
    assert "0 s per item" in words
    assert page.locator(".rounds tbody tr").all_inner_texts() == ["1\t10\t0:00"]
    assert violations(page) == []
    assert too_small(page) == []
    assert wider_than_window(page) == []
