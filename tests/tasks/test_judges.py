"""Automatic judges: columns of the pool that are held against the raters."""

import csv
import json

import pandas as pd
import pytest

from ocrjury.evaluation.case import at_work
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.judges import JudgeBiases
from ocrjury.findings.sampling import RiskReason
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.files import read_snapshot
from ocrjury.store.moves import list_moves
from ocrjury.store.results import latest_findings
from tests.tasks.conftest import QUICK, QUIET, closed

JUDGES = {"LLM": {"meaning": "llm", "layout": "llm_layout"}, "mute": {"meaning": "mute"}}


@pytest.fixture
def judged(small):
    """A campaign with a judge who looks at the text, and one who never says anything."""
    small.dimensions = ["meaning", "layout", "style"]
    for row in small.pool:
        row["llm"] = min(5, max(1, round(5 * row["confidence"])))
        row["llm_layout"] = 5
        row["mute"] = None
    return small


def agreement(small):
    return small.stored(latest_findings, AgreementFinding, kind="agreement")


def test_judges_are_held_against_raters_beside_their_ceiling(judged):
    pool = {"path": "pool.jsonl", "judges": JUDGES}
    data, text = closed(judged, **QUICK, pool=pool, sampling={"n": 55})

    findings = agreement(judged)
    judges = {name: {row.judge: row for row in findings[name].judges} for name in judged.dimensions}
    assert {name: list(by_judge) for name, by_judge in judges.items()} == {
        "meaning": ["LLM", "mute"],
        "layout": ["LLM"],
        "style": [],
    }
    llm, human = judges["meaning"]["LLM"], findings["meaning"].get("human_agreement")
    assert 0.5 < llm.alignment.low < llm.alignment.value < llm.alignment.high <= 1
    assert llm.alignment.n_items == 55
    # Every item has a score, so the ceiling is the raters' agreement on all of them.
    assert llm.ceiling.value == pytest.approx(human.value)
    assert judges["meaning"]["mute"].alignment.reason == "no_items"
    assert [(name, row.judge) for name, row in data.sections["agreement"].judges] == [
        *(("meaning", "LLM"), ("meaning", "mute"), ("layout", "LLM"))
    ]
    assert "LLM agrees with the raters on" in text
    assert "no rated item has a score" in text


def test_a_judge_drives_the_draw_and_the_report_says_what_it_saved(judged):
    for number, row in enumerate(judged.pool):
        del row["reference"], row["confidence"]
        row["fluency"] = 100.0 - 0.5 * (number % 7)
    pool = {"path": "pool.jsonl", "judges": JUDGES, "auxiliaries": ["fluency"]}

    data, text = closed(
        judged, **QUICK, pool=pool, sampling={"n": 50, "risk": "judge", "judge": "fluency"}
    )

    known = {row.dimension: row for row in data.estimates}
    assert known["meaning"].auxiliaries == ("constant", "llm", "fluency")
    assert known["style"].auxiliaries == ("constant", "fluency", "type note")
    assert [saving.source for saving in known["meaning"].savings] == ["LLM", "fluency", None]
    assert [saving.source for saving in known["style"].savings] == ["fluency", "doc_type", None]
    assert all(saving.needed > 0.8 for row in known.values() for saving in row.savings)
    assert data.sections["sampling"].reasons == (RiskReason("judge", "fluency"),)
    assert "more often where the score of fluency is low" in text


