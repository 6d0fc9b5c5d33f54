import dataclasses

import pytest

from ocrjury import Estimate
from ocrjury.language import speaking
from ocrjury.report.html import SENTENCES

say = SENTENCES.key_numbers


def test_usable_share_and_critical_errors_stand_beside_the_mean(report):
    usable, critical = say.beside_the_mean(report)

    row = say.usable_on(report)
    assert usable.value == f"{row.usable.value:.0%}"
    assert "rated 4 or better on Meaning" in usable.text
    assert usable.sure.startswith("95% range ")
    assert "have a critical error" in critical.text


def test_a_usable_share_that_gold_corrected_is_called_that_beside_the_one_without(report):
    first, *others = report.estimates
    gold = dataclasses.replace(first.gold, usable=Estimate(0.5, 0.4, 0.6))
    corrected = dataclasses.replace(first, gold=gold)

    usable, _ = say.beside_the_mean(dataclasses.replace(report, estimates=(corrected, *others)))

    assert usable.sure == (
        "95% range 76.0% to 86.0%, corrected by gold; without gold 50.0% (40.0% to 60.0%)"
    )


def test_an_exact_share_has_no_range(report):
    rows = tuple(dataclasses.replace(row, exact=True) for row in report.field_errors.by_kind)
    exact = dataclasses.replace(report.field_errors, by_kind=rows)

    critical = say.beside_the_mean(dataclasses.replace(report, field_errors=exact))[-1]

    assert critical.sure == "exact: every field was compared"


def test_a_hidden_headline_leaves_what_needs_no_rater(report):
    doubted = dataclasses.replace(report.verdict, decision="FAIL", release=None)

    (critical,) = say.beside_the_mean(dataclasses.replace(report, verdict=doubted))

    assert "critical error" in critical.text


def test_a_share_as_headline_is_not_printed_twice(report):
    share = dataclasses.replace(report.headline, share_at_least=4.0)

    assert say.usable_on(dataclasses.replace(report, headline=share)) is None


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "no interval: fewer than two raters"),
        ("ko", "구간 없음: 평가자가 두 명 미만"),
        ("zh", "无区间：评分者不足两名"),
    ],
)
def test_a_share_without_a_range_says_why_and_no_more(report, language, words):
    (known, *others) = report.estimates
    share = Estimate(known.usable.value, reason="fewer_than_two_raters")
    alone = dataclasses.replace(known, usable=share, gold=None)

    with speaking(language):
        usable, _ = say.beside_the_mean(dataclasses.replace(report, estimates=(alone, *others)))

    assert usable.sure == words


@pytest.mark.parametrize(
    ("word", "end"),
    [("MET", "is met."), ("NOT MET", "is not met."), ("NOT SHOWN", "is not shown to be met.")],
)
def test_the_first_finding_names_the_target_and_what_became_of_it(report, word, end):
    outcome = dataclasses.replace(report.outcome, word=word)

    title = say.headline_title(dataclasses.replace(report, outcome=outcome), report.headline)

    assert title.endswith(f": 4.12; the target of 4.0 {end}")


def test_without_a_target_the_finding_is_the_value(report):
    alone = dataclasses.replace(report, outcome=None)

    assert say.headline_title(alone, report.headline).endswith(": 4.12.")
