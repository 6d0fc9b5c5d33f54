"""Parsing of JSON that may be hostile, into values that know their position in the file."""

import json
import re
from collections.abc import Iterator
from functools import cache

from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.encodings import decoded, own_encoding
from ocrjury.readers.limits import check_size, check_values
from ocrjury.readers.measures import number, share
from ocrjury.surrogates import HALF, has_surrogate
from ocrjury.text_files import json_fault

_LONGEST_PLACE = 200


class Value:
    """A value of a JSON file, with its position.

    Parameters
    ----------
    value
        Value as parsed.
    parent, key
        Position; it is turned into text only for a message.
    """

    __slots__ = ("key", "parent", "value")

    def __init__(
        self, value: object, parent: "Value | None" = None, key: str | int | None = None
    ) -> None:
        self.value = value
        self.parent = parent
        self.key = key

    @property
    def place(self) -> str:
        """Position in the file, for example ``Blocks[3].Confidence``."""
        if self.parent is None:
            return "top"
        parts: list[str] = []
        value: Value | None = self
        while value is not None and value.parent is not None:
            parts.append(f"[{value.key}]" if isinstance(value.key, int) else f".{value.key}")
            value = value.parent
        return "".join(reversed(parts)).removeprefix(".")[-_LONGEST_PLACE:]

    def __bool__(self) -> bool:
        """Return whether the value exists and is not empty."""
        return bool(self.value)

    @property
    def exists(self) -> bool:
        """Whether the value is present and not null."""
        return self.value is not None

    def __getitem__(self, name: str) -> "Value":
        """Member of an object, by its name in camel or snake case; it may be missing."""
        if self.value is None:
            return Value(None, self, name)
        if not isinstance(self.value, dict):
            raise BadContentError("not an object", self.place)
        member = self.value.get(name)
        return Value(self.value.get(_snake(name)) if member is None else member, self, name)

    def first(self, *names: str) -> "Value":
        """First of several members that exists, else the first."""
        members = [self[name] for name in names]
        return next((member for member in members if member.exists), members[0])

    def __iter__(self) -> Iterator["Value"]:
        """Yield the members of a list; none of a missing list."""
        if self.value is None:
            return iter(())
        if not isinstance(self.value, list):
            raise BadContentError("not a list", self.place)
        return (Value(member, self, place) for place, member in enumerate(self.value))

    def members(self) -> Iterator[tuple[str, "Value"]]:
        """Yield names and values of an object; none of a missing object."""
        if self.value is None:
            return iter(())
        if not isinstance(self.value, dict):
            raise BadContentError("not an object", self.place)
        return ((name, Value(member, self, name)) for name, member in self.value.items())

    @property
    def text(self) -> str:
        """Text, empty if missing."""
        if self.value is None:
            return ""
        if not isinstance(self.value, str):
            raise BadContentError("not a text", self.place)
        if has_surrogate(self.value):
            raise BadContentError(HALF, self.place)
        return self.value

    @property
    def number(self) -> float:
        """Number, 0 if missing, since protocol buffers leave out zeros."""
        return 0.0 if self.value is None else number(self.value, self.place)

    def share(self, top: float = 1.0) -> float | None:
        """Confidence on a scale from 0 to ``top``, rescaled to 0 to 1; None if missing."""
        return share(self.value, self.place, top=top)


def parse_json(data: bytes, encoding: str | None = None) -> Value:
    """Outermost value of a JSON file."""
    check_size(data)
    check_values(data)
    text = decoded(data, own_encoding(data, encoding))
    try:
        return Value(json.loads(text))
    except json.JSONDecodeError as error:
        position = f"line {error.lineno}, column {error.colno}"
        raise BadContentError(f"not JSON: {json_fault(error)}", position) from None
    except RecursionError:
        raise BadContentError("JSON nested too deeply") from None
    except ValueError as error:  # a number of thousands of digits
        raise BadContentError(f"not JSON: {str(error)[:80]}") from None


@cache
def _snake(name: str) -> str:
    """Name in snake case, as Google's Python libraries write it.

    >>> _snake("fullTextAnnotation")
    'full_text_annotation'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
