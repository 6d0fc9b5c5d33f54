from dataclasses import replace

from ocrjury.campaign.capabilities import missing_capabilities
from ocrjury.report.html import render_html
from ocrjury.report.sections import frontends
from ocrjury.report.sections.rounds import PrintedRound, Rounds
from ocrjury.store.shown_images import ChangedImages
from tests.report.test_golden import words_of


def rounds(*names):
    rows = [
        PrintedRound(
            number=number,
            kind="main",
            rule="x",
            items=1,
            raters=2,
            frontend=name,
            lacking=missing_capabilities(name) if name else (),
        )
        for number, name in enumerate(names, start=1)
    ]
    return Rounds(rows=tuple(rows))


def test_a_round_whose_raters_were_not_kept_apart_is_named(make):
    shared = rounds("labelstudio", "labelstudio", "web")
    text = words_of(render_html(make(rounds=shared)))

    assert (
        "Rounds 1 and 2 were rated in Label Studio, which cannot hide raters’ work from each "
        "other; the campaign allowed that. The ratings may not be independent, so raters may agree "
        "more than they would by themselves, and the ranges may be too narrow. Nor can it mark "
        "where the texts differ, check a rating while it is given or tell how long a rating took."
    ) in text


def test_page_images_that_changed_after_the_draw_are_named(make):
    images = ChangedImages(other=("d1", "d2"), none=("d3",))
    text = words_of(render_html(make(rounds=replace(rounds("web"), images=images))))

    assert (
        "2 items were shown with page images that had changed since the draw: d1 and d2."
    ) in text
    assert "The page image of 1 item was gone or unreadable when raters were" in text


def test_a_smaller_lack_is_told_without_alarm():
    (text,) = frontends.texts(rounds("sheets"))

    assert text == (
        "Round 1 was rated in spreadsheets, which cannot mark where the texts differ, hold raters "
        "to the order of the items or tell how long a rating took."
    )


def test_of_ratings_from_a_file_nothing_is_known():
    (text,) = frontends.texts(rounds("file"))

    assert text.startswith("The ratings of round 1 came in files: where the raters worked")


def test_nothing_is_said_of_the_rating_page_of_simulated_raters_and_of_bare_ratings():
    assert frontends.texts(rounds("web", "simulated", None)) == []
