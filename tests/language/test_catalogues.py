"""Every sentence is translated, in its own language, with the values that it needs."""

import re
from string import Formatter

import pytest

from ocrjury.korean import PARTICLES
from tests.language.messages import (
    LANGUAGES,
    ROOT,
    catalogue_file,
    messages,
    paged,
    renewed,
    translations,
)


def braces(text):
    return [(name, spec) for _, name, spec, _ in Formatter().parse(text) if name is not None]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_no_brace_that_its_sentence_lacks(language):
    wrong = {}
    for key, text in translations(language).items():
        patterns = (key,) if isinstance(key, str) else key
        known = {name for pattern in patterns for name, _ in braces(pattern)}
        given = braces(text)
        if any(name not in known or (spec and spec not in PARTICLES) for name, spec in given):
            wrong[key] = text

    assert not wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated_and_no_other(language):
    assert [key for key, text in translations(language).items() if not text] == []
    # `make messages` writes it; then the empty ones are to be translated.
    assert catalogue_file(language).read_bytes() == renewed(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_leaves_nothing_out(language):
    short = {}
    for key, text in translations(language).items():
        pattern = key if isinstance(key, str) else key[1]
        if {name for name, _ in braces(pattern)} - {name for name, _ in braces(text)}:
            short[key] = text
    assert short == {}


# A particle after a brace is chosen by what fills the brace.
BARE = re.compile(
    r"\}(은|는|이|가|을|를|과|와|으로|로)(?![가-힣])|\((으|이)\)|[은이을과]\([는가를와]\)"
)


def test_no_korean_particle_is_guessed():
    said = {**translations("ko"), **{key: text for key, _, text in paged("ko")}}
    assert {key: text for key, text in said.items() if BARE.search(text)} == {}


HANGUL, IDEOGRAPH, WORDS = r"[\uac00-\ud7a3]", r"[\u4e00-\u9fff]", r"[a-z]{3,} [a-z]{2,} [a-z]{2,}"


@pytest.mark.parametrize(("language", "foreign"), [("ko", IDEOGRAPH), ("zh", HANGUL)])
def test_no_sentence_stands_in_another_language(language, foreign):
    texts = translations(language)
    assert {key: text for key, text in texts.items() if re.search(foreign, text)} == {}
    # Commands, and one term that is given in English too.
    left = {key: re.sub(r"`[^`]*`|alternative annotator test", "", texts[key]) for key in texts}
    assert {key: text for key, text in left.items() if re.search(WORDS, text)} == {}


def test_the_chapters_that_the_gallery_names_are_in_the_report():
    guide = (ROOT / "docs" / "gallery.md").read_text("utf-8")

    named = {" ".join(name.split()) for name in re.findall(r"\*([A-Z][^*]+)\*", guide)}

    assert len(named) > 5
    assert named - messages().keys() == set()
