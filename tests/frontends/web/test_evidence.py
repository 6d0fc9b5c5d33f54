"""What a rater looks at is in sight: image, texts, what differs, and what can be pressed."""

from io import BytesIO

import pytest
from PIL import Image

from ocrjury.frontends.web.image_pages import crop_jpeg
from tests.frontends.web.looks import violations
from tests.whole_pages import keep_undoable, press, wait_until

SIZES = [(360, 640), (390, 844), (844, 390), (640, 360), (1280, 720)]
"""Telephones upright and on their side, a laptop at twice the size, a laptop."""
BOXES = """names => Object.fromEntries(names.map((name) => {
  const {left, top, right, bottom} = document.querySelector(name).getBoundingClientRect();
  return [name, [left, top, right, bottom]];
}))"""
LINES = [f"{number} 번째 줄의 글자" for number in range(1, 41)]


def boxes(page, *names):
    """Left, top, right and bottom of elements by their selectors."""
    return page.evaluate(BOXES, list(names))


def inside(inner, outer):
    """Whether a box lies in another, up to a pixel."""
    return all(
        (a >= b - 1) if side < 2 else (a <= b + 1)
        for side, (a, b) in enumerate(zip(inner, outer, strict=True))
    )


def whole_page(item, name="d1", **changes):
    """An item that is a page of forty lines, two of them read wrong."""
    read = [*LINES[:3], "4 번재 줄의 글자", *LINES[4:29], "30 번째 줄의 글저", *LINES[30:]]
    texts = {"reference": "\n".join(LINES), "hypothesis": "\n".join(read)}
    return item(name, **{"box": None, "kind": None, **texts, **changes})


@pytest.fixture
def tall(base):
    """The name of an image that is higher than any window is beside its width."""
    Image.new("RGB", (300, 900), "white").save(base.home.parent / "tall.png")
    return "tall.png"


@pytest.fixture
def on_page(rounds, item, visitor, tall):
    """The rating page of a whole page."""
    place = rounds(raters=("R01",), items=[whole_page(item, image_uri=tall)])
    return visitor(place.server, place.link("R01"))


def test_nothing_covers_the_levels_at_four_times_the_size(on_page):
    on_page.set_viewport_size({"width": 320, "height": 256})
    on_page.goto(on_page.url)

    on_page.locator(".level").first.evaluate("one => one.scrollIntoView({block: 'center'})")

    [middle] = on_page.locator(".level").first.evaluate_all(
        """all => all.map((one) => { const box = one.getBoundingClientRect();
        const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return one.contains(top); })"""
    )
    assert middle


def test_the_label_beside_a_field_is_in_its_crop(tmp_path):
    page = Image.new("RGB", (1000, 1400), "white")
    page.paste((255, 0, 0), (260, 300, 290, 330))
    page.save(tmp_path / "page.png")

    crop = Image.open(BytesIO(crop_jpeg(tmp_path / "page.png", [0.4, 0.21, 0.6, 0.24], None)))

    assert min(green for _, (_, green, _) in crop.getcolors(1 << 20)) < 60


def test_the_texts_stay_in_sight_on_a_telephone(on_page):
    on_page.set_viewport_size({"width": 390, "height": 844})

    press(on_page, "4", "3")
    on_page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")

    _, top, _, bottom = boxes(on_page, "#texts")["#texts"]
    assert (top >= 0, bottom < 500) == (True, True)


def test_what_is_rated_is_named(rounds, item, visitor):
    named = item("d2", field="total amount", draw_number=2)
    place = rounds(raters=("R01",), items=[named])
    page = visitor(place.server, place.link("R01"))

    assert page.locator(".kind > *").all_text_contents() == ["bill", "total amount", "Amount"]


