"""All tests for bias on one set of ratings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from ocrjury.bias.anchoring import find_anchoring
from ocrjury.bias.central_tendency import find_central_tendency
from ocrjury.bias.evidence import BiasEvidence
from ocrjury.bias.findings import (
    ALPHA,
    CORRELATION,
    POINTS,
    POINTS_PER_POINT,
    POINTS_PER_SESSION,
    SLOPE_RATIO,
    SPREAD_RATIO,
    BiasFinding,
    Kind,
    Reason,
    not_identifiable,
)
from ocrjury.bias.halo import find_halo
from ocrjury.bias.order import find_order
from ocrjury.bias.permutation import adjusted_p_values
from ocrjury.bias.range_restriction import find_range_restriction
from ocrjury.bias.severity import find_severity
from ocrjury.bias.submissions import Submissions, read_submissions
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable, rating_tables
from ocrjury.ratings.dimension_tables import on_one_scale
from ocrjury.scales import Scales, one_scale

Detector = Callable[[BiasEvidence, np.random.Generator], list[BiasFinding]]

DETECTORS: dict[Kind, tuple[Detector, str]] = {
    "severity": (find_severity, POINTS),
    "halo": (find_halo, CORRELATION),
    "anchoring": (find_anchoring, POINTS_PER_POINT),
    "order": (find_order, POINTS_PER_SESSION),
    "central_tendency": (find_central_tendency, SLOPE_RATIO),
    "range_restriction": (find_range_restriction, SPREAD_RATIO),
}
"""Test of every kind of bias, and the unit of its effect."""


def measure_bias(
    ratings: pd.DataFrame,
    *,
    scale: Scales,
    seed: int = 0,
    tables: Mapping[str, RatingTable] | None = None,
) -> list[BiasFinding]:
    """Findings of the tests for six kinds of bias, or the reasons why they were not possible.

    ``severity``, ``halo``, ``anchoring`` (assimilation and contrast), ``order`` (drift, and
    declining care within a session), ``central_tendency`` (and extremity) and ``range_restriction``
    (and straight-lining); `BiasFinding.unit` distinguishes the two tests of one kind.

    Parameters
    ----------
    ratings
        Long frame ``item``, ``rater``, ``dimension``, ``rating``; first-pass ratings, at most one
        per item, rater and dimension. ``position`` (from 1 within the session) or else
        ``submitted_at`` gives the order, which anchoring, order and straight-lining need;
        ``session`` divides a rater's work, which is otherwise one session.
    scale
        The declared scale, or that of each dimension. On a nominal one nothing can be tested
        (``scale_mismatch``). Dimensions with unlike scales are tested on a common one from 0 to
        100, so that points are hundredths of a scale's length.
    seed
        Seed of the shuffles; the same seed gives the same p-values whatever the order of rows.
    tables
        The same ratings by dimension, if they are at hand; they are then not checked again.

    Returns
    -------
    list of BiasFinding
        Sorted by kind; in each test the finding on all raters together comes first, if there is
        one. Benjamini and Hochberg's procedure is applied within each kind: to all its raters,
        dimensions and statistics. If none of these biases is real, some finding of the kind is
        flagged once in twenty times. Where there are findings on all raters together, half of the
        error rate goes to them and half to the single raters, so that many raters do not mask them.
        ``p_overall`` applies the procedure to all tests of all kinds at once: of the findings that
        stand then, one in twenty is wrong on average at most.

    Raises
    ------
    InputError
        On a seed below 0, a missing column or id, a rating outside the scale, two ratings of one
        item by one rater on one dimension, or a position that occurs twice in a session.

    Notes
    -----
    Each module of `ocrjury.bias` states its test. Effects are relative to the other raters: a
    bias that all raters share, other than halo, anchoring and order, cannot be detected.

    Examples
    --------
    >>> from ocrjury import Scale
    >>> rows = [(f"d{i}", r, "meaning", 4) for i in range(3) for r in ("R01", "R02")]
    >>> frame = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])
    >>> [(f.kind, f.reason) for f in measure_bias(frame, scale=Scale.likert(1, 5))][2:4]
    [('halo', 'fewer_than_two_dimensions'), ('anchoring', 'no_order')]
    """
    if seed < 0:
        raise InputError(f"seed must be 0 or more; found {seed!r}.")
    shared = one_scale(scale)
    if shared is None or not shared.ordered:
        tables = None  # of other scales
        rating_tables(ratings, scale=scale)  # malformed ratings are refused on any scale
        ratings, shared = on_one_scale(ratings, scale=scale)
    if shared is None:
        return _untested("scale_mismatch")
    submissions = read_submissions(ratings, scale=shared, tables=tables)
    reason = _reason(submissions)
    if reason is not None:
        return _untested(reason)
    *sources, source = np.random.default_rng(seed).spawn(len(DETECTORS) + 1)
    evidence = BiasEvidence(submissions, rng=source)
    findings: list[BiasFinding] = []
    for (detector, _), rng in zip(DETECTORS.values(), sources, strict=True):
        findings += _adjusted(detector(evidence, rng))
    return _adjusted_overall(findings)


def _untested(reason: Reason) -> list[BiasFinding]:
    """One finding of each kind with the reason why it was not tested."""
    return [not_identifiable(kind, reason, unit=unit) for kind, (_, unit) in DETECTORS.items()]


def _reason(submissions: Submissions) -> Reason | None:
    """Reason why no bias at all can be tested, or None."""
    if not len(submissions.item):
        return "no_items"
    if submissions.n_raters < 2:
        return "fewer_than_two_raters"
    rated = np.isfinite(submissions.value)
    shared = (np.bincount(submissions.item[column]).max(initial=0) for column in rated.T)
    if max(shared) < 2:
        return "no_pairable_items"
    together = submissions.n_items > 1 and not np.ptp(submissions.draw)
    return "fewer_than_two_draws" if together else None


def _adjusted_overall(findings: Sequence[BiasFinding]) -> list[BiasFinding]:
    """Findings with p-values adjusted for all tests of all kinds."""
    p = np.array([finding.p_value for finding in findings])
    overall = adjusted_p_values(p, np.ones(len(p)))
    return [
        replace(finding, p_overall=float(value))
        for finding, value in zip(findings, overall, strict=True)
    ]


def _adjusted(findings: Sequence[BiasFinding]) -> list[BiasFinding]:
    """Findings of one kind with adjusted p-values and flags."""
    p = np.array([finding.p_value for finding in findings])
    together = np.array([finding.rater is None for finding in findings])
    tested = np.isfinite(p)
    weight = np.ones(len(p))
    if (tested & together).any() and (tested & ~together).any():
        weight = np.where(
            together, 0.5 / (tested & together).sum(), 0.5 / (tested & ~together).sum()
        )
    adjusted = adjusted_p_values(p, weight)
    return [
        replace(finding, p_adjusted=float(value), flagged=bool(value <= ALPHA))
        for finding, value in zip(findings, adjusted, strict=True)
    ]
