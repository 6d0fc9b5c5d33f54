import json
import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError, Scale
from ocrjury.readers import read_pool
from ocrjury.readers.judge_columns import judge_columns, number_columns

LIKERT = Scale.likert(1, 5)
ONE = {"LLM": {"meaning": "llm"}}
ANSWERS = [True, False]
ROWS = [
    {"doc_id": "a", "hypothesis": "x", "llm": 4, "small": 2.5, "silent": None},
    {"doc_id": "b", "hypothesis": "y", "llm": None, "small": 1.0, "silent": None},
    {"doc_id": "c", "hypothesis": "z", "llm": 5, "small": None, "silent": None},
]


def frame(*cells):
    return pd.DataFrame({"doc_id": [f"d{n}" for n in range(len(cells))], "llm": list(cells)})


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_every_format_keeps_the_scores_of_judges(tmp_path, suffix):
    path = tmp_path / f"pool.{suffix}"
    if suffix == "parquet":
        pd.DataFrame(ROWS).to_parquet(path, index=False)
    elif suffix == "csv":
        pd.DataFrame(ROWS).to_csv(path, index=False)
    else:
        path.write_text("\n".join(map(json.dumps, ROWS)), "utf-8")
    judges = {
        "LLM": {"meaning": "llm", "layout": "small"},
        "rules": {"meaning": "small"},
        "mute": {"meaning": "silent"},
    }

    found = judge_columns(read_pool(path), judges, scale=LIKERT)

    assert list(found.columns) == ["llm", "small", "silent"]
    assert found["llm"].fillna(-1).tolist() == [4, -1, 5]
    assert found["small"].fillna(-1).tolist() == [2.5, 1, -1]
    # A judge who said nothing is a judge all the same.
    assert found["silent"].isna().all()
    assert {str(dtype) for dtype in found.dtypes} == {"float64"}


def test_a_category_keeps_its_name():
    scale = Scale.nominal(["fine", 2])

    found = judge_columns(frame("fine", "2", 2, None), ONE, scale=scale)

    assert found["llm"].tolist()[:3] == ["fine", "2", "2"]
    assert found["llm"].isna().tolist() == [False, False, False, True]


def test_yes_and_no_are_on_a_binary_scale_and_on_no_other():
    assert judge_columns(frame(*ANSWERS), ONE, scale=Scale.binary())["llm"].tolist() == [1, 0]
    with pytest.raises(InputError, match="the first is 1"):
        judge_columns(frame(*ANSWERS), ONE, scale=LIKERT)


def test_an_absent_column_is_named_with_what_there_is():
    with pytest.raises(
        InputError,
        match=r"pool\.judges\.LLM\.meaning names the column 'gpt', which the pool lacks; it has "
        r"doc_id, llm\.",
    ):
        judge_columns(frame(4), {"LLM": {"meaning": "gpt"}}, scale=LIKERT)


def test_what_is_not_on_the_scale_is_named_by_document():
    cells = (4, 0, 6, "n/a", "0_3", *range(7, 11))

    with pytest.raises(
        InputError,
        match=r"pool\.judges\.LLM\.meaning: the column 'llm' has 8 value\(s\) that are not on "
        r"the raters' scale \(likert 1 to 5\), the first is 0; see document 'd1', 'd2', 'd3', "
        r"'d4', 'd5' and 3 more\. Convert the judge's scores to that scale",
    ):
        judge_columns(frame(*cells), ONE, scale=LIKERT)


@pytest.mark.parametrize("scale", [LIKERT, Scale.nominal(["fine", "wrong"])])
def test_a_text_of_a_document_is_not_repeated(scale):
    with pytest.raises(InputError, match="the first is a text") as caught:
        judge_columns(frame("the patient's name"), ONE, scale=scale)

    assert "patient" not in str(caught.value)


@given(cells=st.lists(st.none() | st.floats(1, 5) | st.integers(1, 5), min_size=1, max_size=9))
def test_scores_on_the_scale_come_back_as_they_are(cells):
    found = judge_columns(frame(*cells), ONE, scale=LIKERT)["llm"].tolist()

    assert len(found) == len(cells)
    for given_, kept in zip(cells, found, strict=True):
        assert math.isnan(kept) if given_ is None else kept == given_


def test_a_number_in_any_unit_is_kept():
    found = number_columns(frame("-12.5", 3, None, 1e6), ["llm"])

    assert found["llm"].tolist()[:2] == [-12.5, 3]
    assert math.isnan(found["llm"][2])


def test_what_is_no_number_is_named_by_document():
    with pytest.raises(
        InputError,
        match=r"pool\.auxiliaries: the column 'llm' has 2 value\(s\) that are no finite numbers, "
        r"the first is a text; see document 'd1', 'd2'\. Write a number, or leave them empty\.",
    ):
        number_columns(frame(1, "n/a", float("inf")), ["llm"])
    with pytest.raises(
        InputError, match=r"pool\.auxiliaries names the column 'gpt', which the pool"
    ):
        number_columns(frame(1), ["gpt"])
