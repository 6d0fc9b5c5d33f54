import ast
import re

import pytest

from ocrjury.export.tables import DOCUMENTS
from ocrjury.metrics import METRICS, RANKED
from ocrjury.report.sections import metric_charts, metric_table
from ocrjury.text.metrics import METRICS as COMPUTED
from ocrjury.text.metrics import OPTIONAL
from tests.test_house import LIBRARY, ROOT, nodes, python_files

COUNTS = {"n_ref_chars", "n_hyp_chars", "edit_distance"}
COUNTS |= {"substitutions", "deletions", "insertions"}
FORMULAS = ROOT / "src" / "ocrjury" / "text"


def test_every_metric_that_is_computed_has_its_row():
    assert set(METRICS) == {*COMPUTED, *OPTIONAL} - COUNTS
    assert set(RANKED) <= set(METRICS)


@pytest.mark.parametrize("key", METRICS)
def test_a_metric_has_one_unit_everywhere(key):
    printed = [metric_table.metric_value(key, 0.5), metric_charts.value(key, 0.5)]

    assert {text.endswith("%") for text in printed} == {METRICS[key].is_share}
    exported = {column.name: column.unit for column in DOCUMENTS.columns}
    assert exported.get(key, METRICS[key].unit) == METRICS[key].unit


def test_no_other_table_lists_metrics():
    lists = {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files(*LIBRARY)
        if path.name != "metrics.py" and FORMULAS not in path.parents
        for node in nodes(path)
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict)
        for parts in [node.keys if isinstance(node, ast.Dict) else node.elts]
        if sum(isinstance(part, ast.Constant) and part.value in METRICS for part in parts) > 4
    }
    keys = re.compile(rf'"(?:{"|".join(METRICS)})":')
    pages = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "templates").rglob("*.j2")
        if len(keys.findall(path.read_text("utf-8"))) > 1
    }

    assert lists | pages == set()
