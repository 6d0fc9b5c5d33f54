from functools import cache

import numpy as np
from hypothesis import strategies as st

SCORES = st.integers(1, 5)


@st.composite
def rating_matrices(draw, *, low=1, high=5, raters=None, missing=True):
    """Draw ratings of 2 to 12 items by 2 to 4 raters; every item has two or more."""
    levels = (None, *range(low, high + 1)) if missing else (*range(low, high + 1),)
    return draw(_rows(levels, raters or draw(st.integers(2, 4))))


@cache
def _rows(levels, n_raters):
    """Rows of two ratings or more; kept, because to make a strategy costs more than a draw."""
    if n_raters == 2:
        levels = [level for level in levels if level is not None]
    elif None in levels:
        levels = (None, *levels)  # missing often enough that rows of two ratings are common
    row = st.lists(st.sampled_from(levels), min_size=n_raters, max_size=n_raters)
    full = row.filter(lambda ratings: sum(rating is not None for rating in ratings) >= 2)
    return st.lists(full, min_size=2, max_size=12)


@st.composite
def wide_teams(draw, *, missing=True):
    """Draw a float matrix of 3 to 40 items by 2 to 50 raters on levels 1 to 5.

    Raters see the items more or less well; some levels may never occur.
    """
    n_items, n_raters = draw(st.integers(3, 40)), draw(st.sampled_from([2, 3, 4, 7, 20, 50]))
    levels = draw(st.lists(st.integers(1, 5), min_size=2, max_size=5, unique=True))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    truth = rng.choice(levels, (n_items, 1))
    guesses = rng.choice(levels, (n_items, n_raters))
    careful = rng.random(guesses.shape) < draw(st.sampled_from([0.0, 0.5, 0.9]))
    team = np.where(careful, truth, guesses).astype(float)
    if missing:
        team[rng.random(team.shape) < draw(st.sampled_from([0.0, 0.2, 0.7]))] = np.nan
    return team
