import dataclasses

from ocrjury.campaign.origin import Origin
from ocrjury.language import speaking
from ocrjury.report.sections.methods import provenance


def with_origin(report, **told):
    identity = dataclasses.replace(report.identity, origin=Origin(**told))
    return dict(provenance(dataclasses.replace(report, identity=identity)))


def test_the_report_says_where_the_pool_comes_from(report):
    told = with_origin(report, engine="Tesseract", version="5.3.0", dates="March\u202e 2026")
    assert told["OCR engine"] == "Tesseract"
    assert told["Engine version"] == "5.3.0"
    assert told["Read on"] == "March‹U+202E› 2026"
    assert "Documents come from" not in told


def test_an_archive_copy_names_what_is_inside(report):
    kept = dataclasses.replace(report.identity, archived=True)
    rows = dict(provenance(dataclasses.replace(report, identity=kept)))

    assert rows["Attached to the PDF"].startswith("CSV: ratings, labels, agreement")
    assert "Attached to the PDF" not in dict(provenance(report))


def test_it_says_so_in_the_language_of_the_report(report):
    with speaking("ko"):
        assert with_origin(report, documents="청구 서류")["문서 출처"] == "청구 서류"
