"""Coefficients of one dimension as the command line shows them, with levels and plain mean.

A printed interval ends where its statistic ends; JSON holds the interval as it was computed.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, Protocol, get_args

import numpy as np

from ocrjury.agreement import (
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    icc,
    krippendorff_alpha,
    measure_agreement,
    percent_agreement,
)
from ocrjury.agreement.intraclass import is_complete
from ocrjury.agreement.mixed import Form
from ocrjury.cli.printing import BAD, GOOD, QUIET, WARNING, Cell, Column, right, say, table
from ocrjury.estimation.plain import plain_mean
from ocrjury.pages.numbers import NOTHING, bounded, decimal, has_interval, plural, within
from ocrjury.scales import LEVELS, Level
from ocrjury.statistics import STATISTICS, grade, reason_words, statistic

if TYPE_CHECKING:
    from ocrjury.estimate import Estimate
    from ocrjury.ratings import RatingTable

Resampling = Literal["jackknife", "bootstrap"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)
_STYLES = (BAD, WARNING, WARNING, GOOD, GOOD)  # by the level of a grade


class Interval(Protocol):
    """Whatever has two ends: an estimate, a bias finding, a row of a frame."""

    @property
    def low(self) -> float:
        """Return the lower end."""
        ...

    @property
    def high(self) -> float:
        """Return the upper end."""
        ...


@dataclass(frozen=True, slots=True)
class Coefficients:
    """What is known of one dimension's agreement.

    Attributes
    ----------
    coefficients
        By the keys of `ocrjury.statistics.STATISTICS`.
    alpha
        Krippendorff's alpha at every level that the scale bears.
    mean
        Mean rating of the items, each weighing the same; None on a nominal scale.
    icc
        The six intraclass correlations by form; empty on a nominal scale.
    weighted
        On a Likert scale the coefficients of panels by linear and by quadratic weights.
    """

    table: "RatingTable"
    coefficients: dict[str, "Estimate"]
    alpha: Mapping[Level, "Estimate"]
    mean: "Estimate | None"
    icc: Mapping[Form, "Estimate"] = field(default_factory=dict)
    weighted: dict[str, dict[str, "Estimate"]] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "n_items": self.table.n_items,
            "n_raters": self.table.n_raters,
            "n_ratings": self.table.n_ratings,
            "coefficients": {key: with_band(key, one) for key, one in self.coefficients.items()},
            "alpha_by_level": {
                level: with_band("krippendorff_alpha", one) for level, one in self.alpha.items()
            },
            "icc_by_form": {form: with_band("icc", one) for form, one in self.icc.items()},
            "by_weights": {
                weights: {key: with_band(key, one) for key, one in estimates.items()}
                for weights, estimates in self.weighted.items()
            },
            "plain_mean": None if self.mean is None else self.mean.to_json(),
        }


def with_band(key: str, one: "Estimate") -> dict[str, object]:
    """Return an estimate as plain values, with the word for it; None where nobody gave one."""
    return {**one.to_json(), "band": band_of(key, one.value) or None}


def band_of(key: str, value: float) -> str:
    """Return the word that the literature puts on a value, "" where it has none."""
    graded = grade(key, value)
    return graded.word if graded else ""


def measure(ratings: "RatingTable", *, ci: Resampling | None, seed: int) -> Coefficients:
    """Return every coefficient that fits a table."""
    found = dict(measure_agreement(ratings, ci=ci, seed=seed))
    if ratings.scale.kind != "interval":
        found["conger_kappa"] = conger_kappa(ratings, ci=ci, seed=seed)
        found["brennan_prediger"] = brennan_prediger(ratings, ci=ci, seed=seed)
        if ratings.n_raters == 2:
            found["cohen_kappa"] = cohen_kappa(ratings, ci=ci, seed=seed)
            if ratings.scale.kind == "likert":
                found["cohen_kappa_quadratic"] = cohen_kappa(
                    ratings, weights="quadratic", ci=ci, seed=seed
                )
    ordered = {key: found[key] for key in STATISTICS if key in found}
    if not ratings.scale.ordered:
        return Coefficients(ratings, ordered, {}, None)
    levels = [level for level in LEVELS if level != "ratio" or ratings.scale.low >= 0]
    missing: Literal["listwise", "mixed"] = "listwise" if is_complete(ratings) else "mixed"
    return Coefficients(
        ratings,
        ordered,
        {level: krippendorff_alpha(ratings, level=level, ci=ci, seed=seed) for level in levels},
        plain_mean(_item_means(ratings)),
        {form: icc(ratings, form=form, missing=missing) for form in FORMS},
        _weighted(ratings, ci, seed) if ratings.scale.kind == "likert" else {},
    )


def _weighted(
    ratings: "RatingTable", ci: Resampling | None, seed: int
) -> dict[str, dict[str, "Estimate"]]:
    """Return the coefficients of panels with weights that forgive neighbours."""
    measures: dict[str, Callable[..., Estimate]] = {
        "conger_kappa": conger_kappa,
        "fleiss_kappa": fleiss_kappa,
        "gwet_ac": gwet_ac,
        "brennan_prediger": brennan_prediger,
        "percent_agreement": percent_agreement,
    }
    return {
        weights: {
            key: measure(ratings, weights=weights, ci=ci, seed=seed)
            for key, measure in measures.items()
        }
        for weights in ("linear", "quadratic")
    }


def print_coefficients(found: Coefficients, *, full: bool = False) -> None:
    """Print the tables of one dimension; ``full`` adds the six intraclass correlations."""
    ratings = found.table
    say(
        f"{plural(ratings.n_items, 'item')}, {plural(ratings.n_raters, 'rater')}, "
        f"{plural(ratings.n_ratings, 'rating')}"
    )
    say()
    fitting = {k: one for k, one in found.coefficients.items() if one.reason != "scale_mismatch"}
    rows = [(statistic(key).label, key, one) for key, one in fitting.items()]
    _print_estimates("coefficient", rows)
    if found.alpha:
        say()
        own = ratings.scale.level
        named = {
            f"{level}, the scale's own" if level == own else level: one
            for level, one in found.alpha.items()
        }
        rows = [(label, "krippendorff_alpha", one) for label, one in named.items()]
        _print_estimates("Krippendorff's alpha by level", rows)
    if full:
        _print_details(found)
    if found.mean is not None:
        say()
        mean = within(found.mean, ratings.scale.low, ratings.scale.high)
        say(f"plain mean  {decimal(mean.value, 3)}  {interval_cell(mean)}  these items only")
    if _cut(found, full=full):
        say()
        say("Intervals are cut where their statistic ends; --json has them as computed.")


def _print_details(found: Coefficients) -> None:
    """Print weighted coefficients and the six intraclass correlations, where there are any."""
    for weights, estimates in found.weighted.items():
        say()
        rows = [(_weighted_label(key), key, one) for key, one in estimates.items()]
        _print_estimates(f"with {weights} weights", rows)
    if found.icc:
        say()
        rows = [(form, "icc", one) for form, one in found.icc.items()]
        _print_estimates("intraclass correlation by form", rows)


def _weighted_label(key: str) -> str:
    """Return what a coefficient with weights is called."""
    return "Gwet's AC2" if key == "gwet_ac" else statistic(key).label


def _print_estimates(title: str, rows: "list[tuple[str, str, Estimate]]") -> None:
    """Print a table of estimates by label, and by the key that says what they are."""
    heads: tuple[Column | str, ...] = (title, *right("value", "95 % interval", "items"), "band")
    table(heads, [estimate_row(label, key, one) for label, key, one in rows])


def estimate_row(label: str, key: str, one: "Estimate") -> tuple[Cell | str, ...]:
    """Return label, value, interval, items and band; an undefined one gives its reason."""
    if not one.defined:
        reason = Cell(f"undefined: {reason_words(one.reason)}", QUIET)
        return (label, NOTHING, NOTHING, str(one.n_items), reason)
    graded = grade(key, one.value)
    band = Cell(graded.word, _STYLES[graded.level]) if graded else ""
    shown = interval_cell(bounded(key, one))
    return (label, value_cell(key, one.value), shown, str(one.n_items), band)


def value_cell(key: str, value: float) -> str:
    """Return a value with three decimals, or more if these would show another band.

    Examples
    --------
    >>> value_cell("krippendorff_alpha", 0.66651), value_cell("krippendorff_alpha", 0.8149)
    ('0.6665', '0.815')
    """
    places = 3
    while places < 6 and band_of(key, round(value, places)) != band_of(key, value):
        places += 1
    return decimal(value, places)


def interval_cell(one: Interval) -> str:
    """Return both ends, a dash where they are not known."""
    known = math.isfinite(one.low) and math.isfinite(one.high)
    return f"{decimal(one.low, 3)} to {decimal(one.high, 3)}" if known else NOTHING


def _cut(found: Coefficients, *, full: bool) -> bool:
    """Return whether some printed interval is shorter than the one that was computed."""
    scale = found.table.scale
    printed = [(bounded(key, one), one) for key, one in found.coefficients.items()]
    printed += [(bounded("krippendorff_alpha", one), one) for one in found.alpha.values()]
    if found.mean is not None:
        printed.append((within(found.mean, scale.low, scale.high), found.mean))
    if full:
        printed += [
            (bounded(key, one), one)
            for part in found.weighted.values()
            for key, one in part.items()
        ]
        printed += [(bounded("icc", one), one) for one in found.icc.values()]
    known = [(shown, one) for shown, one in printed if has_interval(one)]
    return any((shown.low, shown.high) != (one.low, one.high) for shown, one in known)


def _item_means(ratings: "RatingTable") -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return the mean rating of every item that has one."""
    n = np.bincount(ratings.item, minlength=ratings.n_items)
    sums = np.bincount(ratings.item, weights=ratings.values, minlength=ratings.n_items)
    return sums[n > 0] / n[n > 0]
