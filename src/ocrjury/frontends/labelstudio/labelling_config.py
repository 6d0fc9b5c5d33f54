"""The labelling page of Label Studio, made from a rubric, and what its choices stand for.

Everything is built as XML nodes, so that no text of a rubric is ever taken for markup.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from typing import Any

from lxml import etree
from lxml.builder import E

from ocrjury.campaign.flags import FLAGS
from ocrjury.campaign.guideline import DimensionGuide, guideline
from ocrjury.campaign.rubric import Rubric
from ocrjury.pages.catalogues import Say, languages, preferred, speaker
from ocrjury.pages.document_text import harmless
from ocrjury.scales import Scale

FOLDER = "labelstudio"
CONFIDENCE = {"1": 0.0, "2": 0.5, "3": 1.0}
"""Confidence that is stored for each choice."""
RATING, FLAG, CONFIDENCE_CONTROL, COMMENT = "rating_", "flag", "confidence", "comment"
"""Names of the controls; that of a rating goes on with its dimension."""
TEXT, ABOUT = "hypothesis", "about"
KEYS = ("1234567890", "qwertyiop", "asdfgjkl", "zxcvbnm")
"""Keys of the levels of one dimension after the other, without those that Label Studio uses."""
_KEEP_SPACES = ".ocrjury-text { white-space: pre-wrap; font-size: 1.15em; }"
Node = Any
"""A node of XML; lxml has no types."""


def labelling_config(
    rubric: Rubric, dimensions: Sequence[str], *, language: str, reference: bool = True
) -> str:
    """Configuration of a project with the dimensions that are rated, in the rater's language.

    `reference` says whether raters see it.
    """
    say = speaker(FOLDER, language)
    guides = guideline(rubric, dimensions, language=language).dimensions
    tags = [
        _dimension(guide, scale=rubric.scales[guide.name], keys=keys, say=say)
        for guide, keys in zip(guides, chain(KEYS, repeat("")), strict=False)
    ]
    page = E.View(
        E.Style(_KEEP_SPACES),
        E.Image(name="page", value="$image", zoom="true", zoomControl="true"),
        _text(ABOUT),
        *([_heading(say("reference")), _text("reference")] if reference else []),
        _heading(say("hypothesis")),
        _text(TEXT),
        # Whoever says why there is no rating is not asked for one.
        E.View(*tags, visibleWhen="choice-unselected", whenTagName=FLAG),
        _heading(say("flag")),
        _choices(FLAG, dict.fromkeys(flag_words(language), "")),
        _heading(say("confidence")),
        _choices(
            CONFIDENCE_CONTROL, {key: say(f"confidence_{key}") for key in CONFIDENCE}, inline=True
        ),
        _heading(say("comment")),
        E.TextArea(name=COMMENT, toName=TEXT, rows="2", maxSubmissions="1", editable="true"),
    )
    return str(etree.tostring(page, encoding="unicode"))


def _dimension(guide: DimensionGuide, *, scale: Scale, keys: str, say: Say) -> Node:
    """Part for one dimension: title, description, and levels with their anchors and keys."""
    name = f"{RATING}{guide.name}"
    required = {"required": "true", "requiredMessage": _plain(say("choose", title=guide.title))}
    if scale.kind == "interval":
        ends = {"min": f"{scale.low:g}", "max": f"{scale.high:g}", "step": "any"}
        control = E.Number(name=name, toName=TEXT, **ends, **required)
    else:
        anchors = {literal(level): meaning for level, meaning in guide.anchors.items()}
        hints = {level: anchors.get(level, "") for level in choices(scale)}
        control = _choices(name, hints, keys=hotkeys(scale, keys), inline=True, **required)
    return E.View(_heading(guide.title), _heading(guide.description, size="5"), control)


def _choices(
    name: str,
    hints: dict[str, str],
    *,
    keys: Iterable[str] = (),
    inline: bool = False,
    **attributes: str,
) -> Node:
    """Control with one choice; a hint shows when the mouse rests on a level."""
    made = [
        E.Choice(
            value=_plain(value),
            **({"hint": _plain(hint)} if hint else {}),
            **({"hotkey": key} if key else {}),
        )
        for (value, hint), key in zip(hints.items(), chain(keys, repeat("")), strict=False)
    ]
    shown = "true" if inline else "false"
    return E.Choices(
        *made, name=name, toName=TEXT, choice="single-radio", showInline=shown, **attributes
    )


def _heading(text: str, *, size: str = "4") -> Node:
    """Line of text."""
    return E.Header(value=_plain(text), size=size)


def _text(name: str) -> Node:
    """Place of a text of the document; its spaces and lines are kept."""
    # Without the type, some servers take a text for the address of one.
    text = E.Text(name=name, value=f"${name}", valueType="text", granularity="symbol")
    return E.View(text, className="ocrjury-text")


def _plain(text: str) -> str:
    """Text that XML can hold and in which no variable is found."""
    return literal(str(harmless(text)))


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
        (text[words] for name in languages(FOLDER) if words in (text := flag_words(name))), None
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


def hotkeys(scale: Scale, row: str) -> list[str]:
    """Keys of a scale's levels from a row of the keyboard; none where the row is too short.

    A digit chooses the level that it names.

    Examples
    --------
    >>> hotkeys(Scale.likert(1, 5), "1234567890"), hotkeys(Scale.binary(), "qwertyiop")
    (['1', '2', '3', '4', '5'], ['q', 'w'])
    >>> hotkeys(Scale.likert(0, 3), "1234567890"), hotkeys(Scale.likert(0, 100), "1234567890")
    (['0', '1', '2', '3'], [])
    """
    names = list(choices(scale))
    if len(names) > len(row):
        return []
    named = row.isdigit() and all(len(name) == 1 and name.isdigit() for name in names)
    return names if named else [row[place] for place in range(len(names))]


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
