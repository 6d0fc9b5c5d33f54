"""Parts of every table: one `metadata`, moments in UTC, and tables and columns in a word."""

import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from pydantic import BaseModel

from ocrjury.findings.record import Record
from ocrjury.gate.verdict import Action
from ocrjury.language import Phrase, read, stored
from ocrjury.sentences import with_texts

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)


class Utc(sa.TypeDecorator[datetime]):
    """A moment in UTC, always with its time zone; SQLite alone would forget it."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: sa.Dialect) -> datetime | None:
        """Moment as it is stored."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: sa.Dialect) -> datetime | None:
        """Moment as it was given."""
        if value is None or value.tzinfo is not None:
            return value
        return value.replace(tzinfo=UTC)


class Body(sa.TypeDecorator[BaseModel]):
    """A record of one kind, stored as JSON."""

    impl = sa.JSON
    cache_ok = True

    def __init__(self, kind: type[BaseModel]) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: BaseModel | None, _dialect: sa.Dialect) -> Any:
        """Record as it is stored."""
        return None if value is None else value.model_dump(mode="json")

    def process_result_value(self, value: Any, _dialect: sa.Dialect) -> BaseModel | None:
        """Record as it was given."""
        return None if value is None else self.kind.model_validate(value)


class Kept(sa.TypeDecorator[Record]):
    """A record of what was measured, stored as JSON."""

    impl = sa.JSON
    cache_ok = True

    def __init__(self, kind: type[Record]) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: Record | None, _dialect: sa.Dialect) -> Any:
        """Record as it is stored."""
        return None if value is None else value.to_json()

    def process_result_value(self, value: Any, _dialect: sa.Dialect) -> Record | None:
        """Record as it was given."""
        return None if value is None else self.kind.from_json(value)


class Said(sa.TypeDecorator[Any]):
    """JSON whose sentences keep what they were made of, to be read in any language."""

    impl = sa.JSON
    cache_ok = True

    def process_bind_param(self, value: Any, _dialect: sa.Dialect) -> Any:
        """Value as it is stored."""
        return with_texts(value, stored)

    def process_result_value(self, value: Any, _dialect: sa.Dialect) -> Any:
        """Value as it was given; plain text stays what it is."""
        return with_texts(value, read)


class Actions(sa.TypeDecorator[tuple[Action, ...]]):
    """Actions after a verdict, stored as JSON."""

    impl = sa.JSON
    cache_ok = True

    def process_bind_param(self, value: tuple[Action, ...] | None, _dialect: sa.Dialect) -> Any:
        """Actions as they are stored."""
        return [action.to_json() for action in value or ()]

    def process_result_value(self, value: Any, _dialect: sa.Dialect) -> tuple[Action, ...]:
        """Actions as they were given."""
        return tuple(map(Action.from_json, value))


class Sentence(sa.TypeDecorator[str]):
    """A text that may be a phrase, so that it can be read in another language."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: sa.Dialect) -> str | None:
        """Text as it is, a phrase as JSON."""
        return json.dumps(stored(value)) if isinstance(value, Phrase) else value

    def process_result_value(self, value: str | None, _dialect: sa.Dialect) -> str | None:
        """Text as it was given."""
        phrased = value is not None and value.startswith('{"pattern"')
        return read(json.loads(value)) if phrased else value  # type: ignore[arg-type]  # no None


def table(name: str, *parts: sa.schema.SchemaItem) -> sa.Table:
    """Table of this database."""
    return sa.Table(name, metadata, *parts)


def key(name: str, kind: Any = sa.Text) -> sa.Column[Any]:
    """Column of the primary key."""
    return sa.Column(name, kind, primary_key=True)


def must(name: str, kind: Any = sa.Text) -> sa.Column[Any]:
    """Column that always has a value."""
    return sa.Column(name, kind, nullable=False)


def may(name: str, kind: Any = sa.Text) -> sa.Column[Any]:
    """Column that may be empty."""
    return sa.Column(name, kind, nullable=True)


def among(name: str, values: tuple[str, ...]) -> sa.CheckConstraint:
    """Check constraint: a column holds one of the values."""
    listed = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{name} in ({listed})", name=name)


def only(condition: str) -> dict[str, Any]:
    """Options of an index over some rows, on both databases."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}
