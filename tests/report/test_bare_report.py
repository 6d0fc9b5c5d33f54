import math
import re
from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ocrjury import InputError, Scale
from ocrjury.findings.measurement.ratings import Question
from ocrjury.language import speaking
from ocrjury.report.bare_report import BareOptions, build_bare_report
from ocrjury.report.bare_scores import pool_scores
from ocrjury.report.html import SENTENCES, render_html
from ocrjury.report.sections import bias
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.criteria import criteria
from ocrjury.report.sections.gate_rule import judged_statistic
from ocrjury.report.sections.metric_table import columns_text
from ocrjury.text import score_texts

say = SENTENCES
NOW = datetime(2026, 11, 20, tzinfo=UTC)
LIKERT = Scale.likert(1, 5)


@pytest.fixture(scope="module")
def ratings():
    rng = np.random.default_rng(3)
    rows = []
    for item in range(60):
        level = rng.integers(1, 6)
        for dimension, noise in (("meaning", 0.3), ("layout", 1.6)):
            for rater, shift in (("kim", -0.3), ("lee", 0.0), ("park", 0.2)):
                value = np.clip(round(level + shift + rng.normal(0, noise)), 1, 5)
                rows.append((f"d{item}", rater, dimension, int(value)))
    return pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])


@pytest.fixture(scope="module")
def pool():
    n = 60
    return pd.DataFrame(
        {
            "doc_id": [f"d{item}" for item in range(n)],
            "page_id": "p",
            "system": "default",
            "doc_type": "진단서",
            "kind": ["code", "text"] * (n // 2),
            "language": "ko",
            "reference": [f"질병코드 S{item:02d}.0" for item in range(n)],
            "hypothesis": [f"질병코드 S{item:02d}.{'0OO'[item % 3]}" for item in range(n)],
            "confidence": 0.9,
            "image": None,
            "box": None,
        }
    )


def build(ratings, **changes):
    return build_bare_report(ratings, **{"scale": LIKERT, "issued_at": NOW, **changes})


@pytest.fixture(scope="module")
def plain_report(ratings):
    """The report of these ratings and nothing else, and its page."""
    report = build(ratings)
    return report, render_html(report)


def test_the_mean_is_plain_with_a_t_interval_over_items(ratings, plain_report):
    report, _ = plain_report

    means = ratings[ratings["dimension"] == "meaning"].groupby("item")["rating"].mean()
    half = stats.t.ppf(0.975, 59) * means.std(ddof=1) / math.sqrt(60)
    assert report.headline.others.value == pytest.approx(means.mean())
    assert report.headline.others.high == pytest.approx(means.mean() + half)
    assert say.cover.ranges(report.headline)[0][0] == "95% interval (t), these items only"
    assert "these items only" in say.cover.caption(report, report.headline)


def test_weighted_means_speak_of_the_pool_behind_the_items(ratings):
    report = build(ratings.assign(item_weight=2.0))

    assert say.cover.caption(report, report.headline).startswith(
        "Mean rating of the pool behind these items on Meaning"
    )
    assert say.cover.ranges(report.headline)[0][0] == "95% interval (t), weighted"
    page = render_html(report)
    assert "these items only" not in page
    assert "without the design behind them" in page


@pytest.mark.parametrize("low", [0.5, 0.0])
def test_weights_that_are_no_numbers_of_documents_do_not_shorten_the_range(
    ratings, plain_report, low
):
    number = ratings["item"].str[1:].astype(int)
    weight = np.where(number % 2 == 0, low, 2 - low)

    equal, (plain, _) = build(ratings.assign(item_weight=1.0)), plain_report
    unlike = build(ratings.assign(item_weight=weight)).headline.others

    means = ratings[ratings["dimension"] == "meaning"].groupby("item")["rating"].mean()
    of_item = dict(zip(ratings["item"], weight, strict=True))
    share = means.index.map(of_item).to_numpy() / 60
    terms = share * (means.to_numpy() - share @ means.to_numpy())
    assert equal.headline.others.low == pytest.approx(plain.headline.others.low)
    assert unlike.value == pytest.approx(share @ means.to_numpy())
    assert unlike.se == pytest.approx(math.sqrt(60) * terms.std(ddof=1))


def test_levels_below_zero_have_a_minus_and_no_hyphen(ratings):
    below = ratings.assign(rating=ratings["rating"] - 3)

    page = render_html(build(below, scale=Scale.likert(-2, 2)))

    words = re.sub(r"<(style|script).*?</\1>|<[^>]+>", " ", page, flags=re.DOTALL)
    assert ", −2 to 2" in words
    assert re.findall(r"(?<![\w-])-\d.{20}", words) == []


def test_ratings_of_simulated_raters_are_marked_on_every_page(ratings, plain_report):
    half = ["simulated", "web"] * (len(ratings) // 2)

    assert "SIMULATED RATERS" in render_html(build(ratings.assign(source=half)))
    assert "SIMULATED" not in render_html(build(ratings.assign(source="web")))
    assert "SIMULATED" not in plain_report[1]


@pytest.mark.parametrize(
    ("ci", "words"),
    [
        ("jackknife", "Intervals: jackknife."),
        ("bootstrap", "Intervals: bootstrap."),
        (None, "Intervals: by published standard errors"),
    ],
)
def test_the_methods_say_how_intervals_were_made(ratings, ci, words):
    report = build(ratings, options=BareOptions(question=Question(ci=ci)))

    paragraphs = {row.title: row.text for row in say.methods.paragraphs(report)}
    assert words in paragraphs["Agreement"]


def test_the_gate_only_advises(plain_report):
    report, page = plain_report

    assert report.verdict.advisory
    assert report.verdict.of("layout").decision == "FAIL"
    assert report.shown_headline is not None
    assert "advisory" in page


def test_with_a_pool_error_rates_and_the_worst_items_are_there(ratings, pool):
    report = build(ratings, pool=pool, options=BareOptions(examples="shown", worst_items=3))

    assert report.sections["scores"].pool_size == 60
    assert {row.metric for row in report.sections["scores"].metrics} >= {"cer", "wer", "bleu"}
    assert [row.kind for row in report.sections["scores"].fields] == [
        "text",
        "code",
    ] or report.sections["scores"].fields
    assert len(report.items.rows) == 3
    page = render_html(report)
    assert "질병코드" in page
    assert "SIMULATED" not in page


def test_raters_are_tested_described_and_told_where_they_differ(plain_report):
    report, page = plain_report

    layout = next(
        row for row in report.sections["agreement"].dimensions if row.dimension == "layout"
    )
    assert report.sections["raters"].tested
    assert {row.kind for row in report.sections["raters"].bias} >= {"severity", "halo", "order"}
    assert "the order of the ratings is not known" in page
    assert [row.dimension for row in report.sections["agreement"].dimensions] == [
        "meaning",
        "layout",
    ]
    assert [row.rater for row in report.sections["agreement"].dimensions[0].profiles] == [
        "kim",
        "lee",
        "park",
    ]
    assert report.sections["differences"].disagreements >= layout.disagreements.n > 0
    assert report.sections["differences"].divided[0].widest == 4
    assert sum(layout.item_means) == 60
    assert report.sections["agreement"].means["krippendorff_alpha"].n == 2


def test_a_foolish_order_is_named_where_the_tests_without_it_are_missing(ratings, plain_report):
    report = build(ratings.assign(position=1))

    lead = bias.lead(report)
    assert "The order of the ratings was not used: position 1 occurs twice in one session" in lead
    with speaking("ko"):
        assert "한 세션에 position 1 값이 두 번 나옵니다" in bias.lead(report)
    assert "not used" not in bias.lead(plain_report[0])


def test_the_score_of_all_dimensions_is_weighted_as_their_means_are(ratings):
    number = ratings["item"].str[1:].astype(int)
    level = ratings.groupby("item")["rating"].transform("mean")
    drawn = ratings.assign(item_weight=1.0 + 9.0 * (level > 3), cluster=number // 2)

    for frame in (ratings, drawn):
        report = build(frame)
        means = [row.these.value for row in report.estimates]
        plain = report.sections["joint_dimensions"].composites[0]
        assert plain.used == "mean"
        assert plain.these == plain.others
        assert plain.these.value == pytest.approx(np.mean(means))
        assert plain.these.low < plain.these.value < plain.these.high


def test_dimensions_without_a_rubric_weigh_the_same(ratings, plain_report):
    report, page = plain_report

    mean, component = report.sections["joint_dimensions"].composites
    plain = ratings.groupby("item")["rating"].mean()
    assert (mean.method, component.method) == ("mean", "pca")
    assert mean.others.value == pytest.approx(plain.mean())
    assert "Plain mean" in page


def test_every_mean_and_severity_ends_with_the_scale():
    rows = [
        (item, rater, dimension, rating)
        for item, rating in (("a", 5), ("b", 5), ("c", 1))
        for rater in ("kim", "lee")
        for dimension in ("meaning", "layout")
    ]
    report = build(pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"]))

    composite = report.sections["joint_dimensions"].composites[0]
    for mean in (report.headline.others, report.estimates[1].these, composite.others):
        assert (mean.low, mean.high) == (1, 5)
    assert "1.00 to 5.00" in render_html(report)


def test_without_a_pool_nothing_is_said_about_texts(plain_report):
    _, page = plain_report

    assert 'id="items"' not in page
    assert 'id="scores"' not in page


def test_one_dimension_needs_no_column(ratings):
    one = ratings[ratings["dimension"] == "meaning"].drop(columns="dimension")

    assert [row.name for row in build(one).dimensions] == ["Rating"]
    with speaking("ko"):
        assert [row.name for row in build(one).dimensions] == ["평점"]


@pytest.mark.parametrize(
    ("scale", "change"),
    [
        (Scale.nominal(["bad", "good"]), lambda r: np.where(r > 3, "good", "bad")),
        (Scale.binary(), lambda r: (r > 3).astype(int)),
        (Scale.interval(0, 100), lambda r: r * 20.0),
    ],
)
def test_every_scale_makes_a_page(ratings, pool, scale, change):  # one case
    frame = ratings.assign(rating=change(ratings["rating"]))

    page = render_html(build(frame, scale=scale, pool=pool))

    assert str(scale) in page
    assert ("95% interval (t)" in page) == scale.ordered
    assert ("categories have no order, so ratings have no mean" in page) != scale.ordered
    assert ("Levels, lowest first" in page) == (scale.kind not in {"interval", "nominal"})
    assert "Ratings are not printed" not in page


def test_a_single_rater_makes_a_page_with_reasons(ratings):
    page = render_html(build(ratings[ratings["rater"] == "kim"]))

    assert "fewer than two raters" in page
    assert "INCONCLUSIVE" in page


def test_the_same_ratings_give_the_same_page(ratings, pool):
    assert render_html(build(ratings, pool=pool)) == render_html(build(ratings, pool=pool))


def test_ratings_without_values_are_refused(ratings):
    with pytest.raises(InputError, match="no value in a column 'rating'"):
        build(ratings.assign(rating=None))
    with pytest.raises(InputError, match="found the columns item"):
        build(ratings.drop(columns="rating"))


def test_a_pool_of_other_documents_is_refused(ratings, pool):
    with pytest.raises(InputError, match="none of the 60 rated items is a doc_id"):
        build(ratings, pool=pool.assign(doc_id=lambda frame: "x" + frame["doc_id"]))


def test_dimensions_may_have_scales_of_their_own(ratings):
    usable = ratings[ratings["dimension"] == "layout"]
    usable = usable.assign(dimension="usable", rating=(usable["rating"] > 3).astype(int))
    frame = pd.concat([ratings[ratings["dimension"] == "meaning"], usable])
    scales = {"meaning": LIKERT, "usable": Scale.binary()}

    data = build_bare_report(frame, scale=scales, issued_at=NOW)

    assert [data.labels(name).text for name in scales] == ["likert 1 to 5", "binary 0 to 1"]
    assert not data.one_scale
    means = {row.dimension: row.these.value for row in data.estimates}
    assert 1 < means["meaning"] < 5
    assert 0 < means["usable"] < 1
    assert "Usable: binary 0 to 1" in render_html(data)


def test_only_dimensions_with_an_order_stretch_the_effects_of_bias(ratings):
    scored = ratings[ratings["dimension"].isin(["meaning", "layout"])]
    named = ratings[ratings["dimension"] == "layout"].assign(dimension="fault", rating="none")
    judged = named.assign(dimension="usable", rating=1)
    scales = {
        "meaning": LIKERT,
        "layout": LIKERT,
        "fault": Scale.nominal(["none", "sign"]),
        "usable": Scale.binary(),
    }

    def told(*parts):
        return bias.scale_text(build_bare_report(pd.concat(parts), scale=scales, issued_at=NOW))

    assert told(scored, named) is None
    assert told(scored, named, judged).startswith("Dimensions have unlike scales")


def test_whole_pages_have_no_share_of_perfect_texts():
    text = "The quick brown fox jumps over the lazy dog. " * 8
    pool = pd.DataFrame(
        {
            "doc_id": [f"p{n}" for n in range(4)],
            "kind": ["page", "page", "page", "date"],
            "reference": [text, text, text, "1 May"],
            "hypothesis": [text[3:], text[1:], text, "1 May"],
        }
    )
    scored = pd.concat([pool, score_texts(pool["reference"], pool["hypothesis"])], axis=1)

    found = pool_scores(scored, {})
    short = pool_scores(scored[scored["n_ref_chars"] < 9], {})

    assert found.long == 359
    assert "exact_match" not in {row.metric for row in found.metrics}
    assert "exact_match" in {row.metric for row in short.metrics}
    assert "Pooled: all edits over all lengths, so that a long" in columns_text(found)
    assert "Exact match is left out" in columns_text(found)
    assert "left out" not in columns_text(short)
    assert [row.kind for row in found.fields] == ["date"]


def test_the_dimension_that_is_named_is_the_headline_else_the_first(ratings, plain_report):
    named = build(ratings, options=BareOptions(headline="layout"))

    assert named.headline.dimension == "layout"
    assert named.headline.others == next(
        row.others for row in plain_report[0].estimates if row.dimension == "layout"
    )
    assert named.sections["raters"].dimension == "layout"
    assert named.sections["raters"].mean == pytest.approx(
        ratings[ratings["dimension"] == "layout"]["rating"].mean()
    )
    for other in (None, "gone"):
        report = build(ratings, options=BareOptions(headline=other))
        assert report.headline.dimension == "meaning"


def test_a_gate_by_shares_names_the_one_that_fits_each_scale(ratings):
    rng = np.random.default_rng(7)
    right = rng.random(60) < 0.5
    used = pd.DataFrame(
        [
            (f"d{item}", rater, "usable", int(right[item] ^ (rng.random() < 0.05)))
            for item in range(60)
            for rater in ("kim", "lee", "park")
        ],
        columns=ratings.columns,
    )
    options = BareOptions(question=Question(policy="gdpval"))

    alone = build(used, scale=Scale.binary(), options=options)
    both = build(
        pd.concat([ratings, used]),
        scale={"meaning": LIKERT, "layout": LIKERT, "usable": Scale.binary()},
        options=options,
    )

    row = criteria(alone)[0]
    equal = alone[Agreement].dimensions[0].get("exact_agreement").value
    assert row.result == f"{equal:.1%}"
    assert row.rule.startswith("Policy “gdpval”, Equal ≥ 75%; ")
    statistics = {row.dimension: judged_statistic(both, row) for row in both[Agreement].dimensions}
    assert statistics == {
        "meaning": "adjacent_agreement",
        "layout": "adjacent_agreement",
        "usable": "exact_agreement",
    }
    assert not any("mean of" in row.criterion for row in criteria(both))
    floors = [render_html(report).count('stroke-dasharray="2 1.4"') for report in (alone, both)]
    assert floors == [0, 2]  # the table has no column of equal ratings
