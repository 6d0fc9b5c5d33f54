"""Severities and their errors against rational arithmetic, where no digit is rounded."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.rater_model import fit_additive, pseudo_inverse

RATERS = 5
WEIGHTS = [Fraction(1), Fraction(1, 3), Fraction(1, 1000), Fraction(7)]

whole = st.integers(2, 6).flatmap(
    lambda raters: st.integers(2, 9).map(
        lambda n: [(i, r) for i in range(n) for r in range(raters)]
    )
)
sparse = st.sets(st.tuples(st.integers(0, 8), st.integers(0, RATERS - 1)), min_size=3).map(sorted)
apart = sparse.map(lambda cells: [(i, r % 2 + (2 if i > 4 else 0)) for i, r in cells])


@st.composite
def designs(draw):
    """Items, raters, values and weights of a complete, a sparse or a disconnected design."""
    cells = sorted(set(draw(st.one_of(whole, sparse, apart))))
    values = draw(st.lists(st.integers(1, 5), min_size=len(cells), max_size=len(cells)))
    n_raters = 1 + max(r for _, r in cells)
    equal = st.just([Fraction(1)] * n_raters)
    unequal = st.lists(st.sampled_from(WEIGHTS), min_size=n_raters, max_size=n_raters)
    return cells, values, draw(st.one_of(equal, unequal))


def exact(cells, values, weight):
    """Every rater's severity, and its variance in units of the residual variance."""
    m = len(weight)
    of_item = {}
    for (i, r), value in zip(cells, values, strict=True):
        of_item.setdefault(i, []).append((r, Fraction(value)))
    system = [[Fraction(0)] * m for _ in range(m)]
    right = [Fraction(0)] * m
    group = list(range(m))
    for ratings in of_item.values():
        total = sum(weight[r] for r, _ in ratings)
        mean = sum(weight[r] * y for r, y in ratings) / total
        joined = {group[r] for r, _ in ratings}
        group = [min(joined) if g in joined else g for g in group]
        for r, y in ratings:
            right[r] += weight[r] * (y - mean)
            system[r][r] += weight[r]
            for s, _ in ratings:
                system[r][s] -= weight[r] * weight[s] / total
    seen = {r for _, r in cells}
    first = {g: group.index(g) for g in set(group)}
    free = [r for r in range(m) if r != first[group[r]]]
    inverse = inverted([[system[r][s] for s in free] for r in free])
    padded = [[Fraction(0)] * m for _ in range(m)]
    for a, r in enumerate(free):
        for b, s in enumerate(free):
            padded[r][s] = inverse[a][b]
    total = {g: sum(weight[r] for r in seen if group[r] == g) for g in set(group)}
    centre = [
        [
            Fraction(r == s)
            - (weight[s] / total[group[r]] if s in seen and group[s] == group[r] else 0)
            for s in range(m)
        ]
        for r in range(m)
    ]
    shift = [sum(row[s] * right[s] for s in range(m)) for row in padded]
    severity = [sum(row[s] * shift[s] for s in range(m)) for row in centre]
    spread = [
        sum(row[s] * padded[s][t] * row[t] for s in range(m) for t in range(m)) for row in centre
    ]
    return severity, spread


def inverted(matrix):
    """Invert by Gauss and Jordan."""
    n = len(matrix)
    rows = [[*row, *(Fraction(i == j) for j in range(n))] for i, row in enumerate(matrix)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(n):
            if i != k:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]


@given(designs())
def test_severities_and_errors_are_those_of_rational_arithmetic(design):
    cells, values, weight = design
    items, raters = zip(*cells, strict=True)
    severity, spread = exact(cells, values, weight)

    fit = fit_additive(items, raters, values, rater_weight=[float(one) for one in weight])

    seen = sorted(set(raters))
    expected = [float(severity[r]) for r in seen]
    assert fit.severity[seen] == pytest.approx(expected, rel=1e-9, abs=1e-9)
    if fit.residual_variance > 1e-9:
        # Nothing shows the severity of a rater who shares no item.
        expected = [float(spread[r]) or np.nan for r in seen]
        found = fit.severity_error[seen] ** 2 / fit.residual_variance
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("raters", [2, 3, 5])
def test_rounding_in_a_complete_design_is_no_information(raters):
    for n in range(2, 200):
        items, people = np.divmod(np.arange(n * raters), raters)

        fit = fit_additive(items, people, people)

        inverse = pseudo_inverse(fit.laplacian, fit.group)
        assert inverse == pytest.approx((np.eye(raters) - 1 / raters) / n, abs=1e-12)
