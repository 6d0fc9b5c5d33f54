import io
import json
import re
import zipfile
from collections import Counter
from importlib.resources import files

import pytest
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter

from ocrjury.campaign.rating_sections import RatingPage
from ocrjury.errors import InputError
from ocrjury.frontends.sheets.rule_cells import UNBOUND
from ocrjury.frontends.sheets.styles import DONE, LOOKS, STARTED
from ocrjury.frontends.sheets.texts import LONGEST
from ocrjury.frontends.sheets.words import every_language, flag_words, words_of
from tests.frontends.sheets.worked_sheets import (
    DIMENSIONS,
    FIRST,
    HEADER,
    Desk,
    an_item,
    columns_of,
    gold_item,
    small_rubric,
)

HOSTILE = ['=HYPERLINK("http://x","y")', "+1", "-500", "@SUM(A1)", "\t=1", "＝1", "'=1"]


def opened(path):
    return load_workbook(path)


def rows_of(sheet):
    """The rows as {column's name: cell}."""
    places = columns_of(sheet)
    return [
        {name: sheet.cell(row, place) for name, place in places.items()}
        for row in range(FIRST, sheet.max_row + 1)
    ]


def test_a_row_has_the_texts_and_empty_cells_for_the_answers(desk):
    desk.collect(an_item("d1", field="진료비 합계"), an_item("d2"), an_item("d3"))
    book = opened(desk.export()["R01"])

    values = {name: cell.value for name, cell in rows_of(book["Ratings"])[0].items()}
    key, rule = values.pop("key"), values.pop("rule")
    assert rule.startswith("=IF(COUNTA($H5)<1,")
    assert re.fullmatch(r"k-[a-z2-7]{16}", key)
    assert values == {
        "number": 1,
        "image": None,
        "doc_type": "진단서",
        "field": "진료비 합계",
        "kind": "Amount",
        "reference": "금액 1",
        "hypothesis": "금맥 1",
        **dict.fromkeys((*DIMENSIONS, "confidence", "flag", "comment")),
    }
    assert book["Ratings"]["A1"].value == "korean-claims-2026w47 · round 1 · rater R01 · items: 3"


def test_only_the_cells_for_answers_can_be_changed(collecting):
    book = opened(collecting.export()["R01"])

    free = {*DIMENSIONS, "confidence", "flag", "comment"}
    for row in rows_of(book["Ratings"]):
        assert {name for name, cell in row.items() if not cell.protection.locked} == free
    assert all(sheet.protection.sheet for sheet in book)
    assert book.security.lockStructure
    assert [sheet.sheet_state for sheet in book] == ["visible", "visible", "veryHidden"]


def test_every_answer_has_a_list_or_a_limit(collecting):
    sheet = opened(collecting.export()["R01"])["Ratings"]

    found = {}
    for one in sheet.data_validations.dataValidation:
        assert one.showErrorMessage
        assert one.allow_blank
        first = str(one.sqref).split(":")[0]
        found[sheet.cell(HEADER, sheet[first].column).value] = one
        assert str(one.sqref).endswith(str(FIRST + 2))
    assert found["Meaning"].formula1 == '"1,2,3,4,5"'
    assert found["Meaning"].prompt.startswith("5: Perfect: says the same as the page.")
    assert found["How sure are you?"].formula1 == '"1,2,3"'
    assert found["How sure are you?"].prompt == "1 = unsure\n2 = fairly sure\n3 = sure"
    assert found["Cannot be rated because"].formula1.count(",") == 5
    assert (found["Comment"].type, found["Comment"].formula1) == ("textLength", "2000")


