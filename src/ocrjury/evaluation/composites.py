"""All dimensions as one score, estimated for the whole pool."""

from collections.abc import Callable, Mapping

import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.evaluation.case import Case
from ocrjury.findings.measurement.dimensions import measure_composites
from ocrjury.store.results import Result


def composite_results(
    case: Case, estimate: Callable[[pd.DataFrame], Mapping[str, Estimate]], *, inputs: str
) -> list[Result]:
    """Return the composite scores as the store keeps them; one dimension has none, nor names.

    Parameters
    ----------
    estimate
        From a frame item, rater, rating to the estimates of its mean, by name.
    """
    rubric = case.campaign.rubric
    composites = measure_composites(
        case.first_pass,
        scale=rubric.scale,
        weights={dimension.name: dimension.weight for dimension in rubric.dimensions},
        estimate=estimate,
    )
    if not composites.rows:
        return []
    return [Result(0, "composite", "*", composites.to_json(), inputs)]
