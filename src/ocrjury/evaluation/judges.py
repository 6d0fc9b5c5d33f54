"""Scores of automatic judges that the pool holds."""

from collections.abc import Mapping

from ocrjury.evaluation.case import Case
from ocrjury.findings.measurement.agreement import Scores
from ocrjury.ratings import RatingTable


def judge_scores(case: Case, dimension: str, table: RatingTable) -> Mapping[str, Scores]:
    """Scores by item of every automatic judge that scored a dimension."""
    columns = {
        judge: by_dimension[dimension]
        for judge, by_dimension in case.campaign.pool.judges.items()
        if dimension in by_dimension
    }
    if not columns:
        return {}
    # The snapshot has a row for each document, and an item bears its document's name.
    pool = case.pool().set_index("doc_id")
    names = {str(category): category for category in table.scale.categories}
    return {
        judge: pool[column].to_dict() if table.scale.ordered else pool[column].map(names).to_dict()
        for judge, column in columns.items()
    }
