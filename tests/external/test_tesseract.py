"""Against a real Tesseract: pages drawn anew, read by it, and its files read by the readers.

Needs Debian's tesseract-ocr and tesseract-ocr-kor, the fonts that the generator names, and for PAGE
the newer Tesseract of the tesserocr wheel.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ocrjury.readers import read_pool
from ocrjury.text import TextOptions, score_texts
from tests.external.carried_tesseract import read_image

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "korean-claims"
PAGES = 4
FORMATS = {"tsv": "tsv", "hocr": "hocr", "alto": "xml", "text": "txt"}


def tesseract_version():
    said = subprocess.run(
        ["tesseract", "--version"], capture_output=True, text=True, check=True, timeout=600
    )
    return tuple(map(int, re.search(r"(\d+)\.(\d+)\.(\d+)", said.stdout)[0].split(".")))


@pytest.fixture(scope="module")
def remade(tmp_path_factory):
    """The first pages of the bundled pool, drawn and read anew by the bundled generator."""
    folder = tmp_path_factory.mktemp("remade")
    command = [sys.executable, "generate.py", str(folder), "--pages", str(PAGES)]
    subprocess.run(command, cwd=EXAMPLE, check=True, capture_output=True, timeout=600)
    return folder


@pytest.fixture(scope="module")
def read_anew(remade):
    """Tesseract's files in each format it writes, a folder for each."""
    for form, suffix in FORMATS.items():
        (remade / form).mkdir()
        for image in sorted((remade / "pages").glob("*.webp")):
            base = remade / form / image.stem
            command = ["tesseract", image, base, "-l", "kor+eng", "--psm", "4", "--dpi", "110"]
            command += ["-c", "preserve_interword_spaces=1", "txt" if form == "text" else form]
            subprocess.run(command, check=True, capture_output=True, timeout=600)
            (written,) = remade.glob(f"{form}/{image.stem}*")
            written.rename(base.with_suffix(f".{suffix}"))
    return remade


def pool_of(folder, form):
    # Its formats of words split Korean into syllables, and white space has to be guessed; text and
    # PAGE have whole lines.
    if form not in {"text", "page"}:
        with pytest.warns(UserWarning, match="White space in Korean"):
            return read_pool(folder / form)
    return read_pool(folder / form)


def without_space(text):
    return "".join(text.split())


def test_the_generator_makes_the_bundled_pool_again(remade):
    def rows(path):
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()[:PAGES]]

    ours, shipped = rows(remade / "pool.jsonl"), rows(EXAMPLE / "pool.jsonl")

    assert [row["reference"] for row in ours] == [row["reference"] for row in shipped]
    if tesseract_version() == (5, 3, 0):
        assert [row["hypothesis"] for row in ours] == [row["hypothesis"] for row in shipped]


@pytest.fixture(scope="module")
def read_by_the_newer(remade):
    """PAGE and plain text of the newer Tesseract, a folder for each."""
    for form, suffix in {"page": "xml", "text": "txt"}.items():
        (remade / "newer" / form).mkdir(parents=True)
        for image in sorted((remade / "pages").glob("*.webp")):
            base = remade / "newer" / form / image.stem
            read_image(image, base, form=form)
            (written,) = base.parent.glob(f"{image.stem}*")
            written.rename(base.with_suffix(f".{suffix}"))
    return remade / "newer"


@pytest.mark.parametrize("form", [*FORMATS, "page"])
def test_a_format_is_found_by_its_content_and_says_what_the_others_say(request, form):
    folder = request.getfixturevalue("read_by_the_newer" if form == "page" else "read_anew")

    pool = pool_of(folder, form)

    text = pool_of(folder, "text")
    assert pool.attrs["format"] == form
    assert pool["doc_id"].tolist() == [f"kr-{n:03d}" for n in range(PAGES)]
    assert pool["hypothesis"].map(without_space).tolist() == [
        without_space(one) for one in text["hypothesis"]
    ]
    if form != "text":
        assert pool["confidence"].between(0.2, 1).all()
    if form not in {"text", "page"}:
        assert (pool["min_word_confidence"] <= pool["confidence"]).all()


def test_formats_agree_on_confidence(read_anew):
    means = {form: pool_of(read_anew, form)["confidence"] for form in ("tsv", "hocr", "alto")}

    for form in ("hocr", "alto"):
        assert means[form].to_numpy() == pytest.approx(means["tsv"].to_numpy(), abs=0.01)


def test_a_table_of_words_takes_its_spaces_from_the_text_beside(read_anew, tmp_path):
    for form in ("tsv", "text"):
        shutil.copytree(read_anew / form, tmp_path, dirs_exist_ok=True)

    pool = read_pool(tmp_path)

    text = pool_of(read_anew, "text")
    assert [one.split() for one in pool["hypothesis"]] == [
        one.split() for one in text["hypothesis"]
    ]


@pytest.mark.parametrize("form", ["tsv", "hocr", "alto", "text"])
def test_scores_are_those_of_the_bundled_pool(read_anew, form):
    lines = (read_anew / "pool.jsonl").read_text("utf-8").splitlines()
    references = {row["doc_id"]: row["reference"] for row in map(json.loads, lines)}
    pool = pool_of(read_anew, form)

    texts = pool["doc_id"].map(references).tolist(), pool["hypothesis"].tolist()
    scores = score_texts(*texts, options=TextOptions.preset("ocrd"))

    # The shipped images are small; Tesseract reads them worse than the scans they were made of.
    assert scores["cer"].median() < 0.35
