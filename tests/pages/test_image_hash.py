import hashlib
import os

from ocrjury.pages.page_images import image_hash


def test_the_hash_is_of_the_file_as_it_is_now_whatever_its_date_says(tmp_path):
    page = tmp_path / "page.png"
    page.write_bytes(b"one")
    first, status = image_hash(page), page.stat()

    page.write_bytes(b"two")
    os.utime(page, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert first == hashlib.sha256(b"one").hexdigest()
    assert image_hash(page) == hashlib.sha256(b"two").hexdigest()
    page.unlink()
    assert image_hash(page) is image_hash(None) is None
