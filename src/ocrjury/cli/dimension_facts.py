"""What is known of the agreement on one dimension of a file."""

from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ocrjury.agreement import (
    find_disagreements,
    find_problem_patterns,
    gain_without_raters,
    judge_alignment,
    mean_distribution,
    pairwise_kappa,
    prevalence,
    suggest_improvements,
)
from ocrjury.cli.coefficients import Coefficients, Resampling, measure, with_band
from ocrjury.cli.plain_values import plain, rows_of

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.agreement import Prevalence, ProblemPattern, Suggestion
    from ocrjury.estimate import Estimate
    from ocrjury.ratings import RatingTable


@dataclass(frozen=True, slots=True)
class DimensionFacts:
    """Coefficients, and what lies behind them.

    Attributes
    ----------
    pairs
        `pairwise_kappa` by weights; empty on an interval scale.
    prevalence
        Of two binary raters, else None.
    disagreements, patterns, suggestions, gains
        As their functions return them.
    item_means
        `mean_distribution`; None on a scale without ordered categories.
    judges
        A^HA of every automatic judge; its ceiling is ``human_agreement`` of the coefficients.
    """

    found: Coefficients
    pairs: "Mapping[str, pd.DataFrame]"
    prevalence: "Prevalence | None"
    disagreements: "pd.DataFrame"
    item_means: "pd.DataFrame | None"
    patterns: "list[ProblemPattern]"
    suggestions: "list[Suggestion]"
    gains: "Mapping[Hashable, Estimate]"
    judges: "Mapping[str, Estimate]"

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        attributes = self.disagreements.attrs
        means = self.item_means
        return {
            **self.found.to_json(),
            "pairwise_kappa": {
                weights: {**plain(frame.attrs), "pairs": rows_of(frame)}
                for weights, frame in self.pairs.items()
            },
            "prevalence": None if self.prevalence is None else plain(asdict(self.prevalence)),
            "disagreements": {
                **plain(attributes),
                "count": len(self.disagreements),
                "items": rows_of(self.disagreements),
            },
            "item_means": None if means is None else rows_of(means),
            "patterns": [plain(asdict(one)) for one in self.patterns],
            "suggestions": [plain(asdict(one)) for one in self.suggestions],
            "gain_without_rater": {
                str(rater): gain.to_json() for rater, gain in self.gains.items()
            },
            "judges": {
                name: with_band("judge_alignment", one) for name, one in self.judges.items()
            },
        }


def examine_dimension(
    ratings: "RatingTable",
    judges: Mapping[str, Mapping[Hashable, Any]],
    *,
    ci: Resampling | None,
    seed: int,
    threshold: float | None,
) -> DimensionFacts:
    """Return everything about one table and the scores of the judges."""
    found = measure(ratings, ci=ci, seed=seed)
    kind = ratings.scale.kind
    binary_pair = kind == "binary" and ratings.n_raters == 2
    return DimensionFacts(
        found,
        pairs=_pairs(ratings),
        prevalence=prevalence(ratings) if binary_pair else None,
        disagreements=find_disagreements(ratings, threshold=threshold),
        item_means=mean_distribution(ratings) if kind in ("likert", "binary") else None,
        patterns=find_problem_patterns(ratings),
        suggestions=suggest_improvements(found.coefficients, scale=ratings.scale),
        gains=gain_without_raters(ratings),
        judges={name: judge_alignment(ratings, scores) for name, scores in judges.items()},
    )


def _pairs(ratings: "RatingTable") -> "dict[str, pd.DataFrame]":
    """Return the kappas of all pairs of raters, weighted too where categories have distances."""
    if ratings.scale.kind == "interval":
        return {}
    pairs = {"none": pairwise_kappa(ratings)}
    if ratings.scale.kind == "likert":
        pairs["linear"] = pairwise_kappa(ratings, weights="linear")
        pairs["quadratic"] = pairwise_kappa(ratings, weights="quadratic")
    return pairs
