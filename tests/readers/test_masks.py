import pandas as pd
import pytest

from ocrjury.errors import InputError
from ocrjury.readers.masks import masked_pages, parse_masks, read_masks, unknown_names

BOX, OTHER = [0.1, 0.2, 0.3, 0.4], [0.5, 0.5, 1.0, 1.0]


def pool(**columns):
    frame = {
        "doc_id": ["a", "b", "c"],
        "page_id": ["p", "p", "q"],
        "image": ["p.png", "p.png", None],
    }
    return pd.DataFrame({**frame, **columns})


def written(folder, text):
    path = folder / "masks.csv"
    path.write_text(text, "utf-8")
    return path


def test_a_file_names_pages_or_documents(tmp_path):
    path = written(tmp_path, "\ufeffpage_id, x0,y0,x1,y1\np,.1,.2,.3,.4\np,.5,.5,1,1\nq,0,0,1,1\n")

    found = read_masks(path)

    assert found == {"p": (tuple(BOX), tuple(OTHER)), "q": ((0.0, 0.0, 1.0, 1.0),)}
    path = written(tmp_path, "doc_id,x0,y0,x1,y1\nb,.1,.2,.3,.4\n")
    assert read_masks(path) == {"b": (tuple(BOX),)}


@pytest.mark.parametrize(
    "row",
    [
        "p,.3,.2,.1,.4",
        "p,-.1,0,1,1",
        "p,0,0,1,20",
        "p,0,0,1",
        "p,a,0,1,1",
        ",0,0,1,1",
        "p,nan,0,1,1",
    ],
)
def test_a_row_that_is_no_box_is_refused(tmp_path, row):
    with pytest.raises(InputError, match=r"masks\.csv, row 3: a mask needs a page_id or doc_id"):
        read_masks(written(tmp_path, f"page_id,x0,y0,x1,y1\nq,0,0,1,1\n{row}\n"))


@pytest.mark.parametrize("text", ["", "page_id,x0\np,1\n", "x0,y0,x1,y1\n0,0,1,1\n"])
def test_a_file_without_the_columns_is_refused(tmp_path, text):
    with pytest.raises(InputError, match="needs the columns page_id or doc_id, x0, y0, x1 and y1"):
        read_masks(written(tmp_path, text))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(
        InputError, match=r"cannot be read: No such file .*\. A file of masks is CSV with"
    ):
        read_masks(tmp_path / "absent.csv")


def test_a_mask_is_on_every_document_of_its_page_and_of_its_image():
    assert masked_pages(pool(masks=["[[0.1, 0.2, 0.3, 0.4]]", None, None])) == [[BOX], [BOX], None]
    same_image = pool(image=["x.png", None, "x.png"], masks=[[BOX], [OTHER], None])
    assert masked_pages(same_image) == [[BOX, OTHER], [BOX, OTHER], [BOX]]


def test_an_image_is_the_same_however_its_path_is_written():
    same_image = pool(image=["img/x.png", None, "./img//x.png"], masks=[[BOX], None, None])

    assert masked_pages(same_image)[2] == [BOX]


def test_a_file_adds_to_the_pool():
    found = masked_pages(
        pool(masks=[[BOX], None, None]), {"b": (tuple(OTHER),), "q": (tuple(BOX),)}
    )

    assert found == [[BOX, OTHER], [BOX, OTHER], [BOX]]


def test_masking_twice_changes_nothing():
    once = masked_pages(pool(masks=[[BOX], [OTHER], None]))

    assert masked_pages(pool(masks=once)) == once


@pytest.mark.parametrize("cell", ["[1]", "x", '{"a": 1}', [[0, 0, 2, 2]], 7, "[[0, 0, 1]]"])
def test_a_cell_that_is_no_list_of_boxes_is_refused_by_its_document(cell):
    assert parse_masks(cell) is None
    with pytest.raises(InputError, match=r"column 'masks' must hold lists .* does not for 'b'"):
        masked_pages(pool(masks=[None, cell, None]))


@pytest.mark.parametrize("cell", [None, "", float("nan"), "[]", "null", []])
def test_no_mask_is_no_box(cell):
    assert parse_masks(cell) == ()


def test_names_that_no_page_has_are_told():
    assert unknown_names({"p": (), "c": (), "x": ()}, pool()) == ["x"]
