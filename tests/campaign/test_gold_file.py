import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign.gold_file import (
    GoldLine,
    check_documents,
    level_number,
    level_text,
    read_gold,
    write_gold,
)
from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError
from ocrjury.scales import Scale

TEXTS = st.text(st.characters(exclude_categories=("C", "Z")), max_size=12)
SCALES = [
    Scale.likert(1, 5),
    Scale.binary(),
    Scale.nominal(["fine", "=wrong", "3"]),
    Scale.interval(0, 100),
]


@pytest.fixture
def gold_from(tmp_path, rubric_body):
    """Read a gold file against the plain rubric with changes."""

    def read(text, *, encoding="utf-8", **changes):
        path = tmp_path / "gold.csv"
        path.write_text(text, encoding)
        return read_gold(path, Rubric.model_validate(rubric_body(**changes)))

    return read


def test_a_csv_file_is_read_in_its_order(gold_from):
    lines = gold_from("doc_id,dimension,value,explanation\nd2,layout,4,한 칸\nd1,meaning,5.0,\n")

    assert lines == (GoldLine("d2", "layout", 4.0, "한 칸"), GoldLine("d1", "meaning", 5.0))


def test_a_jsonl_file_is_read_alike(gold_from):
    rows = [
        {"doc_id": 7, "dimension": "meaning", "value": 5, "source": "adjudicated"},
        {"doc_id": "d1", "dimension": "layout", "value": 2.0, "explanation": "a\nb"},
    ]

    lines = gold_from("\n".join(map(json.dumps, rows)) + "\n\n")

    assert lines == (
        GoldLine("7", "meaning", 5.0, "", "adjudicated"),
        GoldLine("d1", "layout", 2.0, "a\nb"),
    )


def test_a_spreadsheet_of_korea_is_read(gold_from):
    text = "doc_id;dimension;value;explanation\n금액-1;meaning;3;쉼표\n"

    assert gold_from(text, encoding="cp949")[0].doc_id == "금액-1"


@pytest.mark.parametrize(
    ("opening", "first"),
    [("\n\n", 3), (";;\n", 2), ("sep=;\n", 2), ("sep=;\r\n\n", 3), ("\ufeffsep=;\n", 2)],
)
def test_what_stands_above_the_header_is_passed_over(gold_from, opening, first):
    text = f"{opening}doc_id;dimension;value\nd1;meaning;4\n"

    assert gold_from(text) == (GoldLine("d1", "meaning", 4.0),)
    with pytest.raises(InputError, match=f"line {first}: there is no column 'value'"):
        gold_from(text.replace("value", "valu"))
    with pytest.raises(InputError, match=f"line {first + 1}: the value '9' is not"):
        gold_from(text.replace("4", "9"))


