"""What looks odd about the raters of an evaluation."""

from collections.abc import Mapping

import pandas as pd

from ocrjury.evaluation.case import Case
from ocrjury.findings.measurement.raters import measure_raters
from ocrjury.findings.raters import BiasTests
from ocrjury.ratings import RatingTable


def suspect(case: Case, tables: Mapping[str, RatingTable]) -> BiasTests:
    """Tests of the first-pass ratings for bias; they inform advice, no verdict."""
    return measure_raters(
        _in_order(case.first_pass),
        tables,
        scale=case.campaign.rubric.scale,
        seed=case.row.seed,
    )


def _in_order(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return the ratings with sessions that are unique over rounds and raters."""
    parts = ratings[["round", "rater", "session"]].astype(str)
    session = parts["round"] + "/" + parts["rater"] + "/" + parts["session"]
    columns = ["item", "rater", "dimension", "rating", "position"]
    return ratings[columns].assign(session=session)
