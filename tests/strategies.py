from hypothesis import strategies as st

SCORES = st.integers(1, 5)


@st.composite
def rating_matrices(draw, *, low=1, high=5, raters=None, missing=True):
    """Draw ratings of 2 to 12 items by 2 to 4 raters; every item has two or more."""
    n_raters = raters or draw(st.integers(2, 4))
    value = st.integers(low, high)
    row = st.lists(st.none() | value if missing else value, min_size=n_raters, max_size=n_raters)
    full = row.filter(lambda ratings: sum(rating is not None for rating in ratings) >= 2)
    return draw(st.lists(full, min_size=2, max_size=12))
