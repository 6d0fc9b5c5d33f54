import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import Scale
from ocrjury.bias import measure_bias
from ocrjury.bias.blocks import Blocks
from ocrjury.bias.permutation import shuffles
from ocrjury.bias.shuffled_sums import Summands

LIKERT = Scale.likert(1, 5)


@st.composite
def designs(draw):
    """Item, rater and draw of some ratings, sorted by item and rater."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n_items, n_raters = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    asked = rng.random((n_items, n_raters)) < 0.7
    item, rater = np.nonzero(asked)
    return item, rater, rng.integers(0, draw(st.integers(1, 6)), n_items)[item]


@given(designs(), st.integers(0, 99))
def test_ratings_of_a_draw_change_raters_together(design, seed):
    item, rater, draw = design
    blocks = Blocks.of_items(item, rater, draw)

    for rows in blocks.shuffles(rng=np.random.default_rng(seed)):
        assert (np.sort(rows, axis=0) == np.arange(len(item))[:, None]).all()
        assert (item[rows] == item[:, None]).all()
        for block in range(len(blocks.group)):  # one rater's ratings are again one rater's
            taken = rater[rows[blocks.block == block]]
            assert (taken == taken[:1]).all()


@given(designs())
def test_as_much_as_may_be_is_one_block(design):
    item, rater, draw = design
    blocks = Blocks.of_items(item, rater, draw)

    asked = {k: frozenset(rater[item == k]) for k in np.unique(item)}
    together = {(draw[p], asked[item[p]], rater[p]) for p in range(len(item))}
    assert len(blocks.group) == len(together)


def test_items_in_draws_of_their_own_are_shuffled_as_without_blocks():
    item, rater = np.repeat(np.arange(20), 3), np.tile(np.arange(3), 20)

    in_blocks = list(Blocks.of_items(item, rater, item).shuffles(rng=np.random.default_rng(1)))

    assert np.array_equal(in_blocks, list(shuffles(item, rng=np.random.default_rng(1))))


@given(designs(), st.integers(0, 99))
def test_sums_of_blocks_are_those_of_shuffled_ratings(design, seed):
    item, rater, draw = design
    value = np.random.default_rng(seed).normal(size=len(item))
    total = np.bincount(item, value)[item]
    given_ = Summands((value,), (total,), lambda y, t: (y, y**2, t * y), rater, 4)
    blocks = Blocks.of_items(item, rater, draw)

    moved = given_.by_block(blocks).shuffled(blocks.group, rng=np.random.default_rng(seed))

    rows = blocks.shuffles(rng=np.random.default_rng(seed))
    for found, expected in zip(moved, map(given_.sums, rows), strict=True):
        assert np.array(found) == pytest.approx(np.array(expected), abs=1e-9)


@given(st.integers(0, 10_000))
def test_neighbours_of_one_draw_stay_neighbours(seed):
    rng = np.random.default_rng(seed)
    session = rng.integers(-1, 2, 20)
    place = np.full(20, -1)
    for number in (0, 1):
        mine = np.flatnonzero(session == number)
        place[mine] = rng.permutation(len(mine))
    draw = rng.integers(0, 5, 20)
    blocks = Blocks.of_neighbours(session, draw, place)

    for rows in blocks.shuffles(rng=rng):
        assert (np.sort(rows, axis=0) == np.arange(20)[:, None]).all()
        assert (session[rows] == session[:, None]).all()
        for block in range(len(blocks.group)):
            members = blocks.places[blocks.block[blocks.places] == block]
            moved = rows[members]
            assert (draw[moved] == draw[moved[:1]]).all()
            if session[members[0]] >= 0:
                assert (np.diff(place[moved], axis=0) == 1).all()


def test_no_places_have_no_shuffles_worth_speaking_of():
    nothing = np.zeros(0, dtype=int)
    blocks = Blocks.of_neighbours(nothing, nothing, nothing)

    empty = blocks.null_draws(
        lambda rows: rows.sum(axis=0, keepdims=True), rng=np.random.default_rng(1)
    )

    assert (empty == 0).all()


def rated_in_pages(seed, *, pages, outputs, strict=0.0, view=0.4):
    """Ratings by three raters who see each page in their own way, page after page."""
    rng = np.random.default_rng(seed)
    page = np.repeat(np.arange(pages), outputs)
    level = 3 + rng.normal(0, 0.7, pages)[page] + rng.normal(0, 0.6, len(page))
    frames = []
    for rater in range(3):
        seen = level + rng.normal(0, view, pages)[page] - strict * (rater == 0)
        rating = np.clip(np.rint(seen + rng.normal(0, 0.4, len(page))), 1, 5)
        order = np.argsort(rng.permutation(pages)[page], kind="stable")
        frame = pd.DataFrame({"item": order, "cluster": page[order], "rating": rating[order]})
        frames.append(frame.assign(rater=f"R{rater}", position=np.arange(1, len(page) + 1)))
    return pd.concat(frames, ignore_index=True).assign(dimension="q")


@pytest.mark.parametrize(("pages", "outputs"), [(20, 6), (60, 2)])
def test_what_a_rater_makes_of_a_page_is_no_habit(pages, outputs, only):
    only("severity", "anchoring", "central_tendency", "order")
    runs = [
        measure_bias(rated_in_pages(seed, pages=pages, outputs=outputs), scale=LIKERT)
        for seed in range(40)
    ]

    for kind in ("severity", "anchoring", "central_tendency", "order"):
        p = [f.p_value for findings in runs for f in findings if f.kind == kind]
        # 13 of 120 at a rate of .05 come once in 300; one by one, it is 25 and more of severity
        assert np.mean(np.array(p) <= 0.05) < 0.11, kind


def test_what_a_rater_makes_of_a_page_is_no_severity_where_outputs_have_raters_of_their_own(only):
    only("severity")
    p = []
    for seed in range(40):
        rated = rated_in_pages(seed, pages=10, outputs=20, view=0.6)
        left_out = np.random.default_rng(seed).integers(0, 3, 200)[rated["item"]]
        rated = rated[rated["rater"] != "R" + pd.Series(left_out, rated.index).astype(str)]
        p += [finding.p_value for finding in measure_bias(rated, scale=LIKERT)]

    # 16 of 120 where shuffles alone decide
    assert np.mean(np.array(p) <= 0.05) < 0.11


def test_no_flag_contradicts_the_range_where_outputs_were_drawn_together(only):
    only("severity")
    for seed in range(20):
        rated = rated_in_pages(seed, pages=6, outputs=8, strict=0.3)
        for finding in measure_bias(rated, scale=LIKERT):
            contains_0 = finding.low <= 0 <= finding.high
            assert not contains_0 or finding.p_value >= 0.05


def test_severity_is_found_in_pages(only):
    only("severity")
    flagged = [
        any(
            finding.flagged and finding.rater == "R0" and finding.effect < 0
            for finding in measure_bias(
                rated_in_pages(seed, pages=40, outputs=3, strict=0.6), scale=LIKERT
            )
        )
        for seed in range(20)
    ]

    assert sum(flagged) >= 18
