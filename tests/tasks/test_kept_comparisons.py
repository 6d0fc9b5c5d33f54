"""What an evaluation keeps of its pool, so that later ones need not read it."""

from ocrjury.evaluation import compared_evaluation, trends
from ocrjury.evaluation.case import Case, at_work
from ocrjury.evaluation.compared_evaluation import ComparedEvaluation
from ocrjury.evaluation.judge_bias import judged_samples, measure_judge_biases
from ocrjury.evaluation.trends import look_back, measure_trends
from tests.tasks.conftest import opinion

QUICK = {
    "adaptive": {"max_rounds": 0, "budget": 0, "decisions": 0},
    "sampling": {"n": 40, "design": "mixture"},
    "pool": {"path": "pool.jsonl", "judges": {"LLM": {"meaning": "llm"}}},
    "report": {"target": {"dimension": "meaning", "share_at_least": 4, "share": 0.8}},
}


def said_in(week):
    """What raters say who become stricter by a level from week to week."""
    return lambda one, _: min(max(opinion(one, week - 1), 1), 5)


def all_rows(name):
    """Trends and judges' biases of an evaluation, computed now."""
    with at_work() as work:
        case = work.case(name)
        past, back = ComparedEvaluation(case), look_back(case)
        found = measure_trends(case, {"meaning": past.sample("meaning")}, back.earlier)
        judged = judged_samples(case, case.pool())
        return [
            row.to_json() for row in (*found, *measure_judge_biases(case, judged, back.of_judges))
        ]


def test_an_evaluation_reads_no_earlier_pool_and_computes_the_newest_change_only(
    small, monkeypatch
):
    small.pool = [{**row, "llm": 1 + number % 5} for number, row in enumerate(small.pool)]
    read, compared = [], []
    pool, trend = Case.pool, trends.trend
    monkeypatch.setattr(
        Case, "pool", lambda case, **how: read.append(case.name) or pool(case, **how)
    )
    monkeypatch.setattr(
        trends, "trend", lambda of, **how: compared.append(tuple(of)) or trend(of, **how)
    )
    for week, day in enumerate((6, 13, 20)):
        read.clear()
        compared.clear()
        small.at(day).reread().rated_by_people(f"w{week}", say=said_in(week), **QUICK)
        assert {*read} == {f"small-w{week}"}
    assert {*compared} == {("small-w0",), ("small-w1", "small-w2")}
    _the_same_to_the_bit_without_what_was_kept(small, monkeypatch)


def _the_same_to_the_bit_without_what_was_kept(small, monkeypatch):
    kept = all_rows(small.evaluation)
    monkeypatch.setattr(trends, "_usable", lambda *_, **__: ())
    computed = all_rows(small.evaluation)
    monkeypatch.setattr(compared_evaluation, "COMPARABLE", "nothing of this kind")

    from_pools = all_rows(small.evaluation)

    assert kept == computed == from_pools
    assert [row["evaluation"] for row in kept[0]["share"]] == ["small-w0", "small-w1", "small-w2"]
    assert len(kept[1]["judges"][0]["rows"]) == 3
    assert [row["drift"] and row["drift"]["df"] for row in kept[0]["mean"]] == [None, 3, 3]
