"""OCR systems in one pool that read the same pages."""

import pytest
from scipy.special import ndtri

from ocrjury.estimate import Estimate
from ocrjury.store.results import latest_results
from tests.tasks.conftest import QUICK, closed, documents


def two_systems(count, *, second=str.upper):
    """A pool in which a second system reads every page, and badly."""
    found = []
    for row in documents(count):
        page = row["doc_id"]
        found.append({**row, "doc_id": f"{page}:tess", "page_id": page, "system": "tess"})
        worse = second(row["hypothesis"])
        found.append(
            {**row, "doc_id": f"{page}:<b>", "page_id": page, "system": "<b>", "hypothesis": worse}
        )
    return found


def test_systems_on_the_same_pages_are_compared(small):
    small.pool = two_systems(60)

    data, text = closed(small, **QUICK, sampling={"n": 80, "floor": 0})

    body = small.stored(latest_results, "systems")["meaning"]
    assert [system["system"] for system in body["systems"]] == ["<b>", "tess"]
    assert [system["pool"] for system in body["systems"]] == [60, 60]
    bad, good = (Estimate.from_json(system["estimate"]) for system in body["systems"])
    found = Estimate.from_json(body["differences"][0]["estimate"])
    assert found.value == pytest.approx(bad.value - good.value)
    assert found.high < 0
    assert body["differences"][0]["both"] > 0
    assert data.systems[0].differences[0].estimate.value == found.value
    assert "OCR systems side by side" in text
    upper, plain = body["systems"]
    assert upper["cer"] > plain["cer"] > 0
    edits = data.sections["scores"].metrics[0].micro
    assert edits == pytest.approx((upper["cer"] + plain["cer"]) / 2)  # the same references
    assert [kind["doc_type"] for kind in plain["types"]] == ["bill", "note"]
    assert sum(kind["pool"] for kind in plain["types"]) == 60
    assert f"By system: <b> {bad.value:.2f}" in text
    assert f"tess is better than <b> on meaning by {-found.value:.2f} points (" in text.lower()


def test_the_systems_make_up_the_pool(small):
    small.pool = two_systems(40)
    target = {"dimension": "meaning", "share_at_least": 3, "share": 0.5}
    data, _ = closed(small, **QUICK, sampling={"n": 60, "floor": 0}, report={"target": target})

    systems = data.systems[0].systems
    for whole, each in (
        (data.estimates[0].others, [system.estimate for system in systems]),
        (data.headline.others, [system.share for system in systems]),
    ):
        assert [one.method for one in each] == ["GREG of the group, other raters like these"] * 2
        assert sum(one.value for one in each) / 2 == pytest.approx(whole.value, abs=0.01)
    for one in systems:
        of_types = sum(row.pool * row.estimate.value for row in one.types) / one.pool
        assert of_types == pytest.approx(one.estimate.value, abs=0.01)


def test_a_system_of_which_too_few_are_rated_is_named_and_not_estimated(small):
    small.pool = two_systems(40)
    for row in small.pool[:24:2]:
        row["system"], row["doc_id"] = "scan", f"{row['page_id']}:scan"
    small.pool = [row for row in small.pool if row["system"] != "<b>"]

    data, text = closed(small, **QUICK, sampling={"n": 40, "floor": 0})

    scan, tess = data.systems[0].systems
    assert (scan.system, scan.pool, scan.estimate.reason) == ("scan", 12, "too_few_items")
    assert 0 < scan.estimate.n_items <= 12
    assert scan.cer > 0
    assert tess.estimate.defined
    named = f"fewer than 20 items of each are rated: scan ({scan.estimate.n_items})."
    assert text.count(named) == 2  # cover and chapter


def test_ranges_of_the_differences_of_several_systems_hold_at_once(small):
    rows = two_systems(30)
    small.pool = [*rows, *({**r, "doc_id": f"{r['page_id']}:c", "system": "c"} for r in rows[::2])]

    data, text = closed(small, **QUICK, sampling={"n": 75, "floor": 0})

    found = [difference.estimate for difference in data.systems[0].differences]
    assert len(found) == 3
    for one in found:
        reach = min(one.high - one.value, one.value - one.low) / one.se
        assert reach > ndtri(1 - 0.05 / 3 / 2)
    assert "The ranges of all differences on a dimension hold at once." in text
    assert "ranges of 3 differences of systems on a dimension, which hold at once" in text


def test_systems_on_different_pages_stand_side_by_side_and_are_not_compared(small):
    for number, row in enumerate(small.pool):
        row["system"] = ("tess", "cloud")[number % 2]

    data, text = closed(small, **QUICK)

    body = small.stored(latest_results, "systems")["meaning"]
    assert body["differences"] == []
    assert [system["system"] for system in body["systems"]] == ["cloud", "tess"]
    assert sum(system["pool"] for system in body["systems"]) == len(small.pool)
    assert data.systems[0].differences == ()
    assert "read different pages: their means stand here and are not compared" in text


def test_neither_a_third_system_nor_a_page_that_says_the_same_twice_keeps_from_comparing(small):
    """The third has a few pages only; two amounts of a page are equal, and no boxes tell them."""
    pairs = two_systems(60)
    few = [{**row, "doc_id": f"{row['page_id']}:scan", "system": "scan"} for row in pairs[:8:2]]
    small.pool = [*pairs, *few, *({**row, "doc_id": f"{row['doc_id']}/2"} for row in pairs[:2])]

    data, text = closed(small, **QUICK, sampling={"n": 80, "floor": 0})

    (row,) = data.systems
    assert [system.system for system in row.systems] == ["<b>", "scan", "tess"]
    assert [(difference.a, difference.b) for difference in row.differences] == [("<b>", "tess")]
    assert row.differences[0].estimate.high < 0
    assert "read different pages" not in text
