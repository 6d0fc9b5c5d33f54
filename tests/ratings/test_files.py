from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.errors import InputError
from ocrjury.ratings.files import Names, read_ratings


@pytest.fixture
def write(tmp_path):
    def call(text, encoding="utf-8"):
        path = tmp_path / "ratings.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return call


def cells(path, **names):
    return list(zip(*read_ratings(path, names=Names(**names))[:4], strict=True))


def test_long_with_and_without_a_dimension(write):
    assert cells(write("item,rater,rating\na,R1,3\n")) == [("a", "R1", "rating", "3")]
    assert cells(write("rater,item,rating,dimension\nR1,a,3,layout\n")) == [
        ("a", "R1", "layout", "3")
    ]


def test_long_with_a_column_for_each_dimension(write):
    found = read_ratings(write("item,rater,meaning,layout\na,R1,3,\nb,R1,1,2\n"))

    assert found.rating == ["3", "1", "2"]
    assert found.dimensions == ["meaning", "layout"]
    assert found.shape == "long, with 2 columns of ratings"
    found = read_ratings(write("item,rater,meaning\na,R1,3\nb,R1,1\n"))
    assert found.shape == "long, with 1 column of ratings"


def test_names_that_differ_only_in_unicodes_form_are_the_same(write):
    rows = [("문서", "김", "정상"), ("문서", "이", "정상"), ("쪽", "김", "정상")]
    text = "item,rater,rating\n" + "".join(
        normalize(form, ",".join(row)) + "\n"
        for row, form in zip(rows, ("NFC", "NFD", "NFD"), strict=True)
    )

    found = cells(write(text))

    assert [(item, rater, rating) for item, rater, _, rating in found] == rows


def test_columns_of_other_names_are_given(write):
    path = write("doc,annotator,label\na,R1,1\n")

    assert cells(path, item="doc", rater="annotator", rating="label") == [
        ("a", "R1", "rating", "1")
    ]


def test_wide_with_ids_by_name_or_by_being_words(write):
    assert cells(write("doc_id,A,B\n7,1,2\n")) == [
        ("7", "A", "rating", "1"),
        ("7", "B", "rating", "2"),
    ]
    assert cells(write("seite,A\nx,1\ny,2\n"))[0] == ("x", "A", "rating", "1")


def test_wide_without_ids_numbers_the_items(write):
    found = read_ratings(write("A,B\n1,2\n3,3\n"))

    assert set(found.item) == {"1", "2"}
    assert found.shape == "wide, 2 raters, items numbered by row"


@pytest.mark.parametrize("name", ["번호", "문서번호", "序号", "Item No", "page"])
def test_wide_with_numbers_under_a_name_of_items(write, name):
    found = read_ratings(write(f"{name},김,이\n1,3,3\n2,4,5\n"))

    assert found.raters == ["김", "이"]
    assert found.item == ["1", "1", "2", "2"]


@pytest.mark.parametrize("first", [0, 1, 101])
def test_wide_with_a_first_column_that_counts_the_rows(write, first):
    rows = "".join(f"{first + row},3,4\n" for row in range(8))

    assert read_ratings(write(f"x,A,B\n{rows}")).raters == ["A", "B"]
    assert read_ratings(write(f"x,A,B\n{rows}7,3,4\n")).raters == ["x", "A", "B"]
    assert read_ratings(write(f"A\n{rows.replace(',3,4', '')}")).raters == ["A"]


def test_raters_whose_names_are_labels_are_no_ids(write):
    found = read_ratings(write("A,B\nyes,no\nno,no\n"))

    assert set(found.rater) == {"A", "B"}


@pytest.mark.parametrize("missing", ["", "NA", "n/a", "nan", "*", "."])
def test_missing_ratings_are_left_out(write, missing):
    assert len(cells(write(f"item,A,B\na,1,{missing}\n"))) == 1


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
def test_separators_and_encodings(write, separator, encoding):
    text = "item,심사1,심사2\r\n가,1,2\r\n\r\n나,3,4\r\n".replace(",", separator)

    assert cells(write(text, encoding))[0] == ("가", "심사1", "rating", "1")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty; its first row must name the columns"),
        ("item,A\n", "needs a row of column names"),
        ("item,A\na,\n", "holds no rating"),
        ("item,A,A\na,1,2\n", "column 'A' stands there twice"),
        ("item,A\na,1\n\nb,2,3\n", "row 4: it has 3 cells; the file has 2 columns"),
        ('item,A\n"a,1\n', "line 2: this is not CSV"),
        ("rater,rating\nR1,1\n", "needs a column for the item and one for the rater"),
    ],
)
def test_what_is_no_table_of_ratings_is_refused(write, text, sentence):
    with pytest.raises(InputError, match=sentence):
        read_ratings(write(text))


def test_columns_without_ratings_are_set_aside(write):
    header = "item,rater,session,position,submitted_at,reference,w,meaning"
    text = f"{header}\na,R1,1,2,,x,3,5\nb,R1,1,1,,y,2,\n"
    found = read_ratings(write(text), aside=["w", "absent"])

    assert found.dimensions == ["meaning"]
    assert found.aside == {
        "session": ["1"],
        "position": ["2"],
        "submitted_at": [""],
        "reference": ["x"],
        "w": ["3"],
    }


def test_a_long_file_with_a_rating_column_sets_all_others_aside(write):
    found = read_ratings(write("item,rater,rating,round,llm\na,R1,3,1,4\n"))

    assert found.aside == {"round": ["1"], "llm": ["4"]}


