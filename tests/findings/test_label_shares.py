import math

import pandas as pd

from ocrjury import RatingTable, Scale
from ocrjury.findings.measurement.label_shares import shares_equal_to_label
from ocrjury.text.shares import effective_size, wilson_interval

NAMES = Scale.nominal(["date", "amount"])


def table(rows, *, scale, **options):
    frame = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    return RatingTable.from_long(frame, scale=scale, **options)


def test_the_range_is_that_of_wilson():
    rows = [(item, "R01", 5 if item < 7 else 4) for item in range(10)]

    share = shares_equal_to_label(
        table(rows, scale=Scale.likert(1, 5)), dict.fromkeys(range(10), 5)
    )

    assert share["R01"].value == 0.7
    assert (share["R01"].low, share["R01"].high) == wilson_interval(0.7, 10)
    counts = (share["R01"].n_items, share["R01"].n_raters, share["R01"].n_ratings)
    assert counts == (10, 1, 10)


def test_items_that_were_drawn_together_count_as_fewer():
    equal = [1, 1, 1, 1, 1, 1, 0, 0]
    rows = [(item, "R01", 5 if hit else 4) for item, hit in enumerate(equal)]
    pages = {item: item // 2 for item in range(8)}
    rated = table(rows, scale=Scale.likert(1, 5), cluster=pages)

    share = shares_equal_to_label(rated, dict.fromkeys(range(8), 5))["R01"]

    size = effective_size(pd.Series(equal, dtype=float).to_numpy(), rated.cluster)
    assert size < 8
    assert (share.low, share.high) == wilson_interval(0.75, size)


def test_a_rating_is_compared_by_the_name_of_its_category():
    rows = [("a", "R01", "date"), ("b", "R01", "amount"), ("c", "R02", "amount")]

    shares = shares_equal_to_label(
        table(rows, scale=NAMES),
        {"a": "amount", "b": "amount"},  # nothing is known of c
    )

    assert {rater: share.value for rater, share in shares.items()} == {"R01": 0.5, "R02": 0.0}


def test_on_a_continuous_scale_no_share_is_defined():
    rated = table([("a", "R01", 40.0)], scale=Scale.interval(0, 100))

    share = shares_equal_to_label(rated, {"a": 40.0})["R01"]

    assert math.isnan(share.value)
    assert share.reason == "scale_mismatch"
