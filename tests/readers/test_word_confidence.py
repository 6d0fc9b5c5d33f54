"""A page has the mean confidence of its words, and the least one beside."""

from pathlib import Path

import pytest

from ocrjury.readers import read_pool, read_units
from ocrjury.readers.ocr_pages import Line, Page, Word

DATA = Path(__file__).resolve().parents[1] / "data" / "ocr"


def test_the_least_confidence_is_that_of_the_words_that_have_one():
    page = Page([Line("a b", (Word("a", 0.9), Word("b", 0.4), Word("c"))), Line("d")])

    assert (page.mean_confidence, page.least_confidence) == (0.65, 0.4)
    assert Page([Line("d", confidence=0.5)]).least_confidence is None


@pytest.mark.filterwarnings("ignore:White space")
def test_a_pool_of_pages_has_it_as_a_column(tmp_path):
    (tmp_path / "a.tsv").write_bytes((DATA / "korean.tsv").read_bytes())
    (tmp_path / "b.txt").write_text("no words", encoding="utf-8")

    pool = read_pool(tmp_path)

    words = read_units(tmp_path, unit="word")
    least = words.loc[words["page_id"] == "a", "confidence"].min()
    assert pool.set_index("doc_id")["min_word_confidence"].tolist() == [
        pytest.approx(least),
        pytest.approx(float("nan"), nan_ok=True),
    ]


def test_a_pool_without_word_confidences_has_no_such_column(tmp_path):
    (tmp_path / "b.txt").write_text("no words", encoding="utf-8")

    assert "min_word_confidence" not in read_pool(tmp_path)
