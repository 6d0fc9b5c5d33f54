"""Images that were removed or swapped while raters work are seen by the store."""

import pytest

from ocrjury.pages.page_images import image_hash
from ocrjury.store.shown_images import ChangedImages, changed_images


def test_what_is_shown_instead_or_not_at_all_is_kept(base, rounds, item, client_of):
    folder = base.home.parent
    (folder / "broken.png").write_bytes(b"\x89PNG")
    drawn = {"image_sha256": image_hash(folder / "page.png")}
    items = [
        item("d1", **drawn),
        item("d2", image_sha256="0" * 64),
        item("d3", image_uri="gone.png", **drawn),
        item("d4", image_uri="broken.png", image_sha256=image_hash(folder / "broken.png")),
        item("d5", image_uri=None),
    ]
    place = rounds(raters=("R01",), items=items)
    client = client_of(place, "R01")

    statuses = []
    for _ in items:
        visit = client.open()[0]
        statuses.append(
            [client.ask("GET", f"/images/{visit}/{view}").status for view in ("crop", "page")]
        )
        client.hand_in()

    assert statuses == [[200] * 2, [200] * 2, [404] * 2, [404] * 2, [404] * 2]
    found = changed_images(place.store.engine, place.evaluation)
    assert found == ChangedImages(other=("d2",), none=("d3", "d4"))


@pytest.mark.parametrize(
    ("image", "told"),
    [(None, "neither a reference text nor an image"), ("page.png", "compare with the image")],
)
def test_without_a_reference_raters_are_sent_to_the_image_only_where_there_is_one(
    rounds, item, client_of, image, told
):
    place = rounds(raters=("R01",), items=[item("d1", reference=None, image_uri=image)])

    page = client_of(place, "R01").ask("GET", "/rate").text.decode()

    assert told in page
