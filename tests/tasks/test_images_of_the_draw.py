"""Every item that has a page image keeps the hash of what was there when it was drawn."""

from ocrjury.pages.page_images import image_hash
from ocrjury.store.documents import list_items


def test_items_keep_the_hashes_of_their_images_at_the_draw(small):
    page = small.path.with_name("page.png")
    page.write_bytes(b"a page")
    for number, row in enumerate(small.pool):
        row["image"] = "page.png" if number % 2 else "absent.png"
    drawn = image_hash(page)

    small.write(rounds={"frontend": "file", "pilot": {"items": 20}}, sampling={"n": 10}).open()
    page.write_bytes(b"another page")

    items = small.stored(list_items)
    assert {item.purpose for item in items} == {"sample", "pilot"}
    assert {(item.image_uri, item.image_sha256) for item in items} == {
        ("page.png", drawn),
        ("absent.png", None),
    }
