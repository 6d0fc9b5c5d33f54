"""A language that marks what was said in it, so that what stands outside the marks was not."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser

import pytest

from ocrjury import language
from ocrjury.language import speaking

PSEUDO = "xx"
OPENING, CLOSING = "⟦", "⟧"
READ_ALOUD = {"alt", "title", "aria-label", "placeholder", "data-document", "data-imprint"}
"""Attributes that people read or hear."""
SILENT = {"script", "style", "code", "textarea"}
VOID = {"br", "col", "hr", "img", "input", "link", "meta", "wbr"}
INLINE = {"a", "abbr", "b", "br", "code", "del", "em", "i", "ins", "mark", "s", "small"}
INLINE |= {"span", "strong", "sub", "sup", "time", "tspan"}
"""Elements inside a sentence; at any other one a sentence begins or ends."""
WORD = re.compile(r"[^\W\d_](?:[\w.'’-]*\w)?")


class _Marked:
    """Catalogue of all sentences."""

    def get(self, _pattern: object, english: str) -> str:
        return f"{OPENING}{english}{CLOSING}"


@contextmanager
def pseudo() -> Iterator[str]:
    """Speak the language that marks its sentences; yields its code."""
    real = language.catalogue
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(language.LOCALES, PSEUDO, "en_GB")
        patch.setattr(
            language, "catalogue", lambda spoken: _Marked() if spoken == PSEUDO else real(spoken)
        )
        with speaking(PSEUDO):
            yield PSEUDO


def unsaid(html: str, data_words: Iterable[str] = ()) -> list[str]:
    """Texts of a page that hold words outside the marks, each once.

    Code, and what stands in a language of its own (``lang``), is no sentence of the page.

    Parameters
    ----------
    data_words
        Regular expressions of whole words that are data: names, types, numbers with letters.
    """
    page = _Page()
    page.feed(html)
    data = re.compile("|".join(f"(?:{word})" for word in data_words) or r"(?!)")
    found = (
        " ".join(text.split())
        for text in page.texts
        if any(data.fullmatch(word) is None for word in WORD.findall(_outside(text)))
    )
    return list(dict.fromkeys(found))


def _outside(text: str) -> str:
    """What stands outside the marks; one may hold others."""
    depth, rest = 0, []
    for sign in text:
        depth = max(depth + (sign == OPENING) - (sign == CLOSING), 0)
        rest.append(sign if depth == 0 and sign != CLOSING else " ")
    return "".join(rest)


class _Page(HTMLParser):
    """Collects the texts of a page: one for each block, and one for each attribute."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks, self.attributes = [""], list[str]()
        self.inside: list[tuple[str, bool]] = []

    @property
    def texts(self) -> list[str]:
        return [*self.blocks, *self.attributes]

    @property
    def silent(self) -> bool:
        return any(quiet for _, quiet in self.inside)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        silent = tag in SILENT or ("lang" in told and tag != "html")
        if not self.silent and not silent:
            wanted = {"content"} if told.get("name") == "description" else READ_ALOUD
            self.attributes += [told[name] or "" for name in sorted(wanted & set(told))]
        if tag not in VOID:
            self.inside.append((tag, silent))
        self._pass(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in [name for name, _ in self.inside]:
            while self.inside.pop()[0] != tag:
                pass
        self._pass(tag)

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.blocks[-1] += data

    def _pass(self, tag: str) -> None:
        """Go on with the same text, or begin another; a mark that was cut off ends with it."""
        if tag in INLINE:
            self.blocks[-1] += " "
        else:
            self.blocks.append("")