def test_the_sheet_is_pleasant_to_work_in(collecting):
    sheet = opened(collecting.export()["R01"])["Ratings"]

    places = columns_of(sheet)
    width = {
        name: sheet.column_dimensions[get_column_letter(at)].width for name, at in places.items()
    }
    assert sheet.freeze_panes == f"B{FIRST}"
    assert sheet.auto_filter.ref == f"A{HEADER}:O{FIRST + 2}"
    assert width["reference"] == width["hypothesis"] > 40
    assert sheet.cell(FIRST, places["reference"]).alignment.wrap_text
    fills = [sheet.cell(FIRST + n, places["reference"]).fill.fgColor.rgb for n in range(3)]
    assert fills[0] == fills[2] != fills[1]
    assert sheet.row_dimensions[HEADER].height == 48
    assert sheet.print_title_rows == f"${HEADER}:${HEADER}"
    assert sheet.page_setup.orientation == "landscape"
    marks, above = sheet.conditional_formatting
    assert [rule.formula for rule in marks.rules] == [
        ['OR(COUNTA($H5:$J5)=3,$M5<>"")'],
        ["COUNTA($H5:$J5)>0"],
    ]
    assert [rule.formula for rule in above.rules] == [['LEFT($K5,2)="▲ "']]


def test_a_long_text_gets_a_high_row(desk):
    desk.collect(
        an_item("d1", hypothesis="가나다라마 " * 60),
        an_item("d2"),
        an_item("d3", hypothesis="가\n" * 99),
    )

    sheet = opened(desk.export()["R01"])["Ratings"]

    heights = [sheet.row_dimensions[FIRST + n].height for n in range(3)]
    assert heights[1] == 45 < heights[0] < heights[2] == 405


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(ink, fill):
    """Contrast of two colours as WCAG 2.2 defines it, 1 to 21."""
    light, dark = sorted((luminance(ink), luminance(fill)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_black_on_white_has_the_greatest_contrast():
    assert contrast("000000", "FFFFFF") == 21.0


@pytest.mark.parametrize("look", [*LOOKS.values()], ids=list(LOOKS))
def test_every_colour_has_enough_contrast(look):
    assert contrast(look.ink, look.fill or "FFFFFF") >= 4.5


@pytest.mark.parametrize(("ink", "fill"), [DONE, STARTED])
def test_so_have_the_marks_of_progress(ink, fill):
    assert contrast(ink, fill) >= 4.5


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_is_never_a_formula(desk, text):
    desk.collect(an_item("d1", reference=text, hypothesis=text, doc_type=text))

    body = desk.export()["R01"].read_bytes()

    [row] = rows_of(load_workbook(io.BytesIO(body))["Ratings"])
    for name in ("reference", "hypothesis", "doc_type"):
        assert row[name].data_type == "s"
        assert row[name].value == text
        assert row[name].quotePrefix
    parts = zipfile.ZipFile(io.BytesIO(body))
    formulas = re.findall(b"<f>(.*?)</f>", parts.read("xl/worksheets/sheet1.xml"))
    assert [formula[:15] for formula in formulas] == [b"IF(COUNTA($H5)&"]


def test_what_no_cell_can_hold_is_replaced_and_what_is_too_long_is_cut(desk):
    desk.collect(an_item("d1", reference="a\x00\ufffeb\r\nc", hypothesis="금" * 40_000))

    [row] = rows_of(opened(desk.export()["R01"])["Ratings"])

    assert row["reference"].value == "a\ufffd\ufffdb\nc"
    assert len(row["hypothesis"].value) == LONGEST
    assert row["hypothesis"].value.endswith("… [cut: the text is longer than a cell]")


def test_nothing_tells_what_a_rater_must_not_know(desk):
    items = [
        an_item("secret-item-7"),
        an_item("d2"),
        gold_item("secret-gold-8", reference="금액 8", hypothesis="금맥 8"),
    ]
    desk.collect(*items, again=["d2"])

    body = desk.export()["R01"].read_bytes()

    parts = zipfile.ZipFile(io.BytesIO(body))
    everything = b"".join(parts.read(name) for name in parts.namelist())
    for secret in ("engine-x", "secret-", "0.4217", "0.3141", "gold", "repeat", "/R01/", "random"):
        assert secret.encode() not in everything
    looks = Counter(
        tuple((name, cell.style, type(cell.value)) for name, cell in row.items())
        for row in rows_of(load_workbook(io.BytesIO(body))["Ratings"])
    )
    assert sorted(looks.values()) == [2, 2]  # by zebra stripe only


def rule_texts(book):
    """What the hidden sheet holds for the rule cells, with the limits, row by row."""
    return [tuple(cell.value for cell in row) for row in book["manifest"]["E1:F3"]]


def test_no_row_tells_its_rule_before_it_is_rated(desk):
    other = an_item("d2", reference="금액 2", hypothesis="금액 2")
    desk.collect(an_item("d1"), other, an_item("d3", kind=None))

    book = opened(desk.export()["R01"])

    rows = rows_of(book["Ratings"])
    formulas = {re.sub(r"(?<=[A-Z$])\d+", "#", row["rule"].value) for row in rows}
    assert formulas == {'=IF(COUNTA($H#)<1,"",IF(OR(N($H#)>manifest!$F$#),"▲ ","")&manifest!$E$#)'}
    assert all(row["rule"].protection.hidden and row["rule"].protection.locked for row in rows)
    heights = {book["Ratings"].row_dimensions[FIRST + n].height for n in range(3)}
    assert len(heights) == 1
    order = [row["hypothesis"].value for row in rows]
    said = dict(zip(order, rule_texts(book), strict=True))
    assert said == {
        "금맥 1": ("The value differs, 1 of 3 characters: at most 4", 4),
        "금액 2": ("No character differs", UNBOUND),
        "금맥 3": (None, UNBOUND),
    }


def test_where_differences_are_hidden_the_rule_alone_is_told(desk):
    desk.collect(an_item("d1"))

    book = opened(desk.export(page=RatingPage(diff="hidden"))["R01"])

    assert rule_texts(book)[0][0] == "Amount: if it differs by even one won, at most 4."


def test_a_rubric_without_rules_has_no_column_for_them(store, tmp_path):
    desk = Desk(store, tmp_path, rubric=small_rubric({"kind": "binary"})).collect(an_item("d1"))

    assert "rule" not in columns_of(opened(desk.export()["R01"])["Ratings"])


def test_without_a_reference_the_rater_is_sent_to_the_image(desk):
    desk.collect(an_item("d1", reference=None), an_item("d2", reference=""))

    none, empty = rows_of(opened(desk.export()["R01"])["Ratings"])

    assert none["reference"].value == "(none; compare with the image)"
    assert empty["reference"].value == "(empty)"


def test_sessions_are_told_where_there_are_several(desk):
    desk.collect(an_item("d1"), an_item("d2"), session_of=lambda place: place)

    rows = rows_of(opened(desk.export()["R01"])["Ratings"])

    assert [row["session"].value for row in rows] == [1, 2]


@pytest.mark.parametrize(
    ("language", "ratings", "anchor", "rule"),
    [
        ("en", "Ratings", "Perfect: says the same as the page.", "Amount"),
        ("ko", "평가", "완벽: 원본과 내용이 같다.", "금액: 1원이라도 다르면 4점 이하."),
        ("zh", "评分", "完美：内容与页面一致。", "金额：哪怕只差 1 韩元，最高 4 分。"),
    ],
)
def test_the_guide_speaks_the_language_as_far_as_the_rubric_does(
    collecting, language, ratings, anchor, rule
):
    book = opened(collecting.export(language=language)["R01"])

    say = words_of(language)
    guide = [cell.value for row in book[say("guide")] for cell in row if cell.value is not None]
    assert book.sheetnames == [ratings, say("guide"), "manifest"]
    assert anchor in guide
    assert any(str(cell).startswith(rule) for cell in guide)
    how = [f"how_{number}" for number in range(1, 8)]
    assert {*map(say, ("purpose", "dimensions", "rules", "cases", *how))} <= set(guide)


def test_a_rater_is_spoken_to_in_their_own_language(collecting):
    paths = collecting.export(language=None)

    assert opened(paths["R01"]).sheetnames[0] == "평가"


def test_a_language_without_words_is_refused(collecting):
    with pytest.raises(InputError, match="sheets speak en, ko, zh; found 'fr'"):
        collecting.export(language="fr")


def test_all_languages_say_the_same_things():
    folder = files("ocrjury") / "templates" / "sheets" / "messages"
    texts = [json.loads(path.read_text("utf-8")) for path in folder.iterdir()]

    assert all(list(one) == list(texts[0]) for one in texts)
    braces = [
        {key: sorted(re.findall(r"{(\w+)}", text)) for key, text in one.items()} for one in texts
    ]
    assert all(brace == braces[0] for brace in braces)


@pytest.mark.parametrize("say", every_language(), ids=lambda say: say("guide"))
def test_the_reasons_fit_into_the_list_of_a_cell(say):
    flags = flag_words(say)
    assert len(",".join(flags)) <= 255
    assert not any(set(word) & set(',;"') for word in flags)
    assert len({*flags}) == 6
    assert all(len(say(title)) <= 31 for title in ("ratings", "guide"))


@pytest.mark.parametrize(
    ("scale", "kind", "formula"),
    [
        ({"kind": "binary"}, "list", '"0,1"'),
        ({"kind": "likert", "low": 0, "high": 100}, "whole", "0"),
        ({"kind": "interval", "low": 0, "high": 1}, "decimal", "0"),
        ({"kind": "nominal", "categories": ["good", "bad"]}, "list", '"good,bad"'),
        ({"kind": "nominal", "categories": ["yes, all", "no"]}, "list", "manifest!$D$1:$D$2"),
    ],
)
def test_every_scale_has_its_list_or_limits(store, tmp_path, scale, kind, formula):
    desk = Desk(store, tmp_path, rubric=small_rubric(scale)).collect(an_item("d1"))

    sheet = opened(desk.export()["R01"])["Ratings"]

    made = sheet.data_validations.dataValidation[0]
    assert (made.type, made.formula1) == (kind, formula)


def test_every_dimension_has_the_list_of_its_own_scale(store, tmp_path):
    scales = [{"kind": "nominal", "categories": ["yes, all", "no"]}, {"kind": "binary"}]
    names = [{"name": name, "title": name, "description": "?"} for name in "abc"]
    own = [names[0], {**names[1], "scale": scales[0]}, {**names[2], "scale": scales[1]}]
    rubric = small_rubric({"kind": "likert", "low": 1, "high": 5}, dimensions=own)
    desk = Desk(store, tmp_path, rubric=rubric).collect(an_item("d1"))

    book = opened(desk.export()["R01"])

    made = book["Ratings"].data_validations.dataValidation[:3]
    assert [one.formula1 for one in made] == ['"1,2,3,4,5"', "manifest!$E$1:$E$2", '"0,1"']
    assert [row[4].value for row in book["manifest"].iter_rows(max_row=2)] == ["yes, all", "no"]


def test_a_dimension_called_like_another_column_is_told_apart(store, tmp_path):
    rubric = small_rubric(
        {"kind": "likert", "low": 1, "high": 5},
        dimensions=[
            {"name": "meaning", "title": "Comment", "description": "?"},
            {"name": "layout", "title": "Same", "description": "?"},
            {"name": "look", "title": "same", "description": "?"},
        ],
    )
    desk = Desk(store, tmp_path, rubric=rubric).collect(an_item("d1"))

    headers = [cell.value for cell in opened(desk.export()["R01"])["Ratings"][HEADER]]

    assert headers[7:10] == ["Comment (meaning)", "Same (layout)", "same (look)"]


def test_no_text_passes_through_a_temporary_file(collecting, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a temporary file")

    monkeypatch.setattr("tempfile._mkstemp_inner", refuse)

    book = opened(collecting.export()["R01"])

    assert rows_of(book["Ratings"])[0]["number"].value == 1
