"""The bundled example is what its README says."""

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from ocrjury.readers import read_pool
from ocrjury.text import score_texts, summarize_scores

FOLDER = Path(__file__).parents[2] / "examples" / "korean-claims"


@pytest.fixture(scope="module")
def fields():
    return read_pool(FOLDER / "fields.jsonl")


@pytest.fixture(scope="module")
def pages():
    return read_pool(FOLDER / "pool.jsonl")


def test_fields_are_counted(fields):
    assert len(fields) == 1525
    assert fields["page_id"].nunique() == 72
    assert fields["confidence"].isna().sum() == 173
    assert fields["doc_type"].value_counts().to_dict() == {
        "진료비영수증": 544,
        "처방전": 261,
        "보험금청구서": 192,
        "입원확인서": 180,
        "수술기록": 180,
        "진단서": 168,
    }
    assert fields["kind"].value_counts().to_dict() == {
        "text": 705,
        "amount": 357,
        "code": 307,
        "date": 156,
    }


def test_a_field_has_no_confidence_where_no_word_was_found(fields):
    assert (fields["confidence"].isna() == (fields["hypothesis"] == "")).all()


def test_pages_are_counted(pages):
    assert len(pages) == 72
    assert pages["doc_type"].value_counts().tolist() == [12] * 6
    assert pages["confidence"].isna().sum() == 1


def test_every_field_belongs_to_a_page_and_shows_its_image(fields, pages):
    assert set(fields["page_id"]) == set(pages["doc_id"])
    assert set(fields["image"]) == set(pages["image"])
    shown = fields.drop_duplicates("page_id").set_index("page_id")["image"]
    assert shown.to_dict() == pages.set_index("doc_id")["image"].to_dict()


def test_boxes_lie_on_the_image(fields):
    assert fields["box"].notna().all()
    for left, top, right, bottom in fields["box"]:
        assert 0 <= left < right <= 1
        assert 0 <= top < bottom <= 1


def test_images_are_small_and_readable(pages):
    for name in pages["image"]:
        with Image.open(FOLDER / name) as image:
            assert image.format == "WEBP"
            assert max(image.width, image.height) <= 1300
            assert image.width <= 900


def test_boxes_hold_the_ink_of_the_field(fields):
    # A straight page of black on white: each box has dark pixels, the stripe left of all is bare.
    page = fields[fields["page_id"] == "kr-003"]
    image = Image.open(FOLDER / "pages" / "kr-003.webp").convert("L")
    width, height = image.size

    for box in page["box"]:
        crop = image.crop([round(s * e) for s, e in zip(box, [width, height] * 2, strict=True)])
        assert crop.getextrema()[0] < 100
    assert image.crop((0, 0, width // 20, height)).getextrema()[0] > 180


def test_error_rates_are_those_of_the_pages(pages):
    scores = score_texts(pages["reference"], pages["hypothesis"])
    cer = summarize_scores(scores).set_index("metric").loc["cer"]

    assert cer["micro"] == pytest.approx(0.1519, abs=5e-5)
    assert cer["macro"] == pytest.approx(0.1649, abs=5e-5)
    assert cer["median"] == pytest.approx(0.0715, abs=5e-5)
    assert cer["low"] < 0.1519 < cer["high"]


def test_worse_scans_have_more_errors(pages):
    scores = score_texts(pages["reference"], pages["hypothesis"])
    rows = summarize_scores(scores.assign(level=pages["level"]), by="level")
    median = rows[rows["metric"] == "cer_nospace"].set_index("level")["median"]

    assert median["clean"] < median["light"] < median["medium"] < median["heavy"]


def test_the_generator_explains_itself():
    run = subprocess.run(
        [sys.executable, FOLDER / "generate.py", "--help"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )

    assert "tesseract-ocr-kor" in run.stdout
    assert "--no-ocr" in run.stdout


@pytest.mark.parametrize("number", [1, 4, 9])
def test_the_generator_draws_the_same_fields_again(tmp_path, fields, number):
    # Pages that need no font but Noto, which the report needs too.
    subprocess.run(
        [
            *(sys.executable, FOLDER / "generate.py", tmp_path),
            *("--first", str(number), "--pages", "1", "--no-ocr"),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )

    again = read_pool(tmp_path / "fields.jsonl")
    shipped = fields[fields["page_id"] == f"kr-{number:03d}"]
    for column in ("doc_id", "kind", "reference", "image", "box", "level"):
        assert again[column].tolist() == shipped[column].tolist()
