from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ocrjury import Estimate, Scale
from ocrjury.bias.findings import BiasFinding
from ocrjury.estimation import within_scale
from ocrjury.evaluation import headline_sources, pool_estimates
from ocrjury.evaluation.evidence import NO_RATINGS, Evidence
from ocrjury.evaluation.headline_sources import (
    MOST_LEFT_OUT,
    plain_hajek,
    sources_of,
    with_cross_check,
)
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.findings.raters import BiasTests
from ocrjury.findings.record import ALL_DIMENSIONS


def rated(*, n=80, raters=5, erratic=True, gold=False):
    rng = np.random.default_rng(11)
    x = rng.normal(size=n)
    rows = []
    for item in range(n):
        for rater in rng.choice(raters, 2, replace=False):
            spread = 2.5 if erratic and rater == 0 else 0.3
            rows.append((f"d{item}", f"R{rater:02d}", 3 + x[item] + rng.normal(0, spread)))
    ratings = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    items = pd.DataFrame(
        {
            "item": [f"d{i}" for i in range(n)],
            "inclusion_probability": rng.uniform(0.1, 0.6, n),
            "stratum": "all",
            "cluster": np.arange(n),
        }
    )
    known = ratings.groupby("item")["rating"].mean().reset_index().assign(rating=3.5)
    evidence = Evidence(ratings, NO_RATINGS, known if gold else NO_RATINGS)
    sample = Sample(items, x[:, None], np.array([0.2]), ["cer"], ["cer"], {}, {}, x[:, None])
    return evidence, sample


def test_the_cross_check_shares_nothing_with_the_headline_but_the_ratings():
    evidence, sample = rated(gold=True)
    weight = 1 / sample.items["inclusion_probability"]
    means = evidence.ratings.groupby("item")["rating"].mean()[sample.items["item"]]

    hajek = plain_hajek(evidence, sample)

    assert hajek.value == pytest.approx(np.average(means, weights=weight))
    assert hajek.value != pytest.approx(evidence.of_sample(sample).mean().value, abs=0.01)


def test_the_headline_bears_the_contradiction_of_the_cross_check():
    mean, greg = Estimate(4.5, se=0.2, warnings=("One rater.",)), Estimate(4.2, se=0.03)

    assert with_cross_check(mean, greg=greg, hajek=Estimate(4.19, se=0.05)) == mean
    told = with_cross_check(mean, greg=greg, hajek=Estimate(3.9, se=0.05)).warnings
    assert told[0] == "One rater."
    assert told[1].startswith("GREG of plain means (4.20) and Hájek (3.90) differ by 7.5")


@pytest.mark.parametrize("wrong", [0.0, 0.4])
def test_a_strict_rater_with_few_items_is_no_contradiction_of_the_auxiliaries(wrong):
    rng = np.random.default_rng(5)
    x = rng.normal(size=300)
    severity = {"R1": 0.0, "R2": 0.1, "R3": -0.5}
    rows = []
    for item in range(300):
        of_item = ["R1", "R2"] if item % 10 else ["R1", "R2", "R3"]
        rows += [
            (f"d{item}", rater, 3 + x[item] + severity[rater] + rng.normal(0, 0.3))
            for rater in of_item
        ]
    items = pd.DataFrame(
        {
            "item": [f"d{i}" for i in range(300)],
            "inclusion_probability": 0.9,
            "stratum": "all",
            "cluster": np.arange(300),
        }
    )
    pool_mean = np.array([x.mean() + wrong])
    sample = Sample(items, x[:, None], pool_mean, ["cer"], ["cer"], {}, {}, x[:, None])
    ratings = pd.DataFrame(rows, columns=["item", "rater", "rating"])

    means = pool_estimates._plain_means(ratings, sample=sample, scale=Scale.interval(-5, 11))

    assert abs(means["these"].value - means["hajek"].value) > 0.1
    assert any("GREG" in text for text in means["others"].warnings) is (wrong > 0)


