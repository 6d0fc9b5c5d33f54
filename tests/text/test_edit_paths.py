"""Edits of texts too long for a shortest list of them; here, of more than a few letters."""

import itertools
import random
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from ocrjury.text import TextOptions, align, compare_field, edit_limits, edit_paths, score_texts
from ocrjury.text.edit_counts import count_edits, distances
from ocrjury.text.edit_paths import edit_distance, edit_steps
from ocrjury.text.scoring import any_too_long

TEXTS = st.text("ab", max_size=40) | st.lists(st.sampled_from(["a", "bb"]), max_size=40)


@contextmanager
def limits(cells, window=8):
    """Let every pair be too long that has more cells."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edit_limits, "EXACT_CELLS", cells)
        patch.setattr(edit_limits, "WINDOW", window)
        yield


@pytest.fixture
def short():
    with limits(30):
        yield


def applied(steps, reference, hypothesis):
    """What steps make of a reference, and how many edits they are, letter by letter."""
    made, edits = [], 0
    for tag, start, end, other_start, other_end in steps:
        if tag == "equal":
            assert list(reference[start:end]) == list(hypothesis[other_start:other_end])
        else:
            edits += max(end - start, other_end - other_start)
        made += hypothesis[other_start:other_end]
    return made, edits


@given(reference=TEXTS, hypothesis=TEXTS)
def test_steps_of_long_texts_lead_from_one_to_the_other(reference, hypothesis):
    with limits(30):
        steps, distance = edit_steps(reference, hypothesis), edit_distance(reference, hypothesis)

    made, edits = applied(steps, reference, hypothesis)
    ends = [(step.src_end, step.dest_end) for step in steps]
    assert made == list(hypothesis)
    assert [(step.src_start, step.dest_start) for step in steps] == [(0, 0), *ends][: len(steps)]
    assert ends[-1:] == [(len(reference), len(hypothesis))][: len(ends)]
    assert all(one.tag != two.tag for one, two in itertools.pairwise(steps))
    assert edits == distance
    assert edits >= Levenshtein.distance(reference, hypothesis)


@given(
    text=st.text("abc", min_size=6, max_size=200),
    places=st.lists(st.integers(0, 200), max_size=3),
    kind=st.sampled_from(["", "x", "xy"]),
)
def test_few_edits_are_the_fewest_however_long_the_texts(text, places, kind):
    other = text
    for place in places:
        other = other[:place] + kind + other[place + 1 :]
    assume(other)
    exact = Levenshtein.distance(text, other)
    assume(exact <= 6)

    with limits(6 * max(len(text), len(other))):  # so that the band is six edits wide
        distance, steps = edit_distance(text, other), edit_steps(text, other)

    assert distance == exact
    assert applied(steps, text, other)[1] == exact


def test_the_default_limit_is_where_the_guide_says():
    assert edit_limits.EXACT_CELLS == 50_000**2
    assert edit_limits.LIMIT_NAME == "align:window10000>2.5e9"


def cells_of(length, monkeypatch):
    """The number of cells that are looked at for two unlike texts of a length."""
    cells = []
    exact = edit_paths._edits

    def counted(reference, hypothesis, **options):
        cells.append(len(reference) * len(hypothesis))
        return exact(reference, hypothesis, **options)

    monkeypatch.setattr(edit_paths, "_edits", counted)
    letters = random.Random(1)
    sides = ["".join(letters.choices("abcd", k=length)) for _ in range(2)]
    edit_steps(*sides)
    monkeypatch.setattr(edit_paths, "_edits", exact)
    return sum(cells)


def test_the_work_grows_with_the_length_and_not_with_its_square(short, monkeypatch):
    once, tenfold = cells_of(2_000, monkeypatch), cells_of(20_000, monkeypatch)

    # Each window has 64 cells, and half of it, four letters of a text, is left behind.
    assert 64 * (2_000 / 4) <= once <= 64 * (2_000 / 4 * 2)
    assert tenfold == pytest.approx(10 * once, rel=0.05)


def test_windows_find_a_text_again_behind_what_is_missing():
    letters = random.Random(2)
    text = "".join(letters.choices("abcdefghij", k=5_000))
    read = text[:1_000] + text[1_100:3_000] + "x" * 80 + text[3_000:]

    assert Levenshtein.distance(text, read) == 180
    with limits(10**4, window=400):
        assert 180 <= edit_distance(text, read) <= 1.1 * 180


def test_every_count_of_edits_has_the_limit(short):
    reference, hypothesis = "abcdefghijklmnopqrst", "uvwxyzabcdefghijklmnopqrst"
    steps = edit_steps(reference, hypothesis)
    _, edits = applied(steps, reference, hypothesis)

    counts = count_edits([reference], [hypothesis])

    assert edits > Levenshtein.distance(reference, hypothesis)
    assert counts.distance.tolist() == [edits]
    replaced = [step.src_end - step.src_start for step in steps if step.tag == "replace"]
    assert counts.substitutions.tolist() == [sum(replaced)]
    assert distances([reference], [hypothesis], hints=np.array([3])).tolist() == [edits]
    assert [tuple(op) for op in align(reference, hypothesis)] == [tuple(step) for step in steps]
    assert compare_field(reference, hypothesis, kind="text").distance == edits


def test_the_signature_says_that_texts_were_too_long(short):
    options = TextOptions()
    long, brief = "abcdef", "abc"

    assert "align" not in score_texts([brief, None], [long, long * 9]).attrs["signature"]
    signature = score_texts([brief, long], [brief, long]).attrs["signature"]
    assert signature.endswith(f"|align:window10000>2.5e9|{options.signature().rpartition('|')[2]}")
    assert "align" not in score_texts([long], [long], metrics=["bleu"]).attrs["signature"]
    # Combined characters count once, as everywhere.
    accents = "e\u0301" * 5
    assert "align" not in score_texts([accents], [accents]).attrs["signature"]


def test_scores_tell_whether_texts_were_too_long(short):
    scores = score_texts(["abcdef", None, "abc"], ["abcdef", "x" * 99, "abc"])

    assert any_too_long(scores)
    assert not any_too_long(scores[1:])
