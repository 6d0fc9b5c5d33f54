from ocrjury.findings.pool_scores import PoolGaps, Unused
from ocrjury.pages.artifacts import render_findings
from ocrjury.pages.environment import render

PROGRESS = "artifacts/scoring_progress.md.j2"

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


def test_progress_counts_what_was_there_already():
    page = render(PROGRESS, evaluation="e", rows=40000, batches=2, kept=1, total=None, seconds=31.4)

    assert "40,000 documents in 2 batches scored after 31 seconds." in page
    assert "1 batch was there already" in page


def test_the_share_is_shown_where_the_total_is_known():
    how = {"evaluation": "e", "batches": 2, "kept": 0, "seconds": 31.4}

    page = render(PROGRESS, rows=40000, total=160000, **how)

    assert "**25%** of about 160,000 documents." in page
    assert "%" not in render(PROGRESS, rows=40000, total=None, **how)
