"""Colours of the HTML report, by day and in the dark, in a real browser."""

import pytest

from tests.report.colours import CONTRASTS, DRAWN

READABLE = 4.5
"""Least contrast of text that is not large: WCAG 2.2, success criterion 1.4.3."""
BRIGHT = 0.18
"""Luminance of a ground that is as far from black as from white."""


@pytest.fixture
def texts(look, scheme):
    """Every text of the report with its ground, by day or in the dark."""
    page = look()
    page.emulate_media(color_scheme=scheme)
    found = page.evaluate(CONTRASTS)
    page.emulate_media(color_scheme="light")
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read_on_its_ground(texts, scheme):
    coloured = {"agreement-dimensions", "differences-pairs", "ratings-given-meaning", "level-0"}

    assert coloured <= {text["place"] for text in texts}
    assert [text for text in texts if text["contrast"] < READABLE] == []
    if scheme == "dark":
        assert [text for text in texts if text["ground"] > BRIGHT] == []


def test_charts_have_the_colours_of_the_pdf_by_day(look):
    drawn = look().evaluate(DRAWN)

    assert len(drawn) > 1000
    assert [one for one in drawn if one["named"] != one["drawn"]] == []
