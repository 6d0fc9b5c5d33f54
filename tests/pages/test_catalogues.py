import re
from pathlib import Path

import pytest

from ocrjury.pages.catalogues import catalogue, languages, preferred, speaker

TEMPLATES = Path(__file__).resolve().parents[2] / "templates" / "rating"
MEASURED = ("ned", "text_differs", "value_differs")
BUILT = {
    f"{start}_{end}"
    for start, ends in {
        "flag": ("unreadable", "wrong_image", "wrong_reference", "privacy", "other"),
        "category": ("ambiguous_item", "guideline_gap", "rater_error", "data_error"),
        "confidence": ("1", "2", "3"),
        "kind": ("amount", "code", "date", "text", "place", "page"),
        "answer": ("excluded", "restored"),
        "limit": ("format", *(f"{when}{one}" for when in MEASURED for one in ("", "_one"))),
    }.items()
    for end in ends
} | {"pilot_badge", "adjudication_badge", "panel_badge"}
"""Keys that a template puts together."""


def gaps(text):
    """Names of the gaps of a text; after a colon stand the particles that Korean chooses from."""
    return sorted(re.findall(r"{(\w+)(?::[^}]+)?}", text))


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_every_language_has_the_same_texts_with_the_same_gaps(language):
    english, other = catalogue("rating", "en"), catalogue("rating", language)

    assert list(other) == list(english)
    for key, text in english.items():
        assert gaps(other[key]) == gaps(text), key
        assert other[key].strip()


def test_every_text_is_used_and_every_used_text_exists():
    sources = [*TEMPLATES.glob("*.j2"), *Path("src/ocrjury/frontends/web").rglob("*.py")]
    used = set(BUILT)
    for path in sources:
        text = path.read_text("utf-8")
        used |= set(re.findall(r'say\(\s*"(\w+)"', text))
        used |= set(re.findall(r'"((?:key|others|votes|rater_letter|vote_letter)\w*)"', text))
        used |= {key for key in catalogue("rating", "en") if f'"{key}"' in text}

    assert set(catalogue("rating", "en")) - used == set()
    said = {key for key in used if not key.endswith("_")} - {"keys"}
    assert said <= set(catalogue("rating", "en"))


def test_an_unknown_language_gets_the_first_there_is():
    assert preferred(["xx", ""], languages("rating")) == "en"
    assert preferred(["zh-Hant-TW"], languages("rating")) == "zh"


def test_a_text_is_said_with_its_values():
    assert speaker("rating", "en")("progress", done=1, total=2) == "1 of 2 done"
