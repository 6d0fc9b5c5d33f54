"""Translations can be filled with the values of their sentences."""

from string import Formatter

import pytest

from ocrjury.korean import PARTICLES
from tests.language.messages import LANGUAGES, translations


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
