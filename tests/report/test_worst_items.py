import pandas as pd
import pytest
from PIL import Image

from ocrjury.pages import page_images
from ocrjury.report import crops
from ocrjury.report.worst_items import worst_items
from ocrjury.text import score_texts


@pytest.fixture
def pool():
    frame = pd.DataFrame(
        {
            "doc_id": ["a", "b", "c", "d"],
            "page_id": "p1",
            "doc_type": ["진단서", None, "처방전", "처방전"],
            "kind": ["amount", "code", None, "text"],
            "language": "ko",
            "reference": ["1,200원", "S72.0", None, "처방"],
            "hypothesis": ["1.200", "572.O", "abc", "처방"],
            "confidence": [0.9, None, 0.2, 0.8],
            "image": ["a.png", None, None, "absent.png"],
            "box": [[0, 0, 1, 1], None, None, None],
        }
    )
    scores = score_texts(frame["reference"].tolist(), frame["hypothesis"].tolist())
    return pd.concat([frame, scores.reset_index(drop=True)], axis=1)


@pytest.fixture
def ratings():
    rows = [("a", "R01", 1), ("a", "R02", 2), ("b", "R01", 2), ("b", "R02", 1), ("c", "R01", 4)]
    rows += [("x", "R01", 1)]
    meaning = [(item, rater, "meaning", value) for item, rater, value in rows]
    other = [("a", "R01", "layout", 5)]
    return pd.DataFrame(meaning + other, columns=["item", "rater", "dimension", "rating"])


def test_the_lowest_mean_comes_first_and_the_higher_error_rate_among_equals(pool, ratings):
    items = worst_items(pool, ratings, dimension="meaning", examples="shown")

    assert [row.doc_id for row in items.rows] == ["b", "a", "c"]
    assert items.n_rated == 4
    assert items.rows[1].ratings[0].values == {"meaning": 1.0, "layout": 5.0}  # noqa: PD011  # no frame


def test_each_page_comes_once_as_long_as_there_are_others(pool, ratings):
    pool["page_id"] = ["p1", "p1", "p2", None]

    two = worst_items(pool, ratings, dimension="meaning", count=2)
    all_of_them = worst_items(pool, ratings, dimension="meaning", count=3)

    assert [row.doc_id for row in two.rows] == ["b", "c"]
    assert [row.doc_id for row in all_of_them.rows] == ["b", "a", "c"]


def test_missing_values_are_none_and_not_nan(pool, ratings):
    last = worst_items(pool, ratings, dimension="meaning").rows[-1]

    assert (last.cer, last.substitutions, last.kind) == (None, None, None)
    assert last.text.reference is None


def test_no_text_is_there_when_examples_are_off(pool, ratings):
    items = worst_items(pool, ratings, dimension="meaning", examples="off")

    assert all(not row.text.reference and not row.text.hypothesis for row in items.rows)


def test_a_pool_cannot_name_a_picture_outside_of_its_folder(pool, ratings, tmp_path):
    Image.new("RGB", (30, 30)).save(tmp_path / "secret.png")
    (tmp_path / "images").mkdir()
    images = tmp_path / "images"
    hostile = pool.assign(image=["../secret.png", str(tmp_path / "secret.png"), None, None])

    found = worst_items(hostile, ratings, dimension="meaning", examples="shown", images=images)

    assert [row.image for row in found.rows] == [None, None, None]


def test_pictures_are_there_only_when_examples_are_shown(pool, ratings, tmp_path):
    Image.new("RGB", (30, 30)).save(tmp_path / "a.png")

    def pictures(examples):
        found = worst_items(pool, ratings, dimension="meaning", examples=examples, images=tmp_path)
        return {row.doc_id for row in found.rows if row.image}

    assert pictures("shown") == {"a"}
    assert pictures("masked") == set()


def test_labels_come_with_their_probability(pool, ratings):
    items = worst_items(pool, ratings, dimension="meaning", count=1, labels={"b": (1, 0.97)})

    assert (items.rows[0].label, items.rows[0].label_confidence) == (1, 0.97)


def test_a_page_is_decoded_once_for_all_of_its_items(pool, ratings, tmp_path, monkeypatch):
    Image.new("RGB", (30, 30)).save(tmp_path / "a.png")
    pages = pool.assign(image=["a.png", "a.png", "a.png", None])
    opened = []

    def open_page(path, **options):
        opened.append(path.name)
        return page_images.open_page(path, **options)

    monkeypatch.setattr(crops, "open_page", open_page)
    found = worst_items(pages, ratings, dimension="meaning", examples="shown", images=tmp_path)

    assert opened == ["a.png"]
    assert all(row.image for row in found.rows)
