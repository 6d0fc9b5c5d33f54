"""The people who rate, as the registry of some campaign named them."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import sqlalchemy as sa

from ocrjury.campaign.registry import Absence, RaterEntry
from ocrjury.errors import InputError
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.schema import raters

_COLUMNS = tuple(RaterEntry.__dataclass_fields__)


def keep_raters(connection: Connection, entries: Iterable[RaterEntry]) -> None:
    """Insert raters, or take over what changed about them.

    Raises
    ------
    InputError
        If a pseudonym already belongs to somebody else.
    """
    known = {row.rater: row for row in connection.execute(sa.select(raters))}
    for entry in entries:
        before = known.get(entry.pseudonym)
        values = _row(entry)
        if before is None:
            connection.execute(sa.insert(raters).values(rater=entry.pseudonym, **values))
            continue
        differs = _difference(before, entry)
        if differs is not None:
            raise InputError(
                f"the pseudonym {entry.pseudonym} already belongs to another person in this "
                f"store (the {differs} differ). Give the new person another pseudonym."
            )
        # A registry that leaves them out must not make room for another person.
        values |= {
            "name": entry.name or before.name,
            "email": entry.email or before.email,
        }
        connection.execute(
            sa.update(raters).where(raters.c.rater == entry.pseudonym).values(**values)
        )


def _difference(before: sa.Row[Any], entry: RaterEntry) -> str | None:
    """Return by what an entry is another person than the one stored, None if by nothing.

    E-mail addresses decide; names do where one of the two has no address.
    """
    if before.email and entry.email:
        return None if before.email.casefold() == entry.email.casefold() else "e-mail addresses"
    if before.name and entry.name and before.name != entry.name:
        return "names"
    return None


def list_raters(engine: Engine, pseudonyms: Iterable[str]) -> list[RaterEntry]:
    """Return raters in the order of their pseudonyms."""
    query = (
        sa.select(*(raters.c[name] for name in _COLUMNS))
        .where(raters.c.pseudonym.in_(list(pseudonyms)))
        .order_by(raters.c.pseudonym)
    )
    with reading(engine) as connection:
        return [_entry(row._asdict()) for row in connection.execute(query)]


def _row(entry: RaterEntry) -> dict[str, Any]:
    """Return the columns of an entry."""
    plain: dict[str, Any] = {name: getattr(entry, name) for name in _COLUMNS}
    plain["absences"] = [
        [first.isoformat(), None if last is None else last.isoformat()]
        for first, last in entry.absences
    ]
    lists = {name: list(plain[name]) for name in ("languages", "skills", "conflicts")}
    return {**plain, **lists, "active": True}


def _entry(row: Mapping[str, Any]) -> RaterEntry:
    """Return the entry that `_row` wrote."""
    absences = tuple(
        Absence(date.fromisoformat(first), None if last is None else date.fromisoformat(last))
        for first, last in row["absences"]
    )
    lists = {name: tuple(row[name]) for name in ("languages", "skills", "conflicts")}
    return RaterEntry(**{**row, **lists, "absences": absences})
