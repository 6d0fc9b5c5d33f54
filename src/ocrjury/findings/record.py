"""Frozen records that write themselves as strict JSON and read themselves back.

A record is a frozen dataclass that inherits `Record`. Its fields are plain types, other records,
`Number` in place of ``float``, `Measured` in place of `Estimate`, and ``pydantic.AwareDatetime``
in place of ``datetime``::

    @dataclass(frozen=True, slots=True)
    class PairSummary(Record):
        n: int
        mean: Number
"""

import json
import math
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Final, Protocol, Self

from pydantic import (
    BeforeValidator,
    ConfigDict,
    GetCoreSchemaHandler,
    PlainSerializer,
    PlainValidator,
    TypeAdapter,
    ValidationError,
)
from pydantic_core import CoreSchema, core_schema

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.language import read, stored

ALL_DIMENSIONS: Final = "*"
"""Stands where a dimension is named, for what is about all of them together."""
Body = dict[str, Any]
"""JSON form of a record."""


class Record:
    """A frozen dataclass that survives JSON: ``cls.from_json(record.to_json()) == record``."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)

    def to_json(self) -> Body:
        """Plain values; a number that is ``nan`` or infinite is None, a time is ISO 8601."""
        body: Body = _adapter(type(self)).dump_python(self, mode="json")
        return body

    @classmethod
    def from_json(cls, body: Mapping[str, object]) -> Self:
        """Read what `to_json` wrote.

        Raises
        ------
        InputError
            If a field is missing, unknown or of another type; the sentence names its path.
        """
        try:
            record: Self = _adapter(cls).validate_json(json.dumps(body, allow_nan=False))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            path = ".".join(map(str, first["loc"])) or "the whole"
            raise InputError(
                f"a stored {cls.__name__} cannot be read: {path}: {first['msg']}."
            ) from error
        return record


_ADAPTERS: dict[type[Record], TypeAdapter[Any]] = {}


def _adapter(record: type[Record]) -> TypeAdapter[Any]:
    """Codec of a record class, built on first use."""
    if record not in _ADAPTERS:
        _ADAPTERS[record] = TypeAdapter(record)
    return _ADAPTERS[record]


def _nan_for_none(value: object) -> object:
    """Restore what `_none_for_nan` wrote."""
    return math.nan if value is None else value


def _none_for_nan(number: float) -> float | None:
    """Write a number as strict JSON can hold it."""
    return float(number) if math.isfinite(number) else None


Number = Annotated[
    float,
    BeforeValidator(_nan_for_none),
    PlainSerializer(_none_for_nan, return_type=float | None),
]
"""A float in a record; ``nan`` is "no number", so no field is ``Number | None``."""


def _sentence(body: object) -> str:
    """Text from its JSON form."""
    text = read(body)
    if not isinstance(text, str):
        raise ValueError(f"a sentence is text; found {body!r}")  # noqa: TRY004  # for pydantic
    return text


Sentence = Annotated[str, PlainValidator(_sentence), PlainSerializer(stored)]
"""A text in a record that may be a `Phrase`, so that it can be read in another language."""


class _ReadsItself(Protocol):
    """A class with a JSON form of its own."""

    @classmethod
    def from_json(cls, body: dict[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        ...


class OwnJson:
    """Annotation of a field whose class has ``to_json`` and ``from_json`` of its own."""

    def __get_pydantic_core_schema__(
        self, source: type[_ReadsItself], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Codec that calls the two methods."""
        return core_schema.no_info_plain_validator_function(
            _reader(source),
            serialization=core_schema.plain_serializer_function_ser_schema(_own_json),
        )


def _own_json(value: Any) -> object:
    """JSON form that a value gives itself."""
    return value.to_json()


def _reader(source: type[_ReadsItself]) -> Callable[[Any], _ReadsItself]:
    """Reader of a class whose complaints pydantic understands."""

    def read(body: Any) -> _ReadsItself:
        if not isinstance(body, dict):
            raise ValueError(f"a {source.__name__} is an object; found {body!r}")  # noqa: TRY004
        try:
            return source.from_json(body)
        except (KeyError, TypeError) as error:
            raise ValueError(f"{source.__name__} lacks or misuses {error}") from error

    return read


Measured = Annotated[Estimate, OwnJson()]
"""An `Estimate` in a record."""
UNKNOWN: Final = Estimate(math.nan)
"""Placeholder of a record where nothing was estimated."""
