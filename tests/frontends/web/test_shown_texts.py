"""What a rating page shows of the texts where it marks no differences."""

import pytest

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
