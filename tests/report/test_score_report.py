import pandas as pd

from ocrjury.findings.pool_scores import PoolGaps, Unused
from ocrjury.report import score_report as module
from ocrjury.report.score_report import render_score_report, score_report
from ocrjury.text import TextOptions, score_texts
from ocrjury.text.metrics import METRICS, TOTALS

NOTHING = PoolGaps()


def scored(references, hypotheses, **columns):
    scores = score_texts(references, hypotheses, metrics=[*METRICS, *TOTALS])
    ids = [f"d{n}" for n in range(len(references))]
    pool = pd.DataFrame(
        {"doc_id": ids, "page_id": ids, "system": "s", "reference": references,
         "hypothesis": hypotheses, "confidence": 0.5, **columns}
    )  # fmt: skip
    frame = pd.concat([pool, scores], axis=1)
    frame.attrs = {"signature": scores.attrs["signature"]}
    return frame


def report(frame, **options):
    return score_report(frame, title="t", options=TextOptions(), left_out=NOTHING, **options)


def test_undefined_rates_come_first_and_the_right_last():
    found = report(scored(["가나", "", "가나", None], ["가나", "x", "가다", "y"]))

    assert [row.doc_id for row in found.documents] == ["d1", "d2", "d0"]
    assert [one.doc_id for one in found.differing] == ["d1", "d2"]
    assert (found.n_documents, found.n_scored, found.n_differing) == (4, 3, 2)


def test_a_page_of_right_texts_says_so():
    page = render_score_report(report(scored(["가"], ["가"])))

    assert "No output differs." in page


def test_the_page_draws_the_pool_and_has_the_bad_tail_of_every_metric():
    outputs = ["가나다라"] * 18 + ["가나"] * 2
    found = report(scored(["가나다라"] * 20, outputs, level=["a", "b"] * 10))
    split = report(scored(["가나다라"] * 20, outputs, level=["a"] * 10 + ["b"] * 10))
    tied = report(
        scored(
            ["가나다라"] * 30,
            [*outputs, *["가나다라"] * 10],
            level=list("a" * 10 + "b" * 10 + "c" * 10),
        )
    )
    page = render_score_report(found)

    assert {row.metric for row in found.summary} <= set(found.metrics.tails)
    assert found.metrics.tail("cer") == 0.5
    assert found.metrics.tail("char_recall") == 0.5
    assert "90% of the outputs have no error; the worst 5% have a CER of 50% or more" in page
    assert "Every output has the confidence 0.50: it separates nothing" in page
    assert "Groups of documents are read about equally well" in page
    assert "By level, 80% (b) to 100% (a) are read exactly" in render_score_report(split)
    assert "By level, 80% (b) to 100% (a and c) are read exactly" in render_score_report(tied)
    assert "No output is empty." in page


def test_long_lists_are_cut_and_say_so(monkeypatch):
    monkeypatch.setattr(module, "MOST_DIFFS", 1)
    monkeypatch.setattr(module, "MOST_ROWS", 2)

    page = render_score_report(report(scored(["가", "나", "다"], ["x", "y", "z"])))

    assert "The 1 worst of 3." in page
    assert "The 2 worst of 3." in page


def test_groups_and_what_was_left_out_are_on_the_page():
    left = PoolGaps(n_unmatched=1, unmatched=(Unused(where="<p>", reason="no reference"),))
    frame = scored(["가", "나"], ["x", "나"], kind=["<i>", None])

    found = score_report(frame, title="t", options=TextOptions(), left_out=left, by="kind")
    page = render_score_report(found)

    assert "&lt;i&gt;" in page
    assert '<th scope="row">none</th>' in page
    assert "&lt;p&gt;: no reference" in page


def test_groups_of_characters_without_a_block_are_named_in_the_language():
    page = render_score_report(report(scored(["12 가"], ["34가"])), language="ko")

    assert '<th scope="row">숫자</th>' in page
    assert '<th scope="row">공백 문자</th>' in page
    assert "Hangul Syllables" in page


def test_fields_of_a_page_are_drawn_together():
    frame = scored(["가", "나"], ["x", "나"]).assign(page_id="p")

    assert report(frame).unit == "pages"
