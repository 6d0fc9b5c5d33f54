"""One word for a thing: those that stand for another thing in the field come back nowhere."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROSE = ("CHANGELOG.md", "CONTRIBUTING.md", "README.md")
FOLDERS = ("docs", "templates", "benchmarks", "src/ocrjury", "tasks", "flows", "deployments")
TEXTS = {".css", ".j2", ".md", ".py", ".toml", ".yaml"}


class Word(NamedTuple):
    """A word, where it means what it says in the field, and what to write elsewhere."""

    pattern: str
    instead: str
    fair: tuple[str, ...] = ()


MESSAGE = r"(?! (?:server|program|header|relay|address|account))"
SIGNS = "of in up out people nobody somebody what nothing handed-out"
WORDS = {
    "odds": Word(
        r"(?:\w*_)?odds(?:_\w*)?",
        "inclusion probabilities",
        # the ratio of a probability to its complement
        ("src/ocrjury/truth/", "src/ocrjury/sampling/extension.py", "docs/decisions/0023-"),
    ),
    "mend": Word(r"(?:\w*_)?mend(?:s|ed|ing)?(?:_\w*)?", "fix, correct"),
    "slider": Word(
        r"sliders?",
        "continuous scale",
        ("src/ocrjury/frontends/web/", "templates/rating/", "docs/rating.md"),  # the widget
    ),
    "panel": Word(
        r"(?:whole|entire) panel|panels? of (?:raters|the report|a report|a chart|the chart|\d+)"
        r"|rounds? or (?:two )?panels?|(?:both|larger?|pairs of|simulated|small(?:er)?|two) panels"
        r"|(?:% of|simulates) panels|panels (?:in which|with|without|for each)"
        r"|class=\"[^\"]*\bpanels?\b[^\"]*\"|\.panels?\b(?=[.,:)]| ?[{>+~]| [\w.])",
        "raters, team of raters, part of a chart",
    ),
    "signs": Word(rf"signs(?! (?:{SIGNS.replace(' ', '|')})\b| ?[(=%}}])", "characters"),
    "mails": Word(rf"mails|(?:a|an|the|each|every|by|no|this|that) mail{MESSAGE}", "email, emails"),
    "speaks for": Word(r"(?:nothing|something) speaks (?:for|against)", "No evidence of"),
    "names": Word(
        r"tied names|scales? of names|(?:votes|ratings) on names|or more names"
        r"|names have no (?:mean|order|ends)",
        "categories",
    ),
    "rubric": Word(r"rubric of then", "rubric in force at that time"),
    "outcome": Word(r"whatever became of (?:it|them)", "a number, or those that failed too"),
    "not seen": Word(r"is not seen without gold", "cannot be detected without gold items"),
    "worth": Word(r"what the whole pool is worth", "Pool estimates"),
    "translated": Word(
        r"nobody tested which|which it is cannot be told|so uneven a"
        r"|nobody[’']s severity|with the items taken out",
        "the field's word, subject first",
    ),
}


def texts() -> Iterator[tuple[str, str]]:
    """Files that people read, and their words without breaks of lines."""
    folders = (path for name in FOLDERS for path in (ROOT / name).rglob("*"))
    for path in chain((ROOT / name for name in PROSE), sorted(set(folders))):
        if path.suffix in TEXTS and "locale" not in path.parts:
            yield str(path.relative_to(ROOT)), plain(path.read_text(encoding="utf-8"))


def plain(text: str) -> str:
    """Text in one line: breaks within a comment, a paragraph or a sentence of code are blanks."""
    return re.sub(r"""\s*["']?\s*\n\s*(?:[#*>] |f?["'])?\s*""", " ", text)


def places(word: Word, text: str) -> list[str]:
    """Where a word stands by itself, as a part of a name too, with what is around it."""
    pattern = re.compile(rf"(?<![\w`-])(?:{word.pattern})(?!\w)", re.IGNORECASE)
    return [text[max(at.start() - 30, 0) : at.end() + 30] for at in pattern.finditer(text)]


@pytest.fixture(scope="module")
def read():
    return list(texts())


@pytest.mark.parametrize("name", WORDS)
def test_a_word_means_what_it_means_in_the_field(read, name):
    word = WORDS[name]

    found = [
        f"{path}: {place}"
        for path, text in read
        if not path.startswith(word.fair)
        for place in places(word, text)
    ]

    assert not found, f"write instead: {word.instead}"


@pytest.mark.parametrize("name", WORDS)
def test_a_fair_use_is_still_one(read, name):
    word = WORDS[name]

    used = [
        fair
        for fair in word.fair
        for path, text in read
        if path.startswith(fair)
        if places(word, text)
    ]

    assert set(used) == set(word.fair)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("odds", "drawn with known\n    odds"),
        ("odds", "stage_odds(case)"),
        ("mend", '"""What no data can mend."""'),
        ("slider", "## A slider"),
        ("panel", "the whole panel rates low"),
        ("panel", "each panel of the report's charts"),
        ("panel", "more than it should in small panels"),
        ("panel", "in 18 % of panels of 30 items"),
        ("panel", "400 pairs of\npanels for each cell"),
        ("panel", "500 simulated panels"),
        ("panel", "Simulates panels of raters"),
        ("panel", "share of panels in which a judge passes"),
        ("panel", "They are two panels if none is in both."),
        ("panel", '<p class="name panel">'),
        ("panel", ".ranked, .panels > figure { margin: 0 }"),
        ("signs", "other signs that no font has"),
        ("mails", "in mails it is encoded"),
        ("mails", "Remind raters by mail that"),
        ("speaks for", 'tr("explains: nothing "\n   "speaks for halo.")'),
    ],
)
def test_a_word_is_seen_wherever_it_stands(name, text):
    assert places(WORDS[name], plain(text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mend", "Recommended: amendments"),
        ("panel", "a panel of experts"),
        ("panel", "drafts of panels; panels and adjudication"),
        ("panel", "from ocrjury.frontends.web.panel import agree"),
        ("signs", "signs of trouble; a proxy that signs people in"),
        ("mails", "the mail server; `mail` signs in; a report is mailed"),
    ],
)
def test_the_word_of_the_field_is_left_alone(name, text):
    assert not places(WORDS[name], plain(text))


def test_the_first_release_tells_of_no_earlier_state():
    """Nobody knew an earlier state: what a user gets is told, not what was different."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("## 0.1.0")[2]
    earlier = r"no longer|\bany more\b|\bused to\b|instead of [\d,.]+\b|[;.:] before,|where it took"

    assert text
    assert re.findall(rf".{{30}}(?:{earlier})", plain(text), re.IGNORECASE) == []
