"""What is said of ratings and names in a file that are written in another way."""

import re

import pytest


def long_file(path, cells, *, item="i{item}", rater="R{rater}"):
    rows = [
        f"{item.format(item=place // 2)};{rater.format(rater=place % 2)};{cell}"
        for place, cell in enumerate(cells)
    ]
    path.write_text("\n".join(["item;rater;rating", *rows]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("scale", "strange", "hint"),
    [
        ("interval:0:100", "4,5", "Write a point before decimals, and nothing between thousands"),
        ("interval:0:5000", "1.234,5", "Write a point before decimals"),
        ("interval:0:5000", "1,234", "nothing between thousands: 1234.5."),
        ("binary", "TRUE", "On a binary scale write 1 for yes and 0 for no."),
        ("binary", "예", "On a binary scale write 1 for yes and 0 for no."),
        ("likert:1:5", "#N/A", "Where there is no rating, leave the cell empty."),
        ("likert:1:5", "null", "Where there is no rating, leave the cell empty."),
    ],
)
def test_how_a_rating_is_written_is_said_where_it_is_written_otherwise(
    run, tmp_path, scale, strange, hint
):
    file = long_file(tmp_path / "r.csv", [1, strange, 1, 1])

    answer = run("agreement", file, "--scale", scale)

    assert hint in answer.err
    assert answer.code == 2
    file = long_file(tmp_path / "r.csv", [1, strange, strange, 1])
    assert hint in run("agreement", file, "--scale", scale).err


def test_a_rating_beyond_the_scale_has_no_such_hint(run, tmp_path):
    file = long_file(tmp_path / "r.csv", [1, 7, 1, 1])

    answer = run("agreement", file, "--scale", "likert:1:5")

    assert answer.err.rstrip().endswith("declare its scale with --scale.")


def test_items_and_raters_that_may_be_one_are_told(run, tmp_path):
    path = tmp_path / "r.csv"
    rows = ["A1,kim,3", "a1,lee,4", "07,kim,3", "7,lee,4", "b,kim,2", "b,Kim,2"]
    path.write_text("\n".join(["item,rater,rating", *rows]), encoding="utf-8")

    answer = run("agreement", path, "--scale", "likert:1:5", "--exit-zero")

    assert (
        f"{path}: the items 'A1' and 'a1' differ only in capitals, spaces or zeros, as does one "
        "more. They count as different items; if they are one, write them alike." in answer.err
    )
    assert "the raters 'kim' and 'Kim' differ only in capitals, spaces or zeros." in answer.err
    assert "5 items, 3 raters, 6 ratings" in answer.out
    assert answer.code == 0


def test_rows_and_columns_of_totals_are_told(run, tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("item,R1,R2,평균\na,1,3,2\nb,3,3,3\nTotal,4,2,3\n", encoding="utf-8")

    answer = run("agreement", path, "--scale", "likert:1:5", "--exit-zero")

    ending = "counts like any other; if it holds totals or means, remove it."
    assert answer.err.splitlines() == [
        f"{path}: the item 'Total' {ending}",
        f"{path}: the rater '평균' {ending}",
    ]


def test_dimensions_that_may_be_one_are_told(run, tmp_path):
    path = tmp_path / "r.csv"
    rows = [f"a,R{n},{name},3" for n in range(2) for name in ("Meaning", "meaning")]
    path.write_text("\n".join(["item,rater,dimension,rating", *rows]), encoding="utf-8")

    answer = run("agreement", path, "--scale", "likert:1:5", "--exit-zero")

    assert "the dimensions 'Meaning' and 'meaning' differ only in capitals" in answer.err


def test_a_typesetters_minus_is_one(run, tmp_path):
    file = long_file(tmp_path / "r.csv", ["−1", "-1", "0", "1"])

    answer = run("agreement", file, "--scale", "likert:-1:1", "--exit-zero")

    assert "2 items, 2 raters, 4 ratings" in answer.out


def test_text_in_utf_16_without_a_mark_is_told(run, tmp_path):
    path = tmp_path / "r.csv"
    path.write_bytes("item,rater,rating\na,R1,3\n".encode("utf-16-le"))

    answer = run("agreement", path, "--scale", "likert:1:5")

    assert answer.err == (
        f"{path} holds NUL characters, as UTF-16 without a byte order mark does; save it again as "
        "UTF-8.\n"
    )
    assert answer.code == 2


def test_names_that_differ_otherwise_are_not_told(run, tmp_path):
    file = long_file(tmp_path / "r.csv", [1, 2] * 12, item="p{item}.10")

    assert run("agreement", file, "--scale", "likert:1:5", "--exit-zero").err == ""


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        (["1", "1", "", ""], "row 4: the column 'w' holds weights, numbers of 0 or more; found ''"),
        (["1", "1", "nan", "1"], "row 4: the column 'w' .* found 'nan' for item 'b'."),
        (["-1", "1", "1", "1"], "row 2: the column 'w' .* found '-1' for item 'a'."),
        (["0"] * 4, "every weight in the column 'w' is 0, so that no item counts."),
        (["1,5"] * 4, "row 2: .* found '1,5'"),
        (["2", "2", "3", "4"], "row 5: item 'b' has the weight '4' in .* 'w', but '3' in row 4."),
    ],
)
def test_a_weight_that_is_none_is_named_by_its_row(run, tmp_path, weights, sentence):
    path = tmp_path / "r.csv"
    rows = [
        f"{item};R{n % 2};3;{w}" for n, (item, w) in enumerate(zip("aabb", weights, strict=True))
    ]
    path.write_text("\n".join(["item;rater;rating;w", *rows]), encoding="utf-8")

    answer = run("agreement", path, "--scale", "likert:1:5", "--item-weight", "w")

    assert re.search(sentence, answer.err)
    assert answer.code == 2
