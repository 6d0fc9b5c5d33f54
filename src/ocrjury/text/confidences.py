"""Reliability of an engine's own confidence: whether it separates right texts from wrong ones.

The area under the ROC curve is the probability that a right text has higher confidence than a wrong
one, ties counted half; calibration compares the confidence with the share of right texts. Long
texts, such as whole pages, are hardly ever right in every character: there the confidence is
compared with the share of right characters.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.ranks import mid_ranks
from ocrjury.reliability import expected_calibration_error, reliability_curve
from ocrjury.text.lengths import is_long

_METHOD = "DeLong"
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class ConfidenceReliability:
    """Reliability of one system's confidence.

    Attributes
    ----------
    system
        Name of the OCR system. Confidences of two systems are never compared: each has a scale of
        its own.
    n
        Documents with a reference and a confidence.
    n_without
        Documents with a reference but no confidence, which are left out.
    of_characters
        Whether calibration compares confidence with the share of right characters of each document,
        as it does for long texts; otherwise with the share of right texts.
    n_right
        Documents whose text is right.
    auroc
        Probability that a right text has higher confidence than a wrong one; nan with reason
        ``"no_items"`` without documents, ``"no_variation"`` where all are right or all wrong.
    calibration_error
        Mean distance between confidence and the share of right texts, or of right characters.
    rank_correlation
        Spearman's correlation of confidence with error rate: -1 if confidence orders documents
        exactly by their errors. Informative for whole pages too, none of which may be right.
    curve
        Columns low, high, n, confidence, accuracy; one row per bin that has documents. Accuracy is
        the share of right texts, or the mean share of right characters.
    """

    system: str
    n: int
    n_without: int
    of_characters: bool
    n_right: int
    auroc: Estimate
    calibration_error: Estimate
    rank_correlation: Estimate
    curve: pd.DataFrame

    @property
    def stated(self) -> float:
        """Mean confidence, nan without documents."""
        return self._mean("confidence")

    @property
    def accuracy(self) -> float:
        """Mean of what confidence is compared with, nan without documents."""
        return self._mean("accuracy")

    def _mean(self, column: str) -> float:
        weight = self.curve["n"].to_numpy(dtype=float)
        return (
            float(self.curve[column].to_numpy(dtype=float) @ weight) / self.n
            if self.n
            else math.nan
        )


def confidence_reliability(
    frame: pd.DataFrame, *, most_cer: float | None = None, bins: int = 10
) -> list[ConfidenceReliability]:
    """Reliability of each system's confidence.

    Parameters
    ----------
    frame
        Scored pool with the columns ``confidence`` (0 to 1, nan where there is none) and ``cer``
        of `score_texts`; ``system`` may be absent. Texts with the same ``page_id`` count as one
        draw in intervals.
    most_cer
        Highest CER at which a text counts as right; 0: every character must be right. None: 0 for
        short texts; long ones (`ocrjury.text.lengths`) are compared by their right characters, one
        less the CER, not below 0.
    bins
        Bins of equal width over 0 to 1.

    Examples
    --------
    >>> frame = pd.DataFrame({"confidence": [0.9, 0.8, 0.3], "cer": [0.0, 0.0, 0.5]})
    >>> (reliability,) = confidence_reliability(frame)
    >>> reliability.auroc.value, round(reliability.calibration_error.value, 2)
    (1.0, 0.2)
    """
    absent = [name for name in ("confidence", "cer") if name not in frame.columns]
    if absent:
        raise InputError(
            f"confidence_reliability needs the columns 'confidence' and 'cer'; the frame lacks "
            f"{', '.join(map(repr, absent))}. Pass a pool with the columns of score_texts."
        )
    if "system" not in frame.columns:
        return [_of_system("default", frame, most_cer, bins=bins)]
    systems = frame.groupby("system", sort=True)
    return [_of_system(str(name), part, most_cer, bins=bins) for name, part in systems]


def area_under_curve(score: Floats, right: Floats, *, cluster: Integers | None = None) -> Estimate:
    """Area under the ROC curve with its 95 % interval, by DeLong.

    Parameters
    ----------
    score
        Larger means more likely right, shape (n,).
    right
        1 if right, else 0, shape (n,).
    cluster
        Number of each text's page, shape (n,), where texts share pages: what they contribute is
        summed by page before it is squared (Obuchowski 1997, Biometrics 53(2), 567-578).

    Notes
    -----
    DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44(3), 837-845, by midranks as in Sun and
    Xu (2014). The interval needs two right and two wrong texts, and is cut off at 0 and 1.
    There is none where all right texts score higher than all wrong ones, or lower, or all alike.

    Examples
    --------
    >>> area_under_curve(np.array([0.1, 0.4, 0.35, 0.8]), np.array([0.0, 0.0, 1.0, 1.0])).value
    0.75
    """
    n = len(score)
    up, down = score[right == 1], score[right == 0]
    if not len(up) or not len(down):
        reason = "no_variation" if n else "no_items"
        return Estimate(np.nan, n_items=n, method=_METHOD, reason=reason)
    ranks = mid_ranks(np.concatenate([up, down]))
    # Share of wrong texts below each right one, and of right texts above each wrong one.
    above = (ranks[: len(up)] - mid_ranks(up)) / len(down)
    below = 1 - (ranks[len(up) :] - mid_ranks(down)) / len(up)
    value = float(above.mean())
    if min(len(up), len(down)) < 2:
        return Estimate(value, n_items=n, method=_METHOD, reason="fewer_than_two_items")
    if cluster is None:
        se = float(np.sqrt(above.var(ddof=1) / len(up) + below.var(ddof=1) / len(down)))
    else:
        term = np.empty(n)
        term[right == 1] = (above - value) / len(up)
        term[right == 0] = (below - value) / len(down)
        se = _clustered_error(term, cluster)
    if np.isnan(se):
        return Estimate(value, n_items=n, method=_METHOD, reason="fewer_than_two_items")
    if se < _ROUNDING:
        reason = "perfect_order" if min(value, 1 - value) < _ROUNDING else "items_alike"
        return Estimate(value, se=se, n_items=n, method=_METHOD, reason=reason)
    half = NormalDist().inv_cdf(0.975) * se
    low, high = max(value - half, 0.0), min(value + half, 1.0)
    return Estimate(value, low, high, se, n_items=n, method=_METHOD)


def _clustered_error(term: Floats, cluster: Integers) -> float:
    """Standard error of a sum of terms by cluster, nan with one cluster."""
    _, place = np.unique(cluster, return_inverse=True)
    by_cluster = np.bincount(place, term)
    n = len(by_cluster)
    return float(np.sqrt(n / (n - 1) * (by_cluster @ by_cluster))) if n > 1 else float("nan")


def _of_system(
    system: str, frame: pd.DataFrame, most_cer: float | None, *, bins: int
) -> ConfidenceReliability:
    """Reliability of one system's confidence."""
    stated = frame["confidence"].to_numpy(dtype=float, na_value=np.nan)
    cer = frame["cer"].to_numpy(dtype=float, na_value=np.nan)
    # Text read where the reference is empty has no CER and is wrong; NED tells that it was scored.
    scored = ~np.isnan(cer)
    if "ned" in frame.columns:
        scored = ~np.isnan(frame["ned"].to_numpy(dtype=float, na_value=np.nan))
    known = scored & ~np.isnan(stated)
    right = (cer[known] <= (most_cer or 0.0)).astype(float)
    of_characters = most_cer is None and has_long_texts(frame[known])
    # Without a CER a text was read where there is none: no character of it is right.
    accuracy = np.clip(1 - np.nan_to_num(cer[known], nan=1.0), 0, 1) if of_characters else right
    return ConfidenceReliability(
        system=system,
        n=int(known.sum()),
        n_without=int((scored & ~known).sum()),
        of_characters=of_characters,
        n_right=int(right.sum()),
        auroc=area_under_curve(stated[known], right, cluster=_pages(frame[known])),
        calibration_error=expected_calibration_error(stated[known], accuracy, bins=bins),
        rank_correlation=_rank_correlation(stated, cer),
        curve=reliability_curve(stated[known], accuracy, bins=bins),
    )


