"""Pages of ten kinds of evaluations in three languages look as their golden pictures do.

Thirty PDFs take some minutes; `make golden` writes the pictures anew.
"""

import pytest

from benchmarks.gallery_kinds import KINDS, LANGUAGES
from benchmarks.gallery_pages import differing, pages_of, unpack
from benchmarks.gallery_reports import FOLDER
from benchmarks.report_gallery import golden, write_reports
from tests.external.verapdf.breaches import breaches
from tests.report.printed_pages import empty_shares, faults, printed_pages


@pytest.mark.parametrize("kind", KINDS)
def test_the_pages_look_as_they_did(kind):
    write_reports(kind)

    paths = [FOLDER / kind / f"{language}.pdf" for language in LANGUAGES]
    assert breaches("ua1", *paths) == []

    printed = list(map(printed_pages, paths))
    assert list(map(faults, printed)) == [[], [], []]
    if kind == "demo":
        assert max(max(empty_shares(pages)) for pages in printed) <= 1 / 3

    drawn = list(map(pages_of, paths))
    kept = unpack(golden(kind), len(LANGUAGES), drawn[0][0].size)

    found = {name: differing(*pair) for name, *pair in zip(LANGUAGES, kept, drawn, strict=True)}
    assert found == {language: [] for language in LANGUAGES}
