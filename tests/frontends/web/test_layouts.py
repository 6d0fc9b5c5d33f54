"""What stands where on the rating page: nothing is cut off, pushed away or below the window."""

from io import BytesIO

from PIL import Image

from ocrjury.store.database import writing
from ocrjury.store.rounds import close_round
from tests.frontends.web.conftest import dimension
from tests.frontends.web.looks import options_of
from tests.frontends.web.test_evidence import SIZES, boxes, inside, on_page, tall, whole_page
from tests.frontends.web.test_lines_of_outputs import most, three
from tests.frontends.web.test_round_kinds import next_round
from tests.whole_pages import press, wait_until

__all__ = ["most", "on_page", "tall", "three"]

LAPTOP = {"width": 1280, "height": 800}
LONG_WORD = "Vollständigkeitsüberprüfung"
LOW = {"width": 1366, "height": 680}
ROWS = """() => [...document.querySelectorAll('#texts .row .text')].map((one) => {
  const {left, top, right, bottom} = one.getBoundingClientRect();
  return {left, top, right, bottom};
})"""
FREE = """() => {
  const send = document.querySelector('.send');
  const over = getComputedStyle(send).position === 'fixed';
  return over ? send.getBoundingClientRect().top : innerHeight;
}"""
FRAMES = """() => [...document.querySelectorAll('.here')].map((mark) => {
  const [frame, text] = [mark, mark.closest('.text')].map((one) => one.getBoundingClientRect());
  const room = [frame.left - text.left, frame.top - text.top, text.bottom - frame.bottom];
  return Math.min(...room);
})"""
FRAME = 3
LINE = 27
LINE_IN_A_LOW_WINDOW = 24
CLAUSE = "전신마취하에 앙와위로 눕힌 뒤 통상적인 방법으로 소독포를 덮음. "


def test_a_whole_page_begins_with_its_evidence_and_its_output_in_any_window(on_page):
    for width, height in SIZES:
        on_page.set_viewport_size({"width": width, "height": height})
        on_page.goto(on_page.url)
        wait_until(on_page, "() => document.getElementById('picture').complete")
        box = boxes(on_page, "#stage", "#picture", "#texts", "#hand-in")
        output = on_page.evaluate(ROWS)[-1]

        assert on_page.evaluate("() => scrollY") == 0, width
        assert inside(box["#picture"], box["#stage"]), width
        assert box["#stage"][3] <= height, width
        assert box["#texts"][1] < 0.75 * height, width
        assert box["#hand-in"][3] <= height, width
        assert output["top"] + LINE <= on_page.evaluate(FREE), width


def test_all_outputs_of_a_whole_page_are_in_the_window_of_a_laptop(three, visitor):
    page = visitor(three.server, three.link("R01"), viewport=LAPTOP)

    rows = page.evaluate(ROWS)

    assert len(rows) == 4
    assert [row["bottom"] <= LAPTOP["height"] for row in rows] == [True] * 4
    assert [row["bottom"] - row["top"] > 3 * LINE for row in rows] == [True] * 4


def test_image_texts_and_levels_begin_at_one_height(rounds, item, visitor, tall):
    place = rounds(raters=("R01",), items=[whole_page(item, image_uri=tall)])
    page = visitor(place.server, place.link("R01"), viewport=LAPTOP)

    box = boxes(page, "#viewer", "#texts", "#rate", "#lines-button", "#diff-button")

    assert len({round(box[name][1]) for name in ("#viewer", "#texts", "#rate")}) == 1
    assert box["#lines-button"][1] == box["#diff-button"][1]


def test_what_is_said_of_a_difference_pushes_no_button_onto_the_lines(on_page):
    on_page.set_viewport_size(LAPTOP)

    press(on_page, "b", "j")

    box = boxes(on_page, "#found", "#lines-button", "#diff-button", ".lines")
    assert on_page.locator("#found").text_content()
    assert {box[name][3] <= box[".lines"][1] for name in box if name != ".lines"} == {True}
    assert box[".lines"][3] <= LAPTOP["height"]


def test_columns_stand_beside_each_other(rounds, item, visitor):
    text = {"reference": "吾輩は猫である", "hypothesis": "吾輩は描である"}
    shown = item("d1", language="ja", box=[0.8, 0.1, 0.85, 0.8], kind="text", **text)
    place = rounds(raters=("R01",), items=[shown])
    page = visitor(place.server, place.link("R01"), viewport=LAPTOP)

    reference, output = page.evaluate(ROWS)

    assert output["top"] == reference["top"]
    assert output["left"] >= reference["right"]
    assert output["bottom"] <= LAPTOP["height"]


def test_the_frame_of_a_difference_is_not_cut_off(rounds, item, visitor):
    texts = {"reference": "1,200원", "hypothesis": "2,200원"}
    place = rounds(raters=("R01",), items=[item("d1", **texts)])
    page = visitor(place.server, place.link("R01"))

    press(page, "j")

    assert [room >= FRAME for room in page.evaluate(FRAMES)] == [True, True]


def test_on_a_telephone_one_row_holds_all_that_sends(on_page):
    on_page.set_viewport_size({"width": 360, "height": 640})

    box = boxes(on_page, "#hand-in", "#previous", "#later", ".send")

    assert box["#previous"][1] >= box[".send"][1]
    assert box["#previous"][2] <= box["#later"][0] <= box["#hand-in"][0]
    assert box[".send"][3] - box[".send"][1] < 90


