"""Texts of pages in several languages: one plain JSON file for each, all with the same keys."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files

from ocrjury.field_kinds import KIND_NAMES
from ocrjury.language import filled, speaking
from ocrjury.pages.numbers import capital

Say = Callable[..., str]


@cache
def catalogue(folder: str, language: str) -> Mapping[str, str]:
    """Texts of a folder of templates in a language: ``<folder>/messages/<language>.json``.

    In every folder ``kind_amount`` and its like name the kinds of fields.
    """
    path = files("ocrjury") / "templates" / folder / "messages" / f"{language}.json"
    texts: dict[str, str] = json.loads(path.read_text("utf-8"))
    with speaking(language):
        return texts | {f"kind_{kind}": capital(name) for kind, name in KIND_NAMES.items()}


def languages(folder: str) -> list[str]:
    """Languages that a folder of templates has texts in.

    Examples
    --------
    >>> languages("rating")
    ['en', 'ko', 'zh']
    """
    folder_ = files("ocrjury") / "templates" / folder / "messages"
    return sorted(path.name.removesuffix(".json") for path in folder_.iterdir())


def speaker(folder: str, language: str) -> Say:
    """Function that says a text by its key, with what stands between its braces.

    Examples
    --------
    >>> speaker("rating", "ko")("progress", done=3, total=20)
    '20개 중 3개 완료'
    >>> speaker("rating", "ko")("instead_switch", new="R01")
    'R01로도 로그인'
    """
    texts = catalogue(folder, language)

    def say(key: str, **values: object) -> str:
        with speaking(language):
            return filled(texts[key], values)

    return say


def preferred(wanted: Sequence[str], available: Sequence[str]) -> str:
    """First wanted language that there is, regions aside; else the first there is.

    Examples
    --------
    >>> preferred(["fr", "zh-TW"], ["en", "ko", "zh"]), preferred([], ["en", "ko"])
    ('zh', 'en')
    """
    primary = [language.replace("_", "-").partition("-")[0].strip().lower() for language in wanted]
    return next((language for language in primary if language in available), available[0])
