"""Truth of N items: probabilities of K categories, and the label, median and mean they imply."""

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Booleans, Floats
from ocrjury.ratings import RatingTable

if TYPE_CHECKING:  # it needs pandas, which a truth does not
    from ocrjury.truth.calibration_record import Calibration

Labels = npt.NDArray[Any]
Places = npt.NDArray[np.int32]
_ROWS = 65_536  # items summarised together
_SAME = 1e-8  # probabilities this close are tied; rounding errors of a sum are far smaller


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """Inferred categories of N items and error rates of M raters, on a scale of K categories.

    Attributes
    ----------
    items
        Ids as in the table, N of them.
    categories
        The scale's categories, shape (K,); numbers on an ordered scale, as declared on a nominal
        one.
    probabilities
        Probability of each category, shape (N, K); under a model the posterior given
        ``confusion`` and ``class_prior``, see ``dependence``.
    label
        Most probable category, shape (N,). On a tie the posterior median, if it is among the tied
        categories, else the lowest of them; on a nominal scale the one declared first.
    median
        Lowest category whose cumulative probability reaches one half; ``nan`` on a nominal scale.
    mean
        Expected category; ``nan`` on a nominal scale.
    confidence
        Probability of the label, shape (N,).
    tied
        Whether another category is as probable as the label, shape (N,).
    raters
        Ids as in the table, M of them.
    confusion
        Probability of each observed category given the true one, shape (M, K, K), indexed rater,
        true, observed.
    class_prior
        Probability of each category before any rating is seen, shape (K,).
    rater_accuracy
        Expected share of right ratings over these items, shape (M,).
    rater_bias
        Expected mean of observed minus true over these items, shape (M,); ``nan`` on a nominal
        scale.
    log_likelihood
        Log-likelihood of the ratings at the end; ``nan`` where there is no model.
    objective
        Objective of expectation-maximisation, one value per iteration, never falling.
    n_iter, converged
        Number of these iterations, and whether the fit converged.
    warnings
        Whole sentences about the limits of the data.
    temperature
        Divisor of the log-probabilities, 1 unless calibrated.
    calibration
        Check of the stated confidence on known items, None if there was none: until then it is the
        model's confidence, not a probability to rely on.
    known
        Whether an item's category was given, not inferred, shape (N,); None if none was.
    dependence
        How far an item's n ratings weigh less than n independent ones, and the class prior
        correspondingly less, from 0, not at all, to 1: ``probabilities`` are the posterior to the
        power `rating_weight.rating_weights`.
    bounded
        Whether ratings with a dependence of 1 together never weigh more than 2.74 independent ones;
        otherwise they weigh like the square root of n.
    of_ratings
        Whether label, median and mean are those of the ratings themselves, as in `mean_rating` and
        `median_rating`, and do not follow from ``probabilities``.
    """

    items: tuple[Hashable, ...]
    categories: Labels
    probabilities: Floats
    label: Labels
    median: Labels
    mean: Floats
    confidence: Floats
    tied: Booleans
    raters: tuple[Hashable, ...]
    confusion: Floats
    class_prior: Floats
    rater_accuracy: Floats
    rater_bias: Floats
    log_likelihood: float
    objective: Floats
    n_iter: int
    converged: bool
    warnings: tuple[str, ...]
    temperature: float = 1.0
    calibration: "Calibration | None" = None
    known: Booleans | None = None
    dependence: float = 0.0
    bounded: bool = False
    of_ratings: bool = False

    @property
    def rooted(self) -> bool:
        """Whether an item's ratings weigh less than independent ones."""
        return self.dependence > 0

    @property
    def calibrated(self) -> bool:
        """Whether the confidence was checked on known items and may be called a probability."""
        return self.calibration is not None

    def with_probabilities(self, probabilities: Floats, *, temperature: float) -> Self:
        """Same raters with other probabilities and everything that follows from them."""
        if self.of_ratings:
            place = label_places(self.label, self.categories)
            sure = probabilities[np.arange(len(place)), place]
            return replace(
                self, probabilities=probabilities, temperature=temperature, confidence=sure
            )
        return replace(
            self,
            probabilities=probabilities,
            temperature=temperature,
            **summarize(probabilities, self.categories)._asdict(),
        )

    def with_warning(self, sentence: str) -> Self:
        """Same truth with one more warning."""
        return replace(self, warnings=(*self.warnings, sentence))


class Summary(NamedTuple):
    """Label, median, mean, confidence and ties of N items; see `Truth`."""

    label: Labels
    median: Labels
    mean: Floats
    confidence: Floats
    tied: Booleans


class Parameters(NamedTuple):
    """Confusion of every rater, shape (M, K, K), and class prior, shape (K,)."""

    confusion: Floats
    class_prior: Floats