def test_the_menu_closes_when_something_else_is_pressed(on_page):
    summary, menu = on_page.locator(".menu summary"), on_page.locator(".menu")
    opened = []
    for leave in (
        lambda: on_page.keyboard.press("Escape"),
        lambda: on_page.mouse.click(10, 400),
    ):
        summary.click()
        opened.append(menu.get_attribute("open"))
        leave()
        opened.append(menu.get_attribute("open"))

    assert opened == ["", None, "", None]


def test_the_mark_of_the_current_question_goes_along_all_of_it(rounds, item, visitor):
    outputs = [
        item(name, doc_id=name, page_id="page", system=name, hypothesis=text)
        for name, text in (("d1", "1.200"), ("d2", "1,20O"))
    ]
    page = {"systems": "side_by_side", "preference": True}
    place = rounds(raters=("R01",), items=outputs, page=page)
    page = visitor(place.server, place.link("R01"), viewport=LAPTOP)
    page.evaluate("() => answers.focusOn(answers.all().at(-1))")
    question = boxes(page, ".preference")[".preference"]

    screen = Image.open(BytesIO(page.screenshot())).convert("RGB")
    left, top, _, bottom = map(round, question)

    assert page.locator(".preference.current").count() == 1
    assert len({screen.getpixel((left + 1, y)) for y in range(top + 1, bottom - 1)}) == 1


def test_the_progress_is_in_its_bar_in_any_window(on_page):
    for width, height in [(320, 256), *SIZES]:
        on_page.set_viewport_size({"width": width, "height": height})

        box = boxes(on_page, ".bar", ".bar progress")

        assert box[".bar"][1] <= box[".bar progress"][1] < box[".bar"][3], width


def test_beside_the_whole_page_both_texts_of_a_field_stay_in_the_window(rounds, visitor):
    place = rounds(raters=("R01",))
    page = visitor(place.server, place.link("R01"), viewport=LOW)

    press(page, "p")

    assert page.evaluate(ROWS)[-1]["bottom"] <= LOW["height"]


def test_both_texts_of_a_paragraph_are_in_the_window_of_a_low_laptop(rounds, item, visitor):
    place = rounds(raters=("R01",), items=[item("d1", reference=CLAUSE * 6, hypothesis=CLAUSE * 9)])
    page = visitor(place.server, place.link("R01"), viewport={"width": 1366, "height": 768})

    above, below = page.evaluate(ROWS)

    assert above["bottom"] - above["top"] > 3.5 * LINE_IN_A_LOW_WINDOW
    assert below["bottom"] - below["top"] > 5.5 * LINE_IN_A_LOW_WINDOW
    assert below["bottom"] <= 768


def test_a_long_comment_breaks_no_name_of_a_rater(rounds, item, client_of, visitor, now):
    asked = [{**dimension(name), "title": LONG_WORD} for name in ("meaning", "layout")]
    place = rounds(items=[item("d1")], dimensions=asked)
    for rater, level in (("R01", 1), ("R02", 5)):
        said = "The stamp hides the first digit. " * 8
        client_of(place, rater).hand_in({"meaning": level, "layout": 5}, comment=said)
    next_round(place, "adjudication", ["A01"], now)
    page = visitor(place.server, place.link("A01"), viewport=LAPTOP)
    press(page, "4", "4", "Enter")

    names = page.locator(".others tbody th")
    names.last.wait_for()

    assert [name.bounding_box()["height"] < 36 for name in names.all()] == [True] * 2
    page.set_viewport_size({"width": 320, "height": 740})
    assert boxes(page, ".others table")[".others table"][2] <= 320


def test_the_guide_says_what_the_levels_mean_where_no_room_is_beside_them(rounds, visitor):
    place = rounds(raters=("R01",))
    page = visitor(place.server, place.link("R01"), viewport=LAPTOP)
    page.locator("#guide summary").click()
    meaning = page.locator("#guide dd").filter(has_text="meaning level 2")
    seen = []

    for size in (LAPTOP, {"width": 390, "height": 844}):
        page.set_viewport_size(size)
        seen.append((page.locator(".level .anchor").first.is_visible(), meaning.is_visible()))

    assert seen == [(True, False), (False, True)]


def test_on_a_telephone_the_menu_leads_to_what_can_be_set(rounds, visitor, browser):
    place = rounds(raters=("R01",))
    page = visitor(place.server, place.link("R01"), **options_of(browser, "phone"))
    page.locator(".menu summary").tap()

    page.get_by_role("button", name="Settings").tap()

    dialog = page.get_by_role("dialog", name="Settings")
    assert dialog.locator("dt:visible").count() == 0
    dialog.get_by_label("Submit by itself").check()
    dialog.get_by_role("button", name="Close").tap()
    for name in ("meaning", "layout"):
        page.locator(f"[data-name={name}] .level").nth(3).tap()
    page.get_by_text("1 of 3 done").wait_for()


def test_the_list_of_keys_begins_at_its_top_in_a_low_window(on_page):
    on_page.set_viewport_size({"width": 683, "height": 384})
    press(on_page, "?")

    top = boxes(on_page, "#help", "#help-title")

    assert top["#help"][1] < top["#help-title"][1]


def test_the_menu_is_at_the_end_of_its_bar_when_nothing_is_left(rounds, visitor, now):
    place = rounds(raters=("R01",))
    with writing(place.store.engine) as connection:
        close_round(connection, place.evaluation, by="complete", now=now)
    page = visitor(place.server, place.link("R01"), viewport=LAPTOP)

    assert page.locator(".progress").count() == 0
    assert boxes(page, ".menu summary")[".menu summary"][2] > LAPTOP["width"] - 40
