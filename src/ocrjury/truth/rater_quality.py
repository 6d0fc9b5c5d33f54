"""Quality of raters: share of ratings equal to the inferred label, and the model's expectation."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate, Reason
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth, label_places

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, eq=False)
class RaterQuality:
    """Quality of each rater and of all raters together.

    Attributes
    ----------
    by_rater
        One row per rater: rater, n_ratings, accuracy (share of the rater's ratings that equal the
        item's label), ability (the share that the model expects, ``Truth.rater_accuracy``), bias
        (expected mean of observed minus true).
    mean, sd, lowest, highest
        Distribution of accuracy over raters.
    correlation
        Pearson's correlation of ability and accuracy over raters. Well below 1 means that the
        labels do not follow from the model's estimates of the raters.
    """

    by_rater: pd.DataFrame
    mean: Estimate
    sd: Estimate
    lowest: Estimate
    highest: Estimate
    correlation: Estimate

    def to_json(self) -> dict[str, Any]:
        """Plain values; an undefined number is None."""
        rows = self.by_rater.astype(object).where(self.by_rater.notna(), None).to_dict("records")
        statistics = ("mean", "sd", "lowest", "highest", "correlation")
        return {
            "by_rater": [{**row, "rater": str(row["rater"])} for row in rows],
            **{name: getattr(self, name).to_json() for name in statistics},
        }


def measure_raters(truth: Truth, table: RatingTable) -> RaterQuality:
    """Quality of a table's raters, measured against a truth.

    The rater's own ratings contributed to the labels, so accuracy is higher than on items with an
    independently known rating, the more so the fewer ratings an item has.

    Parameters
    ----------
    truth
        Inferred from these ratings, or others of the same items.
    table
        Ratings of raters and items in the truth; those of other items are left out. On a
        continuous scale, where equal ratings are not expected, all is undefined with reason
        ``scale_mismatch``.

    Examples
    --------
    >>> from ocrjury import Scale
    >>> from ocrjury.truth import majority_vote
    >>> t = RatingTable.from_matrix([[1, 1, 0], [0, 0, 0], [1, 1, 1]], scale=Scale.binary())
    >>> quality = measure_raters(majority_vote(t), t)
    >>> quality.by_rater["accuracy"].round(3).tolist(), round(float(quality.mean), 3)
    ([1.0, 1.0, 0.667], 0.889)
    """
    frame = _by_rater(truth, table)
    together = _together(frame, truth, table)
    return RaterQuality(frame, *together)


def _by_rater(truth: Truth, table: RatingTable) -> pd.DataFrame:
    """Table with one row per rater."""
    item_rows = {item: place for place, item in enumerate(truth.items)}
    rater_places = {rater: place for place, rater in enumerate(truth.raters)}
    unknown = [rater for rater in table.raters if rater not in rater_places]
    if unknown:
        raise InputError(
            f"{len(unknown)} rater(s) of the table are not in the truth, for example "
            f"{unknown[0]!r}. Infer the truth from ratings that include theirs."
        )
    rows = np.array([item_rows.get(item, -1) for item in table.items], dtype=np.int64)[table.item]
    shared = rows >= 0
    rating = table.codes[shared]
    label = label_places(truth.label, truth.categories)[rows[shared]]
    rater = table.rater[shared]
    n_ratings = np.bincount(rater, minlength=table.n_raters)
    right = np.bincount(rater, weights=rating == label, minlength=table.n_raters)
    accuracy = np.full(table.n_raters, np.nan)
    if table.scale.kind != "interval":
        np.divide(right, n_ratings, out=accuracy, where=n_ratings > 0)
    places = [rater_places[rater] for rater in table.raters]
    return pd.DataFrame(
        {
            "rater": list(table.raters),
            "n_ratings": n_ratings,
            "accuracy": accuracy,
            "ability": truth.rater_accuracy[places],
            "bias": truth.rater_bias[places],
        }
    )


def _together(frame: pd.DataFrame, truth: Truth, table: RatingTable) -> list[Estimate]:
    """Mean, standard deviation, minimum, maximum and correlation over the raters."""
    rated = frame[frame["n_ratings"] > 0]
    accuracy = rated["accuracy"].to_numpy(dtype=float)
    ability = rated["ability"].to_numpy(dtype=float)
    no_value: Reason | None = None if len(rated) else "no_items"
    if table.scale.kind == "interval":
        no_value = "scale_mismatch"
    no_spread: Reason | None = no_value or (None if len(rated) > 1 else "fewer_than_two_raters")
    undefined: Reason | None = no_spread or _no_variation(accuracy, ability)
    statistics: list[tuple[str, Reason | None, Callable[[], float]]] = [
        ("mean", no_value, lambda: float(np.mean(accuracy))),
        ("standard deviation", no_spread, lambda: float(np.std(accuracy, ddof=1))),
        ("minimum", no_value, lambda: float(np.min(accuracy))),
        ("maximum", no_value, lambda: float(np.max(accuracy))),
        (
            "correlation with ability",
            undefined,
            lambda: float(np.corrcoef(ability, accuracy)[0, 1]),
        ),
    ]
    return [
        Estimate(
            np.nan if reason else value(),
            n_items=len(truth.items),
            n_raters=len(rated),
            n_ratings=int(rated["n_ratings"].sum()),
            method=f"accuracy of raters, {name}",
            reason=reason,
        )
        for name, reason, value in statistics
    ]


def _no_variation(accuracy: Floats, ability: Floats) -> Reason | None:
    """Reason why a correlation is undefined, None if it is defined."""
    return None if np.ptp(accuracy) > 1e-12 and np.ptp(ability) > 1e-12 else "no_variation"
