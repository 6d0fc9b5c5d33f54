"""Plan of a study, from what it may cost or how narrow its interval must be."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ocrjury.errors import InputError
from ocrjury.planner.double_rating import DOUBLE_ITEMS
from ocrjury.planner.precision import (
    Components,
    Design,
    Precision,
    expected_precision,
)
from ocrjury.planner.search import (
    Prices,
    best_for,
    cheapest_for,
    narrowest,
    narrowest_width,
    why_impossible,
    width_of,
)
from ocrjury.sampling.probabilities import is_whole

SHARES = {share: f"a share of {share:.0%}" for share in (0.5, 0.2, 0.05)}
"""Names of the shares whose intervals a plan foresees, in `StudyPlan.widths`."""
_LARGEST = 1_000_000_000  # spread in points, beyond which its square is no number to plan by
OTHERS, NO_GOLD, THESE = (
    "mean, other raters like these",
    "mean, other raters, without gold",
    "mean, these raters only",
)


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """Plan of a study, and its forecast.

    Attributes
    ----------
    possible
        Whether the target is reached; if not, this is the best that these raters can do.
    items, raters_per_item
        Items to draw, and ratings of each.
    double_rated
        Items with two or more raters, which agreement and noise are measured on.
    gold_items
        Items of known rating that every rater meets; 0 without need.
    ratings
        Ratings in all, those of gold items too.
    cost
        In the units of ``cost_item`` and ``cost_rating``.
    width
        Expected length of the 95 % interval of the mean for other raters, from low to high.
    widths
        The same by outcome. Shares assume normal scores, and tend to come out narrower.
    target
        The width asked for, None with a budget.
    components, precision
        What the plan assumes, and the variance of the mean by its sources.
    notes
        What to know, and what would help, in whole sentences.
    """

    possible: bool
    items: int
    raters_per_item: int
    double_rated: int
    gold_items: float
    ratings: int
    cost: float
    width: float
    widths: Mapping[str, float]
    target: float | None
    components: Components
    precision: Precision
    notes: tuple[str, ...]

    def hours(self, *, minutes_per_rating: float = 1.0) -> float:
        """Working hours of all raters together."""
        return self.ratings * minutes_per_rating / 60

    def width_at(self, items: int) -> float:
        """Width to expect with another number of items."""
        design = Design(items, self.raters_per_item, self.gold_items)
        return expected_precision(self.components, design).width()


def plan_study(  # noqa: PLR0913  # what a campaign knows about its pool, its raters and its money
    *,
    population: int,
    budget: float | None = None,
    width: float | None = None,
    score_sd: float,
    r_squared: float = 0.0,
    rater_sd: float,
    noise_sd: float,
    n_raters: int,
    together: float = 1.0,
    cost_item: float = 0,
    cost_rating: float = 1,
) -> StudyPlan:
    """Best study for a budget, or the cheapest one for a width.

    Parameters
    ----------
    population
        Documents of the pool.
    budget, width
        Exactly one: what all may cost, or the length of the 95 % interval (from its low to its
        high end, in points of the scale) of the mean for other raters like these.
    score_sd
        Standard deviation of the documents' scores.
    r_squared
        What the draw and the auxiliaries save: the part of a simple random sample's variance
        that disappears, at most 1. 0: nothing; below 0: the draw costs more than it saves.
    rater_sd, noise_sd
        Standard deviations of the raters' severities, and of one rating around document and
        severity. `variance_components` finds all of these in an earlier evaluation.
    n_raters
        Raters there are.
    together
        Items that come in one draw, such as the outputs of a page by two systems, at least 1. They
        are taken as alike.
    cost_item, cost_rating
        Price of preparing an item, and of one rating.

    Returns
    -------
    StudyPlan
        Gold items are planned where they are worth their ratings. If no number of items reaches
        the width, ``possible`` is False, the plan is the narrowest there is, and ``notes`` say
        what would help.

    Notes
    -----
    All numbers of raters per item up to 6 and of gold items up to 40 are tried; `Precision` has
    the formula. With free items, one rater per item is best for the mean; a fifth of the items,
    and at least 77, get a second one, or nothing would show how much raters waver.

    Examples
    --------
    >>> plan = plan_study(population=100_000, width=0.3, score_sd=1.1, r_squared=0.7,
    ...                   rater_sd=0.35, noise_sd=0.5, n_raters=6)
    >>> plan.possible, plan.items, plan.gold_items
    (True, 151, 20)
    >>> plan_study(population=100_000, width=0.05, score_sd=1.1, rater_sd=0.35, noise_sd=0.5,
    ...            n_raters=6).notes[0][:34]
    'Impossible with these raters: what'
    """
    of = _checked(
        Components(population, score_sd, r_squared, rater_sd, noise_sd, n_raters, together)
    )
    prices = _checked_prices(cost_item, cost_rating)
    if (budget is None) == (width is None):
        raise InputError(
            f"plan_study needs either a budget or a width; found budget {budget!r} and width "
            f"{width!r}."
        )
    if budget is not None:
        return _plan(of, best_for(of, prices, budget), prices, target=None)
    if width is None or not width > 0 or not np.isfinite(width):
        raise InputError(f"width must be a finite number above 0; found {width!r}.")
    design = cheapest_for(of, prices, width) or narrowest(of, prices)
    return _plan(of, design, prices, target=width)


def planned(of: Components, design: Design) -> StudyPlan:
    """Study plan of a given design."""
    return _plan(_checked(of), design, Prices(0.0, 1.0), target=None)


def _plan(of: Components, design: Design, prices: Prices, *, target: float | None) -> StudyPlan:
    """Study plan of a design: numbers, cost, expected widths and notes."""
    if design.double_rated == design.items and of.n_raters > 1:
        design = replace(design, raters_per_item=max(2, design.raters_per_item))
    width = width_of(of, design)
    possible = target is None or width <= target
    return StudyPlan(
        possible=possible,
        items=design.items,
        raters_per_item=design.raters_per_item,
        double_rated=design.double_rated if of.n_raters > 1 else 0,
        gold_items=design.gold_items,
        ratings=design.ratings(of.n_raters),
        cost=prices.of(design, of.n_raters),
        width=width,
        widths=_widths(of, design),
        target=target,
        components=of,
        precision=expected_precision(of, design),
        notes=_notes(of, design, target=target, possible=possible),
    )


def _widths(of: Components, design: Design) -> dict[str, float]:
    """Expected width of every outcome."""
    widths = {OTHERS: width_of(of, design)}
    if design.gold_items:
        widths[NO_GOLD] = width_of(of, replace(design, gold_items=0))
    widths[THESE] = expected_precision(of, design, whose="these").width()
    for share, name in SHARES.items():
        # No interval of a share is longer than from 0 to 1.
        widths[name] = min(width_of(of.of_share(share), design), 1.0)
    return widths


def _notes(
    of: Components, design: Design, *, target: float | None, possible: bool
) -> tuple[str, ...]:
    """Notes about a plan, in whole sentences."""
    notes = []
    if target is not None and not possible:
        notes += why_impossible(of, target)
    elif target is not None and design.gold_items:
        least = narrowest_width(of, 0)
        if least > target:
            why = (
                f"their severities alone leave an interval of {least:.2g}"
                if np.isfinite(least)
                else "one rater tells nothing about others"
            )
            notes.append(
                f"Impossible with these raters without gold: {why}. The plan has "
                f"{design.gold_items:g} items of known rating, which every rater rates."
            )
    if design.double_rated < DOUBLE_ITEMS and of.n_raters > 1:
        notes.append(_few_double_rated(design.double_rated))
    if of.n_raters == 1:
        notes.append(
            "With one rater nothing shows how much raters differ, and nobody can disagree."
        )
    return tuple(notes)


def _few_double_rated(number: int) -> str:
    """Sentence about few items with two raters."""
    enough = f"{DOUBLE_ITEMS} would give a coefficient near .8 to within .08."
    if number == 0:
        return f"No item has two raters, so that nothing shows how far they agree; {enough}"
    few = "1 item with two raters is" if number == 1 else f"{number} items with two raters are"
    return f"{few} few to show how far raters agree; {enough}"


def _checked(of: Components) -> Components:
    """Components, or raise."""
    for name, least in (("population", 1), ("n_raters", 1)):
        number = getattr(of, name)
        if not is_whole(number) or number < least:
            raise InputError(f"{name} must be a whole number of at least 1; found {number!r}.")
    _check_spreads(of)
    if not (np.isfinite(of.together) and of.together >= 1):
        raise InputError(f"together must be a finite number of at least 1; found {of.together!r}.")
    return of


def _check_spreads(of: Components) -> None:
    """Refuse spreads by which nothing can be planned."""
    for name in ("score_sd", "rater_sd", "noise_sd"):
        number = getattr(of, name)
        if not (np.isfinite(number) and number >= 0):
            raise InputError(f"{name} must be a finite number of at least 0; found {number!r}.")
    if not (np.isfinite(of.r_squared) and of.r_squared <= 1):
        raise InputError(f"r_squared must be a finite number up to 1; found {of.r_squared!r}.")
    for name in ("score_sd", "rater_sd", "noise_sd", "r_squared"):
        number = getattr(of, name)
        if abs(number) > _LARGEST:
            raise InputError(f"{name} must lie within {_LARGEST:,} of 0; found {number!r}.")
    if of.score_sd == 0 and of.noise_sd == 0:
        raise InputError(
            "score_sd and noise_sd are both 0: if all ratings are equal, one item tells all."
        )


def _checked_prices(cost_item: float, cost_rating: float) -> Prices:
    """Prices, or raise."""
    for name, price in (("cost_item", cost_item), ("cost_rating", cost_rating)):
        if not (np.isfinite(price) and price >= 0):
            raise InputError(f"{name} must be a finite number of at least 0; found {price!r}.")
    if cost_item == 0 and cost_rating == 0:
        raise InputError("cost_item and cost_rating are both 0: then there is nothing to plan.")
    return Prices(float(cost_item), float(cost_rating))