def _pages(frame: pd.DataFrame) -> Integers | None:
    """Number of each text's page, None where no two share one."""
    if "page_id" not in frame.columns or not frame["page_id"].dropna().duplicated().any():
        return None
    pages = pd.factorize(frame["page_id"])[0].astype(np.int64)
    alone = pages < 0  # a text of no page stands for itself
    pages[alone] = len(pages) + np.arange(int(alone.sum()))
    return pages


def has_long_texts(frame: pd.DataFrame) -> bool:
    """Return whether the references of a scored pool are long, as those of whole pages."""
    return "n_ref_chars" in frame.columns and is_long(float(frame["n_ref_chars"].median()))


def _rank_correlation(stated: Floats, cer: Floats) -> Estimate:
    """Spearman's correlation of confidence and error rate, over documents with both."""
    known = ~np.isnan(stated) & ~np.isnan(cer)
    n, ranks = int(known.sum()), (mid_ranks(stated[known]), mid_ranks(cer[known]))
    if n < 2:
        return Estimate(np.nan, n_items=n, method="Spearman", reason="fewer_than_two_items")
    if any(np.ptp(side) == 0 for side in ranks):
        return Estimate(np.nan, n_items=n, method="Spearman", reason="no_variation")
    return Estimate(float(np.corrcoef(*ranks)[0, 1]), n_items=n, method="Spearman")
