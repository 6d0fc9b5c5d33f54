"""What a rating page shows of the texts where it marks no differences."""

import pytest

from tests.whole_pages import press

TOO_LONG = "The texts are too long for their differences to be marked."
MARKS = (
    "<del",
    "<ins",
    "<mark",
    "␣",
    "⏎\n",
    'class="gap"',
    'id="diff-button"',
    'id="lines-button"',
)
TOLD = """() => [...document.querySelectorAll('#texts .text')].map((text) => [
  text.textContent,
  [...text.querySelectorAll('ins, del, mark')].map((one) => `${one.title}${one.role ?? ''}`),
])"""


def marks_of(client):
    """What on the page of an item tells where its texts differ, and the page."""
    page = client.ask("GET", "/rate").text.decode()
    return [mark for mark in MARKS if mark in page], page


@pytest.mark.parametrize("texts", [("금액 1 200\n원", "금액1 200원"), ("a b", "ab c")])
def test_hidden_differences_leave_no_sign_in_the_texts(rounds, item, client_of, texts):
    reference, output = texts
    shown = item("d1", reference=reference, hypothesis=output, kind=None)
    place = rounds(raters=("R01",), items=[shown], page={"diff": "hidden"})

    marks, page = marks_of(client_of(place, "R01"))

    assert marks == []
    assert f">{reference}</span>" in page
    assert f">{output}</span>" in page


@pytest.mark.parametrize("count", [1, 2])
def test_texts_that_are_too_long_to_be_compared_say_so(rounds, item, client_of, count):
    long = "1,200원 금액\n" * 2500
    outputs = [
        item(f"d{n}", page_id="p", system=f"s{n}", reference=long, hypothesis=long[n:], kind=None)
        for n in range(1, count + 1)
    ]
    place = rounds(raters=("R01",), items=outputs, page={"systems": "side_by_side"})

    marks, page = marks_of(client_of(place, "R01"))

    assert marks == []
    assert TOO_LONG in page
    assert page.count('class="line"') == count + 1  # texts of one piece scroll by their share


def test_differences_on_demand_leave_no_sign_before_they_are_asked_for(rounds, item, visitor):
    shown = item("d1", reference="금액 1 200\n원", hypothesis="금액1 200원", kind=None)
    place = rounds(raters=("R01",), items=[shown], page={"diff": "on_demand"})
    page = visitor(place.server, place.link("R01"))
    before = page.evaluate(TOLD)
    press(page, "b", "d")
    asked = page.evaluate(TOLD)
    lines = page.locator(".lines del").all_text_contents()
    press(page, "d")

    missing = ["missing in the OCR output"] * 2
    assert before == [["금액 1 200\n원", ["none"] * 2], ["금액1 200원", []]]
    assert asked == [["금액␣1 200⏎\n원", missing], ["금액1 200원", []]]
    assert lines == ["␣", "⏎\n"]
    assert page.evaluate(TOLD) == before
    assert page.locator(".lines li").first.inner_text().startswith("금액 1 200")