def test_a_wide_file_sets_aside_what_it_is_told(write):
    found = read_ratings(write("item,A,llm,B,w\na,1,4,2,9\n"), aside=["llm", "w"])

    assert found.raters == ["A", "B"]
    assert found.aside == {"llm": ["4", "4"], "w": ["9", "9"]}
    assert read_ratings(write("w,A\n9,1\n"), aside=["w"]).raters == ["A"]
    with pytest.raises(InputError, match="holds no rating"):
        read_ratings(write("w\n9\n"), aside=["w"])


def test_rows_are_chosen_before_they_are_read(write):
    text = "item,rater,rating,kind\na,R1,3,main\na,R1,4,adaptive\n"

    assert read_ratings(write(text), where={"kind": "main"}).rating == ["3"]


def test_some_ratings_keep_their_context(write):
    found = read_ratings(write("item,rater,rating,w\na,R1,3,1\nb,R2,4,2\n"))

    kept = found.kept([False, True])

    assert kept[:5] == (["b"], ["R2"], ["rating"], ["4"], [3])
    assert kept.aside == {"w": ["2"]}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("item,rater,rating\na,R1,3\n,R1,4\n", "row 3: column 'item' is empty"),
        ("item,rater,rating\na,,3\n", "row 2: column 'rater' is empty"),
        ("item,rater,dimension,rating\na,R1,,3\n", "row 2: column 'dimension' is empty"),
        ("item,A\n,3\n", "row 2: column 'item' is empty"),
        (
            "item,rater,rating\na,R1,3\n\na,R1,3\n",
            "row 4: R1 rated item 'a' before, in row 2; keep one of the two",
        ),
        ("item,A\na,3\na,4\n", "row 3: A rated item 'a' before, in row 2"),
    ],
)
def test_ratings_of_nobody_or_given_twice_are_named_by_their_row(write, text, sentence):
    with pytest.raises(InputError, match=sentence):
        read_ratings(write(text))


def test_a_column_that_is_not_there_is_named(write):
    with pytest.raises(InputError, match="has no column 'who'; found 'item', 'rater', 'rating'"):
        read_ratings(write("item,rater,rating\na,R1,3\n"), names=Names(rater="who"))


def test_text_of_no_encoding_is_refused(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(b"item,A\n\xff\xff\xff,1\n")

    with pytest.raises(InputError, match="neither UTF-8 nor CP949"):
        read_ratings(path)


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcde"), st.sampled_from(["R1", "R2", "R3"])),
        st.integers(1, 5),
        min_size=1,
    )
)
def test_wide_and_long_say_the_same(tmp_path_factory, ratings):
    folder = tmp_path_factory.mktemp("same")
    long, wide = folder / "long.csv", folder / "wide.csv"
    lines = [f"{item},{rater},{value}" for (item, rater), value in ratings.items()]
    long.write_text("\n".join(["item,rater,rating", *lines]), encoding="utf-8")
    raters = sorted({rater for _, rater in ratings})
    rows = [
        ",".join([item, *(str(ratings.get((item, rater), "")) for rater in raters)])
        for item in sorted({item for item, _ in ratings})
    ]
    wide.write_text("\n".join([",".join(["item", *raters]), *rows]), encoding="utf-8")

    assert sorted(cells(long)) == sorted(cells(wide))


@pytest.mark.parametrize("opening", ["\n\n", "sep=;\n", "\ufeffsep=;\r\n"])
def test_what_stands_above_the_header_is_passed_over(write, opening):
    path = write(f"{opening}item;rater;rating\na;R1;3\na;R2;4\n")

    assert read_ratings(path).rating == ["3", "4"]


def test_a_tab_may_be_named_above_the_header(write):
    assert read_ratings(write("sep=\t\nitem\trater\trating\na\tR1\t3\n")).rating == ["3"]


def test_a_table_with_another_separator_has_one_column(write):
    with pytest.raises(InputError, match=r"it has one column, 'item\|rater\|rating', and"):
        read_ratings(write("item|rater|rating\na|R1|3\n"))


@pytest.mark.parametrize("head", ["item,R1,R2,,", "item,,R1,R2,"])
def test_wide_beside_columns_that_a_spreadsheet_saved_empty(write, head):
    empty = head.replace("item", "").replace("R1", "").replace("R2", "")
    rows = "".join(
        head.replace("item", f"i{n}").replace("R1", "3").replace("R2", "4") + "\n" for n in "ab"
    )

    found = read_ratings(write(f"{head}\n{rows}{empty}\n"))

    assert found.raters == ["R1", "R2"]
    assert found.item == ["ia", "ia", "ib", "ib"]


def test_the_index_that_pandas_writes_is_no_dimension(write):
    found = read_ratings(write(",item,rater,meaning,layout\n0,a,R1,3,2\n1,b,R1,1,2\n"))

    assert found.dimensions == ["meaning", "layout"]


@pytest.mark.parametrize(
    "text", ["Title,,\nitem,R1,R2\na,1,2\n", "item,rater,meaning,\na,R1,3,4\n", "item,R1,\na,1,2\n"]
)
def test_a_column_of_ratings_without_a_name_is_refused(write, text):
    with pytest.raises(InputError, match="must name every column"):
        read_ratings(write(text))


def test_cells_that_were_merged_are_to_be_filled(write):
    with pytest.raises(InputError, match=r"row 3: column 'item' is empty\. Fill it in every row"):
        read_ratings(write("item,rater,rating\na,R1,3\n,R2,4\n"))
