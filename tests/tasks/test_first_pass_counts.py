"""What the report counts as first-pass ratings, and as planned ones."""

import zlib
from collections import Counter

from ocrjury.store.ratings import list_ratings
from tests.tasks.conftest import documents
from tests.tasks.test_pilots import write_gold
from tests.tasks.test_unlike_scales import with_scales


def ease(item):
    return zlib.crc32(item.encode()) % 101


def say(one, dimension):
    """What everybody says of an item on either scale."""
    return ease(one.item) if dimension == "ease" else 1 + ease(one.item) // 21


def test_sliders_count_and_gold_in_passing_and_second_ratings_do_not(small):
    small.pool = documents(120)
    with_scales(small, "meaning", "ease")
    gold = [
        (row["doc_id"], "meaning", 1 + ease(row["doc_id"]) // 21, "") for row in small.pool[:12]
    ]
    raters = {"file": "raters.csv", "gold_every": 4, "repeats": 0.2, **write_gold(small, gold)}

    small.rated_by_people(
        "p",
        say=say,
        sampling={"n": 60},
        raters=raters,
        report={"target": {"dimension": "meaning", "mean": 3.0}, "worst_items": 1},
        gate={"on_fail": "proceed"},
        adaptive={"max_rounds": 0, "decisions": 0},
    )

    data, text = small.report()
    rows = small.stored(list_ratings)
    kinds = Counter((row.round_kind, row.dimension) for row in rows)
    main = kinds["main", "meaning"] + kinds["main", "ease"]
    assert {kind for kind, _ in kinds} == {"main", "gold", "repeat"}
    assert f"{main} first-pass ratings on 2 dimensions" in text
    assert f"rest on the {main} first-pass ratings of the main rounds" in text
    planned, achieved = data.sections["plan"].planned, data.sections["plan"].achieved
    assert planned.ratings == achieved.ratings == kinds["main", "meaning"]
    assert planned.second_ratings == achieved.second_ratings == kinds["repeat", "meaning"]
