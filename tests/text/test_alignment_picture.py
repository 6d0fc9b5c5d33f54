import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.text import TextOptions, render_alignment, score_texts

TEXTS = st.text(alphabet=[*"가나ab \n", "\u0301", "\u200d", "\u1112", "Ａ"], max_size=12)
ASCII = st.text(alphabet="abc  ", max_size=25)


def columns(text):
    """Columns of a terminal, for the characters of these tests."""
    return sum(2 if "가" <= sign <= "힣" else 1 for sign in text)


def test_the_published_picture_of_jiwer():
    # jiwer 4.0, docstring of visualize_alignment; which of two equal paths is taken may differ,
    # and gaps are as wide there as the word beside them too.
    picture = render_alignment("short one here", "shoe order one")

    assert picture.splitlines() == [
        "REF: **** short one here",
        "HYP: shoe order one ****",
        "        I     S        D",
    ]


def test_korean_words_stand_one_above_the_other():
    ref, hyp, marks = render_alignment("청구 금액 원정", "청구 1금 원정").splitlines()

    assert (ref, hyp) == ("REF: 청구 금액 원정", "HYP: 청구  1금 원정")
    assert columns(marks) == columns("REF: 청구 금액")


def test_a_decomposed_syllable_takes_two_columns():
    keep = TextOptions(normalization=None)

    picture = render_alignment("\u1112\u1161\u11ab", "ab", options=keep)

    assert picture.splitlines() == ["REF: \u1112\u1161\u11ab", "HYP: ab", "      S"]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "picture"),
    [
        ("", "", "REF:\nHYP:\n"),
        ("a", "a", "REF: a\nHYP: a\n"),
        ("", "ab", "REF: **\nHYP: ab\n      I"),
        ("ab", "", "REF: ab\nHYP: **\n      D"),
    ],
)
def test_edges(reference, hypothesis, picture):
    assert render_alignment(reference, hypothesis) == picture


def test_what_cannot_be_printed_is_escaped():
    options = TextOptions(whitespace="keep")

    picture = render_alignment("a\n", "a\u202e", units="characters", options=options)

    assert picture == "REF: a    \\n\nHYP: a\\u202e\n           S"


def test_a_long_text_goes_on_below():
    picture = render_alignment("one two three", "one too three", width=13)

    assert picture == ("REF: one two\nHYP: one too\n           S\n\nREF: three\nHYP: three\n")


@pytest.mark.parametrize("width", [5, 0, -1])
def test_a_width_without_room_is_refused(width):
    with pytest.raises(InputError, match=f"width must be above 5, or None; found {width}"):
        render_alignment("a", "b", width=width)


@given(TEXTS, TEXTS, st.sampled_from(["characters", "words"]), st.none() | st.integers(6, 30))
def test_there_is_one_letter_for_every_edit(reference, hypothesis, units, width):
    names = ["edit_distance", "substitutions", "deletions", "insertions"]
    if units == "words":
        names = ["word_edits", "word_substitutions", "word_deletions", "word_insertions"]
    picture = render_alignment(reference, hypothesis, units=units, width=width)

    marks = "".join(picture.split("\n")[2::4])
    scores = score_texts([reference], [hypothesis], metrics=names).iloc[0]
    assert [len(marks.replace(" ", "")), *map(marks.count, "SDI")] == scores.tolist()


@pytest.mark.oracle
@pytest.mark.parametrize("units", ["characters", "words"])
@given(ASCII.filter(str.strip), ASCII, st.none() | st.integers(20, 60))
def test_agrees_with_jiwer(units, reference, hypothesis, width):
    import jiwer

    process = jiwer.process_words if units == "words" else jiwer.process_characters
    theirs = jiwer.visualize_alignment(
        process(reference, hypothesis), show_measures=False, skip_correct=False, line_width=width
    )

    ours = render_alignment(
        reference, hypothesis, units=units, width=width, options=TextOptions.preset("jiwer")
    )

    body = theirs.removeprefix("=== SENTENCE 1 ===\n\n").split("\n")
    assert "\n".join(line.rstrip() for line in body).rstrip() == ours.rstrip()
