"""What is computed about raters and dimensions is stored, shown on the run's page and reported."""

import json

import pytest

from ocrjury.bias.findings import KINDS, BiasFinding
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.dimensions import Composites, DimensionsFinding
from ocrjury.findings.pool_metrics import GroupMeans, PoolMetrics
from ocrjury.report.sections import metric_charts as say
from ocrjury.store.results import latest_findings, latest_results
from ocrjury.tasks import gate as gate_task
from tests.tasks.conftest import QUICK, closed

WEIGHTS = {"meaning": 3.0, "layout": 1.0, "style": 1.0}


@pytest.fixture
def several(small):
    """A campaign with three dimensions that weigh differently."""
    small.dimensions = list(WEIGHTS)
    small.pool = [{**row, "level": ("light", "heavy")[n % 2]} for n, row in enumerate(small.pool)]
    plain = small.rubric
    small.rubric = lambda: [{**one, "weight": WEIGHTS[one["name"]]} for one in plain()]
    return small


@pytest.fixture
def pages(monkeypatch):
    """What judging a round puts on the run's page."""
    found = {}
    monkeypatch.setattr(
        gate_task,
        "publish",
        lambda _name, step, markdown: found.__setitem__(step, markdown),
    )
    return found


def test_findings_are_stored_reported_and_on_the_run_s_page(several, pages):
    data, text = closed(several, **QUICK)

    reported = [row.dimension for row in data.sections["agreement"].dimensions]
    assert sorted(reported) == sorted(WEIGHTS)
    _everything_about_a_dimension(several, data, text)
    _the_mean_over_dimensions_beside_the_lowest(several, data, text)
    _the_tests_for_bias(several, pages)
    _what_is_drawn_of_the_pool(several, data, text)


def _what_is_drawn_of_the_pool(several, data, text):
    metrics = several.stored(latest_findings, PoolMetrics, kind="metrics")["*"]
    assert metrics.to_json() == data.sections["metrics"].to_json()
    assert metrics.n == data.sections["scores"].pool_size
    assert say.distributions_title(metrics) in text
    groups = several.stored(latest_findings, GroupMeans, kind="groups")["meaning"]
    assert sum(row.n for row in groups.by_column["level"]) == data.headline.others.n_items
    assert all(row.apart.defined for row in groups.by_column["level"] if row.estimate.defined)
    assert {row.name for row in groups.by_column["level"]} <= {
        row.name for of in metrics.groups if of.column == "level" for row in of.rows
    }


def _everything_about_a_dimension(several, data, text):
    finding = several.stored(latest_findings, AgreementFinding, kind="agreement")["meaning"]
    row = data.sections["agreement"].dimensions[0]
    assert row.profiles == finding.profiles
    assert [profile.rank for profile in finding.profiles] == sorted(
        profile.rank for profile in finding.profiles
    )
    assert len(finding.profiles) == 4
    assert row.disagreements == finding.disagreements
    assert row.pairs == finding.pairs
    assert row.item_means == finding.item_means
    assert sum(row.item_means) == row.get("krippendorff_alpha").n_items
    assert "Where the raters differ" in text
    assert "Appendix: rater profiles" in text
    assert "κ over" in text
    for profile in row.profiles:
        assert profile.rater in {"R01", "R02", "R03", "R04"}


def _the_mean_over_dimensions_beside_the_lowest(several, data, text):
    findings = several.stored(latest_findings, AgreementFinding, kind="agreement")
    together = several.stored(latest_findings, DimensionsFinding, kind="dimensions")["*"]
    alphas = [findings[name].get("krippendorff_alpha").value for name in WEIGHTS]
    mean = together.means["krippendorff_alpha"]
    assert (mean.value, mean.n) == (pytest.approx(sum(alphas) / 3), 3)
    assert data.sections["agreement"].means["krippendorff_alpha"] == mean
    assert "Agreement, weakest:" in text
    assert f"Agreement, mean of 3 dimensions {mean.value:.2f}" in text
    assert "the worst of 3 dimensions" in text


def _the_tests_for_bias(several, pages):
    stored = several.stored(latest_results, "bias")["*"]["findings"]
    findings = [BiasFinding.from_json(one) for one in stored]
    page = pages["r01-bias"]
    assert {finding.kind for finding in findings} == set(KINDS)
    assert page.startswith("# Are the raters of small-p biased?")
    assert "| **Severity** | meaning | each rater |" in page
    assert "| **Halo** | all | average rater |" in page
    assert list(pages)[:3] == ["r01-agreement", "r01-bias", "r01-verdict"]


def test_dimensions_are_one_score_in_three_ways(several):
    data, text = closed(several, **QUICK, sampling={"n": 55})

    composites = several.stored(latest_findings, Composites, kind="composite")["*"]
    by_method = {row.method: row for row in composites.rows}
    assert by_method["weighted"].weights == pytest.approx(
        {name: weight / 5 for name, weight in WEIGHTS.items()}
    )
    assert set(by_method["pca"].loadings) == set(WEIGHTS)
    estimates = several.stored(latest_results, "estimate")
    low = min(body["others"]["value"] for body in estimates.values())
    high = max(body["others"]["value"] for body in estimates.values())
    for row in composites.rows:
        assert low - 0.05 <= row.others.value <= high + 0.05
        assert row.others.low < row.others.value < row.others.high
    assert len(by_method["mean"].scores) == 55
    assert len(data.sections["joint_dimensions"].correlations) == 3
    assert "Weighted as the rubric says" in text
    assert "A high correlation is truth where items" in text


def test_a_score_that_uses_a_failed_dimension_is_marked_where_a_fail_was_released(several):
    data, text = closed(several, **QUICK | {"gate": {}}, simulation={"default": {"careless": 0.9}})

    assert data.verdict.release is not None
    assert len(data.sections["joint_dimensions"].composites) == 3
    assert text.count("agreement not shown: it uses") == 3


def test_one_dimension_has_no_score_of_all(small):
    data, text = closed(small, **QUICK)

    assert small.stored(latest_results, "composite") == {}
    assert data.sections["joint_dimensions"] is None
    assert "The dimensions together" not in text


def test_an_interim_report_has_findings_and_no_score(several):
    careless = {"default": {"careless": 0.9}}
    held = several.write(**QUICK | {"gate": {}}, simulation=careless).open()

    assert held.name == "Held"
    data, text = several.report()

    assert data.sections["joint_dimensions"].composites == ()
    assert data.sections["raters"].bias
    assert "Tests for bias" in text


def test_a_page_names_no_document(several, pages):
    for row in several.pool:
        row["doc_id"] = f"zebra-{row['doc_id']}"

    closed(several, **QUICK, simulation={"default": {"careless": 0.5}})

    assert "zebra" not in "".join(pages.values())
    assert "zebra" in json.dumps(several.stored(latest_results, "agreement"))
