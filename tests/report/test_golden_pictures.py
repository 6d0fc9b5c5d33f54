"""Golden pictures of pages: what their comparison sees, and what it does not.

The pictures themselves are compared in tests/external.
"""

import subprocess

import numpy as np
import pytest

from benchmarks.gallery_pages import differing, pack, pages_of, unpack

CHART = (20, 110, 132, 160)
BLOCK, LINE = (0, 120, 265, 180), 4


@pytest.fixture(scope="module")
def pdf(pdf, tmp_path_factory):
    """Some pages of the report: cover, charts, tables, and pictures of items."""
    folder = tmp_path_factory.mktemp("some")
    subprocess.run(["pdfseparate", "-l", "9", str(pdf), f"{folder}/%d.pdf"], check=True, timeout=60)
    parts = sorted(folder.glob("*.pdf"))
    subprocess.run(["pdfunite", *map(str, parts), f"{folder}/some.pdf"], check=True, timeout=60)
    return folder / "some.pdf"


@pytest.fixture(scope="module")
def pages(pdf):
    return pages_of(pdf)


def test_pages_that_were_kept_look_alike_however_their_edges_are_smoothed(pages, pdf, tmp_path):
    pack([pages, pages[:3]], tmp_path / "kept.webp")

    kept, excerpt = unpack(tmp_path / "kept.webp", 2, pages[0].size)

    assert differing(kept, pages) == []
    assert differing(excerpt, pages[:3]) == []
    for number in (1, 4, 9):
        [page] = pages_of(pdf.with_name(f"{number}.pdf"), finer=4)
        assert differing([kept[number - 1]], [page]) == []


def test_a_chart_that_is_gone_is_seen_on_every_page(pages):
    without = [page.copy() for page in pages]
    for page in without:
        page.paste(255, CHART)

    inked = [number for number, page in enumerate(pages, 1) if _ink(page.crop(CHART)) > LEAST]
    assert len(inked) > len(pages) / 2
    assert {int(words.split()[1][:-1]) for words in differing(pages, without)} >= set(inked)


def test_a_block_that_moved_by_a_line_is_seen(pages):
    moved = [page.copy() for page in pages]
    for page in moved:
        page.paste(page.crop(BLOCK), (BLOCK[0], BLOCK[1] + LINE))

    inked = [number for number, page in enumerate(pages, 1) if _ink(page.crop(BLOCK)) > LEAST]
    assert len(inked) > len(pages) / 2
    assert {int(words.split()[1][:-1]) for words in differing(pages, moved)} >= set(inked)


def test_a_page_more_is_seen(pages):
    assert differing(pages, pages[:-1]) == [f"{len(pages) - 1} pages instead of {len(pages)}"]


LEAST = 12
"""Mean darkness of a part of a page that has something on it, of 255."""


def _ink(part):
    return 255 - np.asarray(part).mean()