def test_the_way_into_the_page_leads_to_the_place(rounds, item, visitor):
    place = rounds(raters=("R01",), items=[item("d1", box=[0.7, 0.7, 0.8, 0.8])])
    page = visitor(place.server, place.link("R01"))
    press(page, "p")
    wait_until(page, "() => document.getElementById('picture').naturalWidth === 900")

    for _ in range(5):
        press(page, "+")

    box = boxes(page, "#stage", "#picture")
    middle = [(a + b) / 2 for a, b in zip(box["#stage"][:2], box["#stage"][2:], strict=True)]
    centre = page.evaluate(
        """() => { const p = document.getElementById('picture');
        const {left, top, width, height} = p.getBoundingClientRect();
        const fit = Math.min(width / 900, height / 600);
        return [left + width / 2 + 0.25 * 900 * fit, top + height / 2 + 0.25 * 600 * fit]; }"""
    )
    assert centre == pytest.approx(middle, abs=3)


def test_differences_stand_above_each_other_and_no_button_covers_them(rounds, item, visitor):
    texts = {"reference": "금액 1,277,520원", "hypothesis": "금액1.277.5OO 원"}
    place = rounds(raters=("R01",), items=[item("d1", **texts)])
    page = visitor(place.server, place.link("R01"))

    lefts = page.evaluate(
        """() => [...document.querySelectorAll('#texts .text')].map((text) =>
        [...text.querySelectorAll('.room')].map(
          (one) => Math.round(one.getBoundingClientRect().left)))"""
    )
    box = boxes(page, "#diff-button", "#texts .row")

    assert [len(side) for side in lefts] == [6, 6]  # a gap, two commas, 2, 0 and a gap
    assert lefts[0] == pytest.approx(lefts[1], abs=1)
    assert box["#diff-button"][3] <= box["#texts .row"][1]


def test_a_key_goes_from_difference_to_difference(on_page):
    assert on_page.locator(".here").count() == 0
    seen = []
    for key in ("j", "j", "Shift+J"):
        press(on_page, key)
        seen.append(on_page.locator("#found").text_content())

    # Isolated, so that the arrow leads from the first to the second in any script.
    assert [one.replace("\u2068", "(").replace("\u2069", ")") for one in seen] == [
        "read differently: (째) → (재)",
        "read differently: (자) → (저)",
        "read differently: (째) → (재)",
    ]


def test_lines_stand_beside_each_other_or_scroll_together(on_page):
    tops = """() => [...document.querySelectorAll('#texts .text')].map((one) => one.scrollTop)"""
    on_page.evaluate("() => { document.querySelector('#texts .text').scrollTop = 400; }")
    wait_until(on_page, f"() => ({tops})()[1] > 300")
    first, second = on_page.evaluate(tops)
    assert first == pytest.approx(second, abs=30)

    press(on_page, "b")

    lines = on_page.locator(".lines li")
    assert lines.count() == 40
    above, below = on_page.evaluate(
        """() => [...document.querySelectorAll('.lines li:nth-child(4) p')].map((side) =>
        [...side.querySelectorAll('.room')].map((one) => one.getBoundingClientRect().left))"""
    )
    assert len(above) == 1
    assert above == pytest.approx(below, abs=1)
    fourth = lines.nth(3).locator("p").all_text_contents()
    assert [text[:4] for text in fourth] == ["4 번째", "4 번재"]
    press(on_page, "j", "j")
    assert lines.nth(29).locator(".here").count() == 2
    assert violations(on_page) == []


def test_that_nothing_differs_is_said_after_the_first_choice(rounds, item, visitor):
    same = {"reference": "1,200원", "hypothesis": "1,200원"}
    place = rounds(raters=("R01",), items=[item("d1", **same)])
    page = visitor(place.server, place.link("R01"))
    assert page.locator("#found").text_content() == ""

    press(page, "5")

    page.get_by_text("No character differs").wait_for()


@pytest.mark.parametrize(
    ("reference", "hypothesis"), [("1,200원", ""), ("", "1,200원"), ("가" * 20_001, "나" * 20_001)]
)
def test_that_nothing_differs_is_not_said_of_an_empty_output_or_of_long_texts(
    rounds, item, visitor, reference, hypothesis
):
    place = rounds(raters=("R01",), items=[item("d1", reference=reference, hypothesis=hypothesis)])
    page = visitor(place.server, place.link("R01"))

    press(page, "5")

    page.wait_for_function("() => document.querySelector('.level input:checked')")
    assert page.get_by_text("No character differs").count() == 0
    assert page.locator("#texts[data-same]").count() == 0


