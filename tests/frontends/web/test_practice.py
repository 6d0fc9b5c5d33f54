"""Practice teaches: why a rating was expected, and how near a rater comes in the end."""

import pytest

from ocrjury.frontends.web.practice import sentences_of
from ocrjury.pages.catalogues import speaker
from ocrjury.scales import Scale
from ocrjury.store.documents import GoldRow
from ocrjury.store.practice import PracticeAnswer
from tests.frontends.web.conftest import asked
from tests.frontends.web.test_pages_ahead import CHOSEN, VISIT
from tests.frontends.web.test_round_kinds import next_round
from tests.whole_pages import press, wait_until

WHY = "The amount differs."
RESULT = "Practice: what was expected"
FOCUS = "() => document.activeElement.getAttribute('aria-labelledby')"


@pytest.fixture
def practised(rounds, item):
    """A pilot of four items for one rater, and an item beside it that is gold."""
    there = [item(f"d{n}", purpose="pilot", inclusion_probability=None) for n in range(1, 5)]
    known = [
        GoldRow(one.item, name, value, WHY, "file")
        for one in there
        for name, value in (("meaning", 2.0), ("layout", 4.0))
    ]
    hidden = item("d5", purpose="gold", inclusion_probability=None)
    known += [GoldRow("d5", "meaning", 2.0, WHY, "file")]
    plan = asked(("R01",), [one.item for one in there])
    return rounds(kind="pilot", raters=("R01",), items=[*there, hidden], plan=plan, gold=known)


def page_of(client, path="/rate"):
    return client.ask("GET", path).text.decode()


def test_a_result_says_why_with_both_anchors_the_rule_and_the_difference(practised, visitor):
    page = visitor(practised.server, practised.link("R01"))

    press(page, "4", "3", "Enter")
    page.wait_for_url("**/practice/*")

    lesson = page.locator(".lesson").first
    assert lesson.locator("dd span").all_text_contents() == ["meaning level 4", "meaning level 2"]
    assert lesson.locator(".because").all_text_contents() == [
        WHY,
        "The value differs, 2 of 8 characters: at most 4",
    ]
    assert page.locator("#texts").get_attribute("data-diff") == "shown"
    press(page, "j")
    assert page.locator(".here").count() == 2
    press(page, "g")
    assert page.locator("#guide").get_attribute("open") is not None
    assert page.locator(".rules").inner_text().endswith("if it differs, at most 4.")
    press(page, "d")
    assert page.locator("#texts").get_attribute("data-diff") == "hidden"
    press(page, "p")
    wait_until(page, "() => document.getElementById('picture').naturalWidth === 900")
    press(page, "Enter")
    page.wait_for_url("**/rate")


def ahead_of(place):
    """How many pages were sent that nobody has seen."""
    return len([row for row in place.rows("visits", "sent_ahead") if row["sent_ahead"]])


def test_practice_goes_on_in_one_document(practised, visitor):
    page = visitor(practised.server, practised.link("R01"))
    loads = []
    page.on("request", lambda request: loads.append(request.is_navigation_request()))
    wait_until(page, "() => ahead.count() === 3")
    page.evaluate("() => { window.same = true; }")
    seen = []
    for number in range(1, 5):
        press(page, "4", "3", "Enter")
        page.get_by_role("heading", name=RESULT).wait_for()
        assert page.url.endswith(f"/practice/{page.evaluate(VISIT)}")
        assert page.locator(".bar .progress b").inner_text() == f"{number} of 4 done"
        assert page.evaluate(FOCUS) == "practice-title"
        seen.append(page.evaluate(VISIT))
        if number < 4:
            press(page, "Enter")
            page.wait_for_url("**/rate")
            assert page.evaluate(CHOSEN) == []

    assert page.evaluate("() => window.same")
    assert len({*seen}) == 4
    assert True not in loads
    press(page, "Enter")
    page.get_by_role("heading", name="Practice is complete").wait_for()
    assert page.wrong == []


def test_nothing_expected_travels_before_the_own_rating(practised, visitor):
    page = visitor(practised.server, practised.link("R01"))
    received = []
    page.on("response", lambda answer: received.append(answer) if "/rate" in answer.url else None)
    wait_until(page, "() => ahead.count() === 3")
    sent = [answer.text() for answer in received if "/rate/ahead" in answer.url]

    assert len([text for text in sent if 'id="rate"' in text]) == 3
    assert [text for text in (*sent, page.content()) if WHY in text or "data-lesson" in text] == []


def test_an_item_of_practice_counts_as_seen_once_it_is_shown(practised, visitor):
    page = visitor(practised.server, practised.link("R01"))
    wait_until(page, "() => ahead.count() === 3")
    assert ahead_of(practised) == 3

    press(page, "4", "3", "Enter")
    page.get_by_role("heading", name=RESULT).wait_for()
    with page.expect_response("**/api/shown/*"):
        press(page, "Enter")

    assert ahead_of(practised) == 2


def test_a_result_that_is_loaded_again_goes_on_without_a_load(practised, visitor):
    page = visitor(practised.server, practised.link("R01"))
    press(page, "4", "3", "Enter")
    page.get_by_role("heading", name=RESULT).wait_for()
    visit = page.evaluate(VISIT)

    page.reload()
    assert page.evaluate(VISIT) == visit
    wait_until(page, "() => ahead.count() > 0")
    page.evaluate("() => { window.same = true; }")
    page.get_by_role("link", name="Next item").click()

    assert page.evaluate(VISIT) != visit
    assert page.evaluate("() => window.same")
    press(page, "1", "2")
    assert page.evaluate(CHOSEN) == ["1", "2"]
    assert page.wrong == []


def test_the_end_says_how_near_a_rater_came_and_what_moved(practised, client_of, now):
    client = client_of(practised, "R01", number=None)
    for _ in range(4):
        client.hand_in({"meaning": 3, "layout": 2})
    end = page_of(client)
    assert "4 of 4 within one level" in end
    assert "Too lenient: 1.0 higher than expected on average" in end
    assert "0 of 4 within one level" in end
    assert "practised again" not in end

    next_round(practised, "pilot", ["R01"], now, items=("d1", "d2", "d3"))
    for _ in range(3):
        client.hand_in({"meaning": 2, "layout": 4})
    rest = page_of(client, "/pause")

    assert "On items that you practised again (3), 1.0 lower than the first time" in rest
    assert "On items that you practised again (3), 2.0 higher than the first time" in rest


def test_nothing_is_told_of_hidden_gold(practised, client_of, now):
    client = client_of(practised, "R01", number=None)
    next_round(practised, "main", ["R01"], now, items=("d5", "d1"))
    for _ in range(2):
        client.hand_in()

    assert "Your practice" not in page_of(client)


@pytest.mark.parametrize(
    ("scale", "value", "expected", "sentence"),
    [
        (Scale.binary(), 1.0, 0.0, "0 of 1 as expected"),
        (Scale.interval(0, 100), 55.0, 50.0, "1 of 1 within 10"),
        (Scale.likert(1, 5), 4.0, 2.0, "0 of 1 within one level"),
    ],
)
def test_near_is_what_the_scale_makes_of_it(scale, value, expected, sentence):
    answers = [PracticeAnswer("d1", "meaning", value, expected)]

    assert sentences_of(answers, scale, say=speaker("rating", "en")) == [sentence]
