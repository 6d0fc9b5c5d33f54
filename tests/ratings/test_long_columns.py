import pytest

from ocrjury.errors import InputError
from ocrjury.ratings.files import Names, read_ratings

RATERS = ("kim", "lee", "park")


@pytest.fixture
def read(tmp_path):
    def call(header, rows, **names):
        path = tmp_path / "ratings.csv"
        path.write_text("\n".join([header, *rows]), encoding="utf-8")
        return read_ratings(path, names=Names(**names))

    return call


def long_rows(form, *, items=4, raters=RATERS):
    return [
        form.format(row=row, item=f"d{n}", rater=rater, rating=1 + (n + len(rater)) % 5)
        for row, (n, rater) in enumerate(((n, who) for n in range(items) for who in raters), 1)
    ]


@pytest.mark.parametrize(
    ("header", "form"),
    [
        ("doc,annotator,label", "{item},{rater},{rating}"),
        ("annotator,doc,label", "{rater},{item},{rating}"),
        ("text,coder_id,label", "{item},{rater},{rating}"),
        ("문서,평가자,점수", "{item},{rater},{rating}"),
        ("文档,标注员,分数", "{item},{rater},{rating}"),
        ("id,doc,annotator,label", "{row},{item},{rater},{rating}"),
        ("doc,annotator,rating,remark", "{item},{rater},{rating},fine"),
        ("doc,annotator,label,session", "{item},{rater},{rating},1"),
    ],
)
def test_a_column_that_is_called_for_raters_makes_a_file_long(read, header, form):
    ratings = read(header, long_rows(form))

    assert len(ratings.rating) == 12
    assert set(ratings.item) == {"d0", "d1", "d2", "d3"}
    assert ratings.raters == list(RATERS)
    assert ratings.dimensions == ["rating"]
    assert ratings.shape.startswith("long, one row for each rating; items are ")


def test_a_long_file_of_other_names_may_have_a_column_for_each_dimension(read):
    ratings = read("doc,annotator,meaning,layout", long_rows("{item},{rater},{rating},3"))

    assert ratings.dimensions == ["meaning", "layout"]
    assert ratings.shape == ("long, with 2 columns of ratings; items are 'doc', raters 'annotator'")


def test_a_long_file_of_other_names_may_name_its_dimensions(read):
    rows = [row for n in ("a", "b") for row in long_rows("{item},{rater}," + n + ",{rating}")]

    ratings = read("doc,annotator,dimension,score", rows)

    assert (ratings.dimensions, len(ratings.rating)) == (["a", "b"], 24)


@pytest.mark.parametrize(
    ("header", "form", "options"),
    [
        ("doc,who,label", "{item},{rater},{rating}", "--item doc --rater who --rating label"),
        ("who,doc,label", "{rater},{item},{rating}", "--item doc --rater who --rating label"),
        ("text,who,label", "{item},{rater},{rating}", "--item text --rater who --rating label"),
        ("doc,by whom,x", "{item},{rater},{rating}", "--item doc --rater 'by whom' --rating x"),
        ("doc,who,a,b", "{item},{rater},{rating},4", "--item doc --rater who --rating COLUMN"),
        (  # two columns are called for raters
            "doc,annotator,reviewer",
            "{item},{rater},{rating}",
            "--item doc --rater annotator --rating reviewer",
        ),
    ],
)
def test_a_file_that_seems_long_is_refused_with_the_options_that_name_its_columns(
    read, header, form, options
):
    with pytest.raises(InputError, match="stand in several rows") as caught:
        read(header, long_rows(form))

    assert f"Say which column is what: {options}. If every" in str(caught.value)


def test_raters_with_numbers_like_ratings_are_not_guessed(read):
    rows = long_rows("{item},{rater},{rating}", raters=("1", "2"))

    with pytest.raises(InputError, match="--item doc --rater annotator --rating label"):
        read("doc,annotator,label", rows)

    assert len(read("doc,annotator,label", long_rows("{item},{rater},{rating}")).rating) == 12


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("doc,annotator,judge", ["a,1,2", "b,2,3", "c,3,3"]),  # two raters of a wide file
        ("A,B,C", ["1,4,2", "1,4,3", "1,5,3", "1,5,2"]),
        ("A,B,C", ["yes,no,no", "yes,yes,no", "no,yes,yes", "no,no,yes"]),
        ("doc,kim,lee", ["a,1,2", "b,1,2", "c,1,2"]),
    ],
)
def test_a_wide_file_stays_wide(read, header, rows):
    assert read(header, rows).shape.startswith("wide")


def test_an_item_that_stands_twice_by_mistake_is_told_with_how_the_file_was_read(read):
    rows = [f"d{n},{n % 5},{n % 3}" for n in range(9)]

    with pytest.raises(InputError) as caught:
        read("doc,kim,lee", [*rows, "d3,1,1"])

    assert str(caught.value).endswith(
        "ratings.csv, row 11: kim rated item 'd3' before, in row 5; keep one of the two. The file "
        "was read as wide, with a row for each item and a column for each rater. If it has a row "
        "for each rating, name its columns with --item, --rater and --rating."
    )


def test_a_rating_that_stands_twice_in_a_long_file_may_be_of_another_dimension(read):
    rows = ["d1,kim,usable,1", "d1,kim,legible,0"]

    with pytest.raises(InputError, match=r"row 3: kim rated item 'd1' before.*'dimension'\.$"):
        read("item,rater,criterion,rating", rows)
