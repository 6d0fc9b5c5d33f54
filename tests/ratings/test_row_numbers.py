"""First columns that number the rows without a name, as pandas and R write them."""

import pandas as pd
import pytest

from ocrjury.errors import InputError
from ocrjury.ratings.files import Names, read_ratings

NOTE = "; the first column, which numbers the rows, was left out"


@pytest.fixture
def keep(tmp_path):
    """A function that keeps a text, or a frame as pandas writes it."""

    def call(content, **options):
        path = tmp_path / "ratings.csv"
        if isinstance(content, str):
            path.write_text(content)
        else:
            content.to_csv(path, **options)
        return path

    return call


@pytest.fixture
def long():
    return pd.DataFrame(
        {
            "item": ["d1", "d1", "d2", "d2"],
            "rater": ["R1", "R2", "R1", "R2"],
            "meaning": [3, 4, 2, 2],
            "layout": [5, 5, 1, 2],
        }
    )


@pytest.fixture
def wide():
    return pd.DataFrame({"document": ["d1", "d2", "d3"], "A": [3, 2, 5], "B": [4, 2, 5]})


def test_the_index_of_a_long_frame_is_no_dimension(keep, long):
    path = keep(long)
    ratings = read_ratings(path)

    assert ratings.dimensions == ["meaning", "layout"]
    assert ratings.shape == f"long, with 2 columns of ratings{NOTE}"
    again = read_ratings(keep(pd.read_csv(path)))  # pandas calls its own index "Unnamed: 0"
    assert (again.rating, again.shape) == (ratings.rating, ratings.shape)


def test_the_index_of_a_wide_frame_takes_no_name_from_the_items(keep, wide):
    ratings = read_ratings(keep(wide))

    assert ratings.shape == f"wide, 2 raters, items named by 'document'{NOTE}"
    assert (ratings.raters, set(ratings.item)) == (["A", "B"], {"d1", "d2", "d3"})


def test_an_index_that_alone_tells_the_items_apart_names_them(keep, wide):
    numbered = read_ratings(keep(wide[["A", "B"]]))
    named = read_ratings(keep(wide.set_index("document").rename_axis(None)))

    assert numbered.shape == named.shape == "wide, 2 raters, items named by the first column"
    assert (set(numbered.item), set(named.item)) == ({"0", "1", "2"}, {"d1", "d2", "d3"})
    by_page = read_ratings(keep(wide.assign(document=["p", "p", "q"])), aside=["document"])
    assert set(by_page.item) == {"0", "1", "2"}


def test_a_column_that_the_question_names_stays(keep, wide):
    ratings = read_ratings(keep(wide), aside=["document"], names=Names(item=""))

    assert set(ratings.item) == {"0", "1", "2"}


@pytest.mark.parametrize("line", ["d1,R1,3", '"d1","R1",3'])
def test_rows_with_one_cell_more_than_the_header_are_refused_with_what_to_do(keep, line):
    text = f"item,rater,rating\n1,{line}\n\n2,d2,R1,4\n"

    with pytest.raises(InputError) as refused:
        read_ratings(keep(text))

    assert str(refused.value).endswith(
        "row 2: it has 4 cells; the file has 3 columns; row 4: it has 4 cells; the file has 3 "
        "columns. All rows have one cell more than the header: if each begins with its number or "
        "name, name that column too; if numbers have a decimal comma, write a point. Nothing was "
        "read."
    )


def test_a_ragged_row_is_refused_with_what_to_do(keep):
    with pytest.raises(InputError) as refused:
        read_ratings(keep("item,rater,rating\nd1,R1,3\nd2,R1,4,5\n"))

    assert str(refused.value).endswith(
        "row 3: it has 4 cells; the file has 3 columns. Put quotes around a cell that contains the "
        "separator, or remove what is not needed. Nothing was read."
    )
