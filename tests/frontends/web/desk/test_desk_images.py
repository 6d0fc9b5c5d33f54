from datetime import UTC, datetime

from ocrjury.store.shown_images import ShownImage, note_shown


def test_the_desk_says_which_page_images_raters_saw_otherwise(rounds, at_desk):
    place = rounds()
    address = f"/desk/{place.evaluation}"
    desk = at_desk(place)
    before = desk.ask("GET", address).text

    images = [ShownImage("d1", "a", "b"), ShownImage("d<2", "a", None)]
    note_shown(place.store.engine, place.evaluation, images, now=datetime.now(UTC))
    page = desk.ask("GET", address).text

    assert "page image" not in before
    assert "1 document was shown with a page image that had changed since the draw: d1." in page
    assert "The page image of 1 document was gone or unreadable" in page
    assert "d<2" not in page
