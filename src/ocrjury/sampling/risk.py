"""Risk of a document before rating: by CER, confidence, a judge, a score near a threshold."""

from typing import get_args

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.columns import check_columns, numeric_column
from ocrjury.errors import InputError
from ocrjury.ranks import mid_ranks
from ocrjury.sampling.designs import Risk
from ocrjury.sampling.reasons import Reason, rule_of

# A document without errors keeps a small risk; above CER 1 risk does not increase.
_LEAST, _MOST = 0.002, 1.0


def choose_risk(
    pool: pd.DataFrame,
    *,
    rule: Risk = "auto",
    judge: str | None = None,
    score: str = "cer",
    threshold: float = 0.05,
) -> "pd.Series[float]":
    """Risk of each document by one rule.

    Parameters
    ----------
    pool
        As for `risk_scores` and `borderline_scores`.
    rule
        ``"auto"``: `risk_scores` of what is known. ``"cer"`` and ``"confidence"``: the same from
        one of the two alone; a document without CER takes the median of the others, one without
        confidence ranks as riskiest. ``"judge"``: by the rank of a judge's score, as with
        confidence. ``"borderline"``: `borderline_scores`. ``"combined"``: `combined_scores`.
    judge
        Column of an automatic judge, in which a better document has a higher number.
    score, threshold
        Arguments of `borderline_scores`.

    Returns
    -------
    Series
        Named ``risk``, indexed like the pool. ``attrs["rule"]`` says in words what it goes by, and
        ``attrs["reasons"]`` the same as a tuple of `ocrjury.sampling.reasons.Reason`.

    Raises
    ------
    InputError
        If no document has the value that the rule needs, or the judge is not named; only
        ``"auto"`` has a fallback.

    Examples
    --------
    >>> pool = pd.DataFrame({"cer": [0.0, 0.4], "confidence": [0.2, 0.9]})
    >>> choose_risk(pool, rule="confidence").round(2).tolist()
    [1.39, 0.29]
    """
    if rule == "auto":
        return risk_scores(pool)
    if rule not in get_args(Risk):
        raise InputError(
            f"rule must be {', '.join(get_args(Risk)[:-1])} or {get_args(Risk)[-1]}; "
            f"found {rule!r}."
        )
    if rule == "judge":
        return _judged(pool, judge)
    if rule in {"borderline", "combined"}:
        check_columns(pool, [score])
    needed = {"borderline": [score], "combined": list(dict.fromkeys(["cer", "confidence", score]))}
    _check_known(pool, needed.get(rule, [rule]), rule=rule)
    if rule == "borderline":
        return borderline_scores(pool, score=score, threshold=threshold)
    if rule == "combined":
        return combined_scores(pool, score=score, threshold=threshold)
    return _for(risk_scores(pool[[rule]]), Reason("cer" if rule == "cer" else "confidence"))


def _judged(pool: pd.DataFrame, judge: str | None) -> "pd.Series[float]":
    """Risk by the rank of a judge's score."""
    if judge is None:
        raise InputError("The risk rule 'judge' needs the judge's column; name it with judge=.")
    check_columns(pool, [judge], "the pool")
    _check_known(pool, [judge], rule="judge")
    risk = -np.log1p(-_suspicion(numeric_column(pool, judge)))
    return _for(pd.Series(risk, index=pool.index, name="risk"), Reason("judge", judge))


def _for(risk: "pd.Series[float]", *reasons: Reason) -> "pd.Series[float]":
    """Risk that says by which reasons it goes."""
    risk.attrs |= {"rule": rule_of(reasons), "reasons": reasons}
    return risk


def _check_known(pool: pd.DataFrame, columns: list[str], *, rule: Risk) -> None:
    """Raise `InputError` if no document has a value in any of the columns."""
    if not any(np.isfinite(numeric_column(pool, column)).any() for column in columns):
        raise InputError(
            f"The risk rule {rule!r} needs {' or '.join(columns)}, which no document of the pool "
            "has. Use auto, which takes the values that exist."
        )


def risk_scores(pool: pd.DataFrame) -> "pd.Series[float]":
    """Risk of each document of a scored pool, by CER and confidence.

    Parameters
    ----------
    pool
        Frame with ``cer`` and ``confidence``, if available; missing values are allowed.

    Returns
    -------
    Series
        Named ``risk``, indexed like the pool, at least 0. ``attrs["rule"]`` is

        * ``"cer"``: every document has a reference; CER, no lower than .002 and no higher than 1;
        * ``"confidence"``: no document has; exponential scores of the rank of 1 - confidence; a
          missing confidence ranks as riskiest;
        * ``"cer and confidence"``: documents without a reference take the risk at
          the same relative rank among those with one;
        * ``"none"``: neither is known, all risks are 0, and `draw_sample` gives the
          error-focused share to the other two components.

    Notes
    -----
    Ranks are used because confidence orders documents better than it measures them. The score
    of rank k among N is -log(1 - (k - 1/2) / N): 1 on average, and largest where N is.

    Examples
    --------
    >>> risk = risk_scores(pd.DataFrame({"cer": [0.0, 0.3, 1.4]}))
    >>> risk.tolist(), risk.attrs["rule"]
    ([0.002, 0.3, 1.0], 'cer')
    >>> risk_scores(pd.DataFrame({"confidence": [0.9, None, 0.5]})).round(2).tolist()
    [0.18, 1.79, 0.69]
    """
    cer, confidence = numeric_column(pool, "cer"), numeric_column(pool, "confidence")
    known = np.isfinite(cer)
    risk = np.clip(cer, _LEAST, _MOST)
    if known.all() and len(cer):
        reasons = [Reason("cer")]
    elif not np.isfinite(confidence).any() and not known.any():
        reasons, risk = [], np.zeros(len(cer))
    elif not known.any():
        reasons, risk = [Reason("confidence")], -np.log1p(-_suspicion(confidence))
    else:
        reasons = [Reason("cer and confidence")]
        risk[~known] = np.quantile(risk[known], _suspicion(confidence)[~known])
    return _for(pd.Series(risk, index=pool.index, name="risk"), *reasons)


