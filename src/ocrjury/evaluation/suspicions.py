"""What looks odd about raters: bias tests, who spoils the agreement, the usual signs of trouble."""

from collections.abc import Hashable, Mapping
from typing import NamedTuple

import pandas as pd

from ocrjury.agreement import find_problem_patterns, gain_without_raters
from ocrjury.bias import BiasFinding, measure_bias
from ocrjury.estimate import Estimate
from ocrjury.evaluation.case import Case
from ocrjury.findings.raters import BiasTests
from ocrjury.gate import Diagnosis
from ocrjury.ratings import RatingTable
from ocrjury.store.results import Result


class Suspicions(NamedTuple):
    """Findings of bias, and what agreement would gain without each rater."""

    findings: list[BiasFinding]
    gains: Mapping[str, Mapping[Hashable, Estimate]]
    diagnosis: Diagnosis


def suspect(case: Case, tables: Mapping[str, RatingTable]) -> Suspicions:
    """Return what the first-pass ratings say about the raters; it informs advice, no verdict."""
    scale = case.campaign.rubric.scale
    # Names have no order, so nobody can be strict with them.
    findings = (
        measure_bias(_in_order(case.first_pass), scale=scale, seed=case.row.seed)
        if scale.ordered
        else []
    )
    gains = {name: gain_without_raters(table) for name, table in tables.items()}
    patterns = {name: find_problem_patterns(table) for name, table in tables.items()}
    diagnosis = Diagnosis(findings=findings, without_rater=gains, patterns=patterns)
    return Suspicions(findings, gains, diagnosis)


def bias_result(suspicions: Suspicions, *, number: int, inputs: str) -> Result:
    """Return the suspicions as the store keeps them."""
    tests = BiasTests(
        tuple(suspicions.findings),
        {
            name: {str(rater): gain for rater, gain in gains.items()}
            for name, gains in suspicions.gains.items()
        },
    )
    return Result(number, "bias", "*", tests.to_json(), inputs)


def _in_order(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return the ratings with sessions that are unique over rounds and raters."""
    parts = ratings[["round", "rater", "session"]].astype(str)
    session = parts["round"] + "/" + parts["rater"] + "/" + parts["session"]
    columns = ["item", "rater", "dimension", "rating", "position"]
    return ratings[columns].assign(session=session)
