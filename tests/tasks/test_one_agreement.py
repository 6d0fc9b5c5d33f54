"""One evaluation shows each statistic of agreement alike wherever somebody meets it."""

import json
import os
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from ocrjury.cli import main
from ocrjury.evaluation.inference import first_pass_tables
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.frontends.web.desk.agreement_view import agreement_view
from ocrjury.pages.environment import typeset
from ocrjury.pages.numbers import bounded, decimal, estimate_text, percent
from ocrjury.report.html import render_html
from ocrjury.report.sections.agreement import COLUMNS, cell_title
from ocrjury.statistics import grade, statistic
from ocrjury.store.database import writing
from ocrjury.store.histories import read_standing
from ocrjury.store.links import add_desk_link
from ocrjury.store.results import latest_findings
from ocrjury.tasks import at_work
from ocrjury.tasks import gate as gate_task
from tests.frontends.web.conftest import serving
from tests.frontends.web.desk.conftest import Desk
from tests.tasks.conftest import closed


@pytest.fixture
def pages(monkeypatch):
    """What judging a round puts on the run's page."""
    published = {}
    monkeypatch.setattr(
        gate_task, "publish", lambda _name, step, text: published.__setitem__(step, text)
    )
    return published


def test_a_statistic_is_the_same_in_report_artifact_desk_command_line_and_export(
    small, pages, tmp_path, capsys
):
    data, _ = closed(small)
    findings = small.stored(latest_findings, AgreementFinding, kind="agreement")
    assert list(findings) == ["meaning"]
    # More items are asked for after the first round; the verdict stands on all of them.
    newest = max(step for step in pages if step.endswith("-agreement"))

    _report_and_artifact_show(findings, data, pages[newest])
    _the_desk_shows(findings, small.evaluation)
    _the_command_line_prints_and_exports(findings, small.evaluation, tmp_path, capsys)


def worded(key, estimate):
    """Print value, interval and grade as pages do."""
    graded = grade(key, estimate.value)
    text = estimate_text(bounded(key, estimate), share=statistic(key).is_share)
    return f"{text}, {graded.common}" if graded else text


def _report_and_artifact_show(findings, data, artifact):
    html = render_html(data)

    for name, finding in findings.items():
        for key in COLUMNS:
            estimate = bounded(key, finding.get(key))
            label = statistic(key).short_label
            assert f"{label}: {worded(key, estimate)}." in cell_title(name, key, estimate)
            assert cell_title(data.name(name), key, estimate).replace("&", "&amp;") in html
            assert str(typeset(label)) in html
            if key != "icc":
                assert label in artifact
                assert worded(key, estimate) in artifact


def _the_desk_shows(findings, evaluation):
    with at_work() as work:
        standing = read_standing(work.engine, evaluation, now=work.now)
        campaign = work.case(evaluation).campaign
        view = agreement_view(work.engine, standing, campaign)
    page = page_of_the_desk(evaluation)

    for name, finding in findings.items():
        metric, human = view.metrics[name], finding.get("human_agreement")
        cut = bounded("human_agreement", human)
        assert metric.score == metric.human_agreement == human.value
        assert (metric.low, metric.high) == (cut.low, cut.high)
        assert f"</dt><dd>{decimal(human.value)}</dd>" in page
        key = campaign.gate.rules.conditions[0].estimates[0]
        at_gate = bounded(key, finding.get(key))
        assert (metric.gate_statistic, metric.gate_value) == (key, at_gate.value)
        printed = f"{decimal(at_gate.low)} to {decimal(at_gate.high)}"
        assert f"<dt>{statistic(key).short_label}</dt><dd>{printed}</dd>" in page
        assert f"</span>{metric.interpretation}" in page
        for keys, show in (
            (("exact_agreement", "adjacent_agreement"), lambda value: percent(value, 0)),
        ):
            values = [getattr(metric, key) for key in keys]
            assert values == [finding.get(key).value for key in keys]
            labels = " · ".join(statistic(key).short_label for key in keys)
            printed = " · ".join(map(show, values))
            assert f"<dt>{labels}</dt><dd>{printed}</dd>" in page


def page_of_the_desk(evaluation):
    """Sign in with a link of the lead, and read the first page of an evaluation."""
    with at_work() as work, writing(work.engine) as connection:
        expires = work.now + timedelta(days=1)
        code = add_desk_link(connection, "J. Kim", now=work.now, expires_at=expires)
        url = work.engine.url.render_as_string(hide_password=False)
    with serving(SimpleNamespace(home=Path(os.environ["OCRJURY_HOME"]), url=url)) as server:
        desk = Desk(SimpleNamespace(server=server))
        desk.enter(code)
        return desk.ask("GET", f"/desk/{evaluation}").text


def _the_command_line_prints_and_exports(findings, evaluation, folder, capsys):
    file = folder / "ratings.csv"
    with at_work() as work:
        case = work.case(evaluation)
        weights = {
            item: weight
            for table in first_pass_tables(case).values()
            for item, weight in zip(table.items, table.item_weight, strict=True)
        }
        ratings = case.first_pass[["item", "rater", "dimension", "rating"]]
        ratings.assign(w=ratings["item"].map(weights)).to_csv(file, index=False)
    words = ["agreement", str(file), "--scale", "likert:1:5", "--item-weight", "w", "--exit-zero"]

    assert main([*words, "--json"]) == 0
    exported = json.loads(capsys.readouterr().out)["dimensions"]
    assert main(words) == 0
    printed = capsys.readouterr().out

    for name, finding in findings.items():
        for key, estimate in finding.estimates.items():
            body = exported[name]["estimates"][key]
            assert body["value"] == pytest.approx(estimate.to_json()["value"])
            assert body["low"] == pytest.approx(estimate.to_json()["low"])
            graded = grade(key, estimate.value)
            assert exported[name]["grades"].get(key) == (graded.common if graded else None)
            assert estimate.reason == "scale_mismatch" or statistic(key).label in printed
        assert decimal(finding.get("human_agreement").value, 3) in printed
