"""A page that is written in any format is read as it was."""

import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ocrjury.readers import read_pool, read_units
from tests.readers.ocr_files import (
    ALPHABETIC_PAGES,
    ANY_PAGES,
    SUFFIXES,
    WRITERS,
    text_of,
)

ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
STRUCTURED = ["page", "alto", "hocr"]


def written(tmp_path, form, page):
    path = tmp_path / f"p.{SUFFIXES[form]}"
    path.write_text(WRITERS[form](page), encoding="utf-8", newline="")
    return path


def words_of(page):
    return [word for line in page for word in line]


@pytest.mark.parametrize("form", STRUCTURED)
@ONE_FOLDER
@given(page=ANY_PAGES)
def test_text_confidence_and_format_are_those_that_were_written(*, tmp_path, form, page):
    pool = read_pool(written(tmp_path, form, page))

    known = [word.share for word in words_of(page) if word.share is not None]
    assert pool["hypothesis"].tolist() == [text_of(page)]
    assert pool.attrs["format"] == form
    if known:
        assert pool["confidence"].tolist() == [pytest.approx(sum(known) / len(known))]
    else:
        assert pool["confidence"].isna().all()


@pytest.mark.parametrize("form", [*STRUCTURED, "tsv"])
@ONE_FOLDER
@given(page=ALPHABETIC_PAGES.filter(bool))
def test_words_and_boxes_are_those_that_were_written(*, tmp_path, form, page):
    pool = read_units(written(tmp_path, form, page), unit="word")

    assert pool["hypothesis"].tolist() == [word.text for word in words_of(page)]
    assert pool["box"].tolist() == [pytest.approx(word.relative) for word in words_of(page)]
    assert pool["confidence"].tolist() == [
        pytest.approx(float("nan") if word.share is None else word.share, nan_ok=True)
        for word in words_of(page)
    ]
    assert pool["page_id"].eq("p").all()


@ONE_FOLDER
@given(page=ANY_PAGES, gap=st.sampled_from([" ", "  "]))
def test_a_table_with_its_text_beside_has_the_texts_white_space(*, tmp_path, page, gap):
    path = written(tmp_path, "tsv", page)
    text = "\n".join(gap.join(word.text for word in line) for line in page)
    path.with_suffix(".txt").write_text(f"{text}\n\f", encoding="utf-8", newline="")

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pool = read_pool(path)

    assert pool["hypothesis"].tolist() == [text_of(page)]
    path.with_suffix(".txt").unlink()


@ONE_FOLDER
@given(page=ANY_PAGES)
def test_all_formats_of_a_page_have_the_same_characters(tmp_path, page):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        texts = {
            form: "".join(read_pool(written(tmp_path, form, page))["hypothesis"][0].split())
            for form in WRITERS
        }

    assert set(texts.values()) == {"".join(text_of(page).split())}


@ONE_FOLDER
@given(page=ANY_PAGES)
def test_lines_are_those_that_were_written(tmp_path, page):
    for form in STRUCTURED:
        if page:
            pool = read_units(written(tmp_path, form, page), unit="line")
            assert "\n".join(pool["hypothesis"]) == text_of(page)
