import io
from datetime import UTC, datetime

from PIL import Image

from ocrjury.pages.page_images import image_hash
from ocrjury.store.audit import list_audit
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
    assert "1 item was shown with a page image that had changed since the draw: d1." in page
    assert "The page image of 1 item was gone or unreadable" in page
    assert "d<2" not in page


def test_an_item_that_divides_has_the_picture_that_raters_saw(
    base, rounds, item, keep_interim, at_desk, client_of
):
    drawn = {"image_sha256": image_hash(base.home.parent / "page.png")}
    items = [
        item("d1", masks=[[0.0, 0.0, 1.0, 0.3]], **drawn),
        item("d2", image_sha256="0" * 64),
        item("d3", image_uri="gone.png"),
        item("d4", image_uri=None),
    ]
    place = rounds(raters=("R01", "R02"), items=items)
    seen = set()
    for rater, level in (("R01", 1), ("R02", 5)):
        client = client_of(place, rater)
        for _ in items:
            visit = client.open()[0]
            seen.add(client.ask("GET", f"/images/{visit}/crop").text)
            client.hand_in({"meaning": level, "layout": level})
    keep_interim(place)
    desk = at_desk(place)
    path = f"/desk/{place.evaluation}"

    page = desk.ask("GET", f"{path}/items").text
    pictures = {row.item: desk.ask("GET", f"{path}/image?item={row.item}") for row in items}
    whole = desk.ask("GET", f"{path}/image?item=d1&view=page")

    shown = [row.item for row in items if f'src="{path}/image?item={row.item}"' in page]
    assert shown == ["d1", "d2"]
    assert [page.count(words) for words in ("changed since the draw", "gone or unreadable")] == [
        1,
        1,
    ]
    assert [pictures[name].status for name in sorted(pictures)] == [200, 200, 404, 404]
    assert {pictures["d1"].text, pictures["d2"].text} < seen
    top = Image.open(io.BytesIO(whole.text)).convert("L")
    width, height = top.size
    assert top.crop((0, 0, width, round(height * 0.15))).getextrema()[1] < 12
    looked = [line.object for line in list_audit(place.store.engine) if line.action == "view page"]
    assert looked.count(f"{place.evaluation} d1") == 1
    assert desk.ask("GET", f"{path}/image?item=d9").status == 404
