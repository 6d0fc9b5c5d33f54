"""Sentences are said in the language of the moment, later ones too."""

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import language
from ocrjury.estimate import Estimate
from ocrjury.korean import PARTICLES, with_particle
from ocrjury.language import Phrase, counted, phrase, read, said, speaking, stored, tr, trn
from ocrjury.pages.numbers import interval_text


@pytest.fixture
def korean(monkeypatch):
    texts = {
        ("{n} item", "{n} items"): "항목 {n}개",
        "{who} rated {what}.": "{who:이/가} {what:을/를} 평가했습니다.",
    }
    monkeypatch.setattr(language, "catalogue", lambda spoken: {"ko": texts, "en": {}}[spoken])


def test_a_sentence_is_said_in_the_language_of_the_moment(korean):
    late = phrase("{who} rated {what}.", who="R01", what=counted(2, "item"))
    assert late == "R01 rated 2 items."
    with speaking("ko"):
        assert said(late) == "R01이 항목 2개를 평가했습니다."
        assert tr("{who} rated {what}.", who="R02", what=late.values["what"]) == (
            "R02가 항목 2개를 평가했습니다."
        )
        assert trn("{n} item", "{n} items", 1) == "항목 1개"
        assert tr("no such sentence") == "no such sentence"
    assert said(late) == "R01 rated 2 items."


def test_a_language_ends_with_its_block():
    with pytest.raises(ZeroDivisionError), speaking("zh"):
        1 / 0  # noqa: B018
    assert language.language() == "en"


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text)), lambda text: text]
)
def test_a_phrase_survives_storing_and_copying(korean, copied):
    late = phrase("{who} rated {what}.", who="R01", what=counted(1, "item"))
    again = read(json.loads(json.dumps(stored(copied(late)))))
    assert isinstance(again, Phrase)
    assert again == late == "R01 rated 1 item."
    with speaking("ko"):
        assert said(again) == "R01이 항목 1개를 평가했습니다."


def test_what_is_no_phrase_is_stored_as_it_is():
    assert stored("text") == "text"
    assert read("text") == "text"
    assert read({"other": 1}) == {"other": 1}


# Readings after the National Institute of Korean Language: 영 일 이 … 십 백 천 만, 엘 엠 엔 알.
@pytest.mark.parametrize(
    ("word", "topic", "direction"),
    [
        ("평가자", "평가자는", "평가자로"),
        ("항목", "항목은", "항목으로"),
        ("서울", "서울은", "서울로"),
        ("3", "3은", "3으로"),
        ("7", "7은", "7로"),
        ("9", "9는", "9로"),
        ("10", "10은", "10으로"),
        ("1,000", "1,000은", "1,000으로"),
        ("0.80", "0.80은", "0.80으로"),
        ("12%", "12%는", "12%로"),
        ("CER", "CER은", "CER로"),
        ("NED", "NED는", "NED로"),
        ("meaning", "meaning은", "meaning으로"),
        ("layout", "layout은", "layout으로"),
        ("일치도(α)", "일치도(α)는", "일치도(α)로"),
        ("‘항목’", "‘항목’은", "‘항목’으로"),
        ("", "는", "로"),
    ],
)
def test_a_particle_fits_the_word_before_it(word, topic, direction):
    assert with_particle(word, "은/는") == topic
    assert with_particle(word, "으로/로") == direction


@given(st.text(), st.sampled_from(sorted(PARTICLES)))
def test_any_word_keeps_its_letters_and_gets_one_of_both_forms(word, particle):
    made = with_particle(word, particle)
    assert made in {word + form for form in particle.split("/")}


def test_a_minus_never_touches_the_tilde_of_a_korean_range():
    with speaking("ko"):
        said = [interval_text(Estimate(0, *ends)) for ends in ((-0.36, -0.08), (-1, 2), (1, 2))]

    assert said == ["−0.36\xa0~ −0.08", "−1.00\xa0~ 2.00", "1.00~2.00"]


def test_warnings_of_a_stored_estimate_are_said_in_another_language(korean):
    estimate = Estimate(0.5, warnings=("as it is", phrase("{n} {what}", n=2, what="x")))
    again = Estimate.from_json(json.loads(json.dumps(estimate.to_json())))
    assert again.warnings == ("as it is", "2 x")
    assert isinstance(again.warnings[1], Phrase)
