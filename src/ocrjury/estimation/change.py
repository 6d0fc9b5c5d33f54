"""Change from one evaluation to the next, on the same documents where both samples share them.

Symbols as in `ocrjury.estimation.pair`: 1 and 2 mark the earlier and the later evaluation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.estimation.headline import WHOSE, check_options, fit_rated
from ocrjury.estimation.interval import Part, pooled
from ocrjury.estimation.linear_estimate import no_items
from ocrjury.estimation.pair import Pair, Side, difference_of
from ocrjury.estimation.rated_sample import RatedSample
from ocrjury.estimation.rated_warnings import rated_warnings
from ocrjury.estimation.rater_error import Raters, gold_level
from ocrjury.estimation.rating_data import item_ids
from ocrjury.estimation.tastes import spread_of_moves
from ocrjury.language import phrase

Sides = tuple[Side, Side]


def compare_evaluations(
    before: RatedSample,
    after: RatedSample,
    *,
    raters: Raters = "others",
    coordinated: bool = True,
    drifts: Sequence[Part] = (),
    confidence: float = 0.95,
) -> Estimate:
    """Change of the pool's mean rating from one evaluation to another.

    Documents in both samples are compared with themselves, and the severity of raters in both
    evaluations cancels, which makes the interval shorter; ``drifts`` make it longer.

    Parameters
    ----------
    before, after
        The two evaluations, of the same pool or of two pools.
    raters, confidence
        As in `rated_mean`.
    coordinated
        Whether both samples were drawn with the same seed, so that a document keeps its random
        number, or its ``cluster`` where documents were drawn together. Independent samples
        share documents by chance only, and gain nothing; nor do documents drawn individually
        compared with documents drawn by page.
    drifts
        Drifts from one earlier evaluation to the next, by `rater_drift`: the more of them are
        known, the surer is how far raters drift, and the shorter the interval where raters are few.

    Returns
    -------
    Estimate
        Above 0 where the later mean is higher. ``n_items`` counts documents of either sample,
        ``method`` says how many are in both. Undefined as in `rated_mean`.

    Notes
    -----
    The variance of the draw is V1 + V2 - 2 C, with Deville's form for C: over the documents in both
    samples, sum((1 - max(pi_1k, pi_2k)) (t_1k - m_1) (t_2k - m_2)), because with permanent random
    numbers the joint probability is the smaller of the two. On one and the same sample it is the
    variance of paired differences. In pools under 200 documents, which are drawn systematically, C
    counts by how much more documents are in both than by chance. Contributions of a cluster are
    summed first, and a cluster is in both samples where one of its rated documents is. Raters add
    their variance times sum((c_2r - c_1r)^2), which is 0 if the same raters do the same shares.
    How unlike those in both changed in between shows in two or more of them, and is part of the
    interval. That all of them changed alike cannot be detected without gold, which corrects both
    evaluations, or neither where one has too little of it.

    Examples
    --------
    >>> items = pd.DataFrame({"doc_id": list("abcd"), "inclusion_probability": 0.1})
    >>> rated = {"item": list("aabbccdd"), "rater": ["x", "y"] * 4}
    >>> first = RatedSample(pd.DataFrame({**rated, "rating": [5, 4, 3, 3, 1, 2, 5, 4]}), items)
    >>> second = RatedSample(pd.DataFrame({**rated, "rating": [5, 5, 3, 4, 2, 2, 5, 5]}), items)
    >>> change = compare_evaluations(first, second)
    >>> change.value, bool(change.low > 0)  # two raters do not show how far raters drift
    (0.5, False)
    """
    check_options(raters, confidence)
    sides = _both(before, after)
    if sides is None:
        return no_items(f"change, {WHOSE[raters]}")
    known = [*drifts, *_drift(sides)]
    return _change(sides, raters, coordinated=coordinated, drifts=known, confidence=confidence)


def rater_drift(before: RatedSample, after: RatedSample) -> Part | None:
    """Variance over raters of how much stricter or more lenient they grew, by the ratings.

    What all raters changed by is no part of it. None where fewer than two are in both evaluations.

    Examples
    --------
    >>> items = pd.DataFrame({"doc_id": list("abcd"), "inclusion_probability": 0.1})
    >>> rated = {"item": list("aabbccdd"), "rater": ["x", "y"] * 4}
    >>> first = RatedSample(pd.DataFrame({**rated, "rating": [5, 4, 3, 3, 1, 2, 5, 4]}), items)
    >>> second = RatedSample(pd.DataFrame({**rated, "rating": [5, 5, 3, 4, 2, 2, 5, 5]}), items)
    >>> round(rater_drift(first, second).measured, 3)
    0.125
    """
    sides = _both(before, after)
    return None if sides is None else next(iter(_drift(sides)), None)


def _both(before: RatedSample, after: RatedSample) -> Sides | None:
    """Fits of two evaluations, None where one has no ratings."""
    first, second = _side(before), _side(after)
    return None if first is None or second is None else (first, second)


def _drift(sides: Sides) -> list[Part]:
    """Drift of the raters in both evaluations, none where fewer than two are."""
    spread = spread_of_moves(sides[0].fit, sides[1].fit)
    return [] if spread is None else [spread]


def _change(
    sides: Sides,
    raters: Raters,
    *,
    coordinated: bool,
    drifts: Sequence[Part],
    confidence: float,
) -> Estimate:
    """Change from one evaluation to another; the last of the drifts is that in between."""
    pair = Pair(sides, coordinated=coordinated, drawn_twice=True)
    warnings = tuple(
        phrase("{when}: {warning}", when=when, warning=text)
        for when, side in zip((phrase("Before"), phrase("After")), sides, strict=True)
        for text in rated_warnings(side.fit)
    )
    of_raters = pair.rater_parts() if raters == "others" else []
    parts = None if of_raters is None else [*of_raters, *_drift_parts(pair, drifts)]
    return difference_of(pair, parts, raters=raters, confidence=confidence, warnings=warnings)


def _drift_parts(pair: Pair, drifts: Sequence[Part]) -> list[Part]:
    """Error from raters in both evaluations who changed otherwise than the others did.

    Gold shows how much each of them changed. One drift and the next have what was in between in
    common and so correlate by -1/2; k of them tell as much as 2 k^2 / (3 k - 1) that do not.
    """
    first, second = pair.sides
    before, after = first.share_of, second.share_of
    both = before.keys() & after.keys()
    if pair.levels[0].part is not None or not both or not drifts:
        return []
    weight = sum(before[rater] ** 2 + after[rater] ** 2 for rater in both) / 2
    spread, k = pooled(drifts, independent=True), len(drifts)
    return [replace(spread, df=spread.df * 2 * k / (3 * k - 1)).times(weight)]


_OF_MEAN = ("value", "low", "high", "n_items", "gold_corrected")


def trend(
    samples: Mapping[str, RatedSample],
    *,
    raters: Raters = "others",
    coordinated: bool = True,
    drifts: Sequence[Part] = (),
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Means of evaluations, each with its change from the one before.

    Parameters
    ----------
    samples
        The evaluations by name, in the order of time.
    raters, coordinated, confidence
        As in `compare_evaluations`.
    drifts
        Of raters between evaluations before these; those between these count from each to the next.

    Returns
    -------
    DataFrame
        ``evaluation``, ``value``, ``low``, ``high``, ``n_items``, ``gold_corrected``, and
        ``change``, ``change_low``, ``change_high``, which are ``nan`` for the first one, with
        ``n_both``, the documents rated in both, and ``drift``, the `rater_drift` or None.
    """
    rows: list[dict[str, object]] = []
    known = list(drifts)
    earlier: RatedSample | None = None
    for name, sample in samples.items():
        mean = sample.mean(raters=raters, confidence=confidence)
        sides = None if earlier is None else _both(earlier, sample)
        drift = [] if sides is None else _drift(sides)
        known += drift
        change = Estimate(np.nan)
        if sides is not None:
            change = _change(
                sides, raters, coordinated=coordinated, drifts=known, confidence=confidence
            )
        rows.append(
            {
                "evaluation": name,
                **{key: getattr(mean, key) for key in _OF_MEAN},
                "change": change.value,
                "change_low": change.low,
                "change_high": change.high,
                "n_both": 0 if earlier is None else _in_both(earlier, sample),
                "drift": next(iter(drift), None),
            }
        )
        earlier = sample
    return pd.DataFrame(rows)


def _in_both(before: RatedSample, after: RatedSample) -> int:
    """Number of documents with ratings in both samples."""
    rated = (
        {*item_ids(side.items)} & {*side.ratings.loc[side.ratings["rating"].notna(), "item"]}
        for side in (before, after)
    )
    return len(set.intersection(*rated))


def _side(sample: RatedSample) -> Side | None:
    """Fit of an evaluation, None without ratings."""
    data, known = sample.data, sample.known
    if not data.sampled.any():
        return None
    fit = fit_rated(data, known, data.reliable)
    ids = item_ids(sample.items)
    return Side([ids[row] for row in fit.rows], fit, gold_level(fit), fit)
