"""Reliability of each system's confidence against what is right, and against critical errors.

Symbols: n documents in G groups of pages, c the confidence of a document, a its share that is
right.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.special import ndtr, stdtrit

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.columns import numeric_column
from ocrjury.estimate import Estimate
from ocrjury.estimation.plain_average import plain_mean
from ocrjury.findings.measurement.pool_scores import wilson_share
from ocrjury.findings.pool_metrics import ConfidenceBin, ConfidenceCheck, Coverage, Right
from ocrjury.reliability import expected_calibration_error, reliability_curve
from ocrjury.text.confidences import area_under_curve, has_long_texts
from ocrjury.text.shares import effective_size

BINS = 10
COVERAGES = tuple(place / 20 for place in range(1, 21))
_GROUPS = 100


@dataclass(frozen=True, slots=True)
class Stated:
    """Confidences from 0 to 1, nan where there is none that can be used."""

    shares: Floats
    n_missing: int
    n_outside: int
    percentages: bool


def stated_confidences(given: Floats) -> Stated:
    """Confidences as they were given, from 0 to 1 or, where most exceed 1, from 0 to 100.

    Examples
    --------
    >>> stated_confidences(np.array([90.0, 45.0, 120.0, math.nan]))
    Stated(shares=array([0.9 , 0.45,  nan,  nan]), n_missing=1, n_outside=1, percentages=True)
    """
    known = np.isfinite(given)
    percentages = bool(known.any() and np.median(given[known]) > 1)
    values = given / 100 if percentages else given.copy()
    outside = known & ~((values >= 0) & (values <= 1))
    values[outside | ~known] = math.nan
    return Stated(values, int((~known).sum()), int(outside.sum()), percentages)


def confidence_checks(
    scored: pd.DataFrame, *, critical: Floats | None = None
) -> tuple[ConfidenceCheck, ...]:
    """Check of every system whose documents have a reference, then those of critical errors.

    Parameters
    ----------
    scored
        Scored pool; ``confidence``, ``system`` and ``page_id`` may be missing.
    critical
        1 for a document with a critical error, 0 for one without, nan where no field rule judges
        it, shape (n,).
    """
    if "system" in scored:
        code, systems = pd.factorize(scored["system"].astype("str"), sort=True)
    else:
        code, systems = np.zeros(len(scored), dtype=np.int64), pd.Index(["default"])
    checks = []
    for place, system in enumerate(systems):
        rows = np.flatnonzero(code == place)
        part = scored.iloc[rows]
        checks.append(_of_texts(str(system), part))
        if critical is not None:
            checks.append(_of_errors(str(system), part, critical[rows]))
    return tuple(check for check in checks if check is not None)


def _of_texts(system: str, part: pd.DataFrame) -> ConfidenceCheck | None:
    """Confidence against the reference; long texts are compared by their right characters."""
    exact = numeric_column(part, "exact_match")
    if not np.isfinite(exact).any():
        return None
    if not has_long_texts(part):
        return _check(system, "exact", part, right=exact, share=exact)
    # Without a CER a text was read where there is none: no character of it is right.
    share = np.clip(1 - np.nan_to_num(numeric_column(part, "cer"), nan=1.0), 0, 1)
    share[~np.isfinite(exact)] = math.nan
    return _check(system, "characters", part, right=exact, share=share)


def _of_errors(system: str, part: pd.DataFrame, critical: Floats) -> ConfidenceCheck | None:
    """Confidence against the field rules, over the kinds of field that they judge."""
    judged = np.isfinite(critical)
    if not judged.any():
        return None
    return _check(system, "critical", part, right=1 - critical, share=1 - critical)


def _check(
    system: str, about: Right, part: pd.DataFrame, *, right: Floats, share: Floats
) -> ConfidenceCheck:
    known = np.isfinite(share)
    of = stated_confidences(numeric_column(part, "confidence")[known])
    used = np.isfinite(of.shares)
    c, a = of.shares[used], share[known][used]
    pages = _pages(part)[known][used]
    sampled = bool(about != "critical" and not known.all())
    auroc = area_under_curve(c, right[known][used], cluster=pages)
    error = expected_calibration_error(c, a, bins=BINS)
    return ConfidenceCheck(
        system=system,
        right=about,
        n=len(c),
        n_missing=of.n_missing,
        n_outside=of.n_outside,
        percentages=of.percentages,
        stated=float(c.mean()) if len(c) else math.nan,
        correct=float(a.mean()) if len(a) else math.nan,
        bins=_bins(c, a, pages, binary=about != "characters", sampled=sampled),
        calibration_error=_with_jackknife(error, c - a, pages=pages, place=_bin_of(c))
        if sampled
        else error,
        brier=_brier(c, a, pages, sampled=sampled),
        auroc=auroc if sampled else replace(auroc, low=math.nan, high=math.nan, se=math.nan),
        coverage=_with_intervals(risk_by_coverage(c, a), c, a, pages=pages)
        if sampled
        else risk_by_coverage(c, a),
        pool=int(known.sum()) if about == "critical" else len(part),
    )


def _pages(part: pd.DataFrame) -> Integers:
    """Number of each document's page; a document of no page is one of its own."""
    if "page_id" not in part:
        return np.arange(len(part), dtype=np.int64)
    code = pd.factorize(part["page_id"])[0].astype(np.int64)
    return np.where(code < 0, len(part) + np.arange(len(part)), code)


def _bin_of(c: Floats) -> Integers:
    """Bin of every confidence, as `reliability_curve` has them."""
    return np.minimum((c * BINS + 1e-9).astype(np.int64), BINS - 1)


