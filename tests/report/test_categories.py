"""A report on categories without an order: none of them is good or bad, low or high."""

import dataclasses
import re

import pytest

from ocrjury import Estimate
from ocrjury.report.data import ScaleLabels
from ocrjury.report.distributions import RatingCounts
from ocrjury.report.html import SENTENCES, render_html
from ocrjury.report.sections.differences import DividedRow
from ocrjury.scales import Scale
from tests.report.conftest import confusion

say = SENTENCES
SCALE = Scale.nominal(["correct", "wrong", "lost"])
COUNTS = RatingCounts(
    "meaning",
    (40, 35, 25),
    low=Estimate(0.5, 0.4, 0.6),
    weighted=True,
    shares=(0.3, 0.5, 0.2),
)
GOOD_AND_BAD = {"f-low", "f-middle", "f-high"}


@pytest.fixture(scope="module")
def nominal(report):
    """The sample report with one dimension of three categories."""
    raters = report.sections["raters"]
    agreement = report.sections["agreement"]
    counts = ((6, 2, 1), (0, 5, 2), (1, 2, 6))
    row = dataclasses.replace(
        agreement.dimensions[0],
        confusions=tuple(confusion(f"R0{n}", counts) for n in range(1, 5)),
        profiles=(),
        item_means=(),
        level_pairs=(),
    )
    divided = (DividedRow("kr-1", None, 1.0, ("meaning",), ()),)
    sections = {
        **report.sections,
        "raters": dataclasses.replace(
            raters, rows=tuple(dataclasses.replace(r, counts=(3, 4, 5)) for r in raters.rows)
        ),
        "agreement": dataclasses.replace(agreement, dimensions=(row,)),
        "differences": dataclasses.replace(report.sections["differences"], divided=divided),
        "rules": None,
    }
    return dataclasses.replace(
        report,
        scale=ScaleLabels.of(SCALE),
        dimensions=report.dimensions[:1],
        headline=None,
        outcome=None,
        target=None,
        estimates=(),
        counts=(COUNTS,),
        sections=sections,
    )


def chart(page, name):
    return page.split(f'id="{name}"')[1].split("</svg>")[0]


def test_the_summary_tells_the_shares(nominal):
    point = next(p for p in say.summary.findings(nominal) if "makes up" in p.title)

    assert point.title == "Meaning: “wrong” makes up 50% of the ratings."
    assert point.text == "Meaning: correct 30%, wrong 50% (40% to 60%), lost 20%."


def test_no_colour_says_that_a_category_is_good_or_bad(nominal):
    page = render_html(nominal)
    bars = [chart(page, "ratings-given-meaning"), chart(page, "raters-ratings")]

    for bar in bars:
        assert not GOOD_AND_BAD & set(re.findall(r'class="([^"]*)"', bar))
        assert len(set(re.findall(r'<rect[^>]*fill="(#\w+)"', bar))) >= 3


def test_categories_are_called_by_their_names_and_have_no_order(nominal):
    page = render_html(nominal)

    assert "Levels, lowest first" not in page
    assert '<th scope="col">correct, wrong, lost</th>' in page
    assert "correct (3 times), wrong (4 times), lost (5 times)" in page
    pictures = re.sub("<title>.*?</title>", "", chart(page, "differences-levels"))
    assert pictures.count(">correct</text>") == 2 * 4
    assert "cor…" not in pictures
    divided = page.split('id="differences-divided"')[1].split("</thead>")[0]
    assert "Range" not in divided


def test_long_names_of_many_categories_are_cut_to_the_cells(nominal):
    names = [f"a category by name {n}" for n in range(3)]
    long = dataclasses.replace(nominal, scale=ScaleLabels.of(Scale.nominal(names)))

    assert say.confusions.levels(long) == ["a c…"] * 3
    assert not say.confusions.named(long)


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_the_finding_is_told_in_every_language(nominal, language):
    identity = dataclasses.replace(nominal.identity, language=language)

    page = render_html(dataclasses.replace(nominal, identity=identity))
    assert "makes up" not in page
    assert "wrong 50%" in page
