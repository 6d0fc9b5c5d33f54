"""One evaluation shows each statistic of agreement alike wherever somebody meets it."""

import json
import math
import re
from typing import NamedTuple

import lxml.html
import pandas as pd
import pytest

from ocrjury.cli import main
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.pool_scores import RankCorrelations
from ocrjury.findings.truth import TruthSummary
from ocrjury.frontends.web.desk.agreement_view import agreement_view
from ocrjury.pages.environment import typeset
from ocrjury.pages.numbers import bounded
from ocrjury.pages.statistic_numbers import in_unit
from ocrjury.report.html import render_html
from ocrjury.report.sections.agreement import COLUMNS
from ocrjury.statistics import STATISTICS, grade, statistic
from ocrjury.store.histories import read_standing
from ocrjury.store.results import findings_by_round, latest_findings
from ocrjury.tasks import at_work
from ocrjury.tasks import gate as gate_task
from tests.tasks.conftest import QUICK, closed
from tests.tasks.desk_pages import page_of_the_desk
from tests.tasks.each_metric import the_metrics_are_alike
from tests.tasks.each_rater import the_labels_are_alike, the_raters_are_alike
from tests.tasks.pair_and_judge import the_judge_is_alike, the_pairs_are_alike


@pytest.fixture
def pages(monkeypatch):
    """What judging a round puts on the run's page."""
    published = {}
    monkeypatch.setattr(
        gate_task, "publish", lambda _name, step, text: published.__setitem__(step, text)
    )
    return published


@pytest.mark.parametrize("policy", ["default", "gdpval"])
def test_a_statistic_is_the_same_in_report_artifact_desk_command_line_and_export(
    small, pages, tmp_path, capsys, policy
):
    small.dimensions = ["meaning", "layout"]
    for row in small.pool:
        row["llm"] = min(5, max(1, round(5 * row["confidence"])))
    data, _ = closed(
        small,
        pool={"path": "pool.jsonl", "judges": {"LLM": {"layout": "llm"}}},
        gate=QUICK["gate"] | {"policy": policy},
    )
    findings = small.stored(latest_findings, AgreementFinding, kind="agreement")
    assert sorted(findings) == ["layout", "meaning"]
    # More items are asked for after the first round; the verdict stands on all of them.
    newest = max(step for step in pages if step.endswith("-agreement"))

    html = render_html(data)
    _prints(in_report(html), findings, COLUMNS, labels=short_labels)
    on_page = [key for key, row in STATISTICS.items() if row.in_artifact]
    _prints(in_artifact(pages[newest].partition("##")[0]), findings, on_page, labels=short_labels)
    _the_desk_shows(findings, small.evaluation)

    exported = export(small.evaluation, tmp_path, capsys)
    _tells(by_statistic(table_rows(exported / "agreement.csv")), findings)
    _tells(by_statistic(json_rows(exported / "evaluation.json")), findings)
    printed, told = agreement_command(small.evaluation, tmp_path, capsys)
    _prints(in_terminal(printed), findings, _DEFINED, labels=long_labels)
    _tells(told, findings)

    shown = data.sections["agreement"].pairs_dimension
    for rows in (table_rows(exported / "agreement.csv"), json_rows(exported / "evaluation.json")):
        the_pairs_are_alike(findings, dimension=shown, html=html, printed=printed, exported=rows)
        the_judge_is_alike(
            findings, dimension="layout", html=html, page=pages[newest], exported=rows
        )
        the_raters_are_alike(
            findings,
            data=data,
            html=html,
            desk=page_of_the_desk(small.evaluation, "raters"),
            printed=printed,
            exported=rows,
        )
        the_labels_are_alike(newest_truths(small), data=data, html=html, exported=rows)
        ranks = small.stored(latest_findings, RankCorrelations, kind="rank_correlations")
        the_metrics_are_alike(ranks, data=data, html=html, exported=rows)


def newest_truths(small):
    """Summary of the labels that the last round left."""
    by_round = small.stored(findings_by_round, TruthSummary, kind="truth")
    return by_round[max(by_round)]


class Reading(NamedTuple):
    """What somebody reads of one statistic on one dimension."""

    label: str
    value: str
    low: str
    high: str
    grade: str


_DEFINED = [key for key, row in STATISTICS.items() if row.function and key != "prevalence_index"]
"""What is measured on every table with a scale of five levels."""


def short_labels(key):
    return without_marks(str(typeset(statistic(key).short_label)))


def without_marks(text):
    """A name without what lifts its letters: A<sup>HH</sup> and A^HH are one."""
    return re.sub(r"<[^>]+>|\^", "", text)


def long_labels(key):
    return statistic(key).label


def _prints(readings, findings, keys, *, labels):
    """Check that a page shows every statistic by its name, as found to the digits that it has."""
    for name, finding in findings.items():
        for key in keys:
            found = bounded(key, finding.get(key))
            shown = readings[name, labels(key)]
            assert is_rounded(shown.value, found.value, key), (name, key)
            assert is_rounded(shown.low, found.low, key), (name, key)
            assert is_rounded(shown.high, found.high, key), (name, key)
            graded = grade(key, found.value)
            assert shown.grade == (graded.common if graded else ""), (name, key)


def is_rounded(text, number, key):
    """Whether a text is a statistic's value in its unit, to the digits that it has."""
    if math.isnan(number):
        return text == "—"
    share = statistic(key).is_share
    if text.endswith("%") != share:
        return False
    text = text.removesuffix("%").replace("−", "-")
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return abs(float(text) - number * (100 if share else 1)) <= half + 1e-9


