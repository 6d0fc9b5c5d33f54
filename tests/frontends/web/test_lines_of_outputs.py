"""Whole pages of several OCR systems, line by line: the outputs under each reference line."""

import pytest
from PIL import Image

from tests.frontends.web.looks import (
    in_other_languages,
    violations_of_looks,
    wider_than_window,
)
from tests.whole_pages import press, wait_until

LINES = [f"{number}번째 줄의 글자" for number in range(1, 41)]
READ = {
    "A": {4: "4번재 줄의 글자", 30: "30번째 줄의 글저"},
    "B": {4: "4번째 줄 글자", 9: "9번째 줄의 글자 9번째"},
    "C": {},
}
MIDDLES = """number => [...document.querySelectorAll(`.lines li:nth-child(${number}) p`)]
.map((side) => [...side.querySelectorAll('span:not(.line)')].filter((one) => !one.closest('ins'))
.map((one) => one.getBoundingClientRect()).map(({left, width}) => left + width / 2))"""


def read_by(letter, *, gone, most):
    """What a system read; of some lines, the ends are lost."""
    lines = [READ[letter].get(number, line) for number, line in enumerate(LINES[:most], start=1)]
    ends = ["" if number in gone else "\n" for number in range(1, most)] + [""]
    return "".join(line + end for line, end in zip(lines, ends, strict=True))


@pytest.fixture
def most():
    """How many lines a page has."""
    return len(LINES)


@pytest.fixture
def three(rounds, item, base, most):
    """An evaluation in which one page of three systems is rated side by side."""
    Image.new("RGB", (300, 900), "white").save(base.home.parent / "three.png")
    items = [
        item(
            f"d{number}",
            doc_id=f"doc-{number}",
            page_id="page",
            system=f"System{letter}",
            box=None,
            kind=None,
            reference="\n".join(LINES[:most]),
            hypothesis=read_by(letter, gone={12} if letter == "C" else (), most=most),
            image_uri="three.png",
        )
        for number, letter in enumerate(READ, start=1)
    ]
    return rounds(raters=("R01",), items=items, page={"systems": "side_by_side"})


def test_each_line_stands_over_those_of_all_outputs(three, visitor):
    page = visitor(three.server, three.link("R01"))

    press(page, "b")

    lines = page.locator(".lines li")
    assert lines.count() == 40
    fourth = lines.nth(3)
    assert fourth.locator(".letter").all_text_contents() == ["A", "B", "C"]
    assert [text.strip() for text in fourth.locator("p").all_text_contents()] == [
        "4번째 줄의 글자",
        "4번재 줄의 글자",
        "4번째 줄의 글자",
        "4번째 줄의 글자",
    ]
    assert fourth.locator("del").all_text_contents() == ["의"]
    assert page.locator("#texts .row:visible").count() == 0
    press(page, "b")
    assert page.locator("#texts .row:visible").count() == 4
    assert page.locator(".lines:visible").count() == 0


def test_equal_characters_of_a_line_stand_above_each_other(three, visitor):
    page = visitor(three.server, three.link("R01"))
    press(page, "b")

    for number in (4, 9, 12):
        reference, *outputs = page.evaluate(MIDDLES, number)

        assert len(outputs) == 3, number
        for middles in outputs:  # a missing line end has a sign of its own
            assert middles[:-1] == pytest.approx(reference[:-1], abs=1), number


def test_a_key_goes_through_the_differences_of_all_outputs(three, visitor):
    page = visitor(three.server, three.link("R01"))
    press(page, "b")
    seen, said = [], []

    for _ in range(5):
        press(page, "j")
        seen.append(page.locator(".lines .here").text_content())
        said.append(page.locator("#found").text_content().partition(":")[0])

    assert seen == ["재", "의", "␣9번째", "⏎\n", "저"]
    assert said == [
        "A · read differently",
        "B · missing in the OCR output",
        "B · only in the OCR output",
        "C · missing in the OCR output",
        "A · read differently",
    ]


def test_a_line_that_differs_is_in_sight_with_all_outputs(three, visitor):
    page = visitor(three.server, three.link("R01"))
    page.set_viewport_size({"width": 390, "height": 844})
    press(page, "b", "j")

    [view, *sides] = page.evaluate(
        """() => [document.querySelector('.lines'),
        ...document.querySelectorAll('.lines li:nth-child(4) p')].map((one) => {
          const {top, bottom} = one.getBoundingClientRect();
          return [top, bottom];
        })"""
    )

    assert len(sides) == 4
    assert view[0] - 1 <= sides[0][0]
    assert sides[-1][1] <= view[1] + 1


def test_the_next_page_is_line_by_line_too(three, visitor):
    page = visitor(three.server, three.link("R01"))
    press(page, "b")

    page.reload()

    assert page.locator(".lines li").count() == 40
    press(page, "d")  # what is missing is shown only where differences are
    assert page.locator(".lines li").nth(3).locator("del:visible").count() == 0


def test_texts_scroll_to_the_same_line(three, visitor):
    page = visitor(three.server, three.link("R01"))
    tops = """() => [...document.querySelectorAll('#texts .text')].map((text) => {
      const top = text.getBoundingClientRect().top;
      return [...text.querySelectorAll('.line')].findIndex((one) =>
        one.getBoundingClientRect().bottom > top + 3);
    })"""

    page.evaluate("() => { document.querySelectorAll('#texts .text')[2].scrollTop = 300; }")
    wait_until(page, f"() => Math.min(...({tops})()) > 5")

    assert len(set(page.evaluate(tops))) == 1


@pytest.mark.parametrize("most", [13])  # all kinds of lines, and a bar that scrolls them
def test_axe_finds_nothing_line_by_line(three, visitor):
    page = visitor(three.server, three.link("R01"))

    page.locator("#lines-button").click()

    found = {"lines": violations_of_looks(page), **in_other_languages(page, "/rate")}
    assert wider_than_window(page) == []
    assert page.locator(".lines li").first.is_visible()
    assert {name: bad for name, bad in found.items() if bad} == {}
    assert page.wrong == []
