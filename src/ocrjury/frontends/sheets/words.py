"""What a sheet says to raters, in the languages of ``templates/sheets/messages``."""

from dataclasses import dataclass, fields
from functools import cache

from ocrjury.errors import InputError
from ocrjury.frontends.ingest import FLAGS
from ocrjury.pages.catalogues import catalogue, languages

FOLDER = "sheets"
KINDS = ("amount", "code", "date", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of one language.

    `kinds` are in the order of `KINDS`, `flags` in that of `ocrjury.frontends.ingest.FLAGS`.
    """

    font: str
    ratings: str
    guide: str
    title: str
    how: tuple[str, ...]
    number: str
    session: str
    image: str
    open_image: str
    doc_type: str
    kind: str
    kinds: tuple[str, ...]
    reference: str
    no_reference: str
    empty: str
    hypothesis: str
    confidence: str
    confidences: tuple[str, ...]
    flag: str
    flags: tuple[str, ...]
    comment: str
    key: str
    cut: str
    choose: str
    not_allowed: str
    purpose: str
    filling_in: str
    dimensions: str
    level: str
    meaning: str
    look_at: str
    rules: str
    at_most: str
    cases: str
    case: str


@cache
def words_of(language: str) -> Words:
    """Words of a language, such as ``ko``.

    Raises
    ------
    InputError
        If there are none.
    """
    known = languages(FOLDER)
    if language not in known:
        raise InputError(f"sheets speak {', '.join(known)}; found {language!r}.")
    texts = catalogue(FOLDER, language)
    lists = {
        "how": tuple(texts[f"how_{n}"] for n in range(1, 7)),
        "confidences": tuple(texts[f"confidence_{n}"] for n in range(1, 4)),
        "kinds": tuple(texts[f"kind_{kind}"] for kind in KINDS),
        "flags": tuple(texts[f"flag_{flag}"] for flag in FLAGS),
    }
    single = {one.name: texts[one.name] for one in fields(Words) if one.name not in lists}
    return Words(**single, **lists)  # type: ignore[arg-type]  # each has its own type


def every_language() -> tuple[Words, ...]:
    """Words of all languages, for reading what anybody may have chosen."""
    return tuple(map(words_of, languages(FOLDER)))