def borderline_scores(pool: pd.DataFrame, *, score: str, threshold: float) -> "pd.Series[float]":
    """Risk of each document by the distance of a score from a threshold.

    A score far from the threshold decides by itself; near it, ratings are worth their cost.

    Parameters
    ----------
    pool
        Frame with the column of the score; missing values are allowed.
    score
        Column such as ``cer``, or an automatic judge's score.
    threshold
        Value at which documents pass or fail.

    Returns
    -------
    Series
        Named ``risk``, indexed like the pool: exponential scores of the rank of closeness, as in
        `risk_scores`, where a missing score ranks as closest. ``attrs["rule"]`` names score and
        threshold; if no document has a score it is ``"none"`` and all risks are 0.

    Examples
    --------
    >>> pool = pd.DataFrame({"cer": [0.0, 0.04, 0.06, 0.9]})
    >>> borderline_scores(pool, score="cer", threshold=0.05).round(2).tolist()
    [0.47, 1.39, 1.39, 0.13]
    """
    closeness = _closeness(pool, score=score, threshold=threshold)
    known = np.isfinite(closeness)
    closeness = np.where(known, closeness, np.inf)
    risk = _exponential_scores(closeness) if known.any() else np.zeros(len(closeness))
    reasons = [Reason("near", score, threshold)] if known.any() else []
    return _for(pd.Series(risk, index=pool.index, name="risk"), *reasons)


def combined_scores(pool: pd.DataFrame, *, score: str, threshold: float) -> "pd.Series[float]":
    """Risk of each document by high CER, a score close to a threshold or low confidence.

    Parameters
    ----------
    pool
        As for `risk_scores` and `borderline_scores`.
    score, threshold
        Arguments of `borderline_scores`.

    Returns
    -------
    Series
        Named ``risk``, indexed like the pool: the largest of the exponential scores (see
        `risk_scores`) of the three ranks, so that one reason is enough. A missing CER or score is
        no reason; a missing confidence ranks as riskiest where others are known. A document about
        which nothing is known takes the median of the others. ``attrs["rule"]`` joins the reasons
        that the pool knows by ``" or "``; it is ``"none"``, and all risks 0, if it knows none.

    Examples
    --------
    >>> pool = pd.DataFrame({"cer": [0.0, 0.05, 0.9, 0.0], "confidence": [0.9, 0.8, 0.9, 0.2]})
    >>> risk = combined_scores(pool, score="cer", threshold=0.05)
    >>> risk.round(2).tolist(), risk.attrs["rule"]
    ([0.69, 2.08, 2.08, 2.08], 'cer or cer close to 0.05 or confidence')
    """
    confidence = numeric_column(pool, "confidence")
    suspicion = np.where(np.isfinite(confidence), -confidence, np.inf)
    reasons = {
        Reason("cer"): numeric_column(pool, "cer"),
        Reason("near", score, threshold): _closeness(pool, score=score, threshold=threshold),
        Reason("confidence"): suspicion if np.isfinite(confidence).any() else confidence,
    }
    known = {reason: values for reason, values in reasons.items() if np.isfinite(values).any()}
    risk = np.full(len(pool), -np.inf)
    for values in known.values():
        has = ~np.isnan(values)
        risk[has] = np.maximum(risk[has], _exponential_scores(values[has]))
    nothing = np.isneginf(risk)
    risk[nothing] = np.median(risk[~nothing]) if known else 0.0
    return _for(pd.Series(risk, index=pool.index, name="risk"), *known)


def _closeness(pool: pd.DataFrame, *, score: str, threshold: float) -> Floats:
    """Negative distance of each document's score from the threshold; nan without a score."""
    if not np.isfinite(threshold):
        raise InputError(f"threshold must be a finite number; found {threshold!r}.")
    check_columns(pool, [score])
    # 12 digits: .05 - .04 and .06 - .05 are the same distance.
    distance = np.round(np.abs(numeric_column(pool, score) - threshold), 12)
    return np.where(np.isfinite(distance), -distance, np.nan)


def _suspicion(trust: Floats) -> Floats:
    """Relative rank of each document by lack of trust, between 0 and 1; unknown ranks highest."""
    return _relative_rank(np.where(np.isfinite(trust), -trust, np.inf))


def _exponential_scores(values: Floats) -> Floats:
    """-log(1 - relative rank) of each value."""
    return -np.log1p(-_relative_rank(values))


def _relative_rank(values: Floats) -> Floats:
    """Rank of each value as a share, strictly between 0 and 1; equal values have equal ranks."""
    return np.asarray((mid_ranks(values) - 0.5) / max(len(values), 1), dtype=float)
