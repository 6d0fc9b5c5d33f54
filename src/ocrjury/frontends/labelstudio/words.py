"""What raters read in Label Studio, in their language, and what the chosen words stand for."""

from collections.abc import Sequence

from ocrjury.frontends.ingest import FLAGS
from ocrjury.pages.catalogues import languages, preferred, speaker
from ocrjury.scales import Scale

FOLDER = "labelstudio"
CONFIDENCE = {"1": 0.0, "2": 0.5, "3": 1.0}
"""What is stored for each choice."""


def language_of(wanted: Sequence[str]) -> str:
    """First language of a rater that there are words in.

    Examples
    --------
    >>> language_of(["ko-KR", "en"]), language_of(["fr"])
    ('ko', 'en')
    """
    return preferred(wanted, languages(FOLDER))


def flag_words(language: str) -> dict[str, str]:
    """Reasons for having no rating, by the words for them.

    Examples
    --------
    >>> list(flag_words("en").items())[1]
    ('The page is unreadable', 'unreadable')
    """
    say = speaker(FOLDER, language)
    return {say(f"flag_{reason}"): reason for reason in FLAGS}


def flag_of(words: str) -> str | None:
    """Reason that words in any language stand for; None if they stand for none."""
    return next(
        (found[words] for name in languages(FOLDER) if words in (found := flag_words(name))), None
    )


def choices(scale: Scale) -> dict[str, float]:
    """Number of every level or category, by how it is shown.

    Examples
    --------
    >>> choices(Scale.likert(1, 3)), choices(Scale.nominal(["fine", "$ missing"]))
    ({'1': 1.0, '2': 2.0, '3': 3.0}, {'fine': 0.0, '$ missing': 1.0})
    """
    return {
        literal(str(name)): number
        for name, number in zip(scale.categories, scale.numbers, strict=True)
    }


def literal(text: str) -> str:
    r"""Text in which Label Studio finds no name of a variable: it reads ``$500`` as one.

    Examples
    --------
    >>> literal("over $500") == "over $\u2060500", literal("5 $")
    (True, '5 $')
    """
    return "".join(
        f"{sign}\u2060" if sign == "$" and after not in {" ", ""} else sign
        for sign, after in zip(text, [*text[1:], ""], strict=True)
    )
