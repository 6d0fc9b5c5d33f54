"""The pages of the report that everybody reads, in every language."""

import dataclasses
import re

import pytest

from ocrjury.campaign.owners import Owner
from ocrjury.language import said, speaking, tr
from ocrjury.report.cover_record import cover_of
from ocrjury.report.html import SENTENCES, render_html
from ocrjury.report.sections.cover import MARKS, tone

say = SENTENCES


def in_language(report, language):
    return dataclasses.replace(
        report, identity=dataclasses.replace(report.identity, language=language)
    )


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Not shown: mean 4.0 or better on Meaning"),
        ("ko", "목표 달성 미확인: Meaning 평균 4.0 이상"),
        ("zh", "尚未证实：“Meaning”均值不低于 4.0"),
    ],
)
def test_the_record_of_the_cover_speaks_the_language_of_its_report(report, language, sentence):
    assert cover_of(in_language(report, language)).sentence == sentence


@pytest.mark.parametrize(
    ("language", "content", "marked"),
    [
        (
            "en",
            '"Page " counter(page) " of " counter(pages)',
            ("<b>4.12</b> (3.93 to 4.31)", "R03 (Meaning), ", "1: 3%, ", "-distance: Text"),
        ),
        (
            "ko",
            'counter(page) "/" counter(pages) "쪽"',
            ("<b>4.12</b>(3.93~4.31)", "R03(Meaning), ", "1: 3%, ", "-distance: Text"),
        ),
        (
            "zh",
            '"第 " counter(page) " 页，共 " counter(pages) " 页"',
            ("<b>4.12</b>（3.93 至 4.31）", "R03（Meaning）、", "1：3%、", "-distance：Text"),
        ),
    ],
)
def test_pages_are_numbered_and_marked_in_the_language_of_the_report(
    report, language, content, marked
):
    page = render_html(in_language(report, language))

    assert f"@bottom-right {{ content: {content};" in page
    assert [text for text in marked if text not in page] == []


def test_an_owner_whom_nobody_named_is_said_in_the_language_of_the_report():
    with speaking("ko"):
        assert said(Owner().of("ocr")) == "OCR 팀"
        assert said(Owner(ocr="Vendor").of("ocr")) == "Vendor"


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_marks_and_tones_do_not_depend_on_the_language(report, language):
    with speaking(language):
        rows = say.criteria.criteria(report)

    assert [(row.mark, row.tone) for row in rows] == [
        (row.mark, row.tone) for row in say.criteria.criteria(report)
    ]


@pytest.mark.parametrize(
    ("language", "passed", "failed", "open_"),
    [("ko", "통과", "미통과", "판단 보류"), ("zh", "通过", "未通过", "尚无定论")],
)
@pytest.mark.parametrize("decision", ["PASS", "FAIL", "INCONCLUSIVE"])
def test_the_verdict_is_one_word_on_every_page(report, language, passed, failed, open_, decision):
    word = dict(zip(("PASS", "FAIL", "INCONCLUSIVE"), (passed, failed, open_), strict=True))[
        decision
    ]
    verdict = dataclasses.replace(
        report.verdict, decision=decision, dimensions=(), release=None, reasons=()
    )
    page = render_html(in_language(dataclasses.replace(report, verdict=verdict), language))

    text = re.sub(r"<style.*?</style>|<script.*?</script>|<[^>]+>", "", page, flags=re.DOTALL)
    assert re.findall(r".{0,9}\b(?:PASS|FAIL|INCONCLUSIVE)\b.{0,9}", text) == []
    # Cover, criteria and the first finding.
    assert text.count(f"{MARKS[tone(decision)]} {word}") >= 2
    assert re.search(f"(일치도|一致性)[:：] ?{word}", text)


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_words_of_the_program_are_said_in_the_language_of_the_report(report, language):
    page = render_html(in_language(report, language))

    text = re.sub(r"<style.*?</style>|<script.*?</script>|<[^>]+>", " ", page, flags=re.DOTALL)
    words = r"(?<![\w/-])(?:amount|code|date|text|default)(?![\w-])"
    assert re.findall(f".{{0,9}}{words}.{{0,9}}", text) == []


def test_a_kind_that_only_the_pool_knows_stays_as_it_is():
    with speaking("ko"):
        assert say.field_kinds.kind_name("amount") == "금액"
        assert say.field_kinds.kind_name("stamp") == "stamp"


def test_a_look_is_counted_and_not_said_to_occur_once_in_two_times():
    with speaking("ko"):
        assert tr("{look} of {planned}", look=1, planned=2) == "1회차(총 2회)"
