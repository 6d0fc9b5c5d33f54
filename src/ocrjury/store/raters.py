"""The people who rate: who they are, what each did in a round, and how they rated so far."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.registry import Absence, RaterEntry
from ocrjury.errors import InputError
from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.locks import StoreLock, take
from ocrjury.store.rounds import list_progress
from ocrjury.store.rows import EVALUATION, add_rows, list_rows, same
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.findings import truths
from ocrjury.store.schema.material import documents, gold, items
from ocrjury.store.schema.people import raters, registries
from ocrjury.store.schema.rating import assignments, ratings, set_aside

_COLUMNS = tuple(name for name in RaterEntry.__dataclass_fields__ if name in raters.c)
_PERSON = ("pseudonym", "name", "email", "active")
"""Columns that belong to a person, and not to their part in an evaluation."""


def keep_raters(connection: Connection, entries: Iterable[RaterEntry]) -> None:
    """Insert raters, or take over what changed about them.

    Whatever else opens an evaluation waits until the transaction ends: two at once would both miss
    the same newcomer, or the same evaluation.

    Raises
    ------
    InputError
        If a pseudonym already belongs to somebody else.
    """
    take(connection, StoreLock.REGISTRY)
    people = list(entries)
    known = check_pseudonyms(connection, people)
    for entry in people:
        before = known.get(entry.pseudonym)
        values = _row(entry)
        if before is None:
            connection.execute(sa.insert(raters), {"rater": entry.pseudonym, **values})
            continue
        # A registry that leaves them out must not make room for another person.
        values |= {
            "name": entry.name or before.name,
            "email": entry.email or before.email,
        }
        connection.execute(
            sa.update(raters).where(raters.c.rater == entry.pseudonym).values(**values)
        )


def check_pseudonyms(
    connection: Connection, entries: Iterable[RaterEntry]
) -> dict[str, sa.Row[Any]]:
    """Rows of the store's raters by pseudonym, none of which stands for another person.

    Raises
    ------
    InputError
        If a pseudonym already belongs to somebody else.
    """
    known = {row.rater: row for row in connection.execute(sa.select(raters))}
    for entry in entries:
        before = known.get(entry.pseudonym)
        differs = None if before is None else _difference(before, entry)
        if differs is not None:
            raise InputError(
                f"the pseudonym {entry.pseudonym} already belongs to another person in this "
                f"store (the {differs} differ). Give the new person another pseudonym."
            )
    return known


def keep_registry(connection: Connection, evaluation: str, entries: Iterable[RaterEntry]) -> None:
    """Keep raters as an evaluation knows them, whatever other campaigns say of them later.

    Raters who have left its registry stay as they were.
    """
    rows = [
        {
            "evaluation": evaluation,
            "rater": entry.pseudonym,
            "entry": {name: cell for name, cell in _row(entry).items() if name not in _PERSON}
            | {"priced": entry.priced},
        }
        for entry in entries
    ]
    ours = [registries.c.evaluation == evaluation]
    for row in rows:
        connection.execute(sa.delete(registries).where(*ours, registries.c.rater == row["rater"]))
    add_rows(connection, registries, rows)


def _difference(before: sa.Row[Any], entry: RaterEntry) -> str | None:
    """Field that shows an entry to be another person than the one stored; None if it is the same.

    Email addresses decide; names do where one of the two has no address.
    """
    if before.email and entry.email:
        return None if before.email.casefold() == entry.email.casefold() else "email addresses"
    if before.name and entry.name and before.name != entry.name:
        return "names"
    return None


_KNOWN_TO_ONE = (
    sa.select(*(raters.c[name] for name in _COLUMNS), registries.c.entry)
    .outerjoin(
        registries,
        sa.and_(registries.c.rater == raters.c.rater, registries.c.evaluation == EVALUATION),
    )
    .where(raters.c.pseudonym.in_(sa.bindparam("pseudonyms", expanding=True)))
    .order_by(raters.c.pseudonym)
)


def list_raters(
    source: Engine | Connection, pseudonyms: Iterable[str], *, evaluation: str | None = None
) -> list[RaterEntry]:
    """Raters in the order of their pseudonyms.

    Parameters
    ----------
    evaluation
        Roles, languages and the rest as this one knows them; None: as the registry that was read
        last. Names and addresses are those of today in any case.
    """
    if isinstance(source, sa.Engine):
        with reading(source) as connection:
            return list_raters(connection, pseudonyms, evaluation=evaluation)
    wanted = {"evaluation": evaluation, "pseudonyms": list(pseudonyms)}
    rows = [row._asdict() for row in source.execute(_KNOWN_TO_ONE, wanted)]
    entries = [row.pop("entry") or {} for row in rows]
    return [_entry({**row, **entry}) for row, entry in zip(rows, entries, strict=True)]


def list_addresses(engine: Engine) -> list[tuple[str, str]]:
    """Pseudonym and email address of everybody who has one, in the order of the pseudonyms."""
    query = (
        sa.select(raters.c.pseudonym, raters.c.email)
        .where(raters.c.email != "")
        .order_by(raters.c.pseudonym)
    )
    with reading(engine) as connection:
        return [(row.pseudonym, row.email) for row in connection.execute(query)]


def _row(entry: RaterEntry) -> dict[str, Any]:
    plain: dict[str, Any] = {name: getattr(entry, name) for name in _COLUMNS}
    plain["absences"] = [
        [first.isoformat(), None if last is None else last.isoformat()]
        for first, last in entry.absences
    ]
    lists = {name: list(plain[name]) for name in ("languages", "skills", "conflicts")}
    return {**plain, **lists, "active": True}


def _entry(row: Mapping[str, Any]) -> RaterEntry:
    """Entry that `_row` wrote."""
    absences = tuple(
        Absence(date.fromisoformat(first), None if last is None else date.fromisoformat(last))
        for first, last in row["absences"]
    )
    lists = {name: tuple(row[name]) for name in ("languages", "skills", "conflicts")}
    return RaterEntry(**{**row, **lists, "absences": absences})


class Activity(NamedTuple):
    """One rater in one round; `last` is the moment of the newest rating, None before the first."""

    rater: str
    done: int
    open: int
    withdrawn: int
    last: datetime | None

    @property
    def asked(self) -> int:
        """Number of assignments that are open or done."""
        return self.done + self.open


def list_activity(engine: Engine, evaluation: str, number: int) -> list[Activity]:
    """Progress of every rater in a round."""
    query = (
        sa.select(assignments.c.rater, sa.func.max(ratings.c.at))
        .join(ratings, same(ratings, assignments, "assignment"))
        .where(assignments.c.evaluation == evaluation, assignments.c.round == number)
        .group_by(assignments.c.rater)
    )
    with reading(engine) as connection:
        last = dict(connection.execute(query).tuples().all())
    progress = list_progress(engine, evaluation, number)
    return [Activity(*row, last.get(row.rater)) for row in progress]


class RecordRow(NamedTuple):
    """A rating that counts, with the known and the inferred value of its item, None without one.

    `kind` is as of `ocrjury.store.current_ratings`; `label` is a category as its scale names it.
    """

    evaluation: str
    opened_at: datetime
    simulated: bool
    rater: str
    dimension: str
    item: str
    kind: str
    value: float
    known: float | None
    label: Any
    page_id: str | None = None
    system: str | None = None


def list_records(engine: Engine, *, raters: Sequence[str] | None = None) -> list[RecordRow]:
    """Every rating that counts of some raters or of all, the oldest evaluation first.

    The inferred value is that of the newest truths of its evaluation.
    """
    rated = current_ratings()
    newest = (
        sa.select(truths.c.evaluation, sa.func.max(truths.c.version).label("version"))
        .group_by(truths.c.evaluation)
        .subquery()
    )
    value = ("evaluation", "item", "dimension")
    query = (
        sa.select(
            rated.c.evaluation,
            evaluations.c.opened_at,
            evaluations.c.simulated,
            *(rated.c[name] for name in ("rater", "dimension", "item", "kind", "value")),
            gold.c.value,
            truths.c.label,
            documents.c.page_id,
            items.c.system,
        )
        .join(evaluations, same(evaluations, rated, "evaluation"))
        .join(items, same(items, rated, "evaluation", "item"))
        .join(documents, same(documents, items, "evaluation", "doc_id"))
        .outerjoin(newest, same(newest, rated, "evaluation"))
        .outerjoin(truths, sa.and_(same(truths, rated, *value), same(truths, newest, "version")))
        .outerjoin(gold, same(gold, rated, *value))
        .order_by(
            evaluations.c.opened_at,
            *(rated.c[name] for name in ("evaluation", "rater", "item", "dimension")),
        )
    )
    if raters is not None:
        query = query.where(rated.c.rater.in_(list(raters)))
    return list_rows(engine, RecordRow, query)


def count_set_aside(engine: Engine, *, dimension: str | None = None) -> dict[str, dict[str, int]]:
    """Number of ratings that decisions set aside, by rater and evaluation.

    Parameters
    ----------
    dimension
        Only of this one; None: of all.
    """
    counted = [assignments.c.rater, assignments.c.evaluation]
    query = (
        sa.select(*counted, sa.func.count())
        .join(set_aside, set_aside.c.assignment == assignments.c.assignment)
        .group_by(*counted)
    )
    if dimension is not None:
        query = query.where(set_aside.c.dimension == dimension)
    counts: dict[str, dict[str, int]] = {}
    with reading(engine) as connection:
        for rater, evaluation, count in connection.execute(query):
            counts.setdefault(rater, {})[evaluation] = count
    return counts


def list_rated(engine: Engine) -> list[str]:
    """Raters with at least one rating in any evaluation."""
    query = (
        sa.select(assignments.c.rater)
        .join(ratings, ratings.c.assignment == assignments.c.assignment)
        .distinct()
        .order_by(assignments.c.rater)
    )
    with reading(engine) as connection:
        return list(connection.execute(query).scalars())