def _bins(
    c: Floats, a: Floats, pages: Integers, *, binary: bool, sampled: bool
) -> tuple[ConfidenceBin, ...]:
    place = _bin_of(c)
    curve = reliability_curve(c, a, bins=BINS)
    columns = ("low", "high", "n", "confidence", "accuracy")
    rows = zip(*(curve[name].tolist() for name in columns), strict=True)
    return tuple(
        ConfidenceBin(
            low,
            high,
            int(n),
            stated,
            _share(a, pages, place == round(low * BINS), binary=binary)
            if sampled
            else Estimate(right, n_items=int(n), method="share"),
        )
        for low, high, n, stated, right in rows
    )


def _share(a: Floats, pages: Integers, inside: Booleans, *, binary: bool) -> Estimate:
    """Share that is right in a bin, with its interval over pages."""
    of, on = a[inside], pages[inside]
    if not binary:
        return plain_mean(of, cluster=on)
    return wilson_share(int(of.sum()), len(of), size=effective_size(of, on))


def _brier(c: Floats, a: Floats, pages: Integers, *, sampled: bool) -> Estimate:
    """Mean squared distance between confidence and what is right (Brier 1950)."""
    if not len(c):
        return Estimate(math.nan, method="Brier score", reason="no_items")
    squares = np.square(c - a)
    if sampled:
        return replace(plain_mean(squares, cluster=pages), method="Brier score")
    return Estimate(float(squares.mean()), n_items=len(c), method="Brier score")


def _with_jackknife(
    error: Estimate, apart: Floats, *, place: Integers, pages: Integers
) -> Estimate:
    """Calibration error with the interval of a delete-a-group jackknife over pages."""
    if not error.defined:
        return error
    group = np.unique(pages, return_inverse=True)[1] % _GROUPS
    n_groups = int(group.max()) + 1
    if n_groups < 2:
        return replace(error, reason="fewer_than_two_items")
    cell = group * BINS + place
    sums = np.bincount(cell, weights=apart, minlength=n_groups * BINS).reshape(n_groups, BINS)
    size = np.bincount(group, minlength=n_groups)
    without = (sums.sum(axis=0) - sums) / (size.sum() - size)[:, None]
    se = float(_jackknife_error(np.abs(without).sum(axis=1)))
    reach = float(stdtrit(n_groups - 1, 0.975)) * se
    gap = np.abs(sums.sum(axis=0)) / size.sum()
    low = _least_error(error.value - reach, gap, _jackknife_error(without))
    return replace(error, low=low, high=min(error.value + reach, 1.0), se=se)


def _jackknife_error(without: Floats) -> Floats:
    """Standard error of numbers from those without each group, which are the rows."""
    n_groups = len(without)
    spread = np.square(without - without.mean(axis=0)).sum(axis=0)
    return np.asarray(np.sqrt((n_groups - 1) / n_groups * spread))


def _least_error(reached: float, gap: Floats, noise: Floats) -> float:
    """Least calibration error with which one of ``reached`` is to be expected.

    Distances add up though they are noise, so that confidence which is right at every level shows
    an error above 0 too (Roelofs and others 2022, AISTATS). The distances of the bins are scaled
    down until their folded normal distributions expect what was reached.
    """
    shares = np.linspace(0, 1, 101)
    mean, sd = shares[:, None] * gap, np.where(noise > 0, noise, 1.0)
    folded = sd * math.sqrt(2 / math.pi) * np.exp(-np.square(mean / sd) / 2)
    folded += mean * (1 - 2 * ndtr(-mean / sd))
    expected = np.where(noise > 0, folded, mean).sum(axis=1)
    return float(gap.sum() * np.interp(reached, expected, shares))


def _with_intervals(
    curve: tuple[Coverage, ...], c: Floats, a: Floats, *, pages: Integers
) -> tuple[Coverage, ...]:
    """Curve with the interval of each point, over pages."""
    _, level, size = np.unique(-c, return_inverse=True, return_counts=True)
    before = np.cumsum(size) - size
    points = []
    for point in curve:
        # Of the last level so many are taken, in random order, that the share is reached.
        part = np.clip((point.share * len(c) - before) / size, 0, 1)
        weight = part[level]
        used = weight > 0
        mean = plain_mean(1 - a[used], weight=weight[used], cluster=pages[used])
        points.append(replace(point, low=max(mean.low, 0.0), high=min(mean.high, 1.0)))
    return tuple(points)


def risk_by_coverage(confidence: Floats, right: Floats) -> tuple[Coverage, ...]:
    """Share that is wrong among the most confident documents, at every twentieth of them.

    Documents of equal confidence are taken in random order, so each counts with their mean. Where
    all confidences are equal there is nothing to choose by, and one value for all.

    Notes
    -----
    Geifman and El-Yaniv (2017), NeurIPS 30: risk over coverage.

    Examples
    --------
    >>> [point] = risk_by_coverage(np.array([0.5, 0.5]), np.array([1.0, 0.0]))
    >>> point.share, point.wrong
    (1.0, 0.5)
    """
    n = len(confidence)
    if not n:
        return ()
    levels, level = np.unique(-confidence, return_inverse=True)
    if len(levels) == 1:
        return (Coverage(1.0, float(1 - right.mean())),)
    size = np.bincount(level)
    wrong = np.bincount(level, weights=1 - right)
    ends = np.concatenate([[0], np.cumsum(size)])
    sums = np.concatenate([[0.0], np.cumsum(wrong)])
    taken = np.array(COVERAGES) * n
    # Between two levels the expected number of wrong documents grows in proportion.
    shares = np.interp(taken, ends, sums) / taken
    return tuple(Coverage(share, float(at)) for share, at in zip(COVERAGES, shares, strict=True))
