"""A term of the field has one translation, in the desk and reports as on the raters' pages."""

import re
from pathlib import Path

import pytest

from tests.language.messages import LANGUAGES, paged, translations

WORDS = (Path(__file__).resolve().parents[2] / "docs" / "terms.md").read_text("utf-8")
TERMS = {
    "assignment": ("배정", "评分任务"),
    "adjudication": ("조정", "裁定"),
    "adjudicator": ("조정자", "裁定者"),
    "audit log": ("감사 기록", "审计日志"),
    "bias": ("편향", "偏差"),
    "critical error": ("치명적 오류", "严重错误"),
    "deadline": ("기한", "截止时间"),
    "dimension": ("차원", "维度"),
    "document": ("문서", "文档"),
    "estimate": ("추정", "估计"),
    "field": ("필드", "字段"),
    "field rule": ("필드 규칙", "字段规则"),
    "(?<!rough )guide": ("평가 지침", "评分指南"),
    "inclusion probabilit(y|ies)": ("포함확률", "入样概率"),
    "item": ("항목", "项"),
    r"(?<!at every )(?<!raters’ )level(?! of the (?:raters|scale \())": ("등급", "等级"),
    "OCR output": ("OCR 결과", "OCR 输出"),
    "panel": ("합의 패널", "评审小组"),
    "pool": ("모집단", "总体"),
    "practice": ("연습", "练习"),
    "raters?'": ("평가자", "评分者"),
    "rating": ("평점|평가|기준 점수", "评分"),
    "reference": ("정답 텍스트", "参考文本"),
    r"(?<!main )round (?=\{)": ("차", "轮"),
    "rubric": ("평가 기준표", "评分标准"),
    "sign(ed)? out": ("로그아웃", "退出登录"),
    "severity": ("엄격", "严厉"),
    "stratum": ("층", "层"),
    "weight": ("가중", "权重|加权"),
}
"""What says a term in English, and what says it in Korean and Chinese; as in docs/terms.md."""
SYNONYMS = {"ko": "라운드|동료|(?<!OCR )출력[의이을은]", "zh": "同事|次评价"}
"""Words that would say a term of the glossary in another way."""
CODE = r"`[^`]*`|\{[^}]*\}|\w+(\.\w+)+"


def sentences(language):
    """Yield every sentence in English and in a language."""
    for key, text in translations(language).items():
        yield (key if isinstance(key, str) else key[1]), text
    for _, english, text in paged(language):
        yield english, text


HOMOGRAPHS = {"Change", "Pace", "Items", "open", "Levels", "Ratings"}
"""Verbs and nouns alike: a button and a difference, speed and progress, a count and a heading."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_english_reads_the_same_on_every_page(language):
    by_english = {}
    for english, text in sentences(language):
        by_english.setdefault(english, set()).add(text)

    different = {english for english, texts in by_english.items() if len(texts) > 1}
    assert different - HOMOGRAPHS == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_term_has_one_translation(language):
    side = ("ko", "zh").index(language)
    said = [(re.sub(CODE, "{}", english), text) for english, text in sentences(language)]
    wrong = []
    for term, translated in TERMS.items():
        find = re.compile(rf"\b{term}s?\b" if term[-1].isalpha() else rf"\b{term}", re.IGNORECASE)
        found = [(english, text) for english, text in said if find.search(english)]
        assert found, term
        wrong += [(term, *pair) for pair in found if not re.search(translated[side], pair[1])]

    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_term_has_a_second_word(language):
    assert [text for _, text in sentences(language) if re.search(SYNONYMS[language], text)] == []


def test_the_terms_are_those_of_the_glossary():
    assert [
        word for words in TERMS.values() for word in "|".join(words).split("|") if word not in WORDS
    ] == []
