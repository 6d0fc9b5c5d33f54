"""Evaluations of every kind leave the store as a folder that explains itself."""

import json
import math
import re
import zlib
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
import sqlalchemy as sa
from jsonschema import Draft202012Validator

from ocrjury.cli import main
from ocrjury.errors import StateError
from ocrjury.estimation import RatedSample
from ocrjury.evaluation.case import at_work
from ocrjury.export import evaluation_export
from ocrjury.export.evaluation_export import FILES, export_files, write_export
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.findings.pool_metrics import GroupMeans
from ocrjury.retention.purge import purge_texts
from ocrjury.store.audit import list_audit
from ocrjury.store.results import latest_findings, latest_truths
from ocrjury.store.snapshots import snapshot_of
from tests.tasks.conftest import QUICK, closed
from tests.tasks.test_system_comparison import two_systems
from tests.tasks.test_unlike_scales import SCALES, answer, with_scales

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "export" / "headline.ipynb"
CARELESS = {"simulation": {"default": {"careless": 0.9}}}
TABLES = ("ratings", "labels", "agreement", "estimates", "bias", "documents")


class Exported:
    """An export in a folder, checked against its own schema."""

    def __init__(self, small, folder):
        self.folder = folder
        with at_work() as work:
            self.files = write_export(work.case(small.evaluation), folder)
        self.body = json.loads(self.files["evaluation.json"])
        schema = json.loads(self.files["evaluation.schema.json"])
        Draft202012Validator.check_schema(schema)
        Draft202012Validator(schema).validate(self.body)
        for name in TABLES:
            row = {"$ref": f"#/$defs/{name}_row", "$defs": schema["$defs"]}
            of_row = Draft202012Validator(row)
            for cells in pq.read_table(folder / f"{name}.parquet").slice(0, 9).to_pylist():
                of_row.validate(cells)

    def read(self, name):
        return pd.read_parquet(self.folder / f"{name}.parquet")

    def csv(self, name):
        return pd.read_csv(self.folder / f"{name}.csv")

    def reasons(self, entry):
        return {(row["what"], row["name"]): row["reason"] for row in self.body[entry]}


@pytest.fixture
def export(small, tmp_path):
    return lambda: Exported(small, tmp_path / "claims-2026w47")


def run_notebook(folder, monkeypatch):
    """Run the code of the example beside an exported folder; return its variables."""
    monkeypatch.chdir(folder.parent)
    found = {}
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), found)
    return found


def is_the_headline(found, exported, data):
    others = data.headline.others
    for name in ("value", "low", "high"):
        number = getattr(others, name)
        assert found["recomputed"][name] == pytest.approx(number, abs=1e-9, nan_ok=True)
        assert exported.body["headline"][name] == (None if math.isnan(number) else number)
    assert found["hajek"] == pytest.approx(data.estimates[0].hajek.value, abs=1e-9)
    assert exported.body["outcome"] == {"word": data.outcome.word, "why": data.outcome.why}


def test_a_folder_holds_what_is_stored_and_gives_the_headline_again(
    small, export, monkeypatch, capsys
):
    small.dimensions = ["meaning", "layout"]
    for place, row in enumerate(small.pool):
        row["scan"] = ("clear", "grey")[place % 3 == 0]
    data, _ = closed(small, **QUICK, report={"target": {"dimension": "meaning", "mean": 3.5}})
    exported = export()

    _is_what_is_stored(small, exported, data)
    is_the_headline(run_notebook(exported.folder, monkeypatch), exported, data)
    again = RatedSample.from_export(exported.csv("ratings"), "meaning").mean()
    assert again.value == pytest.approx(data.headline.others.value, abs=1e-9)
    _a_second_export_replaces_the_first(small, exported, capsys)
    monkeypatch.setattr("ocrjury.report.write_pdf", lambda _page, path: path.write_bytes(b"%PDF"))
    _an_excerpt_holds_the_sections_that_were_asked_for(small, exported.folder.parent, capsys)


