"""JSON that may be hostile, as values that know their place in the file."""

import json
import re
from collections.abc import Iterator
from functools import cache

from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.encodings import decoded
from ocrjury.readers.limits import check_size, check_values
from ocrjury.readers.measures import number, share

_LONGEST_PLACE = 200
_HALF = re.compile("[\ud800-\udfff]")


class Value:
    """A value of a JSON file.

    Parameters
    ----------
    value
        What the parser returned.
    parent, key
        Where it stands; the place is put together only for a message.
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
        """Place, for example ``Blocks[3].Confidence``."""
        if self.parent is None:
            return "top"
        parts: list[str] = []
        here: Value | None = self
        while here is not None and here.parent is not None:
            parts.append(f"[{here.key}]" if isinstance(here.key, int) else f".{here.key}")
            here = here.parent
        return "".join(reversed(parts)).removeprefix(".")[-_LONGEST_PLACE:]

    def __bool__(self) -> bool:
        """Whether there is a value and it is not empty."""
        return bool(self.value)

    @property
    def exists(self) -> bool:
        """Whether there is a value and it is not null."""
        return self.value is not None

    def __getitem__(self, name: str) -> "Value":
        """Member of an object, of a name in camel or snake case; empty if absent."""
        if self.value is None:
            return Value(None, self, name)
        if not isinstance(self.value, dict):
            raise BadContentError("not an object where one must be", self.place)
        found = self.value.get(name)
        return Value(self.value.get(_snake(name)) if found is None else found, self, name)

    def first(self, *names: str) -> "Value":
        """First of several members that is there."""
        found = [self[name] for name in names]
        return next((one for one in found if one.exists), found[0])

    def __iter__(self) -> Iterator["Value"]:
        """Yield the members of a list; of a missing one none."""
        if self.value is None:
            return iter(())
        if not isinstance(self.value, list):
            raise BadContentError("not a list where one must be", self.place)
        return (Value(one, self, place) for place, one in enumerate(self.value))

    def members(self) -> Iterator[tuple[str, "Value"]]:
        """Yield names and values of an object; of a missing one none."""
        if self.value is None:
            return iter(())
        if not isinstance(self.value, dict):
            raise BadContentError("not an object where one must be", self.place)
        return ((name, Value(one, self, name)) for name, one in self.value.items())

    @property
    def text(self) -> str:
        """Text, empty if missing."""
        if self.value is None:
            return ""
        if not isinstance(self.value, str):
            raise BadContentError("not a text where one must be", self.place)
        if _HALF.search(self.value):
            raise BadContentError("half a character (a lone surrogate)", self.place)
        return self.value

    @property
    def number(self) -> float:
        """Number, 0 if missing, as protocol buffers leave zeros out."""
        return 0.0 if self.value is None else number(self.value, self.place)

    def share(self, top: float = 1.0) -> float | None:
        """Confidence that goes from 0 to ``top`` as one from 0 to 1, None if missing."""
        return share(self.value, self.place, top=top)


def parse_json(data: bytes, encoding: str | None = None) -> Value:
    """Return what a JSON file holds."""
    check_size(data)
    check_values(data)
    text = decoded(data, encoding)
    try:
        return Value(json.loads(text))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadContentError(f"no JSON: {error.msg}", where) from None
    except RecursionError:
        raise BadContentError("JSON that is nested too deeply") from None
    except ValueError as error:  # a number of thousands of digits
        raise BadContentError(f"no JSON: {str(error)[:80]}") from None


@cache
def _snake(name: str) -> str:
    """Name as Google's Python libraries write it.

    >>> _snake("fullTextAnnotation")
    'full_text_annotation'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
