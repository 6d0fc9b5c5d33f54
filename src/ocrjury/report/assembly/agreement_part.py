"""Whether the raters agree."""

import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.report.assembly.stored import Stored, estimate_of
from ocrjury.report.sections import Agreement, DimensionAgreement, PairKappa


def agreement_part(stored: Stored) -> Agreement:
    """Return what was measured on the first-pass ratings."""
    dimension, scale = stored.target_dimension, stored.campaign.rubric.scale
    spread = stored.first_pass.groupby(["item", "dimension"])["value"].agg(["count", "min", "max"])
    double = spread[spread["count"] > 1]
    apart = double[double["max"] - double["min"] >= 2]
    method = "quadratic kappa" if scale.ordered else "kappa"
    return Agreement(
        dimensions=tuple(
            DimensionAgreement(
                dimension=name,
                estimates={
                    key: estimate_of(one)
                    for key, one in stored.agreement[name]["estimates"].items()
                },
            )
            for name in stored.dimension_names
            if name in stored.agreement
        ),
        pairs=tuple(
            PairKappa(pair["rater_a"], pair["rater_b"], _pair(pair, method))
            for pair in stored.agreement.get(dimension, {}).get("pairs", [])
        ),
        pairs_dimension=dimension,
        pairs_weights="quadratic" if scale.kind == "likert" else "none",
        # Levels lie apart on a Likert scale only.
        disagreements=_n_items(apart) if scale.kind == "likert" else None,
        double_rated=_n_items(double),
    )


def _n_items(spread: pd.DataFrame) -> int:
    """Return how many items have a row."""
    return int(spread.index.get_level_values("item").nunique())


def _pair(pair: dict[str, object], method: str) -> Estimate:
    """Return the kappa of a pair of raters."""

    def number(name: str) -> float:
        value = pair[name]
        return float(value) if isinstance(value, int | float) else float("nan")

    reason = pair["reason"]
    return Estimate(
        number("value"),
        number("low"),
        number("high"),
        number("se"),
        n_items=int(number("n_items")),
        n_raters=2,
        method=method,
        reason=None if reason is None else str(reason),
    )
