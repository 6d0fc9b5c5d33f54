from ocrjury.findings.pool_scores import PoolGaps, Unused
from ocrjury.pages.artifacts import render_findings

FOUND = PoolGaps(
    n_quarantined=21,
    quarantine=tuple(
        Unused(where=f"a|{n}.xml", position="line 3", reason="<bad>") for n in range(21)
    ),
    n_unmatched=1,
    unmatched=(Unused(where="b.txt", reason="no reference of this name"),),
    n_unscored=2,
    unscored=(Unused(where="d9", reason="MemoryError"),),
    warnings=("White space was guessed.",),
)


def test_findings_name_files_places_and_reasons():
    page = render_findings(evaluation="e", findings=FOUND)

    assert "## 21 files or rows cannot be read" in page
    assert "| a\\|0.xml, line 3 | &lt;bad&gt; |" in page
    assert "and 1 more" in page
    assert "| d9 | MemoryError |" in page
    assert "White space was guessed." in page
    assert "skipped" not in page
