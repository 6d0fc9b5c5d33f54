"""All dimensions as one score, estimated for the whole pool."""

from collections.abc import Callable, Mapping

import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.evaluation.case import Case
from ocrjury.report.measured import composite_body
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
    ratings = case.first_pass
    if not case.campaign.rubric.scale.ordered or len(set(ratings["dimension"])) < 2:
        return []
    weights = {one.name: one.weight for one in case.campaign.rubric.dimensions}
    body = composite_body(ratings, weights=weights, estimate=estimate)
    return [Result(0, "composite", "*", body, inputs)]