@pytest.mark.parametrize(("probability", "times"), [(0.1, 2.0), (0.8, 1.25), (1.0, 1.0)])
def test_more_items_are_no_more_than_the_pool_has(probability, times):
    evidence, sample = rated()
    items = sample.items.assign(inclusion_probability=probability)

    sources = of_mean(evidence.of_sample(sample._replace(items=items)))

    assert sources.more_items == pytest.approx(times)
    assert (sources.with_more_items < sources.length) == (times > 1)


def test_each_rater_is_left_out_in_turn():
    evidence, sample = rated()

    found = of_mean(evidence.of_sample(sample))

    without = {row.rater: row.without.value for row in found.raters}
    assert len(without) == 5
    assert without["R01"] == evidence.of_sample(sample).without_rater("R01").mean().value
    assert found.raters[0].weight < 0.2
    assert found.effective_raters < 4.5
    assert found.length == pytest.approx(np.diff(ends(evidence.of_sample(sample).mean()))[0])


@pytest.mark.parametrize("level", [3, 5])
def test_the_range_of_a_share_is_as_long_as_it_is_printed(level):
    """Symmetric on the logit scale, and Clopper and Pearson's near 0; neither is a t interval."""
    evidence, sample = rated()
    of_sample = evidence.of_sample(sample)
    share, parts = of_sample.share(at_least=level), of_sample.sources(at_least=level)

    sources = sources_of(of_sample, share, at_least=level)

    assert sources.length == share.high - share.low
    assert abs(sources.length - 2 * parts.half_length()) > 0.002
    shorter = parts.half_length(items=2) / parts.half_length()
    assert sources.with_more_items == pytest.approx(sources.length * shorter)


def test_the_range_of_a_mean_ends_with_its_scale():
    evidence, sample = rated()
    of_sample = evidence.of_sample(sample)
    mean = of_sample.mean()
    within = within_scale(mean, low=1, high=mean.value + 0.01)

    assert sources_of(of_sample, within).length == within.high - within.low < np.ptp(ends(mean))


def test_of_many_raters_only_those_with_less_weight_are_left_out():
    evidence, sample = rated(n=400, raters=MOST_LEFT_OUT + 5)

    found = of_mean(evidence.of_sample(sample))

    assert [row.rater for row in found.raters if row.without] == [
        row.rater for row in found.raters if row.weight < 1
    ]
    assert found.raters[0].without is not None


def test_of_many_raters_the_flagged_are_left_out_too():
    evidence, sample = rated(n=400, raters=MOST_LEFT_OUT + 5)
    plain = of_mean(evidence.of_sample(sample))
    full = next(row.rater for row in plain.raters if row.weight == 1)

    found = of_mean(evidence.of_sample(sample), flagged={full})

    (row,) = (row for row in found.raters if row.flagged)
    assert row.rater == full
    assert row.without.value == evidence.of_sample(sample).without_rater(full).mean().value


def test_a_rater_is_flagged_on_a_dimension_or_on_all_together(monkeypatch):
    findings = [
        BiasFinding("severity", "R01", "meaning", -0.6, "points", flagged=True),
        BiasFinding("severity", "R02", "layout", -0.6, "points", flagged=True),
        BiasFinding("severity", "R03", "meaning", -0.1, "points"),
        BiasFinding("halo", "R04", None, 0.5, "residual correlation", flagged=True),
        BiasFinding("halo", None, None, 0.5, "residual correlation", flagged=True),
    ]
    stored = {ALL_DIMENSIONS: BiasTests(findings=tuple(findings))}
    monkeypatch.setattr(headline_sources, "latest_findings", lambda *_, kind: stored)
    case = SimpleNamespace(work=SimpleNamespace(engine=None), name="e")

    assert headline_sources.flagged_raters(case, "meaning") == {"R01", "R04"}


def test_no_ratings_have_no_sources():
    _, sample = rated()

    nothing = Evidence(NO_RATINGS, NO_RATINGS, NO_RATINGS)
    assert of_mean(nothing.of_sample(sample)) is None


def of_mean(sample, **options):
    return sources_of(sample, sample.mean(), **options)


def ends(estimate):
    return estimate.low, estimate.high
