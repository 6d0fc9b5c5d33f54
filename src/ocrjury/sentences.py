"""What is done with sentences before they are said: listed, given other values, kept in JSON."""

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


def changed(text: str, change: Callable[[str, object], object]) -> str:
    """A phrase with other values; text that is no phrase stays as it is.

    Parameters
    ----------
    change
        Gives the new value by the name of its braces and the old one.

    Examples
    --------
    >>> text = phrase("On {dimension}, yes.", dimension="meaning")
    >>> changed(text, lambda name, value: value.title() if name == "dimension" else value)
    'On Meaning, yes.'
    """
    if not isinstance(text, Phrase):
        return text
    values = {
        name: changed(value, change) if isinstance(value, Phrase) else change(name, value)
        for name, value in text.values.items()
    }
    if isinstance(text, CountedPhrase):
        return CountedPhrase(text.patterns, text.number, values)
    return Phrase(text.pattern, values)


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
        return [with_texts(one, change) for one in value]
    if isinstance(value, Mapping):
        return {name: with_texts(one, change) for name, one in value.items()}
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
