import pytest

from ocrjury.findings.pool_metrics import PoolGroups
from ocrjury.language import speaking
from ocrjury.report.sections.groups import column_name


@pytest.mark.parametrize(
    ("column", "korean", "english"),
    [
        ("doc_type", "문서 유형", "document type"),
        ("kind", "종류", "kind"),
        ("field", "필드", "field"),
        ("scan_quality", "scan quality", "scan quality"),
    ],
)
def test_columns_of_every_pool_have_names_and_a_pool_s_own_stay(column, korean, english):
    groups = PoolGroups(column, quarters=False, rows=())

    assert column_name(groups) == english
    with speaking("ko"):
        assert column_name(groups) == korean
