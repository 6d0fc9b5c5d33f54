"""Operations on phrases before they are translated: listing, replacing values, JSON."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ocrjury.language import CountedPhrase, Phrase, phrase, read


def listed(words: Sequence[str]) -> str:
    """Words as a list in a sentence, for later.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    text, *others = words
    for word in others[:-1]:
        text = phrase("{first}, {second}", first=text, second=word)
    return phrase("{first} and {last}", first=text, last=others[-1]) if others else text


def changed(text: str, brace: str, change: Callable[[str], str]) -> str:
    """A phrase with other words in the braces of one name; other text stays as it is.

    Examples
    --------
    >>> changed(phrase("On {dimension}, yes.", dimension="meaning"), "dimension", str.title)
    'On Meaning, yes.'
    """
    if not isinstance(text, Phrase):
        return text
    values = {
        name: change(str(value)) if name == brace else _changed(value, brace, change)
        for name, value in text.values.items()
    }
    if isinstance(text, CountedPhrase):
        return CountedPhrase(text.patterns, text.number, values)
    return Phrase(text.pattern, values)


def _changed(value: object, brace: str, change: Callable[[str], str]) -> object:
    return changed(value, brace, change) if isinstance(value, Phrase) else value


def with_texts(value: Any, change: Callable[[Any], Any]) -> Any:
    """JSON with each of its texts changed, however deep it lies.

    Parameters
    ----------
    change
        Gives anything but a text back as it is, such as `ocrjury.language.stored` and `read`.
    """
    changed = change(value)
    if changed is not value:
        return changed
    if isinstance(value, list | tuple):
        return [with_texts(value_, change) for value_ in value]
    if isinstance(value, Mapping):
        return {name: with_texts(value_, change) for name, value_ in value.items()}
    return value


def in_english(body: Any) -> Any:
    """JSON in which every stored sentence is nothing but its English text.

    Examples
    --------
    >>> in_english({"reasons": [phrase("Yes, {n}.", n=2).to_json(), "No."]})
    {'reasons': ['Yes, 2.', 'No.']}
    """
    return with_texts(
        body, lambda value: str(text) if (text := read(value)) is not value else value
    )
