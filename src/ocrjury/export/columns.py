"""Columns of the tables: type, meaning and unit, stated once for files, schema and guide."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Type = Literal["text", "number", "integer", "flag", "rating", "texts"]
"""``rating`` is a number, or the name of a category; ``texts``, in JSON only, a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table, or one entry of an object in JSON.

    Attributes
    ----------
    always
        Whether every row has a value; elsewhere an empty cell means that there is none.
    choices
        All values that a text may have, each with what it means (empty where the word says it);
        none for any text.
    """

    name: str
    type: Type
    meaning: str
    unit: str = ""
    always: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)

    @property
    def explained(self) -> str:
        """Meanings of its values, in words; empty without any."""
        known = (f"{word} is {meaning}" for word, meaning in self.choices.items() if meaning)
        return "; ".join(known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table of an export.

    Attributes
    ----------
    row
        What one row is.
    more
        Columns of which there may be any number: their ``name`` is how theirs begin.
    """

    name: str
    row: str
    columns: tuple[Column, ...]
    more: tuple[Column, ...] = ()

    def column(self, name: str) -> Column | None:
        """Column of a name, None where the table has none."""
        return next((column for column in self.columns if column.name == name), None) or next(
            (column for column in self.more if name.startswith(column.name)), None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """An entry of an object in JSON that holds objects: one or null, or ``many`` in a list."""

    name: str
    meaning: str
    of: "Shape | Table"
    many: bool = False
    always: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A kind of object in JSON."""

    name: str
    about: str
    entries: tuple[Column | Part, ...]


def text(name: str, meaning: str, *choices: str, unit: str = "", always: bool = False) -> Column:
    """Column of text."""
    words = dict.fromkeys(choices, "")
    return Column(name=name, type="text", meaning=meaning, unit=unit, always=always, choices=words)


def words(name: str, meaning: str, choices: Mapping[str, str], *, always: bool = False) -> Column:
    """Column of words, each with its meaning."""
    return Column(name=name, type="text", meaning=meaning, always=always, choices=choices)


def number(name: str, meaning: str, *, unit: str, always: bool = False) -> Column:
    """Column of numbers."""
    return Column(name=name, type="number", meaning=meaning, unit=unit, always=always)


def integer(name: str, meaning: str, *, unit: str, always: bool = False) -> Column:
    """Column of whole numbers."""
    return Column(name=name, type="integer", meaning=meaning, unit=unit, always=always)


def flag(name: str, meaning: str) -> Column:
    """Column of true and false."""
    return Column(name=name, type="flag", meaning=meaning, always=True)


def rating(name: str, meaning: str) -> Column:
    """Column of ratings."""
    return Column(name=name, type="rating", meaning=meaning, unit="points, or a category")


def texts(name: str, meaning: str) -> Column:
    """List of texts."""
    return Column(name=name, type="texts", meaning=meaning, always=True)