def test_the_bias_of_a_judge_and_its_drift_are_known_over_evaluations(small):
    """Raters say what the number of the document says; the judge does so, then a level more."""

    def level(name):
        return 1 + int(name[1:]) % 4

    def bring_to_its_end(period, *, more):
        for row in small.pool:
            row["llm"] = None if row["doc_id"] in {"d003", "d008"} else level(row["doc_id"]) + more
        extra = more / 4  # another evaluation has other ratings
        pool = {"path": "pool.jsonl", "judges": {"LLM": {"meaning": "llm"}, "new": {}}}
        pool["judges"]["new"] = {"meaning": "llm"} if more else {"layout": "llm"}
        small.dimensions = ["meaning", "layout"]
        small.rated_by_people(
            period,
            say=lambda one, _: level(one.item) + (extra > 0 and one.item == "d020"),
            pool=pool,
            sampling={"n": 50},
            **QUIET,
        )

    small.at(13)
    bring_to_its_end("p", more=0)
    small.at(20)
    bring_to_its_end("q", more=1)

    biases = small.stored(latest_findings, JudgeBiases, kind="judge_bias")
    assert list(biases) == ["meaning"]
    first, new = biases["meaning"].judges
    before, now = first.rows
    assert (first.judge, before.evaluation, now.evaluation) == ("LLM", "small-p", "small-q")
    assert (before.mean.value, now.mean.value) == pytest.approx((0, 1), abs=0.05)
    assert now.change.value == pytest.approx(now.mean.value - before.mean.value)
    assert 0.9 < now.change.low <= now.change.high < 1.1
    assert before.mean.n_items <= 50
    assert now.both == before.mean.n_items
    assert (new.judge, len(new.rows)) == ("new", 1)  # it scored another dimension before
    data, text = small.report()
    assert data.sections["judge_bias"].dimensions == (biases["meaning"],)
    assert "points above the raters on meaning; LLM moved by +" in text


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ("good", "the column 'fluency' has 60 value(s) that are no finite numbers, the first is a"),
        (None, "pool.auxiliaries names the column 'fluency', which the pool lacks; it has doc_id,"),
    ],
)
def test_an_auxiliary_without_numbers_holds_the_evaluation(small, cell, sentence):
    if cell is not None:
        for row in small.pool:
            row["fluency"] = cell

    end = small.write(pool={"path": "pool.jsonl", "auxiliaries": ["fluency"]}).open()

    assert end.name == "Held"
    assert sentence in small.stored(list_moves)[-1].reason


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_the_snapshot_keeps_what_judges_gave_in_every_format(judged, suffix):
    name = f"pool.{suffix}"
    judged.write(**QUICK, pool={"path": name, "judges": JUDGES}, sampling={"n": 20})
    if suffix == "csv":
        with judged.path.with_name(name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, judged.pool[0])
            writer.writeheader()
            writer.writerows(judged.pool)
    elif suffix == "parquet":
        pd.DataFrame(judged.pool).to_parquet(judged.path.with_name(name))

    judged.open()

    with at_work() as work:
        row = read_evaluation(work.engine, judged.evaluation)
        kept = read_snapshot(work.store.files, row.pool_hash)
    assert kept["llm"].tolist() == [row["llm"] for row in judged.pool]
    assert kept["mute"].isna().all()
    assert agreement(judged)["meaning"].judges[0].alignment.n_items == 20


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"drop": "llm"}, "pool.judges.LLM.meaning names the column 'llm', which the pool lacks"),
        (
            {"llm": 80},
            "has 60 value(s) that are not on the raters' scale (likert 1 to 5), the first is 80",
        ),
        ({"llm": "good"}, "the first is a text; see document 'd000', 'd001'"),
    ],
)
def test_what_is_wrong_with_a_judge_holds_the_evaluation(judged, change, sentence):
    for row in judged.pool:
        row.pop(change.get("drop"), None)
        row.update({key: value for key, value in change.items() if key != "drop"})

    end = judged.write(pool={"path": "pool.jsonl", "judges": JUDGES}).open()

    assert end.name == "Held"
    (*_, last) = judged.stored(list_moves)
    assert sentence in last.reason


def test_a_held_judge_is_released_by_a_new_pool_and_a_retry(judged):
    good = [dict(row) for row in judged.pool]
    judged.pool = [{**row, "llm": 9} for row in good]
    pool = {"path": "pool.jsonl", "judges": JUDGES}
    judged.write(pool=pool, rounds={"frontend": "file"}).open()
    lines = "\n".join(map(json.dumps, good))
    judged.path.with_name("pool.jsonl").write_text(lines, "utf-8")

    assert judged.decide("retry").name == "WaitingForRatings"


def test_a_column_that_is_filled_here_is_no_judge_s(judged):
    pool = {"path": "pool.jsonl", "judges": {"LLM": {"meaning": "bleu"}}}

    end = judged.write(pool=pool).open()

    assert end.name == "Held"
    assert "'bleu', which this program fills itself. Give the judge's column" in end.message


def test_a_judge_of_names_is_compared_by_name(small):
    small.scale = {"kind": "nominal", "categories": ["fine", "wrong"]}
    for number, row in enumerate(small.pool):
        row["llm"] = ("fine", "wrong")[number % 2]
    pool = {"path": "pool.jsonl", "judges": {"LLM": {"meaning": "llm"}}}
    small.write(pool=pool, rounds={"frontend": "file"}).open()

    small.rate(say=lambda one, _: ("fine", "wrong")[int(one.item[1:]) % 2])
    small.advance()

    (judge,) = agreement(small)["meaning"].judges
    assert (judge.judge, judge.alignment.value, judge.ceiling.value) == ("LLM", 1.0, 1.0)


def test_a_campaign_without_judges_stores_none(small):
    data, text = closed(small, **QUICK)

    assert agreement(small)["meaning"].judges == ()
    assert data.sections["agreement"].judges == ()
    assert "Judge against raters" not in text
