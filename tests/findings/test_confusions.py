import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import RatingTable, Scale
from ocrjury.findings.measurement.confusions import KEPT, measure_confusions

LIKERT = Scale.likert(1, 3)


def table_of(rows, scale=LIKERT):
    return RatingTable.from_long(
        pd.DataFrame(rows, columns=["item", "rater", "rating"]), scale=scale
    )


def by_hand(rows, rater):
    """Count pairs one by one."""
    counts = np.zeros((3, 3), dtype=int)
    for item, own, level in rows:
        for other_item, other, given_level in rows:
            if own == rater != other and item == other_item:
                counts[level - 1, given_level - 1] += 1
    return counts


def test_a_rater_is_held_against_every_colleague_on_the_same_items():
    rows = [("a", "R1", 1), ("a", "R2", 2), ("a", "R3", 2), ("b", "R1", 3), ("b", "R2", 3)]

    found = {confusion.rater: confusion for confusion in measure_confusions(table_of(rows))}

    assert found["R1"].counts == ((0, 2, 0), (0, 0, 0), (0, 0, 1))
    assert found["R1"].n == 3
    assert found["R1"].differing == pytest.approx(2 / 3)


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcde"), st.sampled_from(["R1", "R2", "R3", "R4"])),
        st.integers(1, 3),
        min_size=1,
    )
)
def test_counts_are_those_of_counting_by_hand(given_levels):
    rows = [(item, rater, level) for (item, rater), level in given_levels.items()]

    for confusion in measure_confusions(table_of(rows)):
        assert (np.array(confusion.counts) == by_hand(rows, confusion.rater)).all()
        assert confusion.apart.value == pytest.approx(confusion.differing)


def test_the_pairs_of_an_item_are_one_piece_of_evidence():
    raters = (("A", 0), ("B", 1))
    alone = [(f"{k}", rater, 1 + (k % 2) * far) for k in range(20) for rater, far in raters]
    crowd = [(item, f"{rater}{n}", level) for item, rater, level in alone for n in range(3)]

    (one, *_), (same, *_) = (measure_confusions(table_of(rows)) for rows in (alone, crowd))

    assert (one.apart.low, one.apart.high) == pytest.approx((0.277, 0.723), abs=0.001)
    assert same.n == 5 * one.n
    assert same.apart.high - same.apart.low > 0.9 * 3 / 5 * (one.apart.high - one.apart.low)


def test_who_differs_most_comes_first_and_who_has_no_colleague_is_left_out():
    rows = [("a", "R1", 1), ("a", "R2", 1), ("b", "R2", 2), ("b", "R3", 3), ("c", "R9", 1)]

    assert [confusion.rater for confusion in measure_confusions(table_of(rows))] == [
        "R3",
        "R2",
        "R1",
    ]


def test_of_many_raters_those_who_differ_most_are_kept():
    rows = [("a", f"R{k:02d}", 1 + (k % 3 == 0)) for k in range(60)]

    assert len(measure_confusions(table_of(rows))) == KEPT


@pytest.mark.parametrize("scale", [Scale.interval(0, 100), Scale.likert(1, 9)])
def test_a_scale_of_many_levels_has_no_picture(scale):
    rows = [("a", "R1", 1), ("a", "R2", 2)]

    assert measure_confusions(table_of(rows, scale)) == ()