def test_names_are_kept_as_their_places(gold_from):
    scale = {"kind": "nominal", "categories": ["fine", "wrong"]}

    (line,) = gold_from("doc_id,dimension,value\nd1,meaning,wrong\n", scale=scale)

    assert line.value == 1.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("doc_id,dimension\nd1,meaning\n", "line 1: there is no column 'value'; found 'doc_id'"),
        (
            "doc_id,dimension,value,explanaton\n",
            "line 1: column 'explanaton' is not known. Did you mean 'explanation'?",
        ),
        ("", "3 problems:\n- line 1: there is no column 'doc_id'; found nothing."),
        ("doc_id,dimension,value\n", "it holds no rating."),
        (
            "doc_id,dimension,value\nd1,meanin,4\n",
            (
                "line 2: the rubric has no dimension 'meanin'; it has meaning and layout. "
                "Did you mean 'meaning'?"
            ),
        ),
        (
            "doc_id,dimension,value\nd1,meaning,4.5\n",
            "line 2: the value '4.5' is not on the rubric's scale (likert 1 to 5).",
        ),
        (
            "doc_id,dimension,value\n,meaning,4\n",
            "line 2: it names no document in doc_id.",
        ),
        (
            "doc_id,dimension,value\nd1,meaning,4\n\nd1,meaning,5\n",
            "line 4: 'd1' on meaning stands on line 2 already; keep one.",
        ),
        (
            "doc_id,dimension,value,source\nd1,meaning,4,rumour\n",
            "line 2: source is 'rumour'; it must be file, adjudicated, consensus or empty.",
        ),
        ('doc_id,dimension,value\n"d1,meaning,4\n', "is not CSV"),
        (
            '{"doc_id": "d1"\n',
            "line 1: this is not JSON (it breaks off before it is complete).",
        ),
        (
            '{"doc_id": "d1", "dimension": "meaning", "value": 4, "value": 2}\n',
            "line 1: this is not JSON (the key 'value' comes twice).",
        ),
        ('{"doc_id": ' + "[" * 100_000, "line 1: this is not JSON"),
        ('{"doc_id": "d1", "dimension": "meaning", "value": 4}\n[1]\n', "line 2: this is no JSON"),
        (
            "doc_id,dimension,value,explanation\nd1,meaning,4,good, clear\n",
            "line 2: it has 5 cells, but there are 4 columns; put a text with a comma in quotes",
        ),
        (
            "doc_id,dimension,value,value\nd1,meaning,4,5\n",
            "line 1: column 'value' comes twice; keep one.",
        ),
        (
            '{"doc_id": "d1", "dimension": "meaning", "value": 4, "sourse": "consensus"}',
            "line 1: the key 'sourse' is not known. Did you mean 'source'?",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_line(gold_from, text, sentence):
    with pytest.raises(InputError) as error:
        gold_from(text)

    assert "The gold file" in str(error.value) or "is not CSV" in str(error.value)
    assert sentence in str(error.value)


def test_many_problems_are_counted(gold_from):
    rows = "\n".join(f"d{n},meaning,9" for n in range(40))

    with pytest.raises(InputError, match=r"has 40 problems:(\n- line .*){10}\n- and 30 more$"):
        gold_from(f"doc_id,dimension,value\n{rows}\n")


def test_a_file_that_is_not_there_or_no_text_is_refused(gold_from, tmp_path, rubric_body):
    rubric = Rubric.model_validate(rubric_body())
    with pytest.raises(InputError, match=r"gold\.csv cannot be read: No such file"):
        read_gold(tmp_path / "gold.csv", rubric)

    (tmp_path / "gold.csv").write_bytes(b"\xff\xff\xfe\x80")
    with pytest.raises(InputError, match="is neither UTF-8 nor CP949 text"):
        read_gold(tmp_path / "gold.csv", rubric)


def test_documents_that_are_not_there_are_named(tmp_path):
    lines = [GoldLine(f"d{n}", "meaning", 4.0) for n in range(15)]
    check_documents("gold.csv", lines, {line.doc_id for line in lines})

    with pytest.raises(InputError, match=r"there is no document 'd1' in its pool\. Did you mean"):
        check_documents("gold.csv", lines[:2], {"d0", "d11"})
    with pytest.raises(InputError, match=r"(?s)has 14 problems:.*and 4 more$") as error:
        check_documents("gold.csv", lines, {"d0"})
    assert "'d0'" not in str(error.value).replace("mean 'd0'", "")


@given(
    st.sampled_from(SCALES),
    st.lists(
        st.tuples(TEXTS.filter(str.strip), TEXTS, st.integers(0, 1)),
        min_size=1,
        unique_by=lambda one: one[0].strip(),
    ),
)
def test_what_is_written_is_read_again(scale, rows):
    kind = {"kind": scale.kind}
    if scale.kind in {"likert", "interval"}:
        kind |= {"low": scale.low, "high": scale.high}
    if scale.kind == "nominal":
        kind |= {"categories": list(scale.categories)}
    dimension = {"name": "meaning", "title": "x", "description": "x"}
    rubric = Rubric.model_validate({"purpose": "x", "scale": kind, "dimensions": [dimension]})
    lines = tuple(
        GoldLine(name.strip(), "meaning", scale.low + one if scale.ordered else float(one), text)
        for name, text, one in rows
    )

    text = io.StringIO(newline="")
    write_gold(text, lines, scale)

    assert _read(text.getvalue(), rubric) == lines


def _read(text, rubric):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "gold.csv")
        path.write_text(text, "utf-8", newline="")
        return read_gold(path, rubric)


@pytest.mark.parametrize("scale", SCALES)
def test_a_level_is_the_same_after_writing(scale):
    for value in scale.numbers or (0.0, 12.5, 100.0, 100 / 7):
        assert level_number(level_text(value, scale), scale) == value
    assert level_number("no level", scale) is None
    assert level_number("1_0", scale) is None