@pytest.mark.parametrize(
    ("language", "box", "direction", "mode"),
    [
        ("ar", [0.1, 0.2, 0.8, 0.4], "rtl", "horizontal-tb"),
        ("ja", [0.8, 0.1, 0.85, 0.8], "ltr", "vertical-rl"),
        ("mn-Mong", [0.1, 0.2, 0.8, 0.4], "ltr", "vertical-lr"),
    ],
)
def test_texts_run_as_their_script_does(rounds, item, visitor, language, box, direction, mode):
    text = {"ar": "المبلغ 1,200 ريال", "ja": "吾輩は猫である", "mn-Mong": "ᠮᠣᠩᠭᠣᠯ"}[language]
    shown = item("d1", language=language, box=box, reference=text, hypothesis=text[1:], kind="text")
    place = rounds(raters=("R01",), items=[shown])
    page = visitor(place.server, place.link("R01"))

    style = page.evaluate(
        """() => { const style = getComputedStyle(document.querySelector('#texts .text'));
        return [style.direction, style.writingMode, style.letterSpacing]; }"""
    )

    assert style == [direction, mode, "normal"]


def test_comment_flag_and_hand_in_stay_on_the_screen(rounds, visitor):
    place = rounds(raters=("R01",), page={"confidence": True, "break_minutes": 0.001})
    page = visitor(place.server, place.link("R01"), viewport={"width": 1280, "height": 600})
    page.locator("#break").wait_for()

    box = boxes(page, "#comment-box", "#flag-box", "#hand-in", ".below")

    assert {name: bottom <= 600 for name, (_, _, _, bottom) in box.items()} == dict.fromkeys(
        box, True
    )


def test_tab_reaches_the_levels_before_the_excuse(rounds, visitor):
    place = rounds(raters=("R01",))
    page = visitor(place.server, place.link("R01"))
    page.locator("#rate").evaluate("form => { form.tabIndex = -1; form.focus(); }")

    press(page, "Tab")

    assert page.evaluate("() => document.activeElement.value") == "1"


def test_the_word_on_undoing_covers_no_evidence(rounds, item, visitor):
    items = [item(f"d{number}") for number in range(1, len(SIZES) + 3)]
    place = rounds(raters=("R01",), items=items)
    page = visitor(place.server, place.link("R01"))
    keep_undoable(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        wait_until(page, "() => ahead.count() > 0")
        press(page, "4", "5", "Enter")
        toast, viewer, texts = boxes(page, "#taken", "#viewer", "#texts").values()

        assert toast[3] > toast[1]
        assert toast[3] <= min(viewer[1], texts[1]) + 1, (width, height)


def test_what_is_on_its_way_is_counted_only_once_it_stays(rounds, item, visitor):
    place = rounds(raters=("R01",), items=[item(f"d{number}") for number in range(1, 4)])
    page = visitor(place.server, place.link("R01"))
    wait_until(page, "() => ahead.count() > 1")
    counted = page.locator("#unsent")
    keep_undoable(page)

    press(page, "4", "5", "Enter")
    at_once = page.evaluate("() => [queue.unsent(), document.getElementById('unsent').textContent]")
    page.context.set_offline(True)
    page.evaluate("() => queue.hurry()")
    page.get_by_text("1 not sent yet").wait_for()
    page.context.set_offline(False)
    page.get_by_text("1 of 3 done").wait_for()

    assert at_once == [1, ""]
    assert counted.text_content() == ""


def test_enter_closes_the_list_of_keys(rounds, visitor):
    page = visitor((place := rounds(raters=("R01",))).server, place.link("R01"))

    press(page, "?", "Enter")

    assert not page.evaluate("() => help.open()")
