import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.findings.measurement.pool_scores import field_accuracies, wilson_share
from ocrjury.report.bare_scores import pool_scores
from ocrjury.text import score_texts, summarize_scores


@given(st.integers(1, 500), st.data())
def test_wilsons_interval_holds_the_share(n, data):
    share = wilson_share(data.draw(st.integers(0, n)), n)

    assert -1e-9 <= share.low <= share.value + 1e-9
    assert share.value - 1e-9 <= share.high <= 1 + 1e-9


def test_a_share_of_nothing_is_undefined():
    assert wilson_share(0, 0).reason == "no_items"


def fields_on_pages(**columns):
    """Forty fields of eight pages, those of a page all right or all wrong."""
    frame = score_texts(["가나다라마"] * 40, ["가나다라마"] * 20 + ["가나xxx"] * 20)
    frame["page_id"] = np.repeat([f"p{page}" for page in range(8)], 5)
    names = [f"d{number}" for number in range(40)]
    return frame.assign(doc_id=names, reference="가나다라마", kind="text", **columns)


def test_metrics_and_fields_are_as_sure_as_their_pages_are_many():
    pool = fields_on_pages()
    alone = pool.assign(page_id=pool["doc_id"])

    together, apart = pool_scores(pool, {}), pool_scores(alone, {})

    for wide, narrow in zip(together.metrics, apart.metrics, strict=True):
        assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)
    (wide,), (narrow,) = together.fields, apart.fields
    assert (wide.n, wide.exact.value) == (narrow.n, narrow.exact.value) == (40, 0.5)
    assert wide.exact.high - wide.exact.low > 1.5 * (narrow.exact.high - narrow.exact.low)
    assert (wide.exact.method, narrow.exact.method) == ("Wilson, clusters", "Wilson")


def test_the_summary_is_that_over_pages():
    pool = fields_on_pages()
    row = next(metric for metric in pool_scores(pool, {}, seed=3).metrics if metric.metric == "cer")

    known = summarize_scores(pool, cluster="page_id", seed=3).set_index("metric").loc["cer"]

    assert (row.low, row.high) == (known["low"], known["high"])


def test_fields_without_a_page_stand_for_themselves():
    pool = fields_on_pages()
    pool.loc[pool.index[10:], "page_id"] = None

    (some,) = field_accuracies(pool)
    (all_,) = field_accuracies(fields_on_pages())

    assert some.exact.high - some.exact.low < all_.exact.high - all_.exact.low