def _is_what_is_stored(small, exported, data):
    assert sorted(path.name for path in exported.folder.iterdir()) == sorted(FILES)
    assert exported.body["simulated"] is True
    for name in TABLES:
        rows, described = exported.read(name), exported.body["tables"][name]
        assert list(rows.columns) == list(exported.csv(name).columns) == described["columns"]
        assert len(rows) == len(exported.csv(name)) == described["rows"] > 0
    findings = small.stored(latest_findings, AgreementFinding, kind="agreement")
    agreement = exported.csv("agreement")
    of = agreement[agreement["statistic"] == "krippendorff_alpha"].set_index("dimension")
    assert dict(of["value"]) == pytest.approx(
        {name: finding.get("krippendorff_alpha").value for name, finding in findings.items()}
    )
    undefined = agreement["value"].isna()
    assert undefined.any()
    assert agreement.loc[undefined, "reason"].notna().all()
    estimates = exported.read("estimates")
    assert estimates["headline"].sum() == 1
    stored = small.stored(latest_findings, PoolEstimates, kind="estimate")["layout"]
    means = estimates.query("statistic == 'mean' and group == 'pool' and dimension == 'layout'")
    of = means.set_index("basis")["value"]
    assert (of["others"], of["inferred"]) == (stored.others.value, stored.inferred.value)
    assert (estimates["group"] == "score").sum() == 2 * len(
        data.sections["joint_dimensions"].composites
    )
    columns = estimates[estimates["group"] == "column"].set_index(["statistic", "name"])
    [by_column] = small.stored(latest_findings, GroupMeans, kind="groups").values()
    scans = by_column.by_column["scan"]
    assert dict(columns.loc["mean"]["value"]) == {g.name: g.estimate.value for g in scans}
    assert dict(columns.loc["mean_less_pool"]["value"]) == {g.name: g.apart.value for g in scans}
    assert set(columns["other"]) == {"scan"}
    labels = exported.read("labels")
    assert labels.filter(regex="^p:").sum(axis=1).to_numpy() == pytest.approx(1)
    assert len(labels) == len(small.stored(latest_truths))
    documents = exported.read("documents")
    assert (documents["weight"] * documents["inclusion_probability"]).to_numpy() == pytest.approx(1)


def _a_second_export_replaces_the_first(small, first, capsys):
    (first.folder / "ratings.csv").write_text("an older one", "utf-8")
    assert main(["export", small.evaluation, "--out", str(first.folder)]) == 0
    assert f"14 files written to {first.folder}." in capsys.readouterr().out
    for name, body in first.files.items():
        assert (first.folder / name).read_bytes() == body
    with at_work() as work:
        noted = [line.object for line in list_audit(work.engine) if line.action == "export"]
    assert noted == [f"{small.evaluation} tables"]


def _an_excerpt_holds_the_sections_that_were_asked_for(small, folder, capsys):
    words = ["report", small.evaluation, "--out", str(folder), "--sections"]
    assert main([*words, "bias, systems,agreement"]) == 0
    html, pdf = map(Path, capsys.readouterr().out.splitlines())
    page = html.read_text("utf-8")
    assert (html.name, pdf.suffix) == (f"{small.evaluation}-final-v1-en-excerpt.html", ".pdf")
    titles = re.findall(r'<h1 class="title" id="(\w+)">', page)
    assert titles == ["contents", "agreement", "bias", "methods"]  # of one system: no "systems"
    assert "An excerpt: 3 of the" in page
    assert "An excerpt" not in small.report_page()


