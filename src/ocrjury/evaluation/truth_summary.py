"""Certainty of the inferred labels, and each rater's agreement with them."""

import math
from collections.abc import Mapping
from typing import Any

from ocrjury.evaluation.inference import Inferred
from ocrjury.findings.measurement.label_shares import shares_equal_to_label
from ocrjury.findings.truth import DimensionTruth, TruthSummary, UncertainItems
from ocrjury.ratings import RatingTable
from ocrjury.truth import Truth


def summarize_truths(
    inferred: Inferred, first_pass: Mapping[str, RatingTable], *, target: float
) -> TruthSummary:
    """Summarise how sure the truths are, and the raters beside them.

    Parameters
    ----------
    first_pass
        Ratings of main rounds, which are compared with the labels.
    target
        Confidence from which a label counts as certain. On a continuous scale no two ratings are
        expected to be equal, so that nothing is certain or uncertain there.
    """
    labelled = {name: t for name in inferred.labelled if (t := inferred.truths[name]).items}
    return TruthSummary(
        overall=UncertainItems(
            uncertain_items=len(inferred.uncertain_items(target)),
            n_items=max((len(t.items) for t in labelled.values()), default=0),
            target=target,
        ),
        dimensions={
            name: DimensionTruth(
                uncertain_share=float((truth.confidence < target).mean())
                if name in labelled
                else math.nan,
                mean_confidence=float(truth.confidence.mean()) if name in labelled else math.nan,
                n_items=len(truth.items),
                n_ratings=inferred.tables[name].n_ratings,
                calibrated=truth.calibration is not None,
                temperature=float(truth.temperature),
                converged=bool(truth.converged),
                n_iter=int(truth.n_iter),
                warnings=tuple(truth.warnings),
                rater_accuracy=_by_rater(truth, truth.rater_accuracy),
                rater_bias=_by_rater(truth, truth.rater_bias),
                equal_to_label=shares_equal_to_label(
                    first_pass[name], dict(zip(truth.items, truth.label, strict=True))
                ),
            )
            for name, truth in inferred.truths.items()
        },
    )


def _by_rater(truth: Truth, values: Any) -> dict[str, float]:
    return {str(rater): float(value) for rater, value in zip(truth.raters, values, strict=True)}
