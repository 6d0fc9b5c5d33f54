"""Words of a sheet for raters, in the languages of ``templates/sheets/messages``."""

from functools import cache

from ocrjury.campaign.flags import FLAGS
from ocrjury.errors import InputError
from ocrjury.pages.catalogues import Say, languages, speaker

FOLDER = "sheets"
SURE = (1, 2, 3)
"""Levels of a rater's confidence, from not sure to fully sure."""


@cache
def words_of(language: str) -> Say:
    """Texts in a language, such as ``ko``, by their keys; `InputError` if there are none."""
    known = languages(FOLDER)
    if language not in known:
        raise InputError(f"sheets speak {', '.join(known)}; found {language!r}.")
    return speaker(FOLDER, language)


def every_language() -> list[Say]:
    """Texts in all languages, for reading what anybody may have chosen."""
    return list(map(words_of, languages(FOLDER)))


def flag_words(say: Say) -> list[str]:
    """Reasons why a row cannot be rated, in the order of `ocrjury.campaign.flags.FLAGS`."""
    return [say(f"flag_{flag}") for flag in FLAGS]


def confidence_words(say: Say) -> dict[int, str]:
    """Words for each level of a rater's confidence."""
    return {number: say(f"confidence_{number}") for number in SURE}