def scale_categories(table: RatingTable) -> Labels:
    """Categories of a table as declared in its scale, shape (K,)."""
    if table.scale.kind == "interval":
        return table.categories
    if table.scale.ordered:
        return table.categories.astype(np.int64)
    categories = np.empty(len(table.scale.categories), dtype=object)
    categories[:] = table.scale.categories
    return categories


def ordered(categories: Labels) -> bool:
    """Return whether categories are ordered numbers rather than nominal."""
    return categories.dtype != np.dtype(object)


def label_places(label: Labels, categories: Labels) -> Places:
    """Place of each label among the categories, the nearest on a continuous scale."""
    if not ordered(categories):
        places = {category: place for place, category in enumerate(categories.tolist())}
        return np.array([places[category] for category in label.tolist()], dtype=np.int32)
    between = (categories[1:] + categories[:-1]) / 2
    return np.searchsorted(between, label).astype(np.int32)


def summarize(probabilities: Floats, categories: Labels) -> Summary:
    """Label, median, mean, confidence and ties, each of shape (N,)."""
    n_items = len(probabilities)
    label, median = np.empty((2, n_items), dtype=np.int32)
    confidence, tied = np.empty(n_items), np.empty(n_items, dtype=bool)
    for first in range(0, n_items, _ROWS):
        rows = slice(first, first + _ROWS)
        label[rows], median[rows], confidence[rows], tied[rows] = _places(
            probabilities[rows], by_median=ordered(categories)
        )
    if ordered(categories):
        mean = probabilities @ categories.astype(float)
        return Summary(categories[label], categories[median], mean, confidence, tied)
    unknown = np.full(n_items, np.nan)
    return Summary(categories[label], unknown, unknown.copy(), confidence, tied)


def _places(probabilities: Floats, *, by_median: bool) -> tuple[Places, Places, Floats, Booleans]:
    """Places of label and median, confidence and ties of a few items.

    A tie goes to the median, if it is among the tied categories and ``by_median``, or to the first.

    Loops over the columns, because sums and maxima over short rows are slow.
    """
    n_items, n_categories = probabilities.shape
    confidence = probabilities[:, 0].copy()
    for category in range(1, n_categories):
        np.maximum(confidence, probabilities[:, category], out=confidence)
    below, n_level = np.zeros(n_items), np.zeros(n_items, dtype=np.int32)
    median, lowest = np.zeros((2, n_items), dtype=np.int32)
    for category in range(n_categories):
        level = probabilities[:, category] >= confidence - _SAME
        lowest[level & (n_level == 0)] = category
        n_level += level
        below += probabilities[:, category]
        median += below < 0.5 - _SAME
    np.minimum(median, n_categories - 1, out=median)
    at_median = probabilities[np.arange(n_items), median] >= confidence - _SAME
    return np.where(at_median & by_median, median, lowest), median, confidence, n_level > 1


def describe_truth(  # the only place that fills nearly every field
    table: RatingTable,
    probabilities: Floats,
    parameters: Parameters,
    *,
    summary: Summary | None = None,
    log_likelihood: float = np.nan,
    objective: tuple[float, ...] = (),
    converged: bool = True,
    warnings: tuple[str, ...] = (),
    known: Collection[int] = (),
    dependence: float = 0.0,
) -> Truth:
    """Truth of a table from probabilities and parameters."""
    categories = scale_categories(table)
    of_ratings = summary is not None
    summary = summarize(probabilities, categories) if summary is None else summary
    shares = probabilities.mean(axis=0) if len(probabilities) else parameters.class_prior
    return Truth(
        items=table.items,
        categories=categories,
        probabilities=probabilities,
        **summary._asdict(),
        raters=table.raters,
        confusion=parameters.confusion,
        class_prior=parameters.class_prior,
        rater_accuracy=np.einsum("rkk,k->r", parameters.confusion, shares),
        rater_bias=_bias(parameters.confusion, shares, categories),
        log_likelihood=float(log_likelihood),
        objective=np.array(objective, dtype=float),
        n_iter=len(objective),
        converged=converged,
        warnings=warnings,
        known=mark_known(table.n_items, known),
        dependence=dependence,
        of_ratings=of_ratings,
    )


def mark_known(n_items: int, places: Collection[int]) -> Booleans | None:
    """Mask of the known items, shape (N,); None if there are none."""
    if not places:
        return None
    known = np.zeros(n_items, dtype=bool)
    known[list(places)] = True
    return known


def _bias(confusion: Floats, shares: Floats, categories: Labels) -> Floats:
    """Expected mean of observed minus true of each rater."""
    if not ordered(categories):
        return np.full(len(confusion), np.nan)
    numbers = categories.astype(float)
    return np.asarray((confusion @ numbers - numbers) @ shares)
