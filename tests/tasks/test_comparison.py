"""Two evaluations beside each other, in numbers and on paper."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest

from ocrjury.agreement import agreement_difference
from ocrjury.cli import main
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case, at_work
from ocrjury.evaluation.compared_evaluation import ComparedEvaluation
from ocrjury.evaluation.comparison import compare
from ocrjury.evaluation.inference import first_pass_tables
from ocrjury.evaluation.rated_sample import rated_sample
from ocrjury.evaluation.trends import measure_trends
from ocrjury.report.sections import comparison
from tests.tasks.conftest import QUIET, write_sketch


@pytest.fixture
def twice(small):
    """Two evaluations of a pool; in the second, people rate a level lower."""
    names = []
    for period, severity in (("2026w47", 0), ("2026w48", 1)):
        small.rated_by_people(period, severity=severity, **QUIET, sampling={"n": 60})
        names.append(small.evaluation)
    return names


def test_means_agreement_and_metrics_stand_beside_each_other(twice):
    with at_work() as work:
        earlier, later = (work.case(name) for name in twice)
        found = compare(earlier, later)
        before, after = (first_pass_tables(case)["meaning"] for case in (earlier, later))
        (trend,) = measure_trends(
            later,
            {"meaning": rated_sample(later, later.pool(), ["meaning"])},
            [ComparedEvaluation(earlier)],
        )

    (row,) = found.dimensions
    assert row.trend.to_json() == trend.to_json()
    assert row.trend.newest.change.value == pytest.approx(-1, abs=0.05)
    assert row.difference.to_json() == agreement_difference(before, after).to_json()
    assert row.difference.value == pytest.approx(row.after.value - row.before.value)
    assert found.metrics_before == found.metrics_after != ()
    assert found.same_outputs
    without_means = comparison.lead(SimpleNamespace(headline=None), found)
    assert without_means.startswith("Both evaluations rated the same outputs: ")
    assert "No change of the mean is shown" in without_means
    assert type(found).from_json(found.to_json()).to_json() == found.to_json()


def test_an_evaluation_is_not_compared_with_itself(twice):
    with at_work() as work, pytest.raises(InputError, match="hold the same ratings"):
        compare(work.case(twice[0]), work.case(twice[0]))


def test_the_later_of_two_is_not_named_first(twice):
    earlier, later = twice

    with at_work() as work:
        second = opened(work.case(later), work.now + timedelta(days=7))
        with pytest.raises(InputError, match=f"first: ocrjury report --compare {earlier} {later} "):
            compare(second, work.case(earlier))
        # A period that is made up for is opened after one that follows it.
        made_up = opened(work.case(earlier), work.now + timedelta(days=14))
        assert compare(made_up, second).later == later


def opened(case, moment):
    """Case as if it had been opened at another moment."""
    row = replace(case.row, opened_at=moment)
    return Case(case.work, case.standing._replace(evaluation=row))


def test_the_command_writes_the_change_in_a_language(twice, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("ocrjury.report.write_pdf", write_sketch)
    words = ["report", "--compare", *twice, "--out", str(tmp_path), "--language", "ko"]

    assert main(words) == 0

    html = tmp_path / f"{twice[1]}-compared-with-{twice[0]}-ko.html"
    told = capsys.readouterr()
    assert told.out.split() == [str(html), str(html.with_suffix(".pdf"))]
    assert f"{' and '.join(twice)} rated the same outputs: a difference shows how" in told.err
    page = html.read_text("utf-8")
    assert "다른 평가와 비교" in page
    assert "2026w47에 비해 2026w48에서" in page  # the sign goes by this order
    assert "단어 오류율" in page
    assert "Word error rate" not in page
    assert "−1.0" in page
    assert "제2판" not in page  # the report of the later one is its first
    assert f"ocrjury report --compare {' '.join(twice)} --out FOLDER" in page
    assert main([*words[:4]]) == 2
    assert "--compare needs --out FOLDER" in capsys.readouterr().err


def test_an_evaluation_that_people_still_rate_is_not_compared(twice):
    with at_work() as work:
        earlier, later = (work.case(name) for name in twice)
        row = replace(later.row, state="collecting")
        later = Case(work, later.standing._replace(evaluation=row))

        with pytest.raises(InputError, match=f"{twice[1]} is collecting and has no estimates yet"):
            compare(earlier, later)


@pytest.mark.parametrize(
    ("state", "sentence"),
    [("held", "held and has no estimates yet; compare it"), ("aborted", "aborted and has no est")],
)
def test_an_evaluation_without_estimates_is_not_compared(small, twice, state, sentence):
    small.write(rounds={"frontend": "file"}).open("2026w49")
    if state == "held":
        small.at(29).advance()
    else:
        small.decide("abort")

    with at_work() as work, pytest.raises(InputError, match=f"{small.evaluation} is {sentence}"):
        compare(work.case(small.evaluation), work.case(twice[1]))


@pytest.mark.parametrize("rehearsed", [0, 1])
def test_a_rehearsal_is_not_compared_with_what_people_said(twice, rehearsed):
    with at_work() as work:
        cases = [work.case(name) for name in twice]
        row = replace(cases[rehearsed].row, simulated=True)
        cases[rehearsed] = Case(work, cases[rehearsed].standing._replace(evaluation=row))

        with pytest.raises(InputError, match=f"{twice[rehearsed]} was rated by simulated raters"):
            compare(*cases)


def test_categories_without_order_are_compared_by_agreement(small):
    small.scale = {"kind": "nominal", "categories": ["stamp", "text", "table"]}
    names = []
    for period, shift in (("2026w47", 0), ("2026w48", 1)):
        small.rated_by_people(
            period, say=lambda one, _, s=shift: ("stamp", "text")[(len(one.item) + s) % 2], **QUIET
        )
        names.append(small.evaluation)

    with at_work() as work:
        found = compare(*map(work.case, names))

    assert [row.trend for row in found.dimensions] == [None]