def test_what_the_gate_withholds_is_withheld_and_named(small, export):
    small.dimensions = ["meaning", "layout"]
    for row in small.pool:
        row["reference"] = f"zebra{row['reference']}"
    end = small.write(**{**QUICK, **CARELESS, "gate": {}}).open()
    assert end.name == "Held"
    interim = export()
    assert (interim.body["kind"], interim.body["headline"]) == ("interim", None)
    assert "nobody released" in interim.body["headline_reason"]
    assert interim.body["estimates"] == []

    small.decide("proceed")
    data, _ = small.report()
    released = export()

    assert small.rows()[-1] == "30"
    assert data.verdict.release is not None
    assert {row.dimension for row in data.estimates} == {"meaning", "layout"}
    hidden = {name for name in ("meaning", "layout") if not data.verdict.shows(name)}
    assert "meaning" in hidden
    assert not hidden & set(released.read("estimates")["dimension"])
    assert released.body["headline"] is None
    assert "do not agree well enough on meaning" in released.body["headline_reason"]
    named = released.reasons("withheld")
    assert {name for what, name in named if what == "dimension"} == hidden
    assert ("score", "mean") in named
    assert released.body["gate"]["release"]["reason"] == "as the chair said"
    value = data.estimates[0].others.value
    assert str(value) not in released.files["evaluation.json"].decode()
    assert released.body["texts"]["reason"] == "masked"
    assert not any(b"zebra" in body for body in released.files.values())


def kind_of(one):
    """A fault on which all raters agree."""
    return ["none", "sign", "word"][zlib.crc32(one.item.encode()) % 3]


def test_names_a_continuous_scale_and_two_values_leave_together(small, export):
    few = {"adaptive": {"max_rounds": 0, "decisions": 0}, "sampling": {"n": 55}}
    few["rounds"] = {"frontend": "file", "top_ups": 0}
    target = {"target": {"dimension": "usable", "mean": 0.5}}
    with_scales(small, *SCALES).write(**few, report=target).open()
    with at_work() as work, pytest.raises(StateError, match="was not judged yet"):
        export_files(work.case(small.evaluation))
    small.rate(say=lambda one, name: kind_of(one) if name == "fault" else answer(one, name))
    if small.advance().name == "Held":
        small.decide("proceed")
    exported = export()

    ratings, labels = exported.read("ratings"), exported.read("labels").set_index("dimension")
    assert {"none", "sign", "word"} <= set(ratings["rating"])
    assert set(labels.loc["fault", "label"]) <= {"none", "sign", "word"}
    assert labels.loc["fault", "mean"].isna().all()
    assert set(labels.loc[["fault", "ease"], "reason"]) == {"scale_mismatch"}
    assert labels.loc["usable", ["p:0", "p:1"]].sum(axis=1).to_numpy() == pytest.approx(1)
    assert ("estimates", "fault") in exported.reasons("absent")
    bias = exported.read("bias")
    assert set(bias.loc[bias["kind"] == "severity", "unit"]) == {"hundredths of the scale"}
    data, _ = small.report()
    shown = [row for row in data.estimates if data.verdict.shows(row.dimension)]
    assert shown
    for row in shown:
        again = RatedSample.from_export(ratings, row.dimension).mean()
        assert again.value == pytest.approx(row.others.value, abs=1e-9)


HOSTILE = ("=HYPERLINK(1)", "\u202e@x", "-1+1", "a\u009bb", "보험\u2066")


def test_systems_of_one_rater_with_hostile_texts_leave_whole_and_never_act(
    small, export, monkeypatch
):
    small.pool = two_systems(40)
    for place, row in enumerate(small.pool):
        text = HOSTILE[place % len(HOSTILE)]
        row |= {
            "reference": None,
            "hypothesis": f"{text} zebraread",
            "doc_type": HOSTILE[place % 2],
        }
        row["doc_id"] = f"={row['doc_id']}\u202e"
    small.people = ["R01,rater", "A01,adjudicator", "E01,expert"]
    share = {"target": {"dimension": "meaning", "share_at_least": 4, "share": 0.5}}
    alone = {"raters": {"file": "raters.csv", "per_item": 1}, "sampling": {"n": 60, "floor": 0}}
    data, _ = closed(small, **{**QUICK, **alone}, report={**share, "examples": "shown"})
    exported = export()

    _one_rater_has_a_reason(exported)
    systems = exported.read("estimates").query("group == 'system' and statistic == 'mean'")
    assert dict(zip(systems["name"], systems["value"], strict=True)) == {
        row.system: row.estimate.value for row in data.systems[0].systems
    }
    is_the_headline(run_notebook(exported.folder, monkeypatch), exported, data)
    _texts_are_whole_and_inert(exported)
    _a_purge_takes_them_out_of_the_next_export(small, export, before=exported)


