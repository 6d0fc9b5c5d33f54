"""Agreement on one dimension as the command line shows it: coefficients, levels, plain mean.

A printed interval ends where its statistic ends; JSON holds the interval as it was computed.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from ocrjury.agreement import (
    BANDS,
    cohen_kappa,
    interpret,
    krippendorff_alpha,
    measure_agreement,
)
from ocrjury.agreement.bands import LANDIS_KOCH
from ocrjury.cli.printing import BAD, GOOD, QUIET, WARNING, Cell, Column, right, say, table
from ocrjury.estimation.plain import plain_mean
from ocrjury.pages.numbers import NOTHING, decimal, has_interval, plural, reason_words, within
from ocrjury.scales import LEVELS

if TYPE_CHECKING:
    from ocrjury.estimate import Estimate
    from ocrjury.ratings import RatingTable

Resampling = Literal["jackknife", "bootstrap"]
LABELS: Mapping[str, str] = {
    "krippendorff_alpha": "Krippendorff's alpha",
    "cohen_kappa": "Cohen's kappa",
    "cohen_kappa_quadratic": "Cohen's kappa, quadratic weights",
    "fleiss_kappa": "Fleiss' kappa",
    "mean_pairwise_kappa": "mean pairwise kappa",
    "mean_pairwise_weighted_kappa": "mean pairwise weighted kappa",
    "gwet_ac": "Gwet's AC",
    "icc": "intraclass correlation",
    "percent_agreement": "percent agreement",
    "exact_agreement": "exact agreement of pairs",
    "adjacent_agreement": "exact or adjacent agreement of pairs",
    "human_agreement": "A^HH, human agreement",
    "human_agreement_chance": "A^HH by chance alone",
    "human_agreement_corrected": "A^HH beyond chance",
    "modal_share": "share of the most frequent rating",
    "prevalence_index": "prevalence index",
}
_SHARES = (
    *("percent_agreement", "exact_agreement", "adjacent_agreement", "human_agreement"),
    *("human_agreement_chance", "modal_share", "prevalence_index"),
)
_BANDS_OF = {"cohen_kappa_quadratic": "cohen_kappa"}
_GOOD = ("almost perfect", "substantial", "reliable", "excellent", "good")
_BAD = ("poor", "unreliable")


@dataclass(frozen=True, slots=True)
class Coefficients:
    """What is known of one dimension's agreement.

    Attributes
    ----------
    coefficients
        By the keys of `LABELS`.
    alpha
        Krippendorff's alpha at every level that the scale bears.
    mean
        Mean rating of the items, each weighing the same; None on a nominal scale.
    """

    table: "RatingTable"
    coefficients: dict[str, "Estimate"]
    alpha: dict[str, "Estimate"]
    mean: "Estimate | None"

    def to_json(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "n_items": self.table.n_items,
            "n_raters": self.table.n_raters,
            "n_ratings": self.table.n_ratings,
            "coefficients": {key: one.to_json() for key, one in self.coefficients.items()},
            "alpha_by_level": {level: one.to_json() for level, one in self.alpha.items()},
            "plain_mean": None if self.mean is None else self.mean.to_json(),
        }


def measure(ratings: "RatingTable", *, ci: Resampling | None, seed: int) -> Coefficients:
    """Return every coefficient that fits a table."""
    found = dict(measure_agreement(ratings, ci=cast("Any", ci), seed=seed))
    if ratings.n_raters == 2 and ratings.scale.kind != "interval":
        found["cohen_kappa"] = cohen_kappa(ratings, ci=ci, seed=seed)
        if ratings.scale.kind == "likert":
            found["cohen_kappa_quadratic"] = cohen_kappa(
                ratings, weights="quadratic", ci=ci, seed=seed
            )
    ordered = {key: found[key] for key in LABELS if key in found}
    alpha: dict[str, Estimate] = {
        level: krippendorff_alpha(ratings, level=level, ci=ci, seed=seed)
        for level in LEVELS
        if ratings.scale.ordered and (level != "ratio" or ratings.scale.low >= 0)
    }
    mean = plain_mean(_item_means(ratings)) if ratings.scale.ordered else None
    return Coefficients(ratings, ordered, alpha, mean)


def print_coefficients(found: Coefficients) -> None:
    """Print the tables of one dimension."""
    ratings = found.table
    say(
        f"{plural(ratings.n_items, 'item')}, {plural(ratings.n_raters, 'rater')}, "
        f"{plural(ratings.n_ratings, 'rating')}"
    )
    say()
    heads: tuple[Column | str, ...] = (
        "coefficient",
        *right("value", "95 % interval", "items"),
        "band",
    )
    table(
        heads,
        [
            _row(LABELS[key], key, one)
            for key, one in found.coefficients.items()
            if one.reason != "scale_mismatch"
        ],
    )
    if found.alpha:
        say()
        own = ratings.scale.level
        table(
            ("Krippendorff's alpha by level", *right("value", "95 % interval", "items"), "band"),
            [
                _row(
                    f"{level}, the scale's own" if level == own else level,
                    "krippendorff_alpha",
                    one,
                )
                for level, one in found.alpha.items()
            ],
        )
    if found.mean is not None:
        say()
        mean = within(found.mean, ratings.scale.low, ratings.scale.high)
        say(f"plain mean  {_value(mean)}  {_interval(mean)}  these items only")
    if _cut(found):
        say()
        say("Intervals are cut where their statistic ends; --json has them as computed.")


def _row(label: str, key: str, one: "Estimate") -> tuple[Cell | str, ...]:
    """Return the line of a coefficient; an undefined one gives its reason."""
    if not one.defined:
        reason = Cell(f"undefined: {reason_words(one.reason)}", QUIET)
        return (label, NOTHING, NOTHING, str(one.n_items), reason)
    shown = within(one, *_ends(key))
    return (label, _value(one), _interval(shown), str(one.n_items), _band(key, one.value))


def _ends(key: str) -> tuple[float, float]:
    """Return the least and the greatest value that a coefficient may have."""
    if key in _SHARES:
        return 0.0, 1.0
    # What is beyond chance is divided by what chance leaves, which may be next to nothing.
    return (-math.inf if key == "human_agreement_corrected" else -1.0), 1.0


def _cut(found: Coefficients) -> bool:
    """Return whether some printed interval is shorter than the one that was computed."""
    scale = found.table.scale
    printed = [(one, _ends(key)) for key, one in found.coefficients.items()]
    printed += [(one, _ends("krippendorff_alpha")) for one in found.alpha.values()]
    printed += [] if found.mean is None else [(found.mean, (scale.low, scale.high))]
    cut = ((within(one, *ends), one) for one, ends in printed if has_interval(one))
    return any((shown.low, shown.high) != (one.low, one.high) for shown, one in cut)


def _band(key: str, value: float) -> Cell:
    """Return the word that the literature puts on a value, nothing where it has none."""
    name = _BANDS_OF.get(key, key)
    if name not in BANDS:
        return Cell("")
    # Landis and Koch name bands of two digits (.21 to .40), which leave no place for .2099.
    judged = round(value, 2) if BANDS[name] is LANDIS_KOCH else value
    word = interpret(name, judged)
    return Cell(word, GOOD if word in _GOOD else BAD if word in _BAD else WARNING)


def _value(one: "Estimate") -> str:
    """Return a value with three decimals, as papers print it."""
    return decimal(one.value, 3)


def _interval(one: "Estimate") -> str:
    """Return both ends, a dash where they are not known."""
    known = has_interval(one)
    return f"{decimal(one.low, 3)} to {decimal(one.high, 3)}" if known else NOTHING


def _item_means(ratings: "RatingTable") -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return the mean rating of every item that has one."""
    n = np.bincount(ratings.item, minlength=ratings.n_items)
    sums = np.bincount(ratings.item, weights=ratings.values, minlength=ratings.n_items)
    return sums[n > 0] / n[n > 0]
