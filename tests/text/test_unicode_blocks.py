import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.text import TextOptions, error_rates_by_block, score_texts
from ocrjury.text.unicode_blocks import character_block

TEXTS = st.text(alphabet="가나한abc12，ｋ .\u0301é", max_size=12)


@pytest.mark.parametrize(
    ("character", "block"),
    [
        ("가", "Hangul Syllables"), ("漢", "CJK Unified Ideographs"), ("k", "Basic Latin"),
        ("７", "Digits"), ("3", "Digits"), ("\n", "White space"), ("e\u0301", "Basic Latin"),
        ("\u3131", "Hangul Compatibility Jamo"), ("\ue000", "Private Use Area"),
    ],
)  # fmt: skip
def test_a_character_has_the_block_of_its_first_code_point(character, block):
    assert character_block(character) == block


def test_errors_belong_to_the_character_of_the_reference_and_what_is_added_to_its_own():
    frame = error_rates_by_block(["가나 1,2", None], ["가너 1.2|", "x"]).set_index("block")

    assert frame.loc["Hangul Syllables", ["n_ref_chars", "substitutions"]].tolist() == [2, 1]
    assert frame.loc["Basic Latin", ["n_ref_chars", "substitutions", "insertions"]].tolist() == [
        1, 1, 1,
    ]  # fmt: skip
    assert frame.loc["Basic Latin", "cer"] == 2
    assert frame.loc["Digits", "cer"] == 0
    assert frame["share"].sum() == pytest.approx(1)


def test_a_block_that_the_reference_lacks_has_no_rate():
    frame = error_rates_by_block(["가"], ["가a"]).set_index("block")

    assert frame["cer"].isna().to_dict() == {"Basic Latin": True, "Hangul Syllables": False}


def test_nothing_has_no_rows():
    assert error_rates_by_block([None], ["x"]).empty


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4), st.sampled_from(["default", "jiwer", "ocrd"]))
def test_counts_add_up_to_those_of_the_scores(pairs, preset):
    options = TextOptions.preset(preset)
    texts = [r for r, _ in pairs], [h for _, h in pairs]

    frame, scores = (
        error_rates_by_block(*texts, options=options),
        score_texts(*texts, options=options),
    )

    for name in ("n_ref_chars", "substitutions", "deletions", "insertions"):
        assert frame[name].sum() == scores[name].sum()
    assert frame["edits"].sum() == scores["edit_distance"].sum()
    assert frame["edits"].is_monotonic_decreasing
