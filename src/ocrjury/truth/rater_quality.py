"""How good raters are: how often they say what came out as true, and what the model expects."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate, Reason
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Floats, Truth

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, eq=False)
class RaterQuality:
    """Raters one by one and together.

    Attributes
    ----------
    by_rater
        One row per rater: rater, n_ratings, accuracy (share of the rater's ratings that are the
        item's label), ability (share that the model expects, as ``Truth.rater_accuracy``), bias
        (expected mean of observed minus true).
    mean, sd, lowest, highest
        Of accuracy over raters.
    correlation
        Pearson's, of ability and accuracy over raters. Well below 1 means that the labels do not
        follow from how good the model believes raters to be.
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
        together = ("mean", "sd", "lowest", "highest", "correlation")
        return {
            "by_rater": [{**row, "rater": str(row["rater"])} for row in rows],
            **{name: getattr(self, name).to_json() for name in together},
        }


def measure_raters(truth: Truth, table: RatingTable) -> RaterQuality:
    """How good the raters of a table are, in the light of a truth.

    A rater had a part in the labels, so accuracy is higher than on items whose rating is known from
    elsewhere, the more so the fewer ratings an item has.

    Parameters
    ----------
    truth
        Inferred from these ratings, or others of the same items.
    table
        Ratings of raters and items in the truth; those of other items are left out. On a slider,
        where no two ratings are expected to be equal, nobody is right: all is undefined with reason
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
    """Table of raters."""
    row = {item: place for place, item in enumerate(truth.items)}
    known = {rater: place for place, rater in enumerate(truth.raters)}
    strange = [rater for rater in table.raters if rater not in known]
    if strange:
        raise InputError(
            f"{len(strange)} rater(s) of the table are not in the truth, for example "
            f"{strange[0]!r}. Infer the truth from ratings that include theirs."
        )
    rows = np.array([row.get(item, -1) for item in table.items], dtype=np.int64)[table.item]
    there = rows >= 0
    said = table.codes[there]
    label = np.searchsorted(table.categories, _label_numbers(truth))[rows[there]]
    rater = table.rater[there]
    n_ratings = np.bincount(rater, minlength=table.n_raters)
    right = np.bincount(rater, weights=said == label, minlength=table.n_raters)
    accuracy = np.full(table.n_raters, np.nan)
    if table.scale.kind != "interval":
        np.divide(right, n_ratings, out=accuracy, where=n_ratings > 0)
    places = [known[rater] for rater in table.raters]
    return pd.DataFrame(
        {
            "rater": list(table.raters),
            "n_ratings": n_ratings,
            "accuracy": accuracy,
            "ability": truth.rater_accuracy[places],
            "bias": truth.rater_bias[places],
        }
    )


def _label_numbers(truth: Truth) -> Floats:
    """Labels as a table of ratings counts them: names by their places."""
    if truth.categories.dtype != np.dtype(object):
        return truth.label.astype(float)
    place = {name: code for code, name in enumerate(truth.categories.tolist())}
    return np.array([place[name] for name in truth.label.tolist()], dtype=float)


def _together(frame: pd.DataFrame, truth: Truth, table: RatingTable) -> list[Estimate]:
    """Mean, sd, lowest, highest and correlation."""
    rated = frame[frame["n_ratings"] > 0]
    accuracy = rated["accuracy"].to_numpy(dtype=float)
    ability = rated["ability"].to_numpy(dtype=float)
    none: Reason | None = None if len(rated) else "no_items"
    if table.scale.kind == "interval":
        none = "scale_mismatch"
    few: Reason | None = none or (None if len(rated) > 1 else "fewer_than_two_raters")
    flat: Reason | None = few or _no_variation(accuracy, ability)
    found: list[tuple[str, Reason | None, Callable[[], float]]] = [
        ("mean", none, lambda: float(np.mean(accuracy))),
        ("standard deviation", few, lambda: float(np.std(accuracy, ddof=1))),
        ("minimum", none, lambda: float(np.min(accuracy))),
        ("maximum", none, lambda: float(np.max(accuracy))),
        ("correlation with ability", flat, lambda: float(np.corrcoef(ability, accuracy)[0, 1])),
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
        for name, reason, value in found
    ]


def _no_variation(accuracy: Floats, ability: Floats) -> Reason | None:
    """Reason why a correlation is undefined, None if it is defined."""
    return None if np.ptp(accuracy) > 1e-12 and np.ptp(ability) > 1e-12 else "no_variation"