def _tells(bodies, findings):
    """Check that what programs read has every statistic, with its name, interval and grade."""
    for name, finding in findings.items():
        for key, found in finding.estimates.items():
            body, graded = bodies[name, key], grade(key, found.value)
            for column in ("value", "low", "high"):
                number = getattr(found, column)
                told = math.nan if body[column] is None else body[column]
                assert told == pytest.approx(number, nan_ok=True), (name, key, column)
            assert body["label"] == statistic(key).label
            assert body["grade"] == (graded.common if graded else None), (name, key)


def in_report(html):
    """What the cells of the report's table by dimension show."""
    tables = lxml.html.fromstring(html).xpath("//table[caption='Agreement per dimension']")
    (table,) = tables
    heads = [cell.text_content().strip() for cell in table.xpath("thead//th")]
    readings = {}
    for row in table.xpath("tbody/tr"):
        name = row.xpath("th")[0].text_content().strip()
        for label, cell in zip(heads[1:], row.xpath("td"), strict=True):
            if cell.xpath(".//span[@class='range']"):
                readings[name, label] = read_cell(label, cell)
    return readings


def read_cell(label, cell):
    """Value, grade and interval of a cell; where the value is a percentage, its interval is one."""
    [value] = cell.xpath(".//b/text()")
    [word] = cell.xpath(".//span[@class='word']/text()")
    unit = "%" if value.endswith("%") else ""
    low, _, high = cell.xpath(".//span[@class='range']/text()")[0].partition(" to ")
    return Reading(label, value, low + unit, high + unit, word)


CELL = re.compile(r"(?P<value>\S+) \((?P<low>\S+) to (?P<high>\S+)\)(?:, (?P<grade>.*))?")


def in_artifact(text):
    """What the table of a page of Prefect shows."""
    heads, _, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|")
    )
    readings = {}
    for name, *cells in rows:
        for label, cell in zip(heads[1:], cells, strict=True):
            readings[name.strip("*"), without_marks(label)] = Reading(
                label, **CELL.fullmatch(cell).groupdict("")
            )
    return readings


LINE = re.compile(
    r"(?P<label>\S.*?) {2,}(?P<value>\S+) +(?:(?P<low>\S+) to (?P<high>\S+)|—)"
    r" +\d+(?: +(?P<grade>\w.*))?"
)


def in_terminal(text):
    """What the table of each dimension on the command line shows."""
    readings, name, before = {}, None, ""
    for line in text.splitlines():
        if re.fullmatch(r"\d+ items, \d+ raters, \d+ ratings", line):
            name = before
        elif name and (cells := LINE.fullmatch(line)):
            words = {"low": "—", "high": "—", "grade": ""} | {
                key: word for key, word in cells.groupdict().items() if word
            }
            readings.setdefault((name, words["label"]), Reading(**words))
        before = line
    return readings


def export(evaluation, folder, capsys):
    """Write the tables of an evaluation; return their folder."""
    assert main(["export", evaluation, "--out", str(folder / "export")]) == 0
    capsys.readouterr()
    return folder / "export"


def table_rows(path):
    """Rows of the exported table of agreement."""
    rows = pd.read_csv(path, dtype={"grade": object}).astype(object)
    return rows.where(rows.notna(), None).to_dict("records")


def json_rows(path):
    return json.loads(path.read_text("utf-8"))["agreement"]


def by_statistic(rows):
    """Rows that concern all raters."""
    return {
        (row["dimension"], row["statistic"]): row
        for row in rows
        if row["rater"] is None and row["judge"] is None
    }


def agreement_command(evaluation, folder, capsys):
    """What `ocrjury agreement` prints and tells of the exported ratings."""
    file = str(folder / "ratings.csv")
    assert main(["ratings", "export", evaluation, "--out", file]) == 0
    words = ["agreement", file, "--scale", "likert:1:5", "--exit-zero"]
    capsys.readouterr()
    assert main([*words, "--full"]) == 0
    printed = capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    dimensions = json.loads(capsys.readouterr().out)["dimensions"]
    told = {
        (name, key): {**body, "grade": finding["grades"].get(key)}
        for name, finding in dimensions.items()
        for key, body in finding["estimates"].items()
    }
    return printed, told


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
        label = typeset(statistic("human_agreement").short_label)
        printed = in_unit(human.value, "human_agreement")
        assert f"<dt>{label}</dt><dd>{printed}{graded(human.value)}</dd>" in page
        key = campaign.gate.rules.primary.estimates[0]
        at_gate = bounded(key, finding.get(key))
        assert (metric.gate_statistic, metric.gate_value) == (key, at_gate.value)
        ends = (at_gate.low, at_gate.high)
        assert f'<p class="number">{in_unit(at_gate.value, key)}</p>' in page
        printed = " to ".join(in_unit(end, key) for end in ends)
        words = graded(at_gate.value, key)
        assert f"<dt>{statistic(key).short_label}</dt><dd>{printed}{words}</dd>" in page
        assert f"</span>{metric.interpretation}" in page
        keys = ("exact_agreement", "adjacent_agreement")
        values = [getattr(metric, key) for key in keys]
        assert values == [finding.get(key).value for key in keys]
        labels = " · ".join(statistic(key).short_label for key in keys)
        printed = " · ".join(map(in_unit, values, keys))
        assert f"<dt>{labels}</dt><dd>{printed}</dd>" in page


def graded(value, key="human_agreement"):
    """What the desk puts behind a value that has a grade."""
    found = grade(key, value)
    return f" · {found.common}" if found else ""
