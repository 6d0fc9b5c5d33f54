"""What raters saw in place of the images of the draw is kept once, and cannot be taken back."""

from datetime import timedelta
from threading import Thread

import pytest

from ocrjury.campaign.registry import RaterEntry
from ocrjury.pages.image_words import image_texts
from ocrjury.store.database import writing
from ocrjury.store.raters import keep_raters
from ocrjury.store.shown_images import (
    UNCHANGED,
    ChangedImages,
    ShownImage,
    changed_images,
    list_changed_images,
    note_shown,
)

SAME = ShownImage("d0", "a", "a")
UNKNOWN = ShownImage("d0", None, "a")
OTHER, GONE, NEVER = (
    ShownImage("d1", "a", "b"),
    ShownImage("d2", "a", None),
    ShownImage("d3", None, None),
)
MANY = (
    "The page images of 7 items were gone or unreadable when raters were to see them: "
    "a, b, c, d, e and 2 more."
)


def test_only_what_changed_is_kept_each_once_and_for_its_evaluation(engine, now):
    note_shown(engine, "e", [SAME, UNKNOWN], now=now)
    assert changed_images(engine, "e") == UNCHANGED

    for later in (timedelta(0), timedelta(days=1)):
        note_shown(engine, "e", [SAME, OTHER, GONE, NEVER, GONE], now=now + later)
    note_shown(engine, "e", [OTHER._replace(shown="c"), OTHER._replace(shown=None)], now=now)

    assert changed_images(engine, "e") == ChangedImages(other=("d1",), none=("d1", "d2", "d3"))
    assert changed_images(engine, "other") == UNCHANGED
    assert list_changed_images(engine) == {"e": changed_images(engine, "e")}


def test_raters_who_see_it_at_once_are_no_error(engine, now):
    threads = [
        Thread(target=note_shown, args=(engine, "e", [OTHER, GONE]), kwargs={"now": now})
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert changed_images(engine, "e") == ChangedImages(("d1",), ("d2",))


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_it_is_kept_while_another_evaluation_opens(engine, now):
    with writing(engine) as opening:
        keep_raters(opening, [RaterEntry("R01")])

        note_shown(engine, "e", [OTHER], now=now)

    assert changed_images(engine, "e") == ChangedImages(other=("d1",))


@pytest.mark.parametrize(
    ("images", "texts"),
    [
        (UNCHANGED, []),
        (
            ChangedImages(other=("d1",)),
            ["1 item was shown with a page image that had changed since the draw: d1."],
        ),
        (
            ChangedImages(none=tuple("abcdefg")),
            [MANY],
        ),
    ],
)
def test_it_is_said_in_a_sentence_with_the_first_names(images, texts):
    assert image_texts(images) == texts