def _one_rater_has_a_reason(exported):
    agreement, documents = exported.read("agreement"), exported.read("documents")
    alpha = agreement[agreement["statistic"] == "krippendorff_alpha"].iloc[0]
    assert (pd.isna(alpha["value"]), alpha["reason"]) == (True, "fewer_than_two_raters")
    assert set(documents["score_reason"]) == set(documents["text_reason"]) == {"no_reference"}
    assert documents["cer"].isna().all()
    assert exported.body["headline"]["reason"] == "fewer_than_two_raters"


def _texts_are_whole_and_inert(exported):
    assert exported.body["texts"]["included"] is True
    documents = exported.read("documents")
    assert {text.removesuffix(" zebraread") for text in documents["hypothesis"]} == set(HOSTILE)
    assert all(name[0] + name[-1] == "=\u202e" for name in documents["doc_id"])
    for name in (name for name in FILES if not name.endswith(".parquet")):
        assert not set(exported.files[name].decode()) & set("\u202e\u2066\u009b")
    for name in TABLES:
        cells = exported.csv(name).select_dtypes("str")
        starts = {str(cell)[0] for column in cells for cell in cells[column].dropna()}
        assert not starts & set("=+-@\t\r")


def _a_purge_takes_them_out_of_the_next_export(small, export, *, before):
    with at_work() as work:
        purge_texts(work.store, [small.evaluation], actor="J", address="cli", now=work.now)
    purged = export()
    assert set(purged.read("documents")["text_reason"]) == {"purged"}
    assert "were removed" in purged.reasons("absent")["texts", None]
    assert not any(b"zebra" in body for body in purged.files.values())
    assert purged.body["headline"] == before.body["headline"]


def test_a_report_on_an_export_has_the_headline_of_its_evaluation(small, tmp_path, monkeypatch):
    small.dimensions = ["layout", "meaning"]
    target = {"dimension": "meaning", "mean": 3.0}
    data, _ = closed(small, report={"target": target})
    small.exported().to_csv(tmp_path / "ratings.csv", index=False)
    built = []
    monkeypatch.setattr("ocrjury.report.html.render_html", lambda of, **_: built.append(of) or "")
    monkeypatch.setattr("ocrjury.report.html_size.mailed_html", lambda *_, **__: "")
    monkeypatch.setattr("ocrjury.report.pdf.write_pdf", lambda *_: None)

    words = ["report", "--ratings", str(tmp_path / "ratings.csv"), "--scale", "likert:1:5"]
    for more in ([], ["--dimension", "layout"]):
        main([*words, "--out", str(tmp_path), "--exit-zero", *more])

    assert [of.dimensions[0].name for of in built] == ["Layout", "Layout"]
    assert [of.headline.dimension for of in built] == ["meaning", "layout"]
    assert data.headline.dimension == "meaning"


def test_an_export_is_of_one_moment_and_noted_before_it_leaves(small, tmp_path, monkeypatch):
    closed(small, **QUICK)
    seen = []

    def measure(case):
        seen.append(snapshot_of(case.work.engine) is not None)
        return export_files(case)

    def killed(*_, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(evaluation_export, "export_files", measure)
    monkeypatch.setattr(evaluation_export, "write_folder", killed)

    assert main(["export", small.evaluation, "--out", str(tmp_path / "out")]) == 130

    assert seen == [True]
    with at_work() as work:
        assert list_audit(work.engine)[0].object == f"{small.evaluation} tables"


@pytest.mark.on_sqlite
def test_no_export_leaves_a_store_that_cannot_write_down_that_it_did(small, tmp_path, capsys):
    closed(small, **QUICK)

    @sa.event.listens_for(sa.engine.Engine, "connect")
    def only_reading(raw, _record):
        raw.execute("PRAGMA query_only=ON").close()

    try:
        code = main(["export", small.evaluation, "--out", str(tmp_path / "out")])
    finally:
        sa.event.remove(sa.engine.Engine, "connect", only_reading)

    assert code == 2
    assert "can only be read" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
