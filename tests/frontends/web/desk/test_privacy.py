"""What the pages show of masked regions and of removed texts, and what they write down."""

import io
import time
from datetime import UTC, datetime

import pytest
from PIL import Image

from ocrjury.campaign.history import Step
from ocrjury.errors import StateError
from ocrjury.retention.purge import purge_texts
from ocrjury.store.audit import list_audit
from ocrjury.store.histories import read_standing
from ocrjury.store.moves import Mover, moving
from tests.frontends.web.conftest import enter_desk

HIDDEN = [0.0, 0.0, 1.0, 0.5]


def black(answer, top, bottom):
    """Whether a stripe of a picture, from share to share of its height, is black."""
    picture = Image.open(io.BytesIO(answer.text)).convert("L")
    width, height = picture.size
    stripe = picture.crop((0, round(height * top), width, round(height * bottom)))
    return stripe.getextrema()[1] < 12


def lines(place, actor):
    return [one for one in list_audit(place.store.engine) if one.actor == actor]


def abort(place):
    now = datetime.now(UTC)
    position = read_standing(place.store.engine, place.evaluation, now=now).position
    step = Step("31", "aborted", "abort")
    with moving(place.store.engine, position, step, mover=Mover(now)):
        pass


def purge(place):
    names, end = [place.evaluation], time.monotonic() + 60
    while True:
        try:
            return purge_texts(
                place.store, names, actor="J. Kim", address="cli", now=datetime.now(UTC)
            )
        except StateError:  # the server may just be reading; SQLite then asks to come again
            assert time.monotonic() < end
            time.sleep(0.05)


def test_masked_bytes_never_reach_a_rater(rounds, item, client_of):
    bare = rounds(items=[item("d1", box=[0.0, 0.1, 1.0, 0.4])])
    masked = rounds(items=[item("d1", box=[0.0, 0.1, 1.0, 0.4], masks=[HIDDEN])])

    for place, hidden in ((bare, False), (masked, True)):
        client = client_of(place, "R01")
        visit = client.open()[0]
        whole = client.ask("GET", f"/images/{visit}/page")
        crop = client.ask("GET", f"/images/{visit}/crop")
        assert black(whole, 0.41, 0.49) is hidden
        assert black(whole, 0.51, 0.99) is False
        assert black(crop, 0.67, 0.74) is hidden


@pytest.mark.parametrize("path", ["/rate/{}", "/images/{}/page", "/practice/{}"])
def test_who_asks_for_what_is_not_theirs_is_written_down(rounds, client_of, path):
    place = rounds(raters=("R31", "R32"))
    visit = client_of(place, "R31").open()[0]
    other = client_of(place, "R32")

    assert other.ask("GET", path.format(visit)).status == 404

    (line,) = [one for one in lines(place, "R32") if one.object.startswith(place.evaluation + " ")]
    assert (line.action, line.reason, line.address) == ("refused", "unknown", other.address)
    assert line.object == f"{place.evaluation} GET {path.format(visit)}"
    found = list_audit(place.store.engine, evaluation=place.evaluation, actor="R32")
    assert line in found


def test_a_change_from_another_page_is_written_down(rounds, client_of):
    place = rounds(raters=("R33",))
    client = client_of(place, "R33")
    visit = client.open()[0]
    client.token = "wrong"

    assert client.ask("PUT", f"/api/drafts/{visit}", {"base": 0, "values": {}}).status == 403

    assert [line.reason for line in lines(place, "R33") if line.action == "refused"] == [
        "form_token"
    ]


def test_strangers_fill_no_log(rounds):
    place = rounds(raters=("R34",))
    strangers = [place.client() for _ in range(5)]

    paths = ("/rate", "/rate/x", "/images/x/page", "/desk/x/items", "/nothing")
    for number, (stranger, path) in enumerate(zip(strangers, paths, strict=True)):
        stranger.address = f"10.77.0.{number}"
        stranger.ask("GET", path)

    addresses = {one.address for one in list_audit(place.store.engine)}
    assert addresses.isdisjoint(one.address for one in strangers)


def test_a_second_look_and_the_whole_page_are_views(rounds, client_of):
    place = rounds(raters=("R35",))
    client = client_of(place, "R35")
    visit = client.open()[0]
    client.ask("GET", f"/images/{visit}/crop")
    client.ask("GET", f"/images/{visit}/page")
    client.ask("GET", f"/rate/{visit}")

    done = [(line.action, line.reason) for line in reversed(lines(place, "R35"))]
    assert done == [("sign-in", None), ("view", None), ("view page", None), ("view", "again")]


def test_a_wrong_code_of_a_program_is_written_down(rounds, desk_without_link):
    place = rounds(raters=("R36",))
    stranger = desk_without_link(place, "10.9.0.77")

    answer = stranger.ask("GET", "/api/evaluations", None, Authorization="Bearer wrong")

    assert answer.status == 401
    log = [one for one in list_audit(place.store.engine) if one.address == "10.9.0.77"]
    assert [(one.actor, one.action, one.object) for one in log] == [
        ("?", "sign-in refused", "desk")
    ]


def test_the_desk_says_that_texts_are_gone_and_keeps_the_ratings(measured, at_desk, reported):
    place = measured()
    abort(place)
    row = reported(place)
    desk = at_desk(place)
    assert "OCR output" in desk.ask("GET", f"/desk/{place.evaluation}/items").text

    purge(place)

    page = desk.ask("GET", f"/desk/{place.evaluation}/items")
    assert page.status == 200
    assert "The texts of this document were removed on" in page.text
    assert "OCR output" not in page.text
    assert "R01" in page.text
    file = desk.ask("GET", f"/desk/{place.evaluation}/reports/final-en-1.html")
    assert (row is None, file.status) == (row is None, 404)
    assert "was removed on" in file.text
    assert desk.ask("GET", f"/desk/{place.evaluation}").status == 200
    assert desk.ask("GET", f"/desk/{place.evaluation}/raters").status == 200
    assert {"view items", "view raters"} <= {line.action for line in lines(place, "J. Kim")}


def test_a_report_that_was_removed_has_a_date_and_no_link(
    measured, reported, visitor, at_desk, code_of
):
    place = measured()
    abort(place)
    reported(place)
    (done,) = purge(place)
    reported(place, b"<h1>without texts</h1>")
    page = visitor(place.server)
    enter_desk(page, code_of(place), f"/desk/{place.evaluation}")

    new, old = page.locator(".report").all()

    assert new.locator("a").count() == 2
    assert old.locator("a").count() == 0
    assert "Removed 20" in old.inner_text()
    assert "with its texts" in old.inner_text()
    when = old.locator("time").last.get_attribute("datetime")
    assert datetime.fromisoformat(when) == done.at
    for link in new.locator("a").all():
        path = link.get_attribute("href")
        assert at_desk(place).ask("GET", path).status == 200
    reports = at_desk(place).json(f"/api/evaluations/{place.evaluation}")["reports"]
    assert [report["removed"] for report in reports] == [False, True]
    assert (reports[1]["html"], reports[1]["pdf"]) == (None, None)
    assert datetime.fromisoformat(reports[1]["removed_at"]) == done.at


def test_a_rater_whose_evaluation_was_purged_is_sent_to_the_entrance(rounds, client_of):
    place = rounds(raters=("R37",))
    client = client_of(place, "R37")
    visit = client.open()[0]
    abort(place)

    purge(place)

    for path in ("/rate", f"/rate/{visit}", f"/images/{visit}/page"):
        answer = client.ask("GET", path)
        assert (answer.status, answer.getheader("Location")) == (303, "/enter")
