"""Forecast of a study that is decided on already, and assumptions where nothing was measured.

`plan_study` chooses a study; here the campaign has chosen, and a report says later what became of
the expectation.
"""

from collections.abc import Mapping

from ocrjury.errors import InputError
from ocrjury.planner.precision import Components, Design
from ocrjury.planner.study import StudyPlan, planned
from ocrjury.scales import Scale

# In points of a five-level scale; wider and narrower scales are stretched.
_LIKERT = {"score_sd": 1.0, "rater_sd": 0.3, "noise_sd": 0.5}
_BINARY = {"score_sd": 0.35, "rater_sd": 0.08, "noise_sd": 0.2}
_SAVED_BY_REFERENCES, _SAVED_BY_CONFIDENCE, _MOST = 0.5, 0.2, 0.5


def usual_spreads(scale: Scale, *, references: float, confidences: float) -> dict[str, float]:
    """Assumed standard deviations of scores and raters, before anything is measured.

    Parameters
    ----------
    scale
        An ordered scale.
    references, confidences
        Shares of the pool's documents that have a reference text, and a confidence.

    Returns
    -------
    dict
        ``score_sd``, ``rater_sd``, ``noise_sd`` and ``r_squared``, as `plan_study` takes them.

    Examples
    --------
    >>> usual_spreads(Scale.likert(1, 5), references=1.0, confidences=0.0)
    {'score_sd': 1.0, 'rater_sd': 0.3, 'noise_sd': 0.5, 'r_squared': 0.5}
    """
    if not scale.ordered:
        raise InputError("The scale has no order; categories have no mean to plan for.")
    step = (scale.high - scale.low) / 4
    spreads = (
        dict(_BINARY)
        if scale.kind == "binary"
        else {name: value * step for name, value in _LIKERT.items()}
    )
    saved = 0.0
    if references > _MOST:
        saved = _SAVED_BY_REFERENCES
    elif confidences > _MOST:
        saved = _SAVED_BY_CONFIDENCE
    return {**spreads, "r_squared": saved}


def forecast_study(
    spreads: Mapping[str, float],
    *,
    population: int,
    items: int,
    raters_per_item: int,
    n_raters: int,
    double_rated: float = 1.0,
    gold_items: float = 0,
    different_gold: float | None = None,
    together: float = 1.0,
) -> StudyPlan:
    """Expected precision of a study of fixed size.

    Parameters
    ----------
    spreads
        ``score_sd``, ``r_squared``, ``rater_sd``, ``noise_sd``, as `plan_study` takes them.
    population, items, n_raters
        Documents of the pool, documents drawn, and raters.
    raters_per_item, double_rated
        Ratings of an item that has several, and the share of items that have them, counted by
        `double_rated_items`; the rest has one.
    gold_items, different_gold
        Gold items that every rater meets, and of how many, as chance has it; None: all the same.
    together
        As in `plan_study`.

    Examples
    --------
    >>> spreads = {"score_sd": 1.0, "r_squared": 0.5, "rater_sd": 0.3, "noise_sd": 0.5}
    >>> plan = forecast_study(spreads, population=1525, items=200, raters_per_item=2, n_raters=6)
    >>> plan.ratings, round(plan.width, 2)
    (400, 0.67)
    """
    of = Components(population=population, n_raters=n_raters, together=together, **spreads)
    if not 1 <= items <= population:
        raise InputError(
            f"items must be from 1 to the {population} documents of the pool; found {items!r}."
        )
    shared = double_rated if raters_per_item > 1 else 0.0
    return planned(of, Design(items, raters_per_item, gold_items, shared, different_gold))
