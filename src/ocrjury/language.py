"""Sentences in the reader's language.

English stands in the code; the other languages stand in ``templates/locale``, as gettext
catalogues that Babel extracts and reads. `tr` says a sentence now, in the language of `speaking`.
`phrase` makes one that is said later: it is its English text and remembers what it was made of, so
that a sentence may be stored today and printed in another language tomorrow.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Final, Literal, Self

from ocrjury.chinese import with_blanks
from ocrjury.korean import PARTICLES, with_particle, with_ranges

Language = Literal["en", "ko", "zh"]
LOCALES: Final[Mapping[str, str]] = {"en": "en_GB", "ko": "ko_KR", "zh": "zh_Hans_CN"}
"""Locale of dates by language. All three write numbers alike: 1,234.5."""
_spoken: ContextVar[str] = ContextVar("language", default="en")


class Phrase(str):
    """A sentence in English that knows its pattern and what stands in its braces.

    Attributes
    ----------
    pattern
        English pattern, the key of the catalogues.
    values
        What stands in the braces, by name; phrases are said in the same language.
    """

    __slots__ = ("pattern", "values")
    pattern: str
    values: Mapping[str, object]

    def __new__(cls, pattern: str, values: Mapping[str, object]) -> Self:
        """Phrase whose text is English."""
        made = super().__new__(cls, pattern.format(**values) if values else pattern)
        made.pattern, made.values = pattern, values
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, object]]:  # type: ignore[override]
        """Arguments from which copies and other processes make it."""
        return self.pattern, self.values

    def said(self) -> str:
        """Text in the language of the moment."""
        return filled(translation(self.pattern, self.pattern), self.values)

    def to_json(self) -> dict[str, Any]:
        """Plain values; `read` makes the phrase from them."""
        values = {name: stored(value) for name, value in self.values.items()}
        return {"pattern": self.pattern, "values": values}


class CountedPhrase(Phrase):
    """A phrase that counts: its pattern is that of the number.

    Attributes
    ----------
    patterns
        English patterns for one and for several.
    number
        What decides between them.
    """

    __slots__ = ("number", "patterns")
    patterns: tuple[str, str]
    number: float

    def __new__(
        cls, patterns: tuple[str, str], number: float, values: Mapping[str, object]
    ) -> Self:
        """Phrase whose text is English."""
        shown = {"n": f"{number:,}".replace("-", "−"), **values}
        made = super().__new__(cls, patterns[number != 1], shown)
        made.patterns, made.number = patterns, number
        return made

    def __getnewargs__(self) -> tuple[tuple[str, str], float, Mapping[str, object]]:  # type: ignore[override]
        """Arguments from which copies and other processes make it."""
        return self.patterns, self.number, self.values

    def said(self) -> str:
        """Text in the language of the moment."""
        return filled(translation(self.patterns, self.pattern), self.values)

    def to_json(self) -> dict[str, Any]:
        """Plain values; `read` makes the phrase from them."""
        return {**super().to_json(), "patterns": self.patterns, "number": self.number}


def language() -> str:
    """Language in which sentences are said at the moment."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say all sentences in a language.

    Examples
    --------
    >>> with speaking("ko"):
    ...     print(tr("{low} to {high}", low=1, high=5))
    1~5
    """
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def languages() -> list[str]:
    """Languages that every sentence is translated into, English first."""
    return list(LOCALES)


def tr(pattern: str, /, **values: object) -> str:
    """A sentence in the language of the moment.

    Examples
    --------
    >>> tr("{low} to {high}", low=1, high=5)
    '1 to 5'
    """
    return filled(translation(pattern, pattern), values)


def trn(one: str, many: str, number: float, /, **values: object) -> str:
    """A sentence that counts, in the language of the moment; ``{n}`` is the number.

    Examples
    --------
    >>> trn("{n} item was rated", "{n} items were rated", 1200)
    '1,200 items were rated'
    """
    return CountedPhrase((one, many), number, values).said()


def phrase(pattern: str, /, **values: object) -> Phrase:
    """A sentence for later; its text is English.

    Examples
    --------
    >>> text = phrase("{low} to {high}", low=1, high=5)
    >>> with speaking("ko"):
    ...     print(text, said(text))
    1 to 5 1~5
    """
    return Phrase(pattern, values)


def counted(number: float, one: str, many: str | None = None) -> Phrase:
    """A count with its noun, for later.

    Examples
    --------
    >>> counted(1, "item"), counted(1200, "item"), counted(2, "entry", "entries")
    ('1 item', '1,200 items', '2 entries')
    """
    return CountedPhrase((f"{{n}} {one}", f"{{n}} {many or one + 's'}"), number, {})


def said(text: object) -> Any:
    """A phrase in the language of the moment; anything else as it is."""
    return text.said() if isinstance(text, Phrase) else text


def joined(sentences: Iterable[str | None]) -> str:
    """Whole sentences one after the other, for later; empty ones are left out.

    Examples
    --------
    >>> joined(["One.", "", phrase("Two.")])
    'One. Two.'
    """
    text = ""
    for sentence in sentences:
        if sentence:
            text = phrase("{first} {second}", first=text, second=sentence) if text else sentence
    return text


def stored(value: object) -> Any:
    """Convert a text to its JSON form: a phrase with its values, anything else as it is."""
    return value.to_json() if isinstance(value, Phrase) else value


def read(body: Any) -> Any:
    """Text from the value that `stored` gave.

    Examples
    --------
    >>> read(stored(phrase("{low} to {high}", low=1, high=5))), read("as it is")
    ('1 to 5', 'as it is')
    """
    if not isinstance(body, Mapping) or "pattern" not in body:
        return body
    values = {name: read(value) for name, value in body["values"].items()}
    if "patterns" not in body:
        return Phrase(body["pattern"], values)
    singular, plural = body["patterns"]
    return CountedPhrase((singular, plural), body["number"], values)


class _Words(Formatter):
    """Fills braces: phrases are said, and a Korean particle fits the word before it."""

    def pieces(self, pattern: str, values: Mapping[str, object]) -> Iterator[str]:
        """Yield the parts of a pattern, with its braces filled."""
        for literal, name, format_spec, _ in self.parse(pattern):
            yield literal
            if name is not None:
                yield self.format_field(self.get_field(name, (), values)[0], format_spec or "")

    def format_field(self, value: Any, format_spec: str) -> str:
        text = said(value)
        if format_spec in PARTICLES:
            return with_particle(str(text), format_spec)
        return format(text, format_spec)


_words: Final = _Words()
_JOINED: Final[Mapping[str, Callable[[Iterable[str]], str]]] = {
    "ko": with_ranges,
    "zh": with_blanks,
}


def translation(pattern: str | tuple[str, str], english: str) -> str:
    """Pattern in the language of the moment, with its braces; English where there is none."""
    spoken = language()
    return english if spoken == "en" else catalogue(spoken).get(pattern, english)


def filled(text: str, values: Mapping[str, object]) -> str:
    """Text with its braces filled; phrases in them are said, particles and blanks fit."""
    if not values:
        return text
    join = _JOINED.get(language(), "".join)
    return join(_words.pieces(text, values))


@cache
def catalogue(language: str) -> Mapping[str | tuple[str, str], str]:
    """Translations of a language, by the English pattern or the pair of a plural."""
    from babel.messages.pofile import read_po  # noqa: PLC0415  # English needs none

    texts: dict[str | tuple[str, str], str] = {}
    path = files("ocrjury") / "templates" / "locale" / language / "ocrjury.po"
    with path.open("rb") as file:
        for message in read_po(file, locale=LOCALES[language]):
            if message.id and message.string:
                string = message.string
                # Korean and Chinese have one form for every number.
                key = message.id if isinstance(message.id, str) else (*message.id,)
                texts[key] = string if isinstance(string, str) else string[0]
    return texts
