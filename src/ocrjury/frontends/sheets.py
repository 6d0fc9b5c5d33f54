"""Import ratings from a long table, such as raters or another tool exported."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ocrjury.errors import InputError, StateError
from ocrjury.frontends.ingest import Problem, refuse, value_problems
from ocrjury.scales import Scale
from ocrjury.store.database import writing
from ocrjury.store.evaluations import Evaluation
from ocrjury.store.files import content_hash
from ocrjury.store.ratings import Submission, file_known, insert_submissions, note_file
from ocrjury.store.rounds import AssignmentRow, list_assignments, list_rounds
from ocrjury.store.workspace import Store

LONG = ("item", "rater", "dimension", "rating")


class Imported(NamedTuple):
    """What an import did; `again` says that this very file was imported before."""

    ratings: int
    assignments: int
    complete: bool
    again: bool = False


def import_ratings(
    store: Store, row: Evaluation, path: Path, *, scale: Scale, now: datetime
) -> Imported:
    """Store the ratings of a file in the open round, all or none.

    Parameters
    ----------
    path
        A CSV file, either long (item, rater, dimension, rating) or with one column for each
        dimension (item, rater, and the dimensions).

    Raises
    ------
    InputError
        If any row is wrong; names every row. Nothing is stored then.
    """
    body = _read_bytes(path)
    last = next(
        (r for r in list_rounds(store.engine, row.evaluation)[::-1] if r.state == "open"), None
    )
    if last is None:
        raise StateError(f"{row.evaluation} has no open round; nothing was stored.")
    table = read_rating_table(path)
    assigned = {
        (one.item, one.rater): one
        for one in list_assignments(store.engine, row.evaluation)
        if one.round == last.round
    }
    values = _by_assignment(table, assigned, last.dimensions, scale=scale, source=path.name)
    digest = content_hash(body)
    submissions = [
        Submission(
            assignment=assignment,
            values=found,
            event_id=f"file/{digest[:16]}/{assignment}",
            rubric_hash=row.rubric_hash,
            source="file",
        )
        for assignment, found in values.items()
    ]
    with writing(store.engine) as connection:
        if file_known(connection, digest, last.round):
            return Imported(0, 0, complete=False, again=True)
        complete = insert_submissions(connection, row.evaluation, submissions, now=now)
        note_file(
            connection,
            digest,
            evaluation=row.evaluation,
            number=last.round,
            rows=len(table),
            now=now,
        )
    return Imported(len(table), len(submissions), complete)


def read_rating_table(path: Path) -> pd.DataFrame:
    """Return a CSV file of ratings as a long frame: item, rater, dimension, rating, row.

    Everything is text but ``row``, the row of the file; an empty rating is left out.
    """
    frame = _read_csv(path)
    if not {"item", "rater"} <= set(frame.columns):
        raise InputError(
            f"{path.name}: a table of ratings needs the columns item and rater, and either "
            f"dimension and rating or one column for each dimension; found "
            f"{', '.join(map(repr, frame.columns))}."
        )
    frame = frame.assign(row=range(2, len(frame) + 2))
    if set(LONG) <= set(frame.columns):
        long = frame[[*LONG, "row"]]
    else:
        dimensions = [name for name in frame.columns if name not in ("item", "rater", "row")]
        long = frame.melt(
            id_vars=["item", "rater", "row"],
            value_vars=dimensions,
            var_name="dimension",
            value_name="rating",
        )
    return long[long["rating"].str.strip() != ""].reset_index(drop=True)


def _read_csv(path: Path) -> pd.DataFrame:
    """Return a CSV file as text cells."""
    for encoding in ("utf-8-sig", "cp949"):
        try:
            return pd.read_csv(path, dtype=str, keep_default_na=False, encoding=encoding)
        except UnicodeDecodeError:
            continue
        except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
            raise InputError(f"{path.name} is no table in CSV: {error}.") from error
    raise InputError(f"{path.name} is neither UTF-8 nor CP949; save it as UTF-8.")


def _read_bytes(path: Path) -> bytes:
    """Return the content of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error


def _by_assignment(
    table: pd.DataFrame,
    assigned: Mapping[tuple[str, str], AssignmentRow],
    dimensions: list[str],
    *,
    scale: Scale,
    source: str,
) -> dict[str, dict[str, float]]:
    """Return the values of every assignment; raise if any row is wrong."""
    problems: list[Problem] = []
    values: dict[tuple[str, str], dict[str, float]] = {}
    first_row: dict[tuple[str, str], int] = {}
    for one in table.to_dict(orient="records"):
        pair = (one["item"], one["rater"])
        problem = _row_problem(one, assigned, before=values.get(pair, {}), scale=scale)
        if problem is not None:
            problems.append(Problem(f"row {one['row']}", problem))
            continue
        first_row.setdefault(pair, one["row"])
        values.setdefault(pair, {})[one["dimension"]] = _number(one["rating"], scale)
    for pair, found in values.items():
        where = f"row {first_row[pair]} (item {pair[0]!r}, rater {pair[1]!r})"
        wrong = value_problems(found, dimensions=dimensions, scale=scale)
        problems += [Problem(where, what) for what in wrong]
    refuse(problems, source=source)
    return {assigned[pair].assignment: found for pair, found in values.items()}


def _row_problem(
    one: Mapping[Any, Any],
    assigned: Mapping[tuple[str, str], AssignmentRow],
    *,
    before: Mapping[str, float],
    scale: Scale,
) -> str | None:
    """Return what is wrong with one row by itself."""
    pair = (one["item"], one["rater"])
    if pair not in assigned:
        known = {item for item, _ in assigned}
        if one["item"] not in known:
            return f"there is no item {one['item']!r} in the open round"
        return f"item {one['item']!r} is not assigned to rater {one['rater']!r}"
    if assigned[pair].state == "withdrawn":
        return f"the assignment of item {one['item']!r} to {one['rater']!r} was withdrawn"
    if one["dimension"] in before:
        return f"a second rating on dimension {one['dimension']!r} of the same item and rater"
    if _number(one["rating"], scale) is None:
        return f"{one['rating']!r} is no rating on the scale ({scale})"
    return None


def _number(text: str, scale: Scale) -> Any:
    """Return a rating as the store keeps it; on a nominal scale the category's place."""
    if not scale.ordered:
        places = {str(name): code for code, name in enumerate(scale.categories)}
        place = places.get(text.strip())
        return None if place is None else float(place)
    try:
        return float(text)
    except ValueError:
        return None
